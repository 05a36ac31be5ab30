#!/usr/bin/env python3
"""Small model directories as other programs write them, for tests/core/io/model_formats_test.cpp.

Writes formats/<name>/ with config.json, weights and tokenizer.json in the names and layouts of a published family, and
formats/<name>.trace with the numbers that a PyTorch module of that family computes for a few tokens, under our names of
trace points. The modules are written after the papers, with torch.nn alone, and hold their weights under the published
names: what is saved is their state_dict(). Needs Debian's python3-torch.

Usage: python3 tests/reference/make_format_reference.py [name ...]
"""
import json
import math
import pathlib
import re
import struct
import sys

import numpy
import torch
import torch.nn as nn
import torch.nn.functional as F

from make_block_reference import TYPES as BLOCK_TYPES, random_blocks, write_part

FOLDER = pathlib.Path(__file__).parent / "formats"
VOCABULARY, TOKENS = 280, [84, 104, 101, 220, 99, 97, 116, 257, 13]
SOURCE = [104, 257, 33, 34, 101, 101, 5, 99, 270, 104, 220, 77, 84, 97, 12, 116, 13, 50, 51, 9, 8, 7, 1]  # of those that read one
SEPARATOR = 257  # that ends a text, and so its type of tokens


def config_text(config):
    """Without what only the modules here ask for."""
    return json.dumps({k: v for k, v in config.items() if k != "sliding_window_pattern_"}, indent=1)


def rotate_half(x):
    first, second = x.chunk(2, -1)
    return torch.cat([-second, first], -1)


def frequencies(base, turned, scaling):
    """[turned / 2]: how fast each pair turns; slowed down alike, or by wavelength (as Llama 3.1 is published)."""
    f = base ** (-torch.arange(0, turned, 2).float() / turned)
    kind = (scaling or {}).get("rope_type", "default")
    if kind == "default":
        return f
    if kind == "linear":
        return f / scaling["factor"]
    if kind == "yarn":  # Peng et al. 2023, as it is published: on a straight line over pairs
        old, factor = scaling["original_max_position_embeddings"], scaling["factor"]
        pair = lambda turns: turned * math.log(old / (turns * 2 * math.pi)) / (2 * math.log(base))
        first, last = max(math.floor(pair(scaling["beta_fast"])), 0), min(math.ceil(pair(scaling["beta_slow"])), turned - 1)
        ramp = ((torch.arange(turned // 2).float() - first) / max(last - first, 0.001)).clamp(0, 1)
        return f / factor * ramp + f * (1 - ramp)
    low, high, old = (scaling[k] for k in ("low_freq_factor", "high_freq_factor", "original_max_position_embeddings"))
    wavelengths = 2 * math.pi / f
    slowed = []
    for each, wavelength in zip(f.tolist(), wavelengths.tolist()):
        if wavelength < old / high:
            slowed.append(each)
        elif wavelength > old / low:
            slowed.append(each / scaling["factor"])
        else:
            smooth = (old / wavelength - low) / (high - low)
            slowed.append((1 - smooth) * each / scaling["factor"] + smooth * each)
    return torch.tensor(slowed)


def rotary(x, base, turned, scaling=None):
    """x [H, T, K]: the first columns of every head, pairs being halves of them (Su et al. 2021)."""
    angles = torch.outer(torch.arange(x.shape[1]).float(), frequencies(base, turned, scaling))
    angles = torch.cat([angles, angles], -1)
    head, rest = x[..., :turned], x[..., turned:]
    longer = 1.0
    if (scaling or {}).get("rope_type") == "yarn":
        longer = scaling.get("attention_factor") or 0.1 * math.log(scaling["factor"]) + 1
    return torch.cat([longer * (head * angles.cos() + rotate_half(head) * angles.sin()), rest], -1)


def attend(q, k, v, points, prefix, window=None, scaled=True):
    """q [H, T, K], k and v [H', T, K]; what a token looks at is itself and what is before it."""
    T, groups = q.shape[1], q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(groups, 0), v.repeat_interleave(groups, 0)
    distance = torch.arange(T)[:, None] - torch.arange(T)[None]
    seen = (distance >= 0) & (distance < (window or T))
    pattern = (q @ k.transpose(-1, -2) / (math.sqrt(q.shape[-1]) if scaled else 1)).masked_fill(~seen, -math.inf).softmax(-1)
    points[prefix + "attn.hook_pattern"] = pattern
    z = (pattern @ v).transpose(0, 1)
    points[prefix + "attn.hook_z"] = z
    return z.flatten(1)


class RmsNorm(nn.Module):
    def __init__(self, width, epsilon):
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.ones(width)), epsilon

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon))


class FromOneNorm(RmsNorm):
    """Gemma's: x / rms(x) times 1 + w."""

    def forward(self, x):
        return (1 + self.weight) * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon))


class LlamaAttention(nn.Module):
    def __init__(self, c, index):
        super().__init__()
        full = c.get("use_sliding_window") is False or c.get("layer_types", [None] * 9)[index] == "full_attention" or \
            (c["model_type"].startswith("qwen") and "layer_types" not in c and index < c.get("max_window_layers", 28))
        self.window = None if full else c.get("sliding_window")
        self.c, D, H, G = c, c["hidden_size"], c["num_attention_heads"], c.get("num_key_value_heads")
        self.K = c.get("head_dim") or D // H
        own = c["model_type"] == "qwen2" or c.get("attention_bias", False)
        self.q_proj, self.k_proj = nn.Linear(D, H * self.K, own), nn.Linear(D, (G or H) * self.K, own)
        self.v_proj = nn.Linear(D, (G or H) * self.K, own)
        self.o_proj = nn.Linear(H * self.K, D, c.get("attention_bias", False))
        if c["model_type"] == "qwen3":
            self.q_norm, self.k_norm = RmsNorm(self.K, c["rms_norm_eps"]), RmsNorm(self.K, c["rms_norm_eps"])

    def forward(self, x, points, prefix):
        q, k, v = (p(x).unflatten(-1, (-1, self.K)).transpose(0, 1) for p in (self.q_proj, self.k_proj, self.v_proj))
        for name, value in zip("qkv", (q, k, v)):
            points[f"{prefix}attn.hook_{name}"] = value.transpose(0, 1)
        if hasattr(self, "q_norm"):
            q, k = self.q_norm(q), self.k_norm(k)
            for name, value in zip("qk", (q, k)):
                points[f"{prefix}attn.{name}_norm.hook_normalized"] = value.transpose(0, 1)
        base = self.c.get("rope_theta", self.c.get("rope_parameters", {}).get("rope_theta", 10000.0))
        scaling = self.c.get("rope_scaling")
        q, k = rotary(q, base, self.K, scaling), rotary(k, base, self.K, scaling)
        return self.o_proj(attend(q, k, v, points, prefix, self.window))


class LlamaMlp(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, inner, biased = c["hidden_size"], c["intermediate_size"], c.get("mlp_bias", False)
        self.gate_proj, self.up_proj = nn.Linear(D, inner, biased), nn.Linear(D, inner, biased)
        self.down_proj = nn.Linear(inner, D, biased)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


def gelu_tanh(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x.pow(3))))


class GemmaMlp(LlamaMlp):
    def forward(self, x):
        return self.down_proj(gelu_tanh(self.gate_proj(x)) * self.up_proj(x))


class LlamaLayer(nn.Module):
    def __init__(self, c, index):
        super().__init__()
        self.input_layernorm = RmsNorm(c["hidden_size"], c["rms_norm_eps"])
        self.self_attn = LlamaAttention(c, index)
        self.post_attention_layernorm = RmsNorm(c["hidden_size"], c["rms_norm_eps"])
        self.mlp = LlamaMlp(c)

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        x = x + self.self_attn(self.input_layernorm(x), points, prefix)
        points[prefix + "hook_resid_mid"] = x
        x = x + self.mlp(self.post_attention_layernorm(x))
        points[prefix + "hook_resid_post"] = x
        return x


class Llama(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, self.model = c, nn.Module()
        self.model.embed_tokens = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.model.layers = nn.ModuleList(LlamaLayer(c, i) for i in range(c["num_hidden_layers"]))
        self.model.norm = RmsNorm(c["hidden_size"], c["rms_norm_eps"])
        self.tied = c.get("tie_word_embeddings", False)
        if not self.tied:
            self.lm_head = nn.Linear(c["hidden_size"], c["vocab_size"], False)

    def forward(self, tokens, points):
        x = self.model.embed_tokens(tokens)
        for i, layer in enumerate(self.model.layers):
            x = layer(x, points, f"blocks.{i}.")
        x = self.model.norm(x)
        points["logits"] = x @ self.model.embed_tokens.weight.T if self.tied else self.lm_head(x)


class Gemma(Llama):
    """As Llama, with a GELU gate, embeddings times the root of their width, and norms from one (Gemma Team 2024)."""

    def __init__(self, c):
        super().__init__(c)
        D, epsilon = c["hidden_size"], c["rms_norm_eps"]
        for layer in self.model.layers:
            layer.input_layernorm, layer.post_attention_layernorm = FromOneNorm(D, epsilon), FromOneNorm(D, epsilon)
            layer.mlp = GemmaMlp(c)
        self.model.norm = FromOneNorm(D, epsilon)

    def forward(self, tokens, points):
        x = self.model.embed_tokens(tokens) * math.sqrt(self.c["hidden_size"])
        for i, layer in enumerate(self.model.layers):
            x = layer(x, points, f"blocks.{i}.")
        points["logits"] = self.model.norm(x) @ self.model.embed_tokens.weight.T


class LaterGemmaLayer(nn.Module):
    """Gemma 2's and 3's: a norm before and one behind each sublayer, windows in all but every n-th layer, scores divided
    by the root of a number of their own; in the second capped, in the third of normed queries and keys, which turn by
    another base where there is a window (Gemma Team 2024, 2025)."""

    def __init__(self, c, index):
        super().__init__()
        self.c, D, H, G, K = c, c["hidden_size"], c["num_attention_heads"], c["num_key_value_heads"], c["head_dim"]
        self.windowed = (index + 1) % c["sliding_window_pattern_"] != 0 if "sliding_window_pattern_" in c else \
            c["layer_types"][index] == "sliding_attention"
        self.self_attn = nn.Module()
        self.self_attn.q_proj, self.self_attn.k_proj = nn.Linear(D, H * K, False), nn.Linear(D, G * K, False)
        self.self_attn.v_proj, self.self_attn.o_proj = nn.Linear(D, G * K, False), nn.Linear(H * K, D, False)
        if c["model_type"] == "gemma3_text":
            self.self_attn.q_norm, self.self_attn.k_norm = (FromOneNorm(K, c["rms_norm_eps"]) for _ in range(2))
        self.mlp = GemmaMlp(c)
        for name in ("input", "post_attention", "pre_feedforward", "post_feedforward"):
            setattr(self, name + "_layernorm", FromOneNorm(D, c["rms_norm_eps"]))

    def attention(self, x, points, prefix):
        c, own, K, T = self.c, self.self_attn, self.c["head_dim"], x.shape[0]
        q, k, v = (p(x).unflatten(-1, (-1, K)).transpose(0, 1) for p in (own.q_proj, own.k_proj, own.v_proj))
        for name, value in zip("qkv", (q, k, v)):
            points[f"{prefix}attn.hook_{name}"] = value.transpose(0, 1)
        if hasattr(own, "q_norm"):
            q, k = own.q_norm(q), own.k_norm(k)
            for name, value in zip("qk", (q, k)):
                points[f"{prefix}attn.{name}_norm.hook_normalized"] = value.transpose(0, 1)
        base, scaling = c["rope_theta"], c.get("rope_scaling")
        if self.windowed and "rope_local_base_freq" in c:
            base, scaling = c["rope_local_base_freq"], None
        q, k = rotary(q, base, K, scaling), rotary(k, base, K, scaling)
        for name, value in zip("qk", (q, k)):
            points[f"{prefix}attn.hook_rot_{name}"] = value.transpose(0, 1)
        groups = q.shape[0] // k.shape[0]
        k, v = k.repeat_interleave(groups, 0), v.repeat_interleave(groups, 0)
        scores = q @ k.transpose(-1, -2) * c["query_pre_attn_scalar"] ** -0.5
        if c.get("attn_logit_softcapping"):
            scores = c["attn_logit_softcapping"] * torch.tanh(scores / c["attn_logit_softcapping"])
        distance = torch.arange(T)[:, None] - torch.arange(T)[None]
        seen = (distance >= 0) & (distance < (c["sliding_window"] if self.windowed else T))
        pattern = scores.masked_fill(~seen, -math.inf).softmax(-1)
        points[prefix + "attn.hook_pattern"] = pattern
        z = (pattern @ v).transpose(0, 1)
        points[prefix + "attn.hook_z"] = z
        return own.o_proj(z.flatten(1))

    def behind(self, norm, made, points, prefix, part, number):
        """What the norm behind a sublayer makes of what that has made."""
        points[f"{prefix}{part}.hook_out"] = made
        points[f"{prefix}ln{number}_post.hook_scale"] = (made.pow(2).mean(-1, keepdim=True) + norm.epsilon).sqrt()
        points[f"{prefix}hook_{part}_out"] = norm(made)
        return norm(made)

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        a = self.attention(self.input_layernorm(x), points, prefix)
        x = x + self.behind(self.post_attention_layernorm, a, points, prefix, "attn", 1)
        points[prefix + "hook_resid_mid"], points[prefix + "ln2.hook_normalized"] = x, self.pre_feedforward_layernorm(x)
        m = self.mlp(self.pre_feedforward_layernorm(x))
        x = x + self.behind(self.post_feedforward_layernorm, m, points, prefix, "mlp", 2)
        points[prefix + "hook_resid_post"] = x
        return x


class LaterGemma(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, self.model = c, nn.Module()
        self.model.embed_tokens = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.model.layers = nn.ModuleList(LaterGemmaLayer(c, i) for i in range(c["num_hidden_layers"]))
        self.model.norm = FromOneNorm(c["hidden_size"], c["rms_norm_eps"])

    def forward(self, tokens, points):
        x = self.model.embed_tokens(tokens) * math.sqrt(self.c["hidden_size"])
        for i, layer in enumerate(self.model.layers):
            x = layer(x, points, f"blocks.{i}.")
        logits, cap = self.model.norm(x) @ self.model.embed_tokens.weight.T, self.c.get("final_logit_softcapping")
        if cap:
            points["unembed.hook_out"] = logits
        points["logits"] = cap * torch.tanh(logits / cap) if cap else logits


class NeoxAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, D = c, c["hidden_size"]
        self.query_key_value, self.dense = nn.Linear(D, 3 * D), nn.Linear(D, D)

    def forward(self, x, points, prefix):
        heads = self.c["num_attention_heads"]
        K = x.shape[-1] // heads
        qkv = self.query_key_value(x).view(x.shape[0], heads, 3 * K)  # of every head its query, key and value
        q, k, v = (part.transpose(0, 1) for part in qkv.split(K, -1))
        for name, value in zip("qkv", (q, k, v)):
            points[f"{prefix}attn.hook_{name}"] = value.transpose(0, 1)
        turned = int(K * self.c["rotary_pct"])
        q, k = (rotary(x, self.c["rotary_emb_base"], turned) for x in (q, k))
        return self.dense(attend(q, k, v, points, prefix))


class NeoxMlp(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense_h_to_4h = nn.Linear(c["hidden_size"], c["intermediate_size"])
        self.dense_4h_to_h = nn.Linear(c["intermediate_size"], c["hidden_size"])
        self.act = {"gelu": F.gelu, "relu": F.relu}[c["hidden_act"]]

    def forward(self, x):
        return self.dense_4h_to_h(self.act(self.dense_h_to_4h(x)))


class NeoxLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.input_layernorm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])
        self.post_attention_layernorm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])
        self.attention, self.mlp = NeoxAttention(c), NeoxMlp(c)
        self.attention.register_buffer("bias", torch.ones(4, 4, dtype=torch.bool).tril())  # older files have these
        self.attention.register_buffer("masked_bias", torch.tensor(-1e9))

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        a = self.attention(self.input_layernorm(x), points, prefix)
        if self.c["use_parallel_residual"]:
            x = x + a + self.mlp(self.post_attention_layernorm(x))
        else:
            x = x + a
            x = x + self.mlp(self.post_attention_layernorm(x))
        points[prefix + "hook_resid_post"] = x
        return x


class Neox(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.gpt_neox = nn.Module()
        self.gpt_neox.embed_in = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.gpt_neox.layers = nn.ModuleList(NeoxLayer(c) for _ in range(c["num_hidden_layers"]))
        self.gpt_neox.final_layer_norm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])
        self.embed_out = nn.Linear(c["hidden_size"], c["vocab_size"], False)

    def forward(self, tokens, points):
        x = self.gpt_neox.embed_in(tokens)
        for i, layer in enumerate(self.gpt_neox.layers):
            x = layer(x, points, f"blocks.{i}.")
        points["logits"] = self.embed_out(self.gpt_neox.final_layer_norm(x))


def heads_of(x, count):
    return x.unflatten(-1, (count, -1)).transpose(0, 1)


def noted(q, k, v, points, prefix):
    for name, value in zip("qkv", (q, k, v)):
        points[f"{prefix}attn.hook_{name}"] = value.transpose(0, 1)
    return q, k, v


class GptNeoLayer(nn.Module):
    """GPT-2's, but for scores that are not divided, and projections without biases; "local" blocks have a window."""

    def __init__(self, c, kind):
        super().__init__()
        D, self.heads, self.window = c["hidden_size"], c["num_heads"], c["window_size"] if kind == "local" else None
        self.ln_1, self.ln_2 = nn.LayerNorm(D, c["layer_norm_epsilon"]), nn.LayerNorm(D, c["layer_norm_epsilon"])
        self.attn, self.mlp = nn.Module(), nn.Module()
        own = self.attn.attention = nn.Module()
        own.q_proj, own.k_proj, own.v_proj = (nn.Linear(D, D, False) for _ in range(3))
        own.out_proj = nn.Linear(D, D)
        own.register_buffer("bias", torch.ones(1, 1, 4, 4, dtype=torch.bool).tril())  # older files have these
        own.register_buffer("masked_bias", torch.tensor(-1e9))
        inner = c["intermediate_size"] or 4 * D
        self.mlp.c_fc, self.mlp.c_proj = nn.Linear(D, inner), nn.Linear(inner, D)

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        n, own = self.ln_1(x), self.attn.attention
        q, k, v = noted(*(heads_of(p(n), self.heads) for p in (own.q_proj, own.k_proj, own.v_proj)), points, prefix)
        x = x + own.out_proj(attend(q, k, v, points, prefix, self.window, scaled=False))
        points[prefix + "hook_resid_mid"] = x
        x = x + self.mlp.c_proj(gelu_tanh(self.mlp.c_fc(self.ln_2(x))))
        points[prefix + "hook_resid_post"] = x
        return x


class GptNeo(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, own = c["hidden_size"], nn.Module()
        kinds = [kind for types, times in c["attention_types"] for kind in types * times]
        own.wte, own.wpe = nn.Embedding(c["vocab_size"], D), nn.Embedding(c["max_position_embeddings"], D)
        own.h, own.ln_f = nn.ModuleList(GptNeoLayer(c, kind) for kind in kinds), nn.LayerNorm(D, c["layer_norm_epsilon"])
        self.transformer = own

    def forward(self, tokens, points):
        own = self.transformer
        x = own.wte(tokens) + own.wpe(torch.arange(len(tokens)))
        for i, layer in enumerate(own.h):
            x = layer(x, points, f"blocks.{i}.")
        points["logits"] = own.ln_f(x) @ own.wte.weight.T


def turned_neighbours(x, turned):
    """x [H, T, K]: of the first columns each even one and the next are turned together, as complex numbers."""
    angles = torch.outer(torch.arange(x.shape[1]).double(), 10000.0 ** (-torch.arange(0, turned, 2).double() / turned))
    pairs = torch.view_as_complex(x[..., :turned].double().unflatten(-1, (-1, 2)).contiguous())
    turned_pairs = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
    return torch.cat([turned_pairs.to(x.dtype), x[..., turned:]], -1)


class GptJLayer(nn.Module):
    """Attention and MLP read the same normed stream."""

    def __init__(self, c):
        super().__init__()
        D, self.heads, self.turned, inner = c["n_embd"], c["n_head"], c["rotary_dim"], c["n_inner"] or 4 * c["n_embd"]
        self.ln_1, self.attn, self.mlp = nn.LayerNorm(D, c["layer_norm_epsilon"]), nn.Module(), nn.Module()
        own = self.attn
        own.q_proj, own.k_proj, own.v_proj, own.out_proj = (nn.Linear(D, D, False) for _ in range(4))
        own.register_buffer("bias", torch.ones(1, 1, 4, 4, dtype=torch.bool).tril())
        own.register_buffer("masked_bias", torch.tensor(-1e9))
        self.mlp.fc_in, self.mlp.fc_out = nn.Linear(D, inner), nn.Linear(inner, D)

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        n, own = self.ln_1(x), self.attn
        q, k, v = noted(*(heads_of(p(n), self.heads) for p in (own.q_proj, own.k_proj, own.v_proj)), points, prefix)
        q, k = turned_neighbours(q, self.turned), turned_neighbours(k, self.turned)
        for name, value in zip("qk", (q, k)):
            points[f"{prefix}attn.hook_rot_{name}"] = value.transpose(0, 1)
        a, m = own.out_proj(attend(q, k, v, points, prefix)), self.mlp.fc_out(gelu_tanh(self.mlp.fc_in(n)))
        points[prefix + "hook_attn_out"], points[prefix + "hook_mlp_out"] = a, m
        points[prefix + "hook_resid_post"] = x + a + m
        return x + a + m


class GptJ(nn.Module):
    def __init__(self, c):
        super().__init__()
        own = self.transformer = nn.Module()
        own.wte, own.h = nn.Embedding(c["vocab_size"], c["n_embd"]), nn.ModuleList(GptJLayer(c) for _ in range(c["n_layer"]))
        own.ln_f = nn.LayerNorm(c["n_embd"], c["layer_norm_epsilon"])
        self.lm_head = nn.Linear(c["n_embd"], c["vocab_size"])

    def forward(self, tokens, points):
        x = self.transformer.wte(tokens)
        for i, layer in enumerate(self.transformer.h):
            x = layer(x, points, f"blocks.{i}.")
        points["logits"] = self.lm_head(self.transformer.ln_f(x))


class PhiLayer(nn.Module):
    """GPT-J's, with biases, and with pairs that are halves of the columns that turn."""

    def __init__(self, c):
        super().__init__()
        D, self.heads = c["hidden_size"], c["num_attention_heads"]
        K, self.c, self.shared = D // self.heads, c, c["num_key_value_heads"]
        self.input_layernorm, self.self_attn, self.mlp = nn.LayerNorm(D, c["layer_norm_eps"]), nn.Module(), nn.Module()
        own = self.self_attn
        own.q_proj, own.k_proj, own.v_proj = nn.Linear(D, D), nn.Linear(D, self.shared * K), nn.Linear(D, self.shared * K)
        own.dense = nn.Linear(D, D)
        self.mlp.fc1, self.mlp.fc2 = nn.Linear(D, c["intermediate_size"]), nn.Linear(c["intermediate_size"], D)

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        n, own = self.input_layernorm(x), self.self_attn
        q, k, v = noted(heads_of(own.q_proj(n), self.heads), heads_of(own.k_proj(n), self.shared),
                        heads_of(own.v_proj(n), self.shared), points, prefix)
        turned = int(q.shape[-1] * self.c["partial_rotary_factor"])
        q, k = (rotary(each, self.c["rope_theta"], turned) for each in (q, k))
        a, m = own.dense(attend(q, k, v, points, prefix)), self.mlp.fc2(gelu_tanh(self.mlp.fc1(n)))
        points[prefix + "hook_attn_out"], points[prefix + "hook_mlp_out"] = a, m
        points[prefix + "hook_resid_post"] = x + a + m
        return x + a + m


class Phi(nn.Module):
    def __init__(self, c):
        super().__init__()
        own = self.model = nn.Module()
        own.embed_tokens = nn.Embedding(c["vocab_size"], c["hidden_size"])
        own.layers = nn.ModuleList(PhiLayer(c) for _ in range(c["num_hidden_layers"]))
        own.final_layernorm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])
        self.lm_head = nn.Linear(c["hidden_size"], c["vocab_size"])

    def forward(self, tokens, points):
        x = self.model.embed_tokens(tokens)
        for i, layer in enumerate(self.model.layers):
            x = layer(x, points, f"blocks.{i}.")
        points["logits"] = self.lm_head(self.model.final_layernorm(x))


class OptLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, self.c = c["hidden_size"], c
        own = self.self_attn = nn.Module()
        own.q_proj, own.k_proj, own.v_proj, own.out_proj = (nn.Linear(D, D) for _ in range(4))
        self.self_attn_layer_norm, self.final_layer_norm = nn.LayerNorm(D), nn.LayerNorm(D)
        self.fc1, self.fc2 = nn.Linear(D, c["ffn_dim"]), nn.Linear(c["ffn_dim"], D)

    def forward(self, x, points, prefix):
        before, own, H = self.c["do_layer_norm_before"], self.self_attn, self.c["num_attention_heads"]
        points[prefix + "hook_resid_pre"] = x
        n = self.self_attn_layer_norm(x) if before else x
        q, k, v = noted(*(heads_of(p(n), H) for p in (own.q_proj, own.k_proj, own.v_proj)), points, prefix)
        x = x + own.out_proj(attend(q, k, v, points, prefix))
        points[prefix + "hook_resid_mid"] = x
        if not before:
            x = self.self_attn_layer_norm(x)
        x = x + self.fc2(F.relu(self.fc1(self.final_layer_norm(x) if before else x)))
        points[prefix + "hook_resid_post"] = x
        return x if before else self.final_layer_norm(x)


class Opt(nn.Module):
    """Positions are counted from 2; embeddings may be narrower than the stream (Zhang et al. 2022)."""

    def __init__(self, c):
        super().__init__()
        D, P = c["hidden_size"], c["word_embed_proj_dim"]
        self.model = nn.Module()
        own = self.model.decoder = nn.Module()
        own.embed_tokens, own.embed_positions = nn.Embedding(c["vocab_size"], P), nn.Embedding(c["max_position_embeddings"] + 2, D)
        if P != D:
            own.project_in, own.project_out = nn.Linear(P, D, False), nn.Linear(D, P, False)
        if c["do_layer_norm_before"]:
            own.final_layer_norm = nn.LayerNorm(D)
        own.layers = nn.ModuleList(OptLayer(c) for _ in range(c["num_hidden_layers"]))

    def forward(self, tokens, points):
        own = self.model.decoder
        x = own.embed_tokens(tokens)
        x = own.project_in(x) if hasattr(own, "project_in") else x
        points["hook_embed"] = x
        x = x + own.embed_positions(torch.arange(len(tokens)) + 2)
        for i, layer in enumerate(own.layers):
            x = layer(x, points, f"blocks.{i}.")
        x = own.final_layer_norm(x) if hasattr(own, "final_layer_norm") else x
        x = own.project_out(x) if hasattr(own, "project_out") else x
        points["logits"] = x @ own.embed_tokens.weight.T


class Gpt2Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, self.heads = c["n_embd"], c["n_head"]
        self.ln_1, self.ln_2 = nn.LayerNorm(D, c["layer_norm_epsilon"]), nn.LayerNorm(D, c["layer_norm_epsilon"])
        self.attn, self.mlp = nn.Module(), nn.Module()
        self.attn.c_attn, self.attn.c_proj = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.mlp.c_fc, self.mlp.c_proj = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        qkv = self.attn.c_attn(self.ln_1(x)).chunk(3, -1)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(0, 1) for part in qkv)
        for name, value in zip("qkv", (q, k, v)):
            points[f"{prefix}attn.hook_{name}"] = value.transpose(0, 1)
        x = x + self.attn.c_proj(attend(q, k, v, points, prefix))
        points[prefix + "hook_resid_mid"] = x
        x = x + self.mlp.c_proj(F.gelu(self.mlp.c_fc(self.ln_2(x)), approximate="tanh"))
        points[prefix + "hook_resid_post"] = x
        return x


class Gpt2(nn.Module):
    def __init__(self, c):
        super().__init__()
        D = c["n_embd"]
        self.wte, self.wpe = nn.Embedding(c["vocab_size"], D), nn.Embedding(c["n_positions"], D)
        self.h = nn.ModuleList(Gpt2Layer(c) for _ in range(c["n_layer"]))
        self.ln_f = nn.LayerNorm(D, c["layer_norm_epsilon"])

    def forward(self, tokens, points):
        x = self.wte(tokens) + self.wpe(torch.arange(len(tokens)))
        for i, layer in enumerate(self.h):
            x = layer(x, points, f"blocks.{i}.")
        points["logits"] = self.ln_f(x) @ self.wte.weight.T


def self_attention(q, k, v, heads, points, prefix):
    """q, k and v [T, D]; every token looks at all others."""
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(0, 1) for x in (q, k, v))
    for name, value in zip("qkv", (q, k, v)):
        points[f"{prefix}attn.hook_{name}"] = value.transpose(0, 1)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    points[prefix + "attn.hook_attn_scores"] = scores
    points[prefix + "attn.hook_pattern"] = scores.softmax(-1)
    z = (scores.softmax(-1) @ v).transpose(0, 1)
    points[prefix + "attn.hook_z"] = z
    return z.flatten(1)


def normed(norm, x, points, name):
    points[name + ".hook_scale"] = (x.var(-1, unbiased=False, keepdim=True) + norm.eps).sqrt()
    points[name + ".hook_normalized"] = norm(x)
    return norm(x)


def encoder_layer(x, points, prefix, attention, norm1, mlp_in, act, mlp_out, norm2):
    """The block of Vaswani et al. 2017, the norms after the sums."""
    points[prefix + "hook_resid_pre"] = x
    a = attention(x)
    points[prefix + "hook_attn_out"], points[prefix + "hook_resid_mid"] = a, x + a
    x = normed(norm1, x + a, points, prefix + "ln1")
    u = mlp_in(x)
    m = mlp_out(act(u))
    points[prefix + "mlp.hook_pre"], points[prefix + "mlp.hook_post"] = u, act(u)
    points[prefix + "hook_mlp_out"], points[prefix + "hook_resid_post"] = m, x + m
    return normed(norm2, x + m, points, prefix + "ln2")


def predict(x, points, dense, act, norm, table, bias):
    """The head of a masked language model: one more layer, then the embeddings again."""
    points["mlm_head.hook_pre"], points["mlm_head.hook_post"] = dense(x), act(dense(x))
    points["logits"] = normed(norm, act(dense(x)), points, "mlm_head.ln") @ table.T + bias


def embedded(parts, norm, points):
    for name, value in parts.items():
        points[name] = value
    total = sum(parts.values())
    points["hook_embed_sum"] = total
    return normed(norm, total, points, "embed.ln")


ACTIVATIONS = {"gelu": F.gelu, "relu": F.relu, "swish": F.silu}


class BertSelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        D = c["hidden_size"]
        self.heads, self.query, self.key, self.value = c["num_attention_heads"], nn.Linear(D, D), nn.Linear(D, D), nn.Linear(D, D)

    def forward(self, x, points, prefix):
        return self_attention(self.query(x), self.key(x), self.value(x), self.heads, points, prefix)


class BertOutput(nn.Module):
    def __init__(self, c, inner):
        super().__init__()
        self.dense, self.LayerNorm = nn.Linear(inner, c["hidden_size"]), nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])


class BertLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.act, self.attention, self.intermediate = ACTIVATIONS[c["hidden_act"]], nn.Module(), nn.Module()
        self.attention.self = BertSelfAttention(c)
        self.attention.output = BertOutput(c, c["hidden_size"])
        self.intermediate.dense = nn.Linear(c["hidden_size"], c["intermediate_size"])
        self.output = BertOutput(c, c["intermediate_size"])

    def forward(self, x, points, prefix):
        own = self.attention
        return encoder_layer(x, points, prefix, lambda n: own.output.dense(own.self(n, points, prefix)), own.output.LayerNorm,
                             self.intermediate.dense, self.act, self.output.dense, self.output.LayerNorm)


class BertEmbeddings(nn.Module):
    def __init__(self, c, rows_before=0):
        super().__init__()
        D, self.before = c["hidden_size"], rows_before
        self.word_embeddings = nn.Embedding(c["vocab_size"], D)
        self.position_embeddings = nn.Embedding(c["max_position_embeddings"], D)
        self.token_type_embeddings = nn.Embedding(c["type_vocab_size"], D)
        self.LayerNorm = nn.LayerNorm(D, c["layer_norm_eps"])
        self.register_buffer("position_ids", torch.arange(c["max_position_embeddings"])[None])

    def forward(self, tokens, types, points):
        places = torch.arange(len(tokens)) + self.before
        return embedded({"hook_embed": self.word_embeddings(tokens), "hook_pos_embed": self.position_embeddings(places),
                         "hook_token_type_embed": self.token_type_embeddings(types)}, self.LayerNorm, points)


def bert_stack(c, rows_before=0):
    stack = nn.Module()
    stack.embeddings, stack.encoder, stack.pooler = BertEmbeddings(c, rows_before), nn.Module(), nn.Module()
    stack.encoder.layer = nn.ModuleList(BertLayer(c) for _ in range(c["num_hidden_layers"]))
    stack.pooler.dense = nn.Linear(c["hidden_size"], c["hidden_size"])  # of another head
    return stack


def bert_states(stack, tokens, types, points):
    x = stack.embeddings(tokens, types, points)
    for i, layer in enumerate(stack.encoder.layer):
        x = layer(x, points, f"blocks.{i}.")
    return x


def types_of(tokens):
    """0 up to the first token that ends a text, itself included; 1 behind it."""
    return ((tokens == SEPARATOR).cumsum(0) - (tokens == SEPARATOR).long()).clamp(max=1)


class Bert(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, self.act = c["hidden_size"], ACTIVATIONS[c["hidden_act"]]
        self.bert, self.cls = bert_stack(c), nn.Module()
        self.cls.predictions, self.cls.seq_relationship = nn.Module(), nn.Linear(D, 2)
        head = self.cls.predictions
        head.bias, head.transform = nn.Parameter(torch.zeros(c["vocab_size"])), nn.Module()
        head.transform.dense, head.transform.LayerNorm = nn.Linear(D, D), nn.LayerNorm(D, c["layer_norm_eps"])

    def forward(self, tokens, points):
        x, head = bert_states(self.bert, tokens, types_of(tokens), points), self.cls.predictions
        predict(x, points, head.transform.dense, self.act, head.transform.LayerNorm,
                self.bert.embeddings.word_embeddings.weight, head.bias)


class BareBert(nn.Module):
    """Made for something else than to predict words: no head, and no prefix."""
    def __init__(self, c):
        super().__init__()
        stack = bert_stack(c)
        self.embeddings, self.encoder, self.pooler = stack.embeddings, stack.encoder, stack.pooler

    def forward(self, tokens, points):
        points["logits"] = bert_states(self, tokens, types_of(tokens), points) @ self.embeddings.word_embeddings.weight.T


class Roberta(nn.Module):
    def __init__(self, c):
        super().__init__()
        D = c["hidden_size"]
        self.roberta, self.lm_head = bert_stack(c, c["pad_token_id"] + 1), nn.Module()
        self.lm_head.bias = nn.Parameter(torch.zeros(c["vocab_size"]))
        self.lm_head.dense, self.lm_head.layer_norm = nn.Linear(D, D), nn.LayerNorm(D, c["layer_norm_eps"])

    def forward(self, tokens, points):
        x = bert_states(self.roberta, tokens, torch.zeros_like(tokens), points)
        predict(x, points, self.lm_head.dense, F.gelu, self.lm_head.layer_norm, self.roberta.embeddings.word_embeddings.weight,
                self.lm_head.bias)


class BareRoberta(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.roberta = bert_stack(c, c["pad_token_id"] + 1)

    def forward(self, tokens, points):
        x = bert_states(self.roberta, tokens, torch.zeros_like(tokens), points)
        points["logits"] = x @ self.roberta.embeddings.word_embeddings.weight.T


class DistilBertLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, self.heads, self.act = c["dim"], c["n_heads"], ACTIVATIONS[c["activation"]]
        self.attention, self.ffn = nn.Module(), nn.Module()
        for name in ("q_lin", "k_lin", "v_lin", "out_lin"):
            setattr(self.attention, name, nn.Linear(D, D))
        self.sa_layer_norm, self.output_layer_norm = nn.LayerNorm(D, 1e-12), nn.LayerNorm(D, 1e-12)
        self.ffn.lin1, self.ffn.lin2 = nn.Linear(D, c["hidden_dim"]), nn.Linear(c["hidden_dim"], D)

    def forward(self, x, points, prefix):
        a = self.attention
        return encoder_layer(x, points, prefix, lambda n: a.out_lin(
            self_attention(a.q_lin(n), a.k_lin(n), a.v_lin(n), self.heads, points, prefix)), self.sa_layer_norm,
            self.ffn.lin1, self.act, self.ffn.lin2, self.output_layer_norm)


class DistilBert(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, self.act = c["dim"], ACTIVATIONS[c["activation"]]
        self.distilbert, self.vocab_transform, self.vocab_layer_norm = nn.Module(), nn.Linear(D, D), nn.LayerNorm(D, 1e-12)
        own = self.distilbert
        own.embeddings, own.transformer = nn.Module(), nn.Module()
        own.embeddings.word_embeddings = nn.Embedding(c["vocab_size"], D)
        own.embeddings.position_embeddings = nn.Embedding(c["max_position_embeddings"], D)
        own.embeddings.LayerNorm = nn.LayerNorm(D, 1e-12)
        own.transformer.layer = nn.ModuleList(DistilBertLayer(c) for _ in range(c["n_layers"]))
        self.vocab_projector = nn.Linear(D, c["vocab_size"])
        if c["tie_weights_"]:
            self.vocab_projector.weight = own.embeddings.word_embeddings.weight

    def forward(self, tokens, points):
        own = self.distilbert.embeddings
        x = embedded({"hook_embed": own.word_embeddings(tokens),
                      "hook_pos_embed": own.position_embeddings(torch.arange(len(tokens)))}, own.LayerNorm, points)
        for i, layer in enumerate(self.distilbert.transformer.layer):
            x = layer(x, points, f"blocks.{i}.")
        predict(x, points, self.vocab_transform, self.act, self.vocab_layer_norm, self.vocab_projector.weight,
                self.vocab_projector.bias)


class T5Attention(nn.Module):
    """Without biases and without 1 / √K; a number for each bucket of distances is added to the scores (Raffel et al. 2020)."""

    def __init__(self, c, has_buckets):
        super().__init__()
        self.c, D, inner = c, c["d_model"], c["num_heads"] * c["d_kv"]
        self.q, self.k, self.v, self.o = nn.Linear(D, inner, False), nn.Linear(D, inner, False), nn.Linear(D, inner, False), nn.Linear(inner, D, False)
        if has_buckets:
            self.relative_attention_bias = nn.Embedding(c["relative_attention_num_buckets"], c["num_heads"])

    def buckets(self, rows, decodes):
        """[T, T]: of s - t; the nearer half one each, the others by logarithms up to the farthest distance."""
        most, farthest = self.c["relative_attention_num_buckets"], self.c["relative_attention_max_distance"]
        table = torch.zeros(rows, rows, dtype=torch.long)
        for t in range(rows):
            for s in range(rows):
                count = most if decodes else most // 2
                first = count if s > t and not decodes else 0
                away = max(t - s, 0) if decodes else abs(t - s)
                exact = count // 2
                if away >= exact:
                    away = exact + int(math.log(away / exact) / math.log(farthest / exact) * (count - exact))
                table[t, s] = first + min(away, count - 1)
        return table

    def forward(self, x, memory, bias, seen, points, prefix):
        K = self.c["d_kv"]
        q, k, v = (p(y).unflatten(-1, (-1, K)).transpose(0, 1) for p, y in ((self.q, x), (self.k, memory), (self.v, memory)))
        for name, value in zip("qkv", (q, k, v)):
            points[f"{prefix}hook_{name}"] = value.transpose(0, 1)
        pattern = (q @ k.transpose(-1, -2) + bias).masked_fill(~seen, -math.inf).softmax(-1)
        points[prefix + "hook_pattern"] = pattern
        z = (pattern @ v).transpose(0, 1)
        points[prefix + "hook_z"] = z
        return self.o(z.flatten(1))


class T5Mlp(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, inner, self.kind = c["d_model"], c["d_ff"], c["feed_forward_proj"]
        for name in ("wi_0", "wi_1") if self.kind.startswith("gated") else ("wi",):
            setattr(self, name, nn.Linear(D, inner, False))
        self.wo = nn.Linear(inner, D, False)

    def forward(self, x):
        return self.wo(gelu_tanh(self.wi_0(x)) * self.wi_1(x) if hasattr(self, "wi_0") else F.relu(self.wi(x)))


def t5_sublayer(name, module, c):
    layer = nn.Module()
    setattr(layer, name, module)
    layer.layer_norm = RmsNorm(c["d_model"], c["layer_norm_epsilon"])
    return layer


class T5Stack(nn.Module):
    def __init__(self, c, decodes):
        super().__init__()
        self.block, self.decodes = nn.ModuleList(), decodes
        for i in range(c["num_decoder_layers" if decodes else "num_layers"]):
            block = nn.Module()
            block.layer = nn.ModuleList([t5_sublayer("SelfAttention", T5Attention(c, i == 0), c)])
            if decodes:
                block.layer.append(t5_sublayer("EncDecAttention", T5Attention(c, False), c))
            block.layer.append(t5_sublayer("DenseReluDense", T5Mlp(c), c))
            self.block.append(block)
        self.final_layer_norm = RmsNorm(c["d_model"], c["layer_norm_epsilon"])

    def forward(self, x, memory, points):
        stack, rows = "decoder." if self.decodes else "encoder.", len(x)
        points[stack + "hook_embed"] = x
        own = self.block[0].layer[0].SelfAttention
        bias = own.relative_attention_bias(own.buckets(rows, self.decodes)).permute(2, 0, 1)
        seen = torch.ones(rows, rows, dtype=torch.bool)
        if self.decodes:
            seen = seen.tril()
        for i, block in enumerate(self.block):
            prefix = f"{stack}{i}."
            points[prefix + "hook_resid_pre"] = x
            n = block.layer[0].layer_norm(x)
            x = x + block.layer[0].SelfAttention(n, n, bias, seen, points, prefix + "attn.")
            points[prefix + "hook_resid_mid"] = x
            if self.decodes:
                all = torch.ones(rows, len(memory), dtype=torch.bool)
                x = x + block.layer[1].EncDecAttention(block.layer[1].layer_norm(x), memory, 0, all, points, prefix + "cross_attn.")
                points[prefix + "hook_resid_mid_cross"] = x
            x = x + block.layer[-1].DenseReluDense(block.layer[-1].layer_norm(x))
            points[prefix + "hook_resid_post"] = x
        points[stack + "ln_final.hook_normalized"] = self.final_layer_norm(x)
        return self.final_layer_norm(x)


class T5(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, self.shared = c, nn.Embedding(c["vocab_size"], c["d_model"])
        self.encoder, self.decoder = T5Stack(c, False), T5Stack(c, True)
        if not c["tie_word_embeddings"]:
            self.lm_head = nn.Linear(c["d_model"], c["vocab_size"], False)

    def forward(self, tokens, points):
        memory = self.encoder(self.shared(torch.tensor(SOURCE)), None, points)
        x = self.decoder(self.shared(tokens), memory, points)
        if self.c["tie_word_embeddings"]:
            x = x * self.c["d_model"] ** -0.5
            points["unembed.hook_in"] = x
        points["logits"] = x @ self.shared.weight.T if self.c["tie_word_embeddings"] else self.lm_head(x)


class BartAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, self.heads = c["d_model"], c["encoder_attention_heads"]
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(D, D))

    def forward(self, x, memory, seen, points, prefix):
        q, k, v = (p(y).unflatten(-1, (self.heads, -1)).transpose(0, 1)
                   for p, y in ((self.q_proj, x), (self.k_proj, memory), (self.v_proj, memory)))
        for name, value in zip("qkv", (q, k, v)):
            points[f"{prefix}hook_{name}"] = value.transpose(0, 1)
        pattern = (q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])).masked_fill(~seen, -math.inf).softmax(-1)
        points[prefix + "hook_pattern"] = pattern
        z = (pattern @ v).transpose(0, 1)
        points[prefix + "hook_z"] = z
        return self.out_proj(z.flatten(1))


class BartLayer(nn.Module):
    """The block of Vaswani et al. 2017, the norms after the sums."""

    def __init__(self, c, decodes):
        super().__init__()
        D, self.act = c["d_model"], ACTIVATIONS[c["activation_function"]]
        self.self_attn, self.self_attn_layer_norm = BartAttention(c), nn.LayerNorm(D)
        if decodes:
            self.encoder_attn, self.encoder_attn_layer_norm = BartAttention(c), nn.LayerNorm(D)
        self.fc1, self.fc2 = nn.Linear(D, c["encoder_ffn_dim"]), nn.Linear(c["encoder_ffn_dim"], D)
        self.final_layer_norm = nn.LayerNorm(D)

    def forward(self, x, memory, seen, points, prefix):
        points[prefix + "hook_resid_pre"] = x
        x = x + self.self_attn(x, x, seen, points, prefix + "attn.")
        points[prefix + "hook_resid_mid"] = x
        x = normed(self.self_attn_layer_norm, x, points, prefix + "ln1")
        if memory is not None:
            all = torch.ones(len(x), len(memory), dtype=torch.bool)
            x = x + self.encoder_attn(x, memory, all, points, prefix + "cross_attn.")
            points[prefix + "hook_resid_mid_cross"] = x
            x = normed(self.encoder_attn_layer_norm, x, points, prefix + "ln2")
        x = x + self.fc2(self.act(self.fc1(x)))
        points[prefix + "hook_resid_post"] = x
        return normed(self.final_layer_norm, x, points, prefix + ("ln2" if memory is None else "ln3"))


def marian_positions(rows, width):
    """All sines before all cosines (Junczys-Dowmunt et al. 2018)."""
    return torch.tensor([[f(t / 10000 ** (2 * i / width)) for f in (math.sin, math.cos) for i in range(width // 2)]
                         for t in range(rows)])


class BartStack(nn.Module):
    def __init__(self, c, name):
        super().__init__()
        self.c, self.name = c, name
        if c["model_type"] == "bart":
            self.embed_positions = nn.Embedding(c["max_position_embeddings"] + 2, c["d_model"])
            self.layernorm_embedding = nn.LayerNorm(c["d_model"])
        self.layers = nn.ModuleList(BartLayer(c, name == "decoder.") for _ in range(c[name[:-1] + "_layers"]))

    def embed(self, x, points):
        if self.c["model_type"] == "bart":
            return embedded({"hook_embed": x, "hook_pos_embed": self.embed_positions(torch.arange(len(x)) + 2)},
                            self.layernorm_embedding, points)
        points["hook_embed"], points["hook_pos_embed"] = x, marian_positions(len(x), self.c["d_model"])
        return x + points["hook_pos_embed"]

    def forward(self, x, memory, points):
        rows, own = len(x), {}
        if self.c["scale_embedding"]:
            x = x * math.sqrt(self.c["d_model"])
        x = self.embed(x, own)
        points.update({self.name + name: value for name, value in own.items()})
        seen = torch.ones(rows, rows, dtype=torch.bool)
        for i, layer in enumerate(self.layers):
            x = layer(x, memory, seen if memory is None else seen.tril(), points, f"{self.name}{i}.")
        return x


class Bart(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.model = nn.Module()
        self.model.shared = nn.Embedding(c["vocab_size"], c["d_model"])
        self.model.encoder, self.model.decoder = BartStack(c, "encoder."), BartStack(c, "decoder.")
        self.final_logits_bias = nn.Parameter(torch.zeros(1, c["vocab_size"]))

    def forward(self, tokens, points):
        own = self.model
        memory = own.encoder(own.shared(torch.tensor(SOURCE)), None, points)
        points["logits"] = own.decoder(own.shared(tokens), memory, points) @ own.shared.weight.T + self.final_logits_bias


LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 16, "intermediate_size": 20,
         "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": VOCABULARY,
         "max_position_embeddings": 64, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu",
         "tie_word_embeddings": False, "rope_scaling": None}
NEOX = {"model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"], "hidden_size": 24, "intermediate_size": 40,
        "num_hidden_layers": 2, "num_attention_heads": 3, "vocab_size": VOCABULARY, "max_position_embeddings": 64,
        "layer_norm_eps": 1e-5, "rotary_pct": 0.25, "rotary_emb_base": 10000, "use_parallel_residual": True,
        "hidden_act": "gelu", "tie_word_embeddings": False, "attention_bias": True}
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 16, "n_head": 4, "n_layer": 2,
        "n_positions": 64, "vocab_size": VOCABULARY, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"}
BERT = {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 16, "intermediate_size": 20,
        "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": VOCABULARY, "max_position_embeddings": 64,
        "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu", "position_embedding_type": "absolute",
        "pad_token_id": 0}
ROBERTA = BERT | {"model_type": "roberta", "architectures": ["RobertaForMaskedLM"], "type_vocab_size": 1,
                  "max_position_embeddings": 66, "layer_norm_eps": 1e-5, "pad_token_id": 1}
DISTILBERT = {"model_type": "distilbert", "architectures": ["DistilBertForMaskedLM"], "dim": 16, "hidden_dim": 20,
              "n_layers": 2, "n_heads": 2, "vocab_size": VOCABULARY, "max_position_embeddings": 64, "activation": "gelu",
              "sinusoidal_pos_embds": False, "tie_weights_": True, "pad_token_id": 0}
GEMMA = LLAMA | {"architectures": ["GemmaForCausalLM"], "head_dim": 6, "hidden_activation": "gelu_pytorch_tanh",
                 "rms_norm_eps": 1e-6, "tie_word_embeddings": True, "attention_bias": False, "sliding_window": 4,
                 "num_hidden_layers": 3}
GPT_NEO = {"model_type": "gpt_neo", "architectures": ["GPTNeoForCausalLM"], "hidden_size": 16, "num_layers": 3, "num_heads": 4,
           "intermediate_size": None, "window_size": 4, "attention_types": [[["global", "local"], 1], [["local"], 1]],
           "attention_layers": ["global", "local", "local"], "vocab_size": VOCABULARY, "max_position_embeddings": 64,
           "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new", "resid_dropout": 0, "embed_dropout": 0,
           "attention_dropout": 0, "summary_type": "cls_index", "use_cache": True, "torch_dtype": "float32"}
GPTJ = {"model_type": "gptj", "architectures": ["GPTJForCausalLM"], "n_embd": 24, "n_layer": 2, "n_head": 3, "n_inner": None,
        "rotary_dim": 4, "rotary": True, "n_positions": 64, "n_ctx": 64, "vocab_size": VOCABULARY, "layer_norm_epsilon": 1e-5,
        "activation_function": "gelu_new", "scale_attn_weights": True, "tie_word_embeddings": False, "attn_pdrop": 0.0}
PHI = {"model_type": "phi", "architectures": ["PhiForCausalLM"], "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2,
       "num_attention_heads": 3, "num_key_value_heads": 3, "vocab_size": VOCABULARY, "max_position_embeddings": 64,
       "layer_norm_eps": 1e-5, "partial_rotary_factor": 0.5, "rope_theta": 10000.0, "rope_scaling": None, "hidden_act": "gelu_new",
       "qk_layernorm": False, "tie_word_embeddings": False, "embd_pdrop": 0.0, "resid_pdrop": 0.0, "attention_dropout": 0.0}
OPT = {"model_type": "opt", "architectures": ["OPTForCausalLM"], "hidden_size": 16, "ffn_dim": 20, "num_hidden_layers": 2,
       "num_attention_heads": 4, "vocab_size": VOCABULARY, "max_position_embeddings": 64, "activation_function": "relu",
       "do_layer_norm_before": True, "_remove_final_layer_norm": False, "word_embed_proj_dim": 16, "layerdrop": 0.0,
       "dropout": 0.1, "init_std": 0.02, "bos_token_id": 2, "eos_token_id": 2, "pad_token_id": 1, "prefix": "</s>"}
MODELS = {
    "gpt_neo": (GptNeo, GPT_NEO, torch.float32, 1),
    "gptj": (GptJ, GPTJ, torch.float16, 1),
    "phi": (Phi, PHI, torch.float32, 1),
    "opt": (Opt, OPT, torch.float32, 1),
    "opt_narrow": (Opt, OPT | {"do_layer_norm_before": False, "word_embed_proj_dim": 10}, torch.float16, 1),
    "qwen2_windows": (Llama, LLAMA | {"model_type": "qwen2", "num_hidden_layers": 4, "use_sliding_window": True, "sliding_window": 3,
                                      "max_window_layers": 1, "layer_types": ["sliding_attention", "full_attention",
                                                                              "full_attention", "sliding_attention"]},
                      torch.float32, 1),
    "qwen3_windows": (Llama, LLAMA | {"model_type": "qwen3", "num_hidden_layers": 3, "head_dim": 6, "use_sliding_window": True,
                                      "sliding_window": 3, "max_window_layers": 1, "attention_bias": True}, torch.bfloat16, 1),
    "gemma3_windows": (LaterGemma, GEMMA | {
        "model_type": "gemma3_text", "query_pre_attn_scalar": 6, "rope_theta": 1000.0, "rope_local_base_freq": 50.0,
        "_sliding_window_pattern": 6, "use_bidirectional_attention": False, "num_hidden_layers": 4,
        "layer_types": ["full_attention", "sliding_attention", "sliding_attention", "full_attention"]}, torch.float32, 1),
    "llama": (Llama, LLAMA, torch.float32, 2),
    "llama_biased": (Llama, LLAMA | {"attention_bias": True, "mlp_bias": True, "head_dim": 6,
                                     "num_key_value_heads": 4}, torch.float16, 1),
    "llama3": (Llama, LLAMA | {"head_dim": 12, "rope_theta": 100.0, "rope_scaling": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 96}}, torch.float32, 1),
    "llama_linear": (Llama, LLAMA | {"rope_scaling": {"type": "linear", "rope_type": "linear", "factor": 4.0}},
                     torch.float32, 1),
    "llama_yarn": (Llama, LLAMA | {"head_dim": 12, "rope_theta": 100.0, "rope_scaling": {
        "rope_type": "yarn", "factor": 4.0, "beta_fast": 8.0, "beta_slow": 1.0,
        "original_max_position_embeddings": 96}}, torch.float32, 1),
    "mistral": (Llama, LLAMA | {"model_type": "mistral", "sliding_window": 4, "rope_theta": 1000000.0}, torch.float32, 1),
    "qwen2": (Llama, {k: v for k, v in LLAMA.items() if k != "rope_theta"} | {
        "model_type": "qwen2", "tie_word_embeddings": True, "use_sliding_window": False,
        "rope_parameters": {"rope_theta": 500.0, "rope_type": "default"}}, torch.bfloat16, 1),
    "qwen3": (Llama, LLAMA | {"model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True, "attention_bias": False,
                              "rope_theta": 1000000.0}, torch.bfloat16, 1),
    "gemma": (Gemma, LLAMA | {"model_type": "gemma", "architectures": ["GemmaForCausalLM"], "head_dim": 6,
                              "num_key_value_heads": 1, "hidden_activation": "gelu_pytorch_tanh", "hidden_act": "gelu",
                              "rms_norm_eps": 1e-6, "tie_word_embeddings": True, "attention_bias": False},
              torch.bfloat16, 1),
    "gemma2": (LaterGemma, GEMMA | {"model_type": "gemma2", "query_pre_attn_scalar": 10, "attn_logit_softcapping": 2.0,
                                    "final_logit_softcapping": 3.0, "sliding_window_pattern_": 2}, torch.bfloat16, 1),
    "gemma3": (LaterGemma, GEMMA | {"model_type": "gemma3_text", "query_pre_attn_scalar": 6, "rope_theta": 1000.0,
                                    "rope_local_base_freq": 50.0, "attn_logit_softcapping": None,
                                    "final_logit_softcapping": None, "sliding_window_pattern": 3,
                                    "rope_scaling": {"rope_type": "linear", "factor": 4.0}, "sliding_window_pattern_": 3,
                                    "layer_types": ["sliding_attention", "sliding_attention", "full_attention"]},
               torch.float32, 1),
    "pythia": (Neox, NEOX, torch.float32, 1),
    "neox_sequential": (Neox, NEOX | {"use_parallel_residual": False, "hidden_act": "relu", "rotary_pct": 1.0},
                        torch.float16, 1),
}
OLDER_NAMES = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta",
               "predictions.bias": "predictions.decoder.bias"}
ENCODERS = {  # and how their texts are cut, and names that files of other days have
    "bert": (Bert, BERT, torch.float32, "word pieces", {}),
    "bert_old": (Bert, BERT | {"hidden_act": "relu", "layer_norm_eps": 1e-5}, torch.float16, "vocab.txt", OLDER_NAMES),
    "bert_headless": (BareBert, BERT | {"architectures": ["BertModel"]}, torch.float32, "word pieces", {}),
    "distilbert": (DistilBert, DISTILBERT, torch.float32, "word pieces", {}),
    "distilbert_untied": (DistilBert, DISTILBERT | {"tie_weights_": False, "tie_word_embeddings": False}, torch.bfloat16,
                          "vocab.txt", {}),
    "roberta": (Roberta, ROBERTA, torch.float32, "byte pairs", {}),
    "roberta_json": (Roberta, ROBERTA, torch.float16, "byte pairs as json", {}),
}
T5_CONFIG = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_model": 16, "d_kv": 6, "d_ff": 20,
             "num_layers": 2, "num_decoder_layers": 2, "num_heads": 4, "vocab_size": VOCABULARY, "n_positions": 64,
             "relative_attention_num_buckets": 32, "relative_attention_max_distance": 20, "layer_norm_epsilon": 1e-6,
             "feed_forward_proj": "relu", "tie_word_embeddings": True, "decoder_start_token_id": 0, "pad_token_id": 0,
             "eos_token_id": 1}
T5_FEW = T5_CONFIG | {"d_model": 8, "d_ff": 8, "d_kv": 2, "num_layers": 1, "num_decoder_layers": 1}
BART_CONFIG = {"model_type": "bart", "architectures": ["BartForConditionalGeneration"], "d_model": 16, "encoder_layers": 2,
               "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 20,
               "decoder_ffn_dim": 20, "vocab_size": VOCABULARY, "max_position_embeddings": 64, "activation_function": "gelu",
               "scale_embedding": True, "decoder_start_token_id": 2, "pad_token_id": 1, "eos_token_id": 2,
               "normalize_before": False, "normalize_embedding": True}
MARIAN_CONFIG = {k: v for k, v in BART_CONFIG.items() if k != "normalize_embedding"} | {
    "model_type": "marian", "architectures": ["MarianMTModel"], "activation_function": "swish", "pad_token_id": VOCABULARY - 1,
    "eos_token_id": 0, "decoder_start_token_id": VOCABULARY - 1, "forced_eos_token_id": 0, "bad_words_ids": [[VOCABULARY - 1]],
    "static_position_embeddings": True, "share_encoder_decoder_embeddings": True, "add_final_layer_norm": False}
READERS = {
    "bart": (Bart, BART_CONFIG, torch.float32),
    "bart_distilled": (Bart, BART_CONFIG | {"encoder_layers": 3, "decoder_layers": 1, "forced_bos_token_id": 0}, torch.float32),
    "marian": (Bart, MARIAN_CONFIG, torch.float32),
    "t5": (T5, T5_CONFIG, torch.float32),
    "t5_uneven": (T5, T5_CONFIG | {"num_layers": 1, "num_decoder_layers": 3}, torch.bfloat16),
    "t5_eight_buckets": (T5, T5_FEW | {"relative_attention_num_buckets": 8}, torch.bfloat16),
    "t5_odd_buckets": (T5, T5_FEW | {"relative_attention_num_buckets": 13, "relative_attention_max_distance": 9}, torch.bfloat16),
    "t5_gated": (T5, T5_CONFIG | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "d_kv": 4}, torch.bfloat16),
}
TYPES = {torch.int64: "I64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.bool: "BOOL"}


def write(path, tensors, metadata={"format": "pt"}):
    header, blobs, offset = {"__metadata__": metadata}, [], 0
    for name, tensor in tensors.items():
        raw = tensor.detach().contiguous()
        data = bytes(raw.flatten().view(torch.uint8).tolist()) if raw.dim() else raw[None].view(torch.uint8).numpy().tobytes()
        header[name] = {"dtype": TYPES[raw.dtype], "shape": list(raw.shape), "data_offsets": [offset, offset + len(data)]}
        blobs.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def byte_symbols():
    """The character that stands for each byte (Radford et al. 2019): itself where it can be seen, else one from 256 on."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [b for b in range(256) if b not in seen]
    return {b: chr(b) for b in seen} | {b: chr(256 + i) for i, b in enumerate(hidden)}


def tokenizer():
    symbols = byte_symbols()
    vocab = {symbols[b]: i for i, b in enumerate(sorted(symbols, key=lambda b: ord(symbols[b])))}
    vocab["th"] = 256
    added = {"content": "<|endoftext|>", "id": 257, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True}
    return {"version": "1.0", "added_tokens": [added], "normalizer": None,
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            "post_processor": None, "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": vocab, "merges": ["t h"]}}


def special(content, id, **flags):
    return {"content": content, "id": id, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
            "special": True} | flags


def word_pieces():
    """Tokens by id: letters, digits and marks, at the beginning of a word and inside, some words and some ends."""
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)] + [str(d) for d in range(10)]
    words = ["the", "cat", "sat", "on", "mat", "dog", "play", "un", "##believ"]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[MASK]"] + letters + ["##" + x for x in letters] + list(".,!?'-") + words
    tokens += ["##ing", "##ed", "##able", "##est"]
    tokens += [f"[unused{i}]" for i in range(SEPARATOR - len(tokens))] + ["[SEP]"]
    return tokens


def write_word_pieces(folder, as_json):
    tokens = word_pieces()
    if not as_json:
        (folder / "vocab.txt").write_text("".join(t + "\n" for t in tokens))
        return (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": True}))
    ids = {t: i for i, t in enumerate(tokens)}
    sign = lambda name, kind: {"SpecialToken": {"id": name, "type_id": kind}}
    text = lambda name, kind: {"Sequence": {"id": name, "type_id": kind}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "added_tokens": [special(t, ids[t]) for t in ("[PAD]", "[UNK]", "[CLS]", "[MASK]", "[SEP]")],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                       "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": [sign("[CLS]", 0), text("A", 0), sign("[SEP]", 0)],
                           "pair": [sign("[CLS]", 0), text("A", 0), sign("[SEP]", 0), text("B", 1), sign("[SEP]", 1)],
                           "special_tokens": {t: {"id": t, "ids": [ids[t]], "tokens": [t]} for t in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": ids}}))


def write_byte_pairs(folder, as_json):
    """Byte pairs with the signs of a RoBERTa."""
    symbols = byte_symbols()
    names = ["<s>", "<pad>", "</s>", "<unk>"]
    tokens = names + sorted(symbols.values(), key=ord) + ["th", "<mask>"]
    vocab = {t: i for i, t in enumerate(tokens)}
    if not as_json:
        (folder / "vocab.json").write_text(json.dumps(vocab))
        return (folder / "merges.txt").write_text("#version: 0.2\nt h\n")
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0",
        "added_tokens": [special(t, vocab[t]) for t in names] + [special("<mask>", vocab["<mask>"], lstrip=True)],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True,
                           "add_prefix_space": False},
        "decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": vocab, "merges": ["t h"]}}))


def make_encoder(name, module, config, kind, cut, renamed):
    model = made(name, module, config, kind)
    state = {k: v.to(kind) if v.is_floating_point() else v for k, v in model.state_dict().items()}
    if config.get("tie_weights_"):
        del state["vocab_projector.weight"]  # as files have it that leave out what is there already
    for usual, other in renamed.items():
        state = {k[:-len(usual)] + other if k.endswith(usual) else k: v for k, v in state.items()}
    folder = FOLDER / name
    write(folder / "model.safetensors", state)
    (folder / "config.json").write_text(config_text(config))
    if cut.startswith("byte pairs"):
        write_byte_pairs(folder, cut.endswith("json"))
    else:
        write_word_pieces(folder, cut == "word pieces")


def made(name, module, config, kind, stored=lambda parameter: None):
    """The model, and its numbers written; `stored` makes of a parameter what can be stored of it."""
    torch.manual_seed(2026)
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    model = module(config)
    with torch.no_grad():
        for parameter in model.parameters():  # none at 0 or 1, where a mistake would not show
            parameter.add_(0.3 * torch.randn_like(parameter))
            parameter.copy_(parameter.to(kind))
            stored(parameter)
    points = {}
    with torch.no_grad():
        model(torch.tensor(TOKENS), points)
    read = {"source": ",".join(map(str, SOURCE))} if name in READERS else {}
    write(FOLDER / f"{name}.trace", points, {"tokens": ",".join(map(str, TOKENS))} | read)
    return model


def make(name, module, config, kind, files):
    model, folder = made(name, module, config, kind), FOLDER / name
    state = {k: v.to(kind) if v.is_floating_point() else v for k, v in model.state_dict().items()}
    names = list(state)
    if files == 1:
        write(folder / "model.safetensors", state)
    else:
        shards = [f"model-{i + 1:05}-of-{files:05}.safetensors" for i in range(files)]
        place = {n: shards[i * files // len(names)] for i, n in enumerate(names)}
        for shard in shards:
            write(folder / shard, {n: state[n] for n in names if place[n] == shard})
        (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": place}, indent=1))
    (folder / "config.json").write_text(config_text(config))
    if module is Opt:
        return write_byte_pairs(folder, False)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))


def make_reader(name, module, config, kind):
    """A model that reads a source; T5's with the Unigram tokenizer that make_unigram_reference.py has trained, to 280 tokens."""
    model, folder = made(name, module, config, kind), FOLDER / name
    state = {k: v.to(kind) for k, v in model.state_dict().items()}
    if module is Bart:
        write(folder / "model.safetensors", state)
        (folder / "config.json").write_text(config_text(config))
        return None if config["model_type"] == "marian" else write_byte_pairs(folder, True)
    copies = {f"{stack}.embed_tokens.weight": state["shared.weight"] for stack in ("encoder", "decoder")}
    unused = {"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight": torch.zeros(32, 4)}  # older files have it
    write(folder / "model.safetensors", state | copies | (unused if name == "t5" else {}))
    (folder / "config.json").write_text(config_text(config))
    write_unigram(folder)


def write_unigram(folder):
    file = json.loads((FOLDER.parent / "tokenizers" / "unigram.json").read_text())["file"]
    file["model"]["vocab"] = file["model"]["vocab"][:VOCABULARY - 1]
    file["added_tokens"][-1]["id"] = VOCABULARY - 1
    (folder / "tokenizer.json").write_text(json.dumps(file))


class Adapted(nn.Module):
    """A linear layer and what was learned beside it: x W + s (x A) B (Hu et al. 2021); with DoRA every output times its own
    length over that of its weights (Liu et al. 2024)."""

    def __init__(self, linear, rank, scale, magnitudes):
        super().__init__()
        self.linear, self.scale = linear, scale
        self.magnitude = nn.Parameter(1 + torch.rand(linear.out_features)) if magnitudes else None
        self.lora_A = nn.Linear(linear.in_features, rank, False)
        self.lora_B = nn.Linear(rank, linear.out_features, False)

    def forward(self, x):
        y = self.linear(x) + self.scale * self.lora_B(self.lora_A(x))
        if self.magnitude is None:
            return y
        whole = self.linear.weight + self.scale * self.lora_B.weight @ self.lora_A.weight
        bias = 0 if self.linear.bias is None else self.linear.bias
        return (y - bias) * self.magnitude / whole.norm(dim=1) + bias


def of_pattern(patterns, path, otherwise):
    """The value of the first pattern that the end of a module's path matches, from one of its dots on."""
    return next((value for pattern, value in patterns.items() if re.match(rf"(.*\.)?({pattern})$", path)), otherwise)


def make_adapter(name, base, module, config, targets, settings, saved=(), stored=lambda parameter: None):
    """An adapter of a model that is made here, too; its base is named by a path that is elsewhere."""
    model, folder = made(name, module, config, torch.float32, stored), FOLDER / name
    tensors = {}
    for path, layer in list(model.named_modules()):
        if path.split(".")[-1] in targets:
            rank = of_pattern(settings.get("rank_pattern", {}), path, settings["r"])
            alpha = of_pattern(settings.get("alpha_pattern", {}), path, settings["lora_alpha"])
            scale = alpha / (math.sqrt(rank) if settings.get("use_rslora") else rank)
            adapted = Adapted(layer, rank, scale, settings.get("use_dora"))
            parent = model.get_submodule(path.rsplit(".", 1)[0])
            setattr(parent, path.split(".")[-1], adapted)
            for side in ("lora_A", "lora_B"):
                weight = getattr(adapted, side).weight
                with torch.no_grad():
                    weight.copy_(0.3 * torch.randn_like(weight))
                tensors[f"base_model.model.{path}.{side}.weight"] = weight
            if adapted.magnitude is not None:
                tensors[f"base_model.model.{path}.lora_magnitude_vector"] = adapted.magnitude
    for path, called in saved:
        weight = model.get_parameter(path + ".weight")
        with torch.no_grad():
            weight.copy_(0.3 * torch.randn_like(weight))
        tensors[f"base_model.model.{path}{called}.weight"] = weight
    points = {}
    with torch.no_grad():
        model(torch.tensor(TOKENS), points)
    write(FOLDER / f"{name}.trace", points, {"tokens": ",".join(map(str, TOKENS))})
    write(folder / "adapter_model.safetensors", tensors)
    (folder / "adapter_config.json").write_text(json.dumps(
        {"peft_type": "LORA", "base_model_name_or_path": f"hub/of/models/{base}", "bias": "none", "fan_in_fan_out": False,
         "target_modules": targets, "modules_to_save": None} | settings, indent=1))


def bucket_of(away, count, farthest):
    """T5's bucket of distances on one side that has `count` of them, in float32, as its own code computes it."""
    near = count // 2
    far = near + (torch.log(away.float() / near) / math.log(farthest / near) * (count - near)).long()
    return torch.where(away < near, away, far.clamp(max=count - 1))


def make_buckets():
    """The bucket of every distance from 0 to 150 tokens on one side."""
    distances = torch.arange(151)
    (FOLDER.parent / "distance_buckets.json").write_text("[\n" + ",\n".join(
        json.dumps({"count": count, "farthest": farthest, "buckets": bucket_of(distances, count, farthest).tolist()},
                   separators=(",", ":"))
        for count in (2, 3, 4, 6, 8, 9, 12, 13, 18, 32) for farthest in (20, 128)) + "\n]\n")


def make_npz():
    """The numbers of "llama" once more, as NumPy packs them: some with twice as many bits, one column by column."""
    points = {}
    with torch.no_grad():
        made("llama", Llama, LLAMA, torch.float32)(torch.tensor(TOKENS), points)
    arrays = {name: value.numpy() for name, value in points.items()}
    arrays["logits"] = arrays["logits"].astype(numpy.float64)
    numpy.savez_compressed(FOLDER / "llama.npz", tokens=numpy.array(TOKENS), **arrays)
    typed, points = [256, 68, 220, 66, 64, 83, 13], {}  # "the cat."
    with torch.no_grad():
        made("llama", Llama, LLAMA, torch.float32)(torch.tensor(typed), points)
    numpy.savez_compressed(FOLDER / "llama_typed.npz", tokens=numpy.array(typed), **{k: v.numpy() for k, v in points.items()})
    turned = numpy.asfortranarray(arrays["blocks.0.hook_resid_pre"])
    numpy.savez(FOLDER / "llama_turned.npz", **{"tokens": numpy.array(TOKENS, numpy.int32), "blocks.0.hook_resid_pre": turned})


def quantized(x):
    """Q8_0: whole numbers from -127 to 127 for every 32 in a row, times the largest of these over 127 as a half."""
    blocks = x.reshape(-1, 32)
    scale = (blocks.abs().amax(1, keepdim=True) / 127).half()
    whole = torch.where(scale > 0, blocks / scale.float(), torch.zeros_like(blocks)).round().clamp(-127, 127).to(torch.int8)
    return scale, whole


def gguf_bytes(x, kind):
    if kind == "Q8_0":
        scale, whole = quantized(x)
        return b"".join(s.numpy().tobytes() + w.numpy().tobytes() for s, w in zip(scale, whole))
    raw = x.to({"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[kind]).contiguous()
    return bytes(raw.flatten().view(torch.uint8).tolist())


def neighbours(x, heads):
    """Rows of queries or keys in llama.cpp's order: in every head column i of one half beside column i of the other."""
    return x.unflatten(0, (heads, 2, -1)).transpose(1, 2).reshape(x.shape)


GGUF_NAMES = {  # where a tensor's name ends, longest first, and what llama.cpp calls it
    "attention.output.LayerNorm": "attn_output_norm", "attention.output.dense": "attn_output", "output.LayerNorm":
    "layer_output_norm", "output.dense": "ffn_down", "intermediate.dense": "ffn_up", "attention.self.query": "attn_q",
    "attention.self.key": "attn_k", "attention.self.value": "attn_v", "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd", "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm", "post_attention_layernorm": "ffn_norm", "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj":
    "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "embed_tokens": "token_embd", "model.norm": "output_norm",
    "lm_head": "output", "attention.query_key_value": "attn_qkv", "attention.dense": "attn_output",
    "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down", "embed_in": "token_embd",
    "final_layer_norm": "output_norm", "embed_out": "output", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output",
    "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down", "ln_1": "attn_norm", "ln_2": "ffn_norm", "ln_f": "output_norm",
    "wte": "token_embd", "wpe": "position_embd", "self_attn.dense": "attn_output", "mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down",
    "final_layernorm": "output_norm"}


LATER_GEMMA_NAMES = {"post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
                     "post_feedforward_layernorm": "post_ffw_norm"}


def gguf_tensors(state, c, architecture):
    for name, x in state.items():
        stem, kind = name.rsplit(".", 1)
        if architecture.startswith("gemma") and x.dim() == 1:
            x = 1 + x  # norms are whole there
        later = next((e for e in LATER_GEMMA_NAMES if stem.endswith(e) and architecture in ("gemma2", "gemma3")), None)
        if later:
            yield f"blk.{stem.split('.')[2]}.{LATER_GEMMA_NAMES[later]}.{kind}", x
            continue
        ending = next((e for e in GGUF_NAMES if stem.endswith(e)), None)
        if ending is None or "pooler" in name or not x.is_floating_point():
            continue  # llama.cpp has no use for it
        number = next((p for p in stem.split(".") if p.isdigit()), None)
        if architecture == "llama" and ending.endswith(("q_proj", "k_proj")):
            heads = c["num_attention_heads"] if ending.endswith("q_proj") else c["num_key_value_heads"]
            x = neighbours(x, heads)
        if ending == "attention.query_key_value":  # all queries, all keys, all values
            x = x.unflatten(0, (c["num_attention_heads"], 3, -1)).transpose(0, 1).reshape(x.shape)
        if ending == "embeddings.position_embeddings" and c["model_type"] == "roberta":
            x = x[c["pad_token_id"] + 1:]
        yield (f"blk.{number}." if number else "") + f"{GGUF_NAMES[ending]}.{kind}", x


def gguf_text(s):
    return struct.pack("<Q", len(s.encode())) + s.encode()


def gguf_key(key, value):
    """A key with its value, the kind of which is that of Python's."""
    def packed(x):
        return gguf_text(x) if isinstance(x, str) else struct.pack("<?", x) if isinstance(x, bool) else \
            struct.pack("<I" if isinstance(x, int) else "<f", x)

    kind = lambda x: 8 if isinstance(x, str) else 7 if isinstance(x, bool) else 4 if isinstance(x, int) else 6
    if isinstance(value, list):
        return gguf_text(key) + struct.pack("<IIQ", 9, kind(value[0]), len(value)) + b"".join(map(packed, value))
    return gguf_text(key) + struct.pack("<I", kind(value)) + packed(value)


def write_gguf(path, tensors, kind, architecture, alignment, more={}):
    text = gguf_text
    keys = [gguf_key(k, v) for k, v in ({"general.architecture": architecture, "general.alignment": alignment} | more).items()]
    keys = keys if more else [text("general.architecture") + struct.pack("<I", 8) + text(architecture),
            text("general.alignment") + struct.pack("<II", 4, alignment),
            text(architecture + ".rope.freq_base") + struct.pack("<If", 6, 10000.0),
            text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("größer"),
            text("tokenizer.ggml.token_type") + struct.pack("<IIQ3i", 9, 5, 3, 1, 1, 6),
            text("general.flag") + struct.pack("<I?", 7, True)]
    infos, blobs, offset = [], [], 0
    for name, x in tensors:
        own = kind if x.dim() == 2 else "F32"
        data = gguf_bytes(x, own)
        infos.append(text(name) + struct.pack("<I", x.dim()) + b"".join(struct.pack("<Q", e) for e in reversed(x.shape)) +
                     struct.pack("<IQ", {"F32": 0, "F16": 1, "Q8_0": 8, "BF16": 30}[own], offset))
        blobs.append(data + b"\0" * (-len(data) % alignment))
        offset += len(blobs[-1])
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(keys)) + b"".join(keys) + b"".join(infos)
    path.write_bytes(head + b"\0" * (-len(head) % alignment) + b"".join(blobs))


GGUF = {  # the architecture that llama.cpp names, the type of matrices, and what they are aligned to
    "llama_gguf": (Llama, LLAMA | {"head_dim": 12}, "llama", "F16", 32),
    "mistral_q8": (Llama, LLAMA | {"model_type": "mistral", "sliding_window": 4, "hidden_size": 32, "intermediate_size": 64},
                   "llama", "Q8_0", 64),
    "qwen3_gguf": (Llama, LLAMA | {"model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True,
                                   "attention_bias": False}, "qwen3", "BF16", 32),
    "gpt2_gguf": (Gpt2, GPT2, "gpt2", "F16", 32),
    "pythia_gguf": (Neox, NEOX, "gptneox", "F32", 32),
    "bert_gguf": (BareBert, BERT | {"architectures": ["BertModel"]}, "bert", "F16", 32),
    "roberta_gguf": (BareRoberta, ROBERTA | {"architectures": ["RobertaModel"]}, "bert", "F16", 32),
}


def make_gguf(name, module, config, architecture, kind, alignment):
    halves = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "Q8_0": torch.float32}[kind]

    def stored(parameter):
        if kind == "Q8_0" and parameter.dim() == 2:
            scale, whole = quantized(parameter)
            parameter.copy_((scale.float() * whole.float()).reshape(parameter.shape))

    model, folder = made(name, module, config, halves, stored), FOLDER / name
    write_gguf(folder / "weights.gguf", gguf_tensors(model.state_dict(), config, architecture), kind, architecture, alignment)
    (folder / "config.json").write_text(config_text(config))
    if module is BareBert:
        write_word_pieces(folder, True)
    elif module is BareRoberta:
        write_byte_pairs(folder, True)
    else:
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))


def piece_keys(name):
    """The tokenizer of a SentencePiece model that make_sentence_piece_reference.py has trained, as llama.cpp's converter has it."""
    import sentencepiece
    p = sentencepiece.SentencePieceProcessor(model_file=str(FOLDER.parent / "sentence_pieces" / f"{name}.model"))
    kind = lambda i: 2 if p.is_unknown(i) else 3 if p.is_control(i) else 6 if p.is_byte(i) else \
        4 if p.get_score(i) == 0 and i < 3 + 3 and name == "gemma" else 1
    count = range(p.get_piece_size())
    return {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": [p.id_to_piece(i) for i in count],
            "tokenizer.ggml.scores": [p.get_score(i) for i in count], "tokenizer.ggml.token_type": [kind(i) for i in count],
            "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2, "tokenizer.ggml.add_bos_token": True} | (
                {"tokenizer.ggml.add_space_prefix": False} if name == "gemma" else {})


def byte_pair_keys(pre):
    vocab = tokenizer()["model"]["vocab"]
    return {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": pre, "tokenizer.ggml.tokens": list(vocab) + ["<|endoftext|>"],
            "tokenizer.ggml.token_type": [1] * len(vocab) + [3], "tokenizer.ggml.merges": ["t h"],
            "tokenizer.ggml.eos_token_id": 257, "tokenizer.ggml.bos_token_id": 257}


def word_piece_keys():
    """BERT's word pieces as llama.cpp's converter has them: a sign before what begins a word, none before what goes on in it."""
    tokens, control = word_pieces(), ("[PAD]", "[UNK]", "[CLS]", "[MASK]", "[SEP]")
    ids = {t: i for i, t in enumerate(tokens)}
    called = lambda t: t if t in control else t[2:] if t.startswith("##") else "▁" + t
    return {"tokenizer.ggml.model": "bert", "tokenizer.ggml.token_type_count": 2, "tokenizer.ggml.tokens": list(map(called, tokens)),
            "tokenizer.ggml.token_type": [3 if t in control else 1 for t in tokens], "tokenizer.ggml.unknown_token_id": ids["[UNK]"],
            "tokenizer.ggml.seperator_token_id": ids["[SEP]"], "tokenizer.ggml.cls_token_id": ids["[CLS]"],
            "tokenizer.ggml.padding_token_id": ids["[PAD]"], "tokenizer.ggml.mask_token_id": ids["[MASK]"]}


def size_keys(architecture, c):
    """What the keys of an architecture are called that say what config.json says."""
    if architecture in ("gptneox", "bert", "phi2"):
        own = {"context_length": c["max_position_embeddings"], "embedding_length": c["hidden_size"],
               "block_count": c["num_hidden_layers"], "feed_forward_length": c["intermediate_size"],
               "attention.head_count": c["num_attention_heads"], "attention.layer_norm_epsilon": c["layer_norm_eps"]}
        own |= {"attention.causal": False, "pooling_type": 2} if architecture == "bert" else {
            "attention.head_count_kv": c["num_key_value_heads"],
            "rope.dimension_count": int(c["partial_rotary_factor"] * c["hidden_size"]) // c["num_attention_heads"]
        } if architecture == "phi2" else {
            "rope.dimension_count": int(c["rotary_pct"] * c["hidden_size"] / c["num_attention_heads"]),
            "use_parallel_residual": c["use_parallel_residual"]}
        return {f"{architecture}.{k}": v for k, v in own.items()}
    llama = c["model_type"] != "gpt2"
    own = {"context_length": c["max_position_embeddings" if llama else "n_positions"],
           "embedding_length": c["hidden_size" if llama else "n_embd"], "block_count": c["num_hidden_layers" if llama else "n_layer"],
           "feed_forward_length": c["intermediate_size"] if llama else 4 * c["n_embd"],
           "attention.head_count": c["num_attention_heads" if llama else "n_head"]}
    if llama:
        own |= {"attention.head_count_kv": c["num_key_value_heads"], "attention.layer_norm_rms_epsilon": c["rms_norm_eps"],
                "rope.freq_base": c["rope_theta"]}
        own |= {"attention.key_length": c["head_dim"], "attention.value_length": c["head_dim"]} if "head_dim" in c else {}
        own |= {"attention.sliding_window": c["sliding_window"]} if "sliding_window" in c else {}
        own |= {k: c[k] for k in ("attn_logit_softcapping", "final_logit_softcapping") if c.get(k)}
    else:
        own |= {"attention.layer_norm_epsilon": c["layer_norm_epsilon"]}
    return {f"{architecture}.{k}": v for k, v in own.items()}


LLAMA3_SCALING = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                  "original_max_position_embeddings": 8192}
LONE = {  # GGUF files without a config.json: the type of matrices, and the keys of their tokenizers
    "llama_lone": (Llama, LLAMA | {"head_dim": 12, "vocab_size": 520, "rope_scaling": LLAMA3_SCALING}, "llama", "F32",
                   lambda: piece_keys("llama")),
    "qwen2_lone": (Llama, LLAMA | {"model_type": "qwen2", "tie_word_embeddings": True}, "qwen2", "BF16",
                   lambda: byte_pair_keys("qwen2")),
    "gemma2_lone": (LaterGemma, GEMMA | {"model_type": "gemma2", "query_pre_attn_scalar": GEMMA["head_dim"], "vocab_size": 500,
                                         "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0, "sliding_window_pattern_": 2},
                    "gemma2", "F16", lambda: piece_keys("gemma")),
    "gemma3_lone": (LaterGemma, GEMMA | {"model_type": "gemma3_text", "query_pre_attn_scalar": GEMMA["head_dim"], "vocab_size": 500,
                                         "rope_theta": 1000.0, "rope_local_base_freq": 10000.0, "sliding_window_pattern_": 6,
                                         "attn_logit_softcapping": None, "final_logit_softcapping": None},
                    "gemma3", "F32", lambda: piece_keys("gemma")),
    "gpt2_lone": (Gpt2, GPT2, "gpt2", "F32", lambda: byte_pair_keys("gpt-2")),
    "gemma_lone": (Gemma, {k: v for k, v in GEMMA.items() if k != "sliding_window"} | {
        "model_type": "gemma", "num_key_value_heads": 1, "num_hidden_layers": 2, "vocab_size": 500}, "gemma", "BF16",
                   lambda: piece_keys("gemma")),
    "qwen3_lone": (Llama, LLAMA | {"model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True, "attention_bias": False,
                                   "rope_theta": 1000000.0}, "qwen3", "F16", lambda: byte_pair_keys("qwen2")),
    "pythia_lone": (Neox, NEOX, "gptneox", "F32", lambda: byte_pair_keys("olmo")),
    "neox_lone": (Neox, NEOX | {"use_parallel_residual": False, "rotary_pct": 1.0}, "gptneox", "F16", lambda: byte_pair_keys("olmo")),
    "phi2_lone": (Phi, PHI | {"partial_rotary_factor": 0.25}, "phi2", "F16",
                  lambda: byte_pair_keys("phi-2") | {"tokenizer.ggml.add_bos_token": False}),
    "bert_lone": (BareBert, BERT | {"architectures": ["BertModel"]}, "bert", "F32", word_piece_keys),
}


def make_lone(name, module, config, architecture, kind, keys):
    model = made(name, module, config, {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[kind])
    tensors = dict(gguf_tensors(model.state_dict(), config, architecture))
    if config.get("rope_scaling"):  # what llama.cpp's converter makes of them
        turned, base = config["head_dim"], config["rope_theta"]
        tensors["rope_freqs.weight"] = frequencies(base, turned, None) / frequencies(base, turned, config["rope_scaling"])
    write_gguf(FOLDER / name / f"{name}.gguf", tensors.items(), kind, architecture, 32, size_keys(architecture, config) | keys())


BLOCKS = LLAMA | {"model_type": "qwen2", "hidden_size": 256, "intermediate_size": 256, "num_hidden_layers": 1}
KINDS = {"embed_tokens": "Q6_K", "q_proj": "Q4_K", "k_proj": "Q2_K", "v_proj": "Q3_K", "o_proj": "Q5_K", "gate_proj": "Q4_0",
         "up_proj": "Q5_1", "down_proj": "Q4_1", "lm_head": "Q5_0"}


def make_blocks_model(name):
    """A GGUF file in three parts, as llama.cpp splits one: keys stand in the first. Every matrix is in another type of blocks."""
    random, raw = numpy.random.default_rng(8), {}

    class Stored(Llama):
        def forward(self, tokens, points):  # before the first pass
            for path, parameter in self.named_parameters():
                kind = next((k for ending, k in KINDS.items() if path.endswith(ending + ".weight")), None)
                if kind:
                    raw[path], values = random_blocks(kind, *parameter.shape, random)
                    parameter.copy_(torch.from_numpy(values))
            super().forward(tokens, points)
            own, (pre, mid, post) = self.model.layers[0], (points[f"blocks.0.hook_resid_{name}"] for name in ("pre", "mid", "post"))
            points |= {"hook_embed": pre, "blocks.0.ln1.hook_normalized": own.input_layernorm(pre), "blocks.0.hook_attn_out": mid - pre,
                       "blocks.0.ln2.hook_normalized": own.post_attention_layernorm(mid), "blocks.0.hook_mlp_out": post - mid,
                       "ln_final.hook_normalized": self.model.norm(post)}

    model, tensors = made(name, Stored, BLOCKS, torch.float32), []
    for path, parameter in model.named_parameters():
        (called, x), = gguf_tensors({path: parameter.detach()}, BLOCKS, "qwen2")
        kind = next((k for ending, k in KINDS.items() if path.endswith(ending + ".weight")), None)
        tensors.append((called, tuple(x.shape), BLOCK_TYPES[kind][0] if kind else 0, raw.get(path) or x.numpy().tobytes()))
    keys, third = {"general.architecture": "qwen2"} | size_keys("qwen2", BLOCKS) | byte_pair_keys("qwen2"), len(tensors) // 3
    for part in range(3):
        split = [gguf_key("split.no", part), gguf_key("split.count", 3), gguf_key("split.tensors.count", len(tensors))]
        own = tensors[part * third:(part + 1) * third if part < 2 else None]
        write_part(FOLDER / name / f"{name}-{part + 1:05}-of-00003.gguf",
                   ([gguf_key(k, v) for k, v in keys.items()] if part == 0 else []) + split, own)


if "qwen2_blocks" in sys.argv[1:] or not sys.argv[1:]:
    make_blocks_model("qwen2_blocks")
for name, options in LONE.items():
    if name in sys.argv[1:] or not sys.argv[1:]:
        make_lone(name, *options)
for name, options in MODELS.items():
    if name in sys.argv[1:] or not sys.argv[1:]:
        make(name, *options)
for name, options in ENCODERS.items():
    if name in sys.argv[1:] or not sys.argv[1:]:
        make_encoder(name, *options)
for name, options in READERS.items():
    if name in sys.argv[1:] or not sys.argv[1:]:
        make_reader(name, *options)
for name, options in GGUF.items():
    if name in sys.argv[1:] or not sys.argv[1:]:
        make_gguf(name, *options)
if "llama_lora" in sys.argv[1:] or not sys.argv[1:]:
    make_adapter("llama_lora", "llama", Llama, LLAMA, ["q_proj", "v_proj", "down_proj"], {"r": 2, "lora_alpha": 3})
if "llama_patterns" in sys.argv[1:] or not sys.argv[1:]:
    make_adapter("llama_patterns", "llama", Llama, LLAMA, ["q_proj", "v_proj", "down_proj"],
                 {"r": 2, "lora_alpha": 3, "use_rslora": True, "rank_pattern": {"layers.1.self_attn.v_proj": 3, "q_proj": 1},
                  "alpha_pattern": {"model.layers.0.mlp.down_proj": 5, "^model.layers.1.self_attn.*": 7}})
for name, base, module, config, targets in (
        ("llama_gguf_lora", "llama_lone", Llama, LONE["llama_lone"][1], ["q_proj", "k_proj", "o_proj", "gate_proj", "down_proj"]),
        ("pythia_gguf_lora", "pythia_lone", Neox, NEOX, ["query_key_value", "dense_4h_to_h"]),
        ("gpt2_gguf_lora", "gpt2_gguf", Gpt2, GPT2, ["c_attn", "c_fc"])):
    if name in sys.argv[1:] or not sys.argv[1:]:
        gpt2 = module is Gpt2  # whose matrices are [in, out] in its own files, and [out, in] in a GGUF file
        make_adapter(name, base, module, config, targets, {"r": 2, "lora_alpha": 3, "fan_in_fan_out": gpt2},
                     stored=(lambda p: p.copy_(p.half())) if gpt2 else lambda p: None)
if "llama_dora" in sys.argv[1:] or not sys.argv[1:]:
    make_adapter("llama_dora", "llama", Llama, LLAMA, ["k_proj", "up_proj"],
                 {"r": 2, "lora_alpha": 3, "use_dora": True, "modules_to_save": ["lm_head", "input_layernorm"]},
                 [("lm_head", ""), ("model.layers.1.input_layernorm", ".modules_to_save")])
if "buckets" in sys.argv[1:] or not sys.argv[1:]:
    make_buckets()
if "npz" in sys.argv[1:] or not sys.argv[1:]:
    make_npz()
