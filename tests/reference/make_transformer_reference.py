#!/usr/bin/env python3
"""Reference numbers from PyTorch for tests/core/model/reference_test.cpp.

Writes transformer_gelu.safetensors and transformer_relu.safetensors: a small decoder-only transformer's weights, every
trace point, the loss, every gradient and the weights after ten AdamW steps; and transformer_sgd.safetensors, the weights after
eight steps of SGD with growing batches. Needs Debian's python3-torch. The forward
pass is written with torch.nn.functional; its blocks are checked against torch.nn.TransformerEncoderLayer as well.

Usage: python3 tests/reference/make_transformer_reference.py
"""
import math
import pathlib

import torch
import torch.nn.functional as F

from reference_files import write_safetensors

FOLDER = pathlib.Path(__file__).parent
B, T, L, H, D, FF, V, C = 2, 9, 2, 2, 16, 40, 23, 12
K = D // H


def make_weights(tied):
    torch.manual_seed(20260)
    weights = {"wte.weight": torch.randn(V, D) * 0.5, "wpe.weight": torch.randn(C, D) * 0.5}
    for i in range(L):
        p = f"h.{i}."
        for norm in ("ln_1", "ln_2"):
            weights[p + norm + ".weight"] = 1 + 0.2 * torch.randn(D)
            weights[p + norm + ".bias"] = 0.2 * torch.randn(D)
        for name, n, m in (("attn.c_attn", D, 3 * D), ("attn.c_proj", D, D), ("mlp.c_fc", D, FF), ("mlp.c_proj", FF, D)):
            weights[p + name + ".weight"] = torch.randn(n, m) / math.sqrt(n)
            weights[p + name + ".bias"] = 0.1 * torch.randn(m)
    weights["ln_f.weight"] = 1 + 0.2 * torch.randn(D)
    weights["ln_f.bias"] = 0.2 * torch.randn(D)
    if not tied:
        weights["lm_head.weight"] = torch.randn(V, D) * 0.3
    return {k: v.requires_grad_() for k, v in weights.items()}


def forward(w, tokens, activation, points=None):
    """tokens [B, T] -> logits [B, T, V]; fills `points` with the first sequence's trace."""
    def note(name, x):
        if points is not None:
            points[name] = x[0].clone()
        return x

    def norm(weight, name, x):
        variance = x.var(-1, unbiased=False, keepdim=True)
        note(name + ".hook_scale", torch.sqrt(variance + 1e-5))
        return note(name + ".hook_normalized", F.layer_norm(x, (D,), w[weight + ".weight"], w[weight + ".bias"], 1e-5))

    def linear(name, x):
        return x @ w[name + ".weight"] + w[name + ".bias"]

    x = note("hook_embed", w["wte.weight"][tokens]) + note("hook_pos_embed", w["wpe.weight"][:T].expand(tokens.shape[0], T, D))
    mask = torch.full((T, T), -math.inf).triu(1)
    for i in range(L):
        b, p = f"blocks.{i}.", f"h.{i}."
        note(b + "hook_resid_pre", x)
        qkv = linear(p + "attn.c_attn", norm(p + "ln_1", b + "ln1", x))
        q, k, v = (note(b + "attn.hook_" + n, part.view(-1, T, H, K)) for n, part in zip("qkv", qkv.split(D, -1)))
        scores = note(b + "attn.hook_attn_scores", torch.einsum("bthk,bshk->bhts", q, k) / math.sqrt(K) + mask)
        pattern = note(b + "attn.hook_pattern", scores.softmax(-1))
        z = note(b + "attn.hook_z", torch.einsum("bhts,bshk->bthk", pattern, v))
        x = note(b + "hook_resid_mid", x + note(b + "hook_attn_out", linear(p + "attn.c_proj", z.reshape(-1, T, D))))
        pre = note(b + "mlp.hook_pre", linear(p + "mlp.c_fc", norm(p + "ln_2", b + "ln2", x)))
        post = F.gelu(pre, approximate="tanh") if activation == "gelu" else F.relu(pre)
        note(b + "mlp.hook_post", post)
        x = note(b + "hook_resid_post", x + note(b + "hook_mlp_out", linear(p + "mlp.c_proj", post)))
    unembedding = w.get("lm_head.weight", w["wte.weight"])
    return note("logits", norm("ln_f", "ln_final", x) @ unembedding.T)


def check_against_encoder_layer(w):
    """The block above and torch.nn.TransformerEncoderLayer(norm_first=True) have to agree (ReLU)."""
    layer = torch.nn.TransformerEncoderLayer(D, H, FF, dropout=0, activation="relu", batch_first=True, norm_first=True)
    with torch.no_grad():
        layer.self_attn.in_proj_weight.copy_(w["h.0.attn.c_attn.weight"].T)
        layer.self_attn.in_proj_bias.copy_(w["h.0.attn.c_attn.bias"])
        for mine, theirs in (("attn.c_proj", layer.self_attn.out_proj), ("mlp.c_fc", layer.linear1),
                             ("mlp.c_proj", layer.linear2)):
            theirs.weight.copy_(w[f"h.0.{mine}.weight"].T)
            theirs.bias.copy_(w[f"h.0.{mine}.bias"])
        for mine, theirs in (("ln_1", layer.norm1), ("ln_2", layer.norm2)):
            theirs.weight.copy_(w[f"h.0.{mine}.weight"])
            theirs.bias.copy_(w[f"h.0.{mine}.bias"])
    points = {}
    tokens = torch.arange(B * T).view(B, T) % V
    forward(w, tokens, "relu", points)
    layer.train()  # the training path computes what the formula says; the other one is fused
    mask = torch.full((T, T), -math.inf).triu(1)
    out = layer(points["blocks.0.hook_resid_pre"][None], src_mask=mask)[0]
    assert torch.allclose(out, points["blocks.0.hook_resid_post"], atol=1e-5), "the reference disagrees with itself"


def make(activation, tied, path):
    w = make_weights(tied)
    if activation == "relu":
        check_against_encoder_layer(w)
    torch.manual_seed(7)
    batches = [(torch.randint(V, (B, T)), torch.randint(V, (B, T))) for _ in range(10)]
    out = {"weights." + k: v.clone() for k, v in w.items()}
    for i, (tokens, targets) in enumerate(batches):
        out[f"tokens.{i}"], out[f"targets.{i}"] = tokens, targets

    points = {}
    logits = forward(w, batches[0][0], activation, points)
    loss = F.cross_entropy(logits.view(-1, V), batches[0][1].view(-1))
    loss.backward()
    out["loss"] = loss.view(1)
    out.update({"trace." + k: v for k, v in points.items()})
    out.update({"gradients." + k: v.grad.clone() for k, v in w.items()})

    # AdamW as the product does it: decay on matrices only, clipping at 1, warm-up of 4 steps, then half a cosine to 10.
    matrices = [v for v in w.values() if v.dim() == 2]
    vectors = [v for v in w.values() if v.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                                  lr=1, betas=(0.9, 0.98), eps=1e-8)
    losses = []
    for step, (tokens, targets) in enumerate(batches, 1):
        rate = 1e-2 * (step / 4 if step < 4 else 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (step - 4) / 6)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = F.cross_entropy(forward(w, tokens, activation).view(-1, V), targets.view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(w.values(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    out["losses"] = torch.tensor(losses)
    out.update({"after." + k: v for k, v in w.items()})
    write_safetensors(path, out)


def make_sgd(path):
    """Eight steps of torch.optim.SGD with momentum, decay on matrices only and clipping; behind the third step batches are
    twice as large."""
    w = make_weights(False)
    torch.manual_seed(8)
    batches = [tuple(torch.randint(V, (B if i < 3 else 2 * B, T)) for _ in range(2)) for i in range(8)]
    out = {"weights." + k: v.clone() for k, v in w.items()}
    for i, (tokens, targets) in enumerate(batches):
        out[f"tokens.{i}"], out[f"targets.{i}"] = tokens, targets
    matrices = [v for v in w.values() if v.dim() == 2]
    vectors = [v for v in w.values() if v.dim() == 1]
    optimizer = torch.optim.SGD([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                                lr=0.05, momentum=0.8)
    losses = []
    for tokens, targets in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(forward(w, tokens, "relu").view(-1, V), targets.view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(w.values(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    out["losses"] = torch.tensor(losses)
    out.update({"after." + k: v for k, v in w.items()})
    write_safetensors(path, out)


make("gelu", True, FOLDER / "transformer_gelu.safetensors")
make("relu", False, FOLDER / "transformer_relu.safetensors")
make_sgd(FOLDER / "transformer_sgd.safetensors")
