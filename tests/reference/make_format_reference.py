#!/usr/bin/env python3
"""Small model directories as other programs write them, for tests/core/io/model_formats_test.cpp.

Writes formats/<name>/ with config.json, weights and tokenizer.json in the names and layouts of a published family, and
formats/<name>.trace with the numbers that a PyTorch module of that family computes for a few tokens, under our names of
trace points. The modules are written after the papers, with torch.nn alone, and hold their weights under the published
names: what is saved is their state_dict(). Needs Debian's python3-torch.

Usage: python3 tests/reference/make_format_reference.py
"""
import json
import math
import pathlib
import struct

import torch
import torch.nn as nn
import torch.nn.functional as F

FOLDER = pathlib.Path(__file__).parent / "formats"
VOCABULARY, TOKENS = 280, [84, 104, 101, 220, 99, 97, 116, 257, 13]


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
    return torch.cat([head * angles.cos() + rotate_half(head) * angles.sin(), rest], -1)


def attend(q, k, v, points, prefix, window=None):
    """q [H, T, K], k and v [H', T, K]; what a token looks at is itself and what is before it."""
    T, groups = q.shape[1], q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(groups, 0), v.repeat_interleave(groups, 0)
    distance = torch.arange(T)[:, None] - torch.arange(T)[None]
    seen = (distance >= 0) & (distance < (window or T))
    pattern = (q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])).masked_fill(~seen, -math.inf).softmax(-1)
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


class LlamaAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
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
        return self.o_proj(attend(q, k, v, points, prefix, self.c.get("sliding_window")))


class LlamaMlp(nn.Module):
    def __init__(self, c):
        super().__init__()
        D, inner, biased = c["hidden_size"], c["intermediate_size"], c.get("mlp_bias", False)
        self.gate_proj, self.up_proj = nn.Linear(D, inner, biased), nn.Linear(D, inner, biased)
        self.down_proj = nn.Linear(inner, D, biased)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class LlamaLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.input_layernorm = RmsNorm(c["hidden_size"], c["rms_norm_eps"])
        self.self_attn = LlamaAttention(c)
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
        self.model.layers = nn.ModuleList(LlamaLayer(c) for _ in range(c["num_hidden_layers"]))
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


LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 16, "intermediate_size": 20,
         "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": VOCABULARY,
         "max_position_embeddings": 64, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu",
         "tie_word_embeddings": False, "rope_scaling": None}
NEOX = {"model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"], "hidden_size": 24, "intermediate_size": 40,
        "num_hidden_layers": 2, "num_attention_heads": 3, "vocab_size": VOCABULARY, "max_position_embeddings": 64,
        "layer_norm_eps": 1e-5, "rotary_pct": 0.25, "rotary_emb_base": 10000, "use_parallel_residual": True,
        "hidden_act": "gelu", "tie_word_embeddings": False, "attention_bias": True}
MODELS = {
    "llama": (Llama, LLAMA, torch.float32, 2),
    "llama_biased": (Llama, LLAMA | {"attention_bias": True, "mlp_bias": True, "head_dim": 6,
                                     "num_key_value_heads": 4}, torch.float16, 1),
    "llama3": (Llama, LLAMA | {"head_dim": 12, "rope_theta": 100.0, "rope_scaling": {
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 96}}, torch.float32, 1),
    "llama_linear": (Llama, LLAMA | {"rope_scaling": {"type": "linear", "rope_type": "linear", "factor": 4.0}},
                     torch.float32, 1),
    "mistral": (Llama, LLAMA | {"model_type": "mistral", "sliding_window": 4, "rope_theta": 1000000.0}, torch.float32, 1),
    "qwen2": (Llama, {k: v for k, v in LLAMA.items() if k != "rope_theta"} | {
        "model_type": "qwen2", "tie_word_embeddings": True, "use_sliding_window": False,
        "rope_parameters": {"rope_theta": 500.0, "rope_type": "default"}}, torch.bfloat16, 1),
    "qwen3": (Llama, LLAMA | {"model_type": "qwen3", "head_dim": 8, "tie_word_embeddings": True, "attention_bias": False,
                              "rope_theta": 1000000.0}, torch.bfloat16, 1),
    "pythia": (Neox, NEOX, torch.float32, 1),
    "neox_sequential": (Neox, NEOX | {"use_parallel_residual": False, "hidden_act": "relu", "rotary_pct": 1.0},
                        torch.float16, 1),
}
TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.bool: "BOOL"}


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


def make(name, module, config, kind, files):
    torch.manual_seed(2026)
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    model = module(config)
    with torch.no_grad():
        for parameter in model.parameters():  # none at 0 or 1, where a mistake would not show
            parameter.add_(0.3 * torch.randn_like(parameter))
            parameter.copy_(parameter.to(kind))
    points = {}
    with torch.no_grad():
        model(torch.tensor(TOKENS), points)
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
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))
    write(FOLDER / f"{name}.trace", points, {"tokens": ",".join(map(str, TOKENS))})


for name, options in MODELS.items():
    make(name, *options)
