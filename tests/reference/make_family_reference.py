#!/usr/bin/env python3
"""Reference numbers from PyTorch for the family of transformers, for tests/core/model/family_reference_test.cpp.

Writes family_<name>.safetensors for each of the configs below: the config (as config.json has it), random weights, one
batch, every trace point of its first sequence, the loss and every gradient. Needs Debian's python3-torch. The passes are
written by hand, with einsum; where PyTorch has the same model as a module (nn.TransformerEncoderLayer,
nn.TransformerDecoderLayer, nn.Transformer) they have to agree with it first.

Usage: python3 tests/reference/make_family_reference.py [name ...]
"""
import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

from reference_files import write_safetensors

FOLDER = pathlib.Path(__file__).parent
B, T, S = 2, 7, 5
LONGER = {"bucketed_encoder_decoder": (24, 20), "twelve_buckets": (24, 20)}  # T and S: an encoder's buckets differ from a decoder's where it is far
SIZES = {"n_layer": 2, "n_head": 2, "n_embd": 8, "n_inner": 12, "n_positions": 9, "vocab_size": 11}
USUAL = {"stack": "decoder_only", "cross_memory": "last_layer", "norm_placement": "pre", "norm": "layer",
         "final_norm": True, "position_embedding_type": "learned", "similarity": "queries_and_keys",
         "scale_attn_weights": True, "attention_kernel": "softmax", "mask": "causal", "mask_size": 0,
         "mask_time": "before_softmax", "readout": "values_and_output", "activation_function": "gelu_new",
         "tie_word_embeddings": False, "scale_embedding": False, "n_head_kv": 0, "position_parameter": 0,
         "painted_mask": []}
AS_2017 = {"stack": "encoder_decoder", "norm_placement": "post", "final_norm": False, "scale_embedding": True,
           "position_embedding_type": "sinusoidal", "activation_function": "relu", "tie_word_embeddings": True}
CONFIGS = {
    "post_norm": {"norm_placement": "post", "final_norm": False, "activation_function": "relu"},
    "encoder_pre": {"stack": "encoder_only", "mask": "none", "activation_function": "gelu"},
    "encoder_post": {"stack": "encoder_only", "mask": "none", "norm_placement": "post", "final_norm": False,
                     "activation_function": "gelu", "position_embedding_type": "sinusoidal"},
    "translation_2017": AS_2017,
    "translation_pre": {"stack": "encoder_decoder", "activation_function": "gelu"},
    "same_layer_memory": AS_2017 | {"cross_memory": "same_layer", "norm": "rms"},
    "rotary_rms_swiglu_grouped": {"position_embedding_type": "rotary", "norm": "rms", "activation_function": "swiglu",
                                  "n_head": 4, "n_embd": 16, "n_head_kv": 2},
    "alibi": {"position_embedding_type": "alibi", "tie_word_embeddings": True},
    "relative": {"position_embedding_type": "relative", "position_parameter": 2},
    "bucketed": {"position_embedding_type": "bucketed", "position_parameter": 20, "n_positions": 40},
    "bucketed_encoder": {"position_embedding_type": "bucketed", "position_parameter": 20, "stack": "encoder_only",
                         "mask": "none", "n_positions": 40},
    "bucketed_encoder_decoder": {"position_embedding_type": "bucketed", "position_parameter": 20,
                                 "stack": "encoder_decoder", "n_positions": 40},
    "twelve_buckets": {"position_embedding_type": "bucketed", "position_parameter": 10, "n_layer": 1,
                       "relative_attention_num_buckets": 12, "stack": "encoder_decoder", "n_positions": 40},
    "concatenated": {"position_embedding_type": "concatenated", "position_parameter": 4, "n_embd": 12,
                     "scale_embedding": True},
    "concatenated_translation": AS_2017 | {"position_embedding_type": "concatenated", "position_parameter": 100},
    "linear": {"attention_kernel": "linear", "position_embedding_type": "rotary", "position_parameter": 100},
    "linear_encoder": {"attention_kernel": "linear", "stack": "encoder_only", "mask": "none"},
    "hard_argmax_window": {"attention_kernel": "argmax", "mask": "window", "mask_size": 3},
    "recurrence": {"mixing": "recurrence"},
    "recurrence_post_rms": {"mixing": "recurrence", "norm_placement": "post", "norm": "rms", "final_norm": False,
                            "position_embedding_type": "sinusoidal", "tie_word_embeddings": True},
    "elman": {"mixing": "recurrence", "residual": False, "norm_placement": "none", "activation_function": "none",
              "position_embedding_type": "none", "n_layer": 1},
    "convolution": {"mixing": "convolution", "activation_function": "gelu"},
    "convolution_replacing": {"mixing": "convolution", "kernel_width": 5, "residual": False,
                              "activation_function": "swiglu"},
    "resnet": {"mixing": "convolution", "filters": "bottleneck", "activation_function": "none"},
    "resnet_encoder": {"mixing": "convolution", "filters": "bottleneck", "activation_function": "none", "kernel_width": 5,
                       "stack": "encoder_only", "mask": "none", "norm_placement": "post", "final_norm": False},
    "convnext": {"mixing": "convolution", "filters": "depthwise", "one_residual": True, "activation_function": "gelu",
                 "kernel_width": 4},
    "convnext_encoder": {"mixing": "convolution", "filters": "depthwise", "one_residual": True, "kernel_width": 7,
                         "activation_function": "gelu", "stack": "encoder_only", "mask": "none", "norm": "rms"},
    "depthwise_and_mlp": {"mixing": "convolution", "filters": "depthwise", "kernel_width": 2, "mask": "none",
                          "biases": "none", "position_embedding_type": "none"},
    "attention_replacing": {"residual": False, "activation_function": "relu"},
    "distance": {"attention_kernel": "distance", "position_embedding_type": "none"},
    "distance_open_border": {"attention_kernel": "distance", "open_border": True, "position_embedding_type": "none"},
    "distance_open_border_encoder": {"attention_kernel": "distance", "open_border": True, "stack": "encoder_only",
                                     "mask": "none", "norm_placement": "post", "final_norm": False},
    "distance_open_border_window": {"attention_kernel": "distance", "open_border": True, "mask": "window", "mask_size": 3,
                                    "readout": "rows"},
    "plain_similarity": {"similarity": "plain", "scale_attn_weights": False, "norm_placement": "residual"},
    "shared_similarity": {"similarity": "shared", "n_head": 4, "n_head_kv": 2, "position_embedding_type": "relative"},
    "one_matrix_prefix_after": {"readout": "one_matrix", "mask": "prefix", "mask_size": 3,
                                "mask_time": "after_softmax"},
    "translation_masked_after": {"stack": "encoder_decoder", "mask_time": "after_softmax", "norm": "rms"},
    "parallel_partial_rotary": {"parallel_residual": True, "position_embedding_type": "rotary_halves", "rotary_dim": 2,
                                "activation_function": "gelu", "n_embd": 12, "n_head": 2},
    "own_head_width_no_biases": {"position_embedding_type": "rotary_halves", "position_parameter": 1000, "norm": "rms",
                                 "activation_function": "swiglu", "n_head": 4, "n_embd": 16, "n_head_kv": 2,
                                 "head_dim": 6, "biases": "none", "tie_word_embeddings": True},
    "query_key_value_biases": {"position_embedding_type": "rotary", "rotary_dim": 4, "norm": "rms", "n_embd": 12,
                               "activation_function": "swiglu", "biases": "qkv"},
    "normed_queries": {"qk_norm": True, "position_embedding_type": "rotary_halves", "n_head": 4, "n_embd": 16, "n_head_kv": 2,
                       "norm": "rms", "biases": "none"},
    "normed_queries_shared": {"qk_norm": True, "similarity": "shared", "position_embedding_type": "relative",
                              "position_parameter": 3},
    "one_matrix_no_biases": {"readout": "one_matrix", "biases": "none", "position_embedding_type": "none"},
    "rows": {"readout": "rows"},
    "rows_bare": {"readout": "rows", "similarity": "plain", "n_head": 1, "activation_function": "none",
                  "norm_placement": "none"},
    "rows_translation": {"readout": "rows", "stack": "encoder_decoder", "norm_placement": "post", "n_head_kv": 1,
                         "biases": "none"},  # a bias of keys alone changes nothing: its gradient is 0 but for rounding
    "masked_language_model": {"stack": "encoder_only", "mask": "none", "norm_placement": "post", "final_norm": False,
                              "activation_function": "gelu", "tie_word_embeddings": True, "embedding_norm": True,
                              "type_vocab_size": 2, "sep_token_id": 4, "head_transform": True, "unembedding_bias": True},
    "decoder_with_head": {"embedding_norm": True, "norm": "rms", "activation_function": "swiglu", "head_transform": True,
                          "type_vocab_size": 3, "sep_token_id": 8, "position_embedding_type": "none"},
    "unembedding_bias_no_others": {"unembedding_bias": True, "biases": "none", "head_transform": True,
                                   "norm_placement": "none", "activation_function": "relu"},
    "translation_with_head": {"stack": "encoder_decoder", "embedding_norm": True, "head_transform": True,
                              "unembedding_bias": True, "activation_function": "gelu"},
    "sandwich_capped": {"norm_placement": "sandwich", "norm": "rms", "position_embedding_type": "rotary_halves", "mask":
                        "window", "mask_size": 3, "full_attention_every": 2, "rope_local_base_freq": 50, "biases": "none",
                        "attn_logit_softcapping": 1.5, "final_logit_softcapping": 2.5, "query_pre_attn_scalar": 7,
                        "activation_function": "swiglu", "position_parameter": 1000},
    "windows_in_any_order": {"mask": "window", "mask_size": 3, "layer_types": ["full_attention", "sliding_attention",
                             "sliding_attention", "full_attention"], "full_attention_every": -1, "n_layer": 4,
                             "scale_attn_weights": False, "biases": "not_qkv", "tie_word_embeddings": True,
                             "rope_local_base_freq": 50, "position_embedding_type": "rotary"},
    "mlp_biases_parallel": {"biases": "mlp", "parallel_residual": True, "position_embedding_type": "rotary", "n_embd": 12,
                            "rotary_dim": 4, "unembedding_bias": True},
    "attention_biases": {"biases": "attention", "stack": "encoder_decoder", "activation_function": "relu"},
    "sandwich_translation": {"stack": "encoder_decoder", "norm_placement": "sandwich", "attn_logit_softcapping": 0.8,
                             "position_embedding_type": "bucketed", "position_parameter": 20, "n_positions": 40,
                             "query_pre_attn_scalar": 3},
    "scaled_unembedding": {"scale_unembedding": True, "tie_word_embeddings": True, "unembedding_bias": True},
    "sinusoidal_halves": {"position_embedding_type": "sinusoidal_halves", "activation_function": "silu", "head_transform": True},
    "classes": {"num_labels": 3, "first_label_token": 4},
    "classes_mean": {"num_labels": 4, "first_label_token": 2, "pooling": "mean", "head_transform": True,
                     "position_embedding_type": "alibi"},
    "classes_mean_encoder": {"num_labels": 5, "first_label_token": 6, "pooling": "mean", "stack": "encoder_only",
                             "mask": "none", "tie_word_embeddings": True},
    "uneven_translation": {"stack": "encoder_decoder", "encoder_layers": 3, "n_layer": 1},
    "scores_by_layer": {"scale_attn_by_inverse_layer_idx": True, "position_embedding_type": "alibi", "n_layer": 3},
    "scores_by_layer_alone": {"scale_attn_by_inverse_layer_idx": True, "scale_attn_weights": False, "stack": "encoder_decoder"},
    "bare_attention_only": {"activation_function": "none", "norm_placement": "none", "position_embedding_type": "none",
                            "painted_mask": [[4, 2, False], [1, 5, True], [3, 3, False]]},
}


def head_width(c):
    return c.get("head_dim") or c["n_embd"] // c["n_head"]


def attention_columns(c):
    head = head_width(c)
    shared = c["n_head_kv"] or c["n_head"]
    query, key = c["n_head"] * head, shared * head
    value = shared * {"one_matrix": c["n_embd"], "rows": 0}.get(c["readout"], head)
    own_query = 0 if c["similarity"] == "plain" or c["attention_kernel"] == "distance" else query
    own_key = key if c["similarity"] == "queries_and_keys" and c["attention_kernel"] != "distance" else 0
    return (own_query, own_key, value), (query, key, value)


def encoder_layers(c):
    return c.get("encoder_layers") or c["n_layer"]


def bucket_count(c):
    return c.get("relative_attention_num_buckets", 32)


def taps(c):
    return c.get("kernel_width", 3)


def ahead(c):
    """How many tokens early the first tap is: none in a text read from left to right, half of them where nothing is masked."""
    return (taps(c) - 1) // 2 if c["mask"] == "none" else 0


def make_weights(c):
    D, V, C, FF = c["n_embd"], c["vocab_size"], c["n_positions"], c["n_inner"]
    w = {"wte.weight": torch.randn(V, D) * 0.5}

    def bias(name, m):
        projects, kind = name.endswith("_attn"), c.get("biases", "all")
        attends, feeds = ".attn." in name or ".crossattention." in name, ".mlp." in name or name.startswith("head.")
        if {"all": True, "qkv": projects, "none": False, "not_qkv": not projects, "mlp": feeds, "attention": attends}[kind]:
            w[name + ".bias"] = 0.1 * torch.randn(m)

    def linear(name, n, m):
        w[name + ".weight"] = torch.randn(n, m) / math.sqrt(n)
        bias(name, m)

    def norm(name):
        if c["norm_placement"] == "none":
            return
        w[name + ".weight"] = 1 + 0.2 * torch.randn(D)
        if c["norm"] == "layer":
            w[name + ".bias"] = 0.2 * torch.randn(D)

    def sublayer_norm(name):
        norm(name)
        if c["norm_placement"] == "sandwich":
            norm(name + "_post")

    def output(name):
        if c["readout"] == "one_matrix":
            bias(name + "c_proj", D)
        elif c["readout"] != "rows":
            linear(name + "c_proj", c["n_head"] * head_width(c), D)

    def attention(p, columns):
        if columns:
            linear(p + "c_attn", D, columns)
        if c["attention_kernel"] == "distance":
            w[p + "distance"] = torch.randn(c["n_head"], 2 * C - 1)
        if c.get("qk_norm"):
            for name in ("q_norm", "k_norm"):
                w[p + name + ".weight"] = 1 + 0.2 * torch.randn(head_width(c))
        if c["position_embedding_type"] == "relative":
            w[p + "relative"] = torch.randn(2 * int(c["position_parameter"] or 16) + 1, D // c["n_head"])
        if c["position_embedding_type"] == "bucketed":
            w[p + "buckets"] = torch.randn(c["n_head"], bucket_count(c))
        output(p)

    def stack(prefix, layers, crosses):
        own, across = attention_columns(c)
        if c["position_embedding_type"] == "learned":
            w[prefix + "wpe.weight"] = torch.randn(C, D) * 0.5
        if c.get("type_vocab_size"):
            w[prefix + "wtt.weight"] = torch.randn(c["type_vocab_size"], D) * 0.5
        if c.get("embedding_norm"):
            norm(prefix + "ln_embed")
        for i in range(layers):
            p = f"{prefix}h.{i}."
            if not c.get("one_residual"):
                sublayer_norm(p + "ln_1")
            if c.get("mixing") == "recurrence":
                linear(p + "recurrence.c_input", D, D)
                w[p + "recurrence.c_state.weight"] = torch.randn(D, D) / math.sqrt(D)
                linear(p + "recurrence.c_proj", D, D)
            elif c.get("filters") == "depthwise":
                linear(p + "convolution.c_depthwise", taps(c), D)
            elif c.get("filters") == "bottleneck":
                linear(p + "convolution.c_reduce", D, D // 4)
                linear(p + "convolution.c_taps", D // 4, taps(c) * (D // 4))
                w[p + "convolution.c_taps.bias"] = 0.1 * torch.randn(D // 4)
                linear(p + "convolution.c_proj", D // 4, D)
            elif c.get("mixing") == "convolution":
                linear(p + "convolution.c_taps", D, taps(c) * D)
                w[p + "convolution.c_taps.bias"] = 0.1 * torch.randn(D)
            else:
                attention(p + "attn.", sum(own))
            if crosses:
                sublayer_norm(p + "ln_cross_attn")
                linear(p + "crossattention.q_attn", D, across[0])
                linear(p + "crossattention.c_attn", D, across[1] + across[2])
                output(p + "crossattention.")
            if c["activation_function"] != "none":
                sublayer_norm(p + "ln_2")
                linear(p + "mlp.c_fc", D, 2 * FF if c["activation_function"] == "swiglu" else FF)
                linear(p + "mlp.c_proj", FF, D)
        if c["final_norm"]:
            norm(prefix + "ln_f")

    stack("", c["n_layer"], c["stack"] == "encoder_decoder")
    if c["stack"] == "encoder_decoder":
        stack("encoder.", encoder_layers(c), False)
    if c.get("head_transform"):
        linear("head.c_fc", D, D)
        norm("head.ln_head")
    if not c["tie_word_embeddings"]:
        w["lm_head.weight"] = torch.randn(V, D) * 0.3
    if c.get("unembedding_bias"):
        w["lm_head.bias"] = torch.randn(V) * 0.3
    if c.get("num_labels"):
        w["score.weight"] = torch.randn(c["num_labels"], D) * 0.3
    return {k: v.requires_grad_() for k, v in w.items()}


def allowed(c, rows):
    """[T, T], True where row t may look at column s."""
    t, s = torch.arange(rows)[:, None], torch.arange(rows)[None]
    m = {"none": torch.ones(rows, rows, dtype=torch.bool), "causal": s <= t,
         "prefix": (s <= t) | (s < c["mask_size"]), "window": (s <= t) & (t - s < c["mask_size"])}[c["mask"]]
    for query, key, value in c["painted_mask"]:
        m[query, key] = value
    return m


def buckets(rows, causal, farthest, most):
    """T5's `most` buckets of s - t, [T, S], in integers: half of them exact, the rest logarithmic. Of an encoder-decoder the
    decoder's are causal, the encoder's are not, and there are none across (Raffel et al. 2020)."""
    distance = torch.arange(rows)[None] - torch.arange(rows)[:, None]
    count = most if causal else most // 2
    later = torch.zeros_like(distance) if causal else (distance > 0) * count
    away = (-distance).clamp(min=0) if causal else distance.abs()
    near = count // 2
    far = near + (torch.log(away.double().clamp(min=1) / near) / math.log(farthest / near) * (count - near)).long()
    return later + torch.where(away < near, away, far.clamp(max=count - 1))


def capped(x, cap):
    return cap * torch.tanh(x / cap) if cap else x


def turned(x, c, base):
    """The first R columns of x [B, T, H, K], where pairs stand side by side or in the two halves."""
    R = c.get("rotary_dim") or x.shape[-1]
    head, rest = x[..., :R], x[..., R:]
    if c["position_embedding_type"] == "rotary":
        return torch.cat([turned_pairs(head, base), rest], -1)
    pairs = torch.stack([head[..., :R // 2], head[..., R // 2:]], -1).flatten(-2)
    after = turned_pairs(pairs, base).unflatten(-1, (-1, 2))
    return torch.cat([after[..., 0], after[..., 1], rest], -1)


def turned_pairs(x, base):
    """x [B, T, H, K]: neighbouring pairs as complex numbers, times e^(i t / base^(2i/K))."""
    rows, K = x.shape[1], x.shape[-1]
    angle = torch.arange(rows)[:, None] / base ** (torch.arange(0, K, 2) / K)
    turn = torch.polar(torch.ones_like(angle), angle)[:, None]
    return torch.view_as_real(torch.view_as_complex(x.reshape(*x.shape[:-1], K // 2, 2).contiguous()) * turn).flatten(-2)


def sinusoids(rows, width):
    angle = torch.arange(rows)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)


class Model:
    def __init__(self, c, w, points):
        self.c, self.w, self.points, self.prefix = c, w, points, ""
        self.base = c["position_parameter"] or 10000  # of rotary positions, in the block that is computed
        self.D, self.H = c["n_embd"], c["n_head"]
        self.K, self.HV = head_width(c), c["n_head_kv"] or self.H

    def note(self, name, x):
        self.points[self.prefix + name] = x[0].clone()
        return x

    def linear(self, name, x):
        return x @ self.w[name + ".weight"] + self.w.get(name + ".bias", 0)

    def scaled(self, weight, name, x):
        if self.c["norm"] == "rms":
            scale = torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5)
            y = x / scale * self.w[weight + ".weight"]
        else:
            scale = torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-5)
            y = F.layer_norm(x, (self.D,), self.w[weight + ".weight"], self.w[weight + ".bias"], 1e-5)
        self.note(name + ".hook_scale", scale)
        return y

    def norm(self, weight, name, x):
        return self.note(name + ".hook_normalized", self.scaled(weight, name, x))

    def handed_on(self, part, x, weight="", name=""):
        """What a sublayer adds to the stream: what it has made, or a norm of that."""
        if self.c["norm_placement"] == "sandwich":
            x = self.scaled(weight + "_post", name + "_post", self.note(part + ".hook_out", x))
        return self.note(f"hook_{part}_out", x)

    def residual(self, weight, name, part, result, x, f):
        place = self.c["norm_placement"]
        n = self.norm(weight, name, x) if place in ("pre", "residual", "sandwich") else x
        kept, made = n if place == "residual" else x, self.handed_on(part, f(n), weight, name)
        total = self.note(result, kept + made if self.c.get("residual", True) else made)
        return self.norm(weight, name, total) if place == "post" else total

    def heads(self, x, count):
        return x.view(*x.shape[:2], count, -1)

    def handed(self, rows, values):
        return self.heads(rows, 1) if self.c["readout"] == "rows" else self.heads(values, self.HV)

    def grouped(self, x):
        return x.repeat_interleave(self.H // x.shape[2], dim=2)

    def pattern(self, name, p, q, k, v, mask, across):
        c = self.c
        if c["attention_kernel"] == "linear":
            q = self.note(name + "hook_q_features", F.elu(q) + 1)
            k = self.note(name + "hook_k_features", F.elu(k) + 1)
            scores = torch.einsum("bthk,bshk->bhts", q, self.grouped(k)) * mask
            self.note(name + "hook_attn_scores", scores)
            return scores / scores.sum(-1, keepdim=True)
        rows = q.shape[1] if q is not None else v.shape[1]
        if q is None:
            distance = torch.arange(rows)[None] - torch.arange(rows)[:, None]
            scores = self.w[p + "distance"][:, distance + c["n_positions"] - 1].expand(v.shape[0], -1, -1, -1)
        else:
            scores = torch.einsum("bthk,bshk->bhts", q, self.grouped(k))
            if c["position_embedding_type"] == "relative" and not across:
                reach = self.w[p + "relative"].shape[0] // 2
                distance = (torch.arange(rows)[None] - torch.arange(rows)[:, None]).clamp(-reach, reach) + reach
                scores = scores + torch.einsum("bthk,tsk->bhts", q, self.w[p + "relative"][distance])
            if c["scale_attn_weights"]:
                scores = scores / math.sqrt(c.get("query_pre_attn_scalar") or self.K)
            if c.get("scale_attn_by_inverse_layer_idx"):
                scores = scores / (self.layer + 1)
        if c["position_embedding_type"] == "alibi" and not across:
            slope = 2.0 ** (-8.0 * torch.arange(1, self.H + 1) / self.H)
            scores = scores - slope[:, None, None] * (torch.arange(rows)[:, None] - torch.arange(rows)[None]).abs()
        if c["position_embedding_type"] == "bucketed" and not across:
            decodes = c["stack"] != "encoder_only" and not p.startswith("encoder.")
            index = buckets(rows, decodes, c["position_parameter"] or 128, bucket_count(c))
            scores = scores + self.w[p + "buckets"][:, index]
        scores = capped(scores, c.get("attn_logit_softcapping"))
        before = c["mask_time"] == "before_softmax"
        if before:
            scores = scores.masked_fill(~mask, -math.inf)
        self.note(name + "hook_attn_scores", scores)
        if c.get("open_border") and q is None:
            first, last = self.distances()
            return torch.exp(scores - self.w[p + "distance"][:, first:last].logsumexp(-1)[:, None, None])
        if c["attention_kernel"] == "argmax":
            pattern = F.one_hot(scores.argmax(-1), scores.shape[-1]).float()
        else:
            pattern = scores.softmax(-1)
        if before or mask.all():
            return pattern
        shares = self.note(name + "hook_unmasked_pattern", pattern) * mask
        return shares / shares.sum(-1, keepdim=True)

    def attend(self, name, p, q, k, v, mask, across):
        pattern = self.note(name + "hook_pattern", self.pattern(name, p, q, k, v, mask, across))
        z = torch.einsum("bhts,bshk->bthk", pattern, self.grouped(v))
        if self.c.get("open_border") and q is None:
            z = self.convolved(p, self.grouped(v), z)
        z = self.note(name + "hook_z", z)
        if self.c["readout"] in ("one_matrix", "rows"):
            out = z.sum(2) + self.w.get(p + "c_proj.bias", 0)
        else:
            out = self.linear(p + "c_proj", z.flatten(2))
        return out

    def distances(self):
        """Which of the table's columns the mask lets a token look at, wherever it is."""
        c, C = self.c, self.c["n_positions"]
        if c["mask"] == "none":
            return 0, 2 * C - 1
        return (C - c["mask_size"] if c["mask"] == "window" else 0), C

    def convolved(self, p, v, attended):
        """The same by torch.nn.functional.conv1d, head by head: one filter for all columns of a head."""
        first, last = self.distances()
        C, (batch, rows, heads, width) = self.c["n_positions"], v.shape
        filters = self.w[p + "distance"][:, first:last].softmax(-1)
        wide = F.pad(v.permute(0, 2, 3, 1), (C - 1 - first, last - C)).reshape(batch, heads * width, -1)
        z = F.conv1d(wide, filters.repeat_interleave(width, 0)[:, None], groups=heads * width)
        z = z.view(batch, heads, width, rows).permute(0, 3, 1, 2)
        assert torch.allclose(z, attended, atol=1e-6)
        return z

    def self_attention(self, p, x, mask):
        c = self.c
        query, key, value = attention_columns(c)[0]
        fused = self.linear(p + "c_attn", x) if query + key + value else x[..., :0]
        q = k = None
        if c["attention_kernel"] != "distance":
            u = fused[..., :query] if query else x
            q = self.note("attn.hook_q", self.heads(u, self.H))
            k = self.note("attn.hook_k", self.heads(fused[..., query:query + key], self.HV) if key else q)
            if c.get("qk_norm"):
                q, k = (self.note(f"attn.{name}.hook_normalized", self.w[p + name + ".weight"] * x /
                                  torch.sqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5))
                        for name, x in (("q_norm", q), ("k_norm", k)))
            if c["position_embedding_type"].startswith("rotary"):
                q = self.note("attn.hook_rot_q", turned(q, c, self.base))
                k = self.note("attn.hook_rot_k", turned(k, c, self.base))
        v = self.note("attn.hook_v", self.handed(x, fused[..., query + key:]))
        return self.attend("attn.", p, q, k, v, mask, False)

    def recurrence(self, p, x):
        inputs, states, carried = self.linear(p + "c_input", x), [], []
        state = torch.zeros_like(x[:, 0])
        for t in range(x.shape[1]):
            carried.append(state @ self.w[p + "c_state.weight"])
            state = torch.tanh(inputs[:, t] + carried[-1])
            states.append(state)
        self.note("recurrence.hook_input", inputs)
        self.note("recurrence.hook_carried", torch.stack(carried, 1))
        states = self.note("recurrence.hook_state", torch.stack(states, 1))
        return self.linear(p + "c_proj", states)

    def tapped(self, x, tap, bias):
        """Σ_j tap(j, x of j tokens before, the first tap being as early as the mask lets it) + bias."""
        J, early, rows = taps(self.c), ahead(self.c), x.shape[1]
        wide = F.pad(x, (0, 0, J - 1, early))
        late = [wide[:, J - 1 + early - j:][:, :rows] for j in range(J)]
        parts = torch.stack([tap(j, late[j]) for j in range(J)], 2)
        self.note("convolution.hook_taps", parts)
        return parts.sum(2) + self.w.get(bias, 0)

    def convolution(self, p, x):
        filters = self.c.get("filters", "full")
        if filters == "depthwise":
            return self.tapped(x, lambda j, late: late * self.w[p + "c_depthwise.weight"][j], p + "c_depthwise.bias")

        def full(x):
            weight = self.w[p + "c_taps.weight"].view(x.shape[-1], taps(self.c), x.shape[-1])
            return self.tapped(x, lambda j, late: late @ weight[:, j], p + "c_taps.bias")

        if filters == "full":
            return full(x)
        reduced = F.relu(self.note("convolution.hook_reduced_pre", self.linear(p + "c_reduce", x)))
        mixed = F.relu(self.note("convolution.hook_mixed_pre", full(self.note("convolution.hook_reduced", reduced))))
        return self.linear(p + "c_proj", self.note("convolution.hook_mixed", mixed))

    def mixed(self, p, x, mask):
        mixing = self.c.get("mixing")
        if mixing == "recurrence":
            return self.recurrence(p + "recurrence.", x)
        return self.convolution(p + "convolution.", x) if mixing else self.self_attention(p + "attn.", x, mask)

    def cross_attention(self, p, x, memory, mask):
        key = attention_columns(self.c)[1][1]
        q = self.note("cross_attn.hook_q", self.heads(self.linear(p + "q_attn", x), self.H))
        kv = self.linear(p + "c_attn", memory)
        k = self.note("cross_attn.hook_k", self.heads(kv[..., :key], self.HV))
        v = self.note("cross_attn.hook_v", self.handed(memory, kv[..., key:]))
        return self.attend("cross_attn.", p, q, k, v, mask, True)

    def feed_forward(self, p, x):
        kind, up = self.c["activation_function"], self.linear(p + "c_fc", x)
        if kind == "swiglu":
            gate, value = up.chunk(2, -1)
            post = F.silu(self.note("mlp.hook_pre", gate)) * self.note("mlp.hook_pre_linear", value)
        else:
            f = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu, "gelu_new": lambda u: F.gelu(u, approximate="tanh")}[kind]
            post = f(self.note("mlp.hook_pre", up))
        return self.linear(p + "c_proj", self.note("mlp.hook_post", post))

    def block(self, p, x, mask, memory=None, memory_mask=None):
        fed, crosses = self.c["activation_function"] != "none", memory is not None
        x = self.note("hook_resid_pre", x)
        mixing = self.c.get("mixing", "attn")
        if self.c.get("parallel_residual"):
            a = self.handed_on(mixing, self.mixed(p, self.norm(p + "ln_1", "ln1", x), mask))
            m = self.handed_on("mlp", self.feed_forward(p + "mlp.", self.norm(p + "ln_2", "ln2", x)))
            return self.note("hook_resid_post", x + a + m)
        if self.c.get("one_residual"):
            c = self.note("hook_convolution_out", self.mixed(p, x, mask))
            m = self.feed_forward(p + "mlp.", self.norm(p + "ln_2", "ln2", c))
            return self.note("hook_resid_post", x + self.note("hook_mlp_out", m))
        after = "hook_resid_mid" if fed or crosses else "hook_resid_post"
        x = self.residual(p + "ln_1", "ln1", mixing, after, x, lambda n: self.mixed(p, n, mask))
        if crosses:
            crossed = "hook_resid_mid_cross" if fed else "hook_resid_post"
            x = self.residual(p + "ln_cross_attn", "ln2", "cross_attn", crossed, x,
                              lambda n: self.cross_attention(p + "crossattention.", n, memory, memory_mask))
        if fed:
            x = self.residual(p + "ln_2", "ln3" if crosses else "ln2", "mlp", "hook_resid_post", x,
                              lambda n: self.feed_forward(p + "mlp.", n))
        return x

    def concatenated(self, content):
        """[E[token]; p[t]]: as many of the embedding's columns as positions leave, and these behind them."""
        P = min(round(self.c["position_parameter"] or 16), self.D // 2)
        own = sinusoids(content.shape[1], P).expand(content.shape[0], -1, -1)
        self.note("hook_embed", F.pad(content[..., :-P], (0, P)))
        self.note("hook_pos_embed", F.pad(own, (self.D - P, 0)))
        return torch.cat([content[..., :-P], own], -1)

    def embed(self, p, tokens):
        c = self.c
        x = self.w["wte.weight"][tokens] * (math.sqrt(self.D) if c["scale_embedding"] else 1)
        kind, rows = c["position_embedding_type"], tokens.shape[1]
        x = self.concatenated(x) if kind == "concatenated" else self.note("hook_embed", x)
        if kind == "learned":
            table = self.w[p + "wpe.weight"][:rows]
        elif kind == "sinusoidal":
            table = sinusoids(rows, self.D)
        elif kind == "sinusoidal_halves":
            table = torch.cat(sinusoids(rows, self.D).unflatten(1, (-1, 2)).unbind(-1), -1)
        else:
            table = None
        if table is not None:
            x = x + self.note("hook_pos_embed", table.expand(tokens.shape[0], -1, -1))
        if c.get("type_vocab_size"):
            ends = (tokens == c["sep_token_id"]).long()
            types = (ends.cumsum(1) - ends).clamp(max=c["type_vocab_size"] - 1)
            x = x + self.note("hook_token_type_embed", self.w[p + "wtt.weight"][types])
        if c.get("embedding_norm") and c["norm_placement"] != "none":
            x = self.norm(p + "ln_embed", "embed.ln", self.note("hook_embed_sum", x))
        return x

    def head(self, x):
        """One more layer before the unembedding, with the nonlinearity of the MLPs where that is not gated."""
        f = {"relu": F.relu, "silu": F.silu, "gelu_new": lambda u: F.gelu(u, approximate="tanh")}.get(
            self.c["activation_function"], F.gelu)
        g = self.note("mlm_head.hook_post", f(self.note("mlm_head.hook_pre", self.linear("head.c_fc", x))))
        return self.norm("head.ln_head", "mlm_head.ln", g) if self.c["norm_placement"] != "none" else g

    def finish(self, p, x):
        if self.c["final_norm"] and self.c["norm_placement"] != "none":
            return self.norm(p + "ln_f", "ln_final", x)
        return x

    def classify(self, x):
        """Logits of classes off every token, or off the mean of what it may have read; noted last, as it is made."""
        read = x
        if self.c.get("pooling") == "mean":
            seen = torch.arange(1, x.shape[1] + 1)[:, None]
            read = x.mean(1, keepdim=True).expand_as(x) if self.c["mask"] == "none" else x.cumsum(1) / seen
            self.note("class_head.hook_pooled", read)
        return self.note("class_head.hook_logits", F.linear(read, self.w["score.weight"]))

    def __call__(self, tokens, source=None, lengths=None):
        layers, reads = range(self.c["n_layer"]), source is not None
        memories, memory_mask = [None] * max(len(layers), encoder_layers(self.c)), None
        if reads:
            memory_mask = (torch.arange(source.shape[1])[None] < lengths[:, None])[:, None, None]
            self.prefix = "encoder."
            x = self.embed("encoder.", source)
            for i in range(encoder_layers(self.c)):
                self.prefix, self.layer = f"encoder.{i}.", i
                x = memories[i] = self.block(f"encoder.h.{i}.", x, memory_mask)
            self.prefix = "encoder."
            if self.c["cross_memory"] == "last_layer":
                memories = [self.finish("encoder.", x)] * len(layers)
        self.prefix = "decoder." if reads else ""
        x = self.embed("", tokens)
        for i in layers:
            full = self.c["layer_types"][i] == "full_attention" if "layer_types" in self.c else \
                self.c.get("full_attention_every", 0) and (i + 1) % self.c["full_attention_every"] == 0
            mask = allowed(self.c | ({"mask": "causal"} if full else {}), tokens.shape[1])
            self.base = not full and self.c.get("rope_local_base_freq") or self.c["position_parameter"] or 10000
            self.prefix, self.layer = f"decoder.{i}." if reads else f"blocks.{i}.", i
            x = self.block(f"h.{i}.", x, mask, memories[i], memory_mask)
        self.prefix = "decoder." if reads else ""
        x = self.finish("", x)
        self.prefix = ""
        self.classes = self.classify(x) if self.c.get("num_labels") else None
        if self.c.get("head_transform"):
            x = self.head(x)
        if self.c.get("scale_unembedding"):
            x = self.note("unembed.hook_in", x / math.sqrt(self.D))
        logits = x @ self.w.get("lm_head.weight", self.w["wte.weight"]).T
        logits, cap = logits + self.w.get("lm_head.bias", 0), self.c.get("final_logit_softcapping")
        return self.note("logits", capped(self.note("unembed.hook_out", logits), cap) if cap else logits)


def copy_into(layer, w, p, crosses):
    """The weights of one block into PyTorch's own layer."""
    def put(module, weight, bias):
        module.weight.copy_(weight), module.bias.copy_(bias)

    with torch.no_grad():
        attention = [(layer.self_attn, "attn.", w[p + "attn.c_attn.weight"], w[p + "attn.c_attn.bias"])]
        if crosses:
            joined = [torch.cat([w[p + f"crossattention.q_attn.{x}"], w[p + f"crossattention.c_attn.{x}"]], -1)
                      for x in ("weight", "bias")]
            attention.append((layer.multihead_attn, "crossattention.", *joined))
        for module, name, weight, bias in attention:
            module.in_proj_weight.copy_(weight.T), module.in_proj_bias.copy_(bias)
            put(module.out_proj, w[p + name + "c_proj.weight"].T, w[p + name + "c_proj.bias"])
        put(layer.linear1, w[p + "mlp.c_fc.weight"].T, w[p + "mlp.c_fc.bias"])
        put(layer.linear2, w[p + "mlp.c_proj.weight"].T, w[p + "mlp.c_proj.bias"])
        norms = ["ln_1", "ln_cross_attn", "ln_2"] if crosses else ["ln_1", "ln_2"]
        for module, name in zip([layer.norm1, layer.norm2] + ([layer.norm3] if crosses else []), norms):
            put(module, w[p + name + ".weight"], w[p + name + ".bias"])


def check_against_modules(c, w, points, source_length):
    """Blocks, and whole encoder-decoders, have to agree with PyTorch's modules."""
    kind = {"relu": F.relu, "gelu": F.gelu, "gelu_new": lambda u: F.gelu(u, approximate="tanh")}
    options = dict(d_model=c["n_embd"], nhead=c["n_head"], dim_feedforward=c["n_inner"], dropout=0, batch_first=True,
                   activation=kind[c["activation_function"]], norm_first=c["norm_placement"] == "pre")
    post = c["norm_placement"] == "post"
    causal = torch.full((T, T), -math.inf).triu(1)

    def agree(ours, theirs):
        assert torch.allclose(ours, theirs, atol=2e-5), "the reference disagrees with PyTorch's module"

    def left(block, last):
        return points[f"{block}.{last}.hook_normalized" if post else f"{block}.hook_resid_post"]

    if c["stack"] != "encoder_decoder":
        layer = torch.nn.TransformerEncoderLayer(**options).train()  # training takes the path that is not fused
        copy_into(layer, w, "h.0.", False)
        mask = causal if c["mask"] == "causal" else None
        agree(left("blocks.0", "ln2"), layer(points["blocks.0.hook_resid_pre"][None], src_mask=mask)[0])
        return
    model = torch.nn.Transformer(num_encoder_layers=c["n_layer"], num_decoder_layers=c["n_layer"], **options).train()
    for i in range(c["n_layer"]):
        copy_into(model.encoder.layers[i], w, f"encoder.h.{i}.", False)
        copy_into(model.decoder.layers[i], w, f"h.{i}.", True)
    for module, p in ((model.encoder, "encoder."), (model.decoder, "")):
        if c["final_norm"]:
            with torch.no_grad():
                module.norm.weight.copy_(w[p + "ln_f.weight"]), module.norm.bias.copy_(w[p + "ln_f.bias"])
        else:
            module.norm = None
    padding = (torch.arange(S) >= source_length)[None]
    out = model(points["encoder.0.hook_resid_pre"][None], points["decoder.0.hook_resid_pre"][None], tgt_mask=causal,
                src_key_padding_mask=padding, memory_key_padding_mask=padding)[0]
    agree(points["decoder.ln_final.hook_normalized"] if c["final_norm"] else left("decoder.1", "ln3"), out)


def rnn_of(w, p):
    """PyTorch's Elman network with the weights of one block."""
    rnn = torch.nn.RNN(w[p + "c_state.weight"].shape[0], w[p + "c_state.weight"].shape[0], batch_first=True)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(w[p + "c_input.weight"].T), rnn.bias_ih_l0.copy_(w[p + "c_input.bias"])
        rnn.weight_hh_l0.copy_(w[p + "c_state.weight"].T), rnn.bias_hh_l0.zero_()
    return rnn


def padded_convolution(c, x, kernel, bias, groups=1):
    """torch.nn.Conv1d over x [1, T, in] with a kernel [J, in, out], the last tap first, as it correlates."""
    J, n, m = kernel.shape
    convolution = torch.nn.Conv1d(n * groups, m, J, groups=groups, bias=bias is not None)
    with torch.no_grad():
        convolution.weight.copy_(kernel.flip(0).permute(2, 1, 0))
        if bias is not None:
            convolution.bias.copy_(bias)
    return convolution(F.pad(x.transpose(1, 2), (J - 1 - ahead(c), ahead(c)))).transpose(1, 2)


def check_block(c, w, points):
    """The blocks of ResNet and ConvNeXt, built of PyTorch's modules, from what a block finds to what it leaves."""
    def linear(name):
        layer = torch.nn.Linear(*w[name + ".weight"].shape, bias=name + ".bias" in w)
        with torch.no_grad():
            layer.weight.copy_(w[name + ".weight"].T)
            if name + ".bias" in w:
                layer.bias.copy_(w[name + ".bias"])
        return layer

    def norm(name, x):
        if c["norm"] == "rms":
            return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * w[name + ".weight"]
        return F.layer_norm(x, (c["n_embd"],), w[name + ".weight"], w[name + ".bias"], 1e-5)

    for i in range(c["n_layer"]):
        p, x = f"h.{i}.", points[f"blocks.{i}.hook_resid_pre"][None]
        pre = c["norm_placement"] == "pre"
        if c["filters"] == "bottleneck":
            D, B = c["n_embd"], c["n_embd"] // 4
            kernel = w[p + "convolution.c_taps.weight"].view(B, taps(c), B).transpose(0, 1)
            y = linear(p + "convolution.c_reduce")(norm(p + "ln_1", x) if pre else x).relu()
            y = padded_convolution(c, y, kernel, w[p + "convolution.c_taps.bias"]).relu()
            y = x + linear(p + "convolution.c_proj")(y)
            theirs = y if pre else norm(p + "ln_1", y)
            ours = points[f"blocks.{i}." + ("hook_resid_post" if pre else "ln1.hook_normalized")]
        else:
            kernel = w[p + "convolution.c_depthwise.weight"][:, None]
            one = c.get("one_residual")
            y = padded_convolution(c, x if one else norm(p + "ln_1", x), kernel,
                                   w.get(p + "convolution.c_depthwise.bias"), c["n_embd"])
            ours, theirs = points[f"blocks.{i}.hook_convolution_out"], y
            if one:
                up, down = linear(p + "mlp.c_fc"), linear(p + "mlp.c_proj")
                ours, theirs = points[f"blocks.{i}.hook_resid_post"], x + down(F.gelu(up(norm(p + "ln_2", y))))
        assert torch.allclose(ours, theirs[0], atol=2e-5), "the reference disagrees with PyTorch's modules"


def check_mixing(c, w, points):
    """States and convolutions have to agree with torch.nn.RNN and torch.nn.Conv1d."""
    if "filters" in c:
        return check_block(c, w, points)
    norm = {"pre": ".ln1.hook_normalized"}.get(c["norm_placement"], ".hook_resid_pre")
    for i in range(c["n_layer"]):
        x = points[f"blocks.{i}{norm}"][None]
        if c["mixing"] == "recurrence":
            ours, theirs = points[f"blocks.{i}.recurrence.hook_state"], rnn_of(w, f"h.{i}.recurrence.")(x)[0][0]
        else:
            p = f"h.{i}.convolution.c_taps"
            kernel = w[p + ".weight"].view(c["n_embd"], taps(c), c["n_embd"]).transpose(0, 1)  # tap, in, out
            ours = points[f"blocks.{i}.hook_convolution_out"]
            theirs = padded_convolution(c, x, kernel, w[p + ".bias"])[0]
        assert torch.allclose(ours, theirs, atol=2e-5), "the reference disagrees with PyTorch's module"


def check_elman(w, tokens, targets, loss):
    """Without norms, MLP and residual a recurrent layer is torch.nn.RNN and a linear one, gradients included."""
    rnn, out = rnn_of(w, "h.0.recurrence."), torch.nn.Linear(*w["h.0.recurrence.c_proj.weight"].shape)
    with torch.no_grad():
        out.weight.copy_(w["h.0.recurrence.c_proj.weight"].T), out.bias.copy_(w["h.0.recurrence.c_proj.bias"])
    logits = out(rnn(w["wte.weight"].detach()[tokens])[0]) @ w["lm_head.weight"].detach().T
    theirs = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    theirs.backward()
    assert torch.allclose(loss, theirs, atol=1e-6)
    for ours, theirs in ((w["h.0.recurrence.c_state.weight"].grad, rnn.weight_hh_l0.grad.T),
                         (w["h.0.recurrence.c_input.weight"].grad, rnn.weight_ih_l0.grad.T),
                         (w["h.0.recurrence.c_input.bias"].grad, rnn.bias_ih_l0.grad),
                         (w["h.0.recurrence.c_proj.weight"].grad, out.weight.grad.T)):
        assert torch.allclose(ours, theirs, atol=1e-6), "the reference disagrees with torch.nn.RNN"


def make(name, changes):
    c = SIZES | USUAL | changes
    torch.manual_seed(20261)
    w = make_weights(c)
    length, source_length = LONGER.get(name, (T, S))
    tokens, targets = (torch.randint(c["vocab_size"], (B, length)) for _ in range(2))
    reads = c["stack"] == "encoder_decoder"
    source = torch.randint(c["vocab_size"], (B, source_length)) if reads else None
    lengths = torch.tensor([source_length, source_length - 2]) if reads else None
    # Traces hold one sequence without padding; the loss is over all, and the second source is padded.
    points = {}
    Model(c, w, points)(tokens[:1], source[:1] if reads else None, lengths[:1] if reads else None)
    if name in ("post_norm", "encoder_pre", "encoder_post", "translation_2017", "translation_pre"):
        check_against_modules(c, w, points, S)
        if reads:
            short = {}
            Model(c, w, short)(tokens[1:], source[1:], lengths[1:])
            check_against_modules(c, w, short, S - 2)
    if "mixing" in c:
        check_mixing(c, w, points)
    model = Model(c, w, {})
    loss = F.cross_entropy(model(tokens, source, lengths).flatten(0, 1), targets.flatten())
    if c.get("num_labels"):  # wherever the token to predict names a class
        named = targets.flatten() - c["first_label_token"]
        named = torch.where((named >= 0) & (named < c["num_labels"]), named, -1)
        loss = loss + F.cross_entropy(model.classes.flatten(0, 1), named, ignore_index=-1, reduction="sum") / len(named)
    loss.backward()
    if name == "elman":
        check_elman(w, tokens, targets, loss)
    out = {"tokens": tokens, "targets": targets, "loss": loss.view(1)}
    if reads:
        out |= {"source": source, "source_lengths": lengths}
    out |= {"weights." + k: v for k, v in w.items()}
    out |= {"trace." + k: v for k, v in points.items()}
    out |= {"gradients." + k: torch.zeros_like(v) if v.grad is None else v.grad for k, v in w.items()}
    config = {k: v for k, v in c.items() if not (k == "painted_mask" and not v)} | {"model_type": "glassformer"}
    write_safetensors(FOLDER / f"family_{name}.safetensors", out, {"config": json.dumps(config)})


if __name__ == "__main__":
    for name, changes in CONFIGS.items():
        if name in sys.argv[1:] or not sys.argv[1:]:
            make(name, changes)
