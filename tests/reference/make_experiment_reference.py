#!/usr/bin/env python3
"""Experiments on `stories` by PyTorch, for tests/app/engine/experiment_reference_test.cpp.

Writes experiments_stories.safetensors: a GPT-2 written here from Radford et al. 2019 reads assets/models/stories in float64,
and of two texts of T tokens (the first one's answer is a, the second one's b) it holds

  text, other               token ids, [T] each
  ablation.zero, .mean      [L, H + 2, 6]: every head, attention layer and MLP replaced by zeros, or by its mean over the
                            positions; the change in logit a, centered logit, ln p, p, KL and mean loss
  ablation.difference       [L, H + 2]: by zeros, the change in logit a - logit b
  patch.stream, .attention, .mlp   [L, T] and patch.heads [L, H]: one activation of the first text's pass replaced by the
                            other text's; the change in logit a - logit b
  integrated                [T]: integrated gradients of logit a from the zero embedding (Sundararajan et al. 2017)
  lens                      [2 L + 1]: ln p of a read off after the embedding, each attention and each MLP, at the last token
  direct.raw, .centered     [2 + L (H + 2) + 1]: direct logit attribution at the last token: embedding, position, then of
                            each block its heads, output bias and MLP, and the final norm's bias

Needs Debian's python3-torch and the program, which cuts the texts into tokens.

Usage: python3 tests/reference/make_experiment_reference.py build/release/glassformer
"""
import json
import math
import pathlib
import struct
import subprocess
import sys

import torch

from reference_files import write_safetensors

torch.set_default_dtype(torch.float64)
FOLDER = pathlib.Path(__file__).parent
MODEL = FOLDER.parent.parent / "assets/models/stories"
L, H, D, K = 4, 4, 128, 32
TIRED = "The animal didn't cross the street because it was too tired. What was too tired? The"
WIDE = TIRED.replace("tired", "wide")
STEPS = 2000  # of the path of integrated gradients, midpoints


def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, info in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = info["data_offsets"]
            values = torch.frombuffer(bytearray(data[8 + size + begin:8 + size + end]), dtype=torch.float32)
            tensors[name.removeprefix("transformer.")] = values.view(info["shape"]).double()
    return tensors


W = read_safetensors(MODEL / "model.safetensors")


def ids(text):
    out = subprocess.run([sys.argv[1], "tokenize", "--model", "stories", "--json", "--text", text],
                         check=True, capture_output=True, text=True).stdout
    return [token["id"] for token in json.loads(out)]


def norm(x, name):
    centered = x - x.mean(-1, keepdim=True)
    return centered / (centered.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * W[name + ".weight"] + W[name + ".bias"]


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def forward(tokens, change=lambda name, x: x, embeddings=None):
    """All logits [T, V] and every activation; `change` may put another one in the place of each."""
    kept = {}

    def point(name, x):
        kept[name] = change(name, x)
        return kept[name]

    T = len(tokens)
    embedded = W["wte.weight"][tokens] if embeddings is None else embeddings
    x = point("embed", embedded) + W["wpe.weight"][:T]
    for i in range(L):
        block = f"h.{i}."
        x = point(f"stream.{i}", x)
        q, k, v = (norm(x, block + "ln_1") @ W[block + "attn.c_attn.weight"] + W[block + "attn.c_attn.bias"]).split(D, -1)
        q, k, v = (each.view(T, H, K).transpose(0, 1) for each in (q, k, v))
        scores = q @ k.transpose(1, 2) / math.sqrt(K)
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        z = point(f"heads.{i}", (scores.softmax(-1) @ v).transpose(0, 1))
        out = z.reshape(T, D) @ W[block + "attn.c_proj.weight"] + W[block + "attn.c_proj.bias"]
        x = point(f"middle.{i}", x + point(f"attention.{i}", out))
        inner = gelu(norm(x, block + "ln_2") @ W[block + "mlp.c_fc.weight"] + W[block + "mlp.c_fc.bias"])
        x = x + point(f"mlp.{i}", inner @ W[block + "mlp.c_proj.weight"] + W[block + "mlp.c_proj.bias"])
    kept["final"] = x
    return norm(x, "ln_f") @ W["lm_head.weight"].T, kept


text, other = ids(TIRED), ids(WIDE)
logits, kept = forward(text)
there, kept_there = forward(other)
a, b = int(logits[-1].argmax()), int(there[-1].argmax())


def loss(z):
    return -z[:-1].log_softmax(-1).gather(1, torch.tensor(text[1:])[:, None]).mean()


def measured(z):
    last, log = z[-1], z[-1].log_softmax(-1)
    p = logits[-1].log_softmax(-1)
    return torch.stack([last[a], last[a] - last.mean(), log[a], log[a].exp(), (p.exp() * (p - log)).sum(), loss(z)])


def parts(i):
    return [(f"heads.{i}", (slice(None), h)) for h in range(H)] + [(f"attention.{i}", ()), (f"mlp.{i}", ())]


def ablated(name, index, mean):
    def change(here, x):
        if here != name:
            return x
        x = x.clone()
        x[index] = x[index].mean(0, keepdim=True) if mean else 0
        return x
    return forward(text, change)[0]


def difference(z):
    return z[-1, a] - z[-1, b]


out = {"text": torch.tensor(text), "other": torch.tensor(other), "answers": torch.tensor([a, b])}
for mean in (False, True):
    passes = [[ablated(*part, mean) for part in parts(i)] for i in range(L)]
    out["ablation.mean" if mean else "ablation.zero"] = torch.stack(
        [torch.stack([measured(z) - measured(logits) for z in row]) for row in passes])
    if not mean:
        out["ablation.difference"] = torch.stack(
            [torch.stack([difference(z) - difference(logits) for z in row]) for row in passes])


def patched(name, index):
    def change(here, x):
        if here != name:
            return x
        x = x.clone()
        x[index] = kept_there[name][index]
        return x
    return difference(forward(text, change)[0]) - difference(logits)


for kind in ("stream", "attention", "mlp"):
    out["patch." + kind] = torch.stack(
        [torch.stack([patched(f"{kind}.{i}", t) for t in range(len(text))]) for i in range(L)])
out["patch.heads"] = torch.stack(
    [torch.stack([patched(f"heads.{i}", (slice(None), h)) for h in range(H)]) for i in range(L)])

embeddings = W["wte.weight"][text]
sums = torch.zeros(len(text))
for step in range(STEPS):
    x = ((step + 0.5) / STEPS * embeddings).requires_grad_()
    forward(text, embeddings=x)[0][-1, a].backward()
    sums += (embeddings * x.grad).sum(-1) / STEPS
out["integrated"] = sums

states = [kept["stream.0"]]
for i in range(L):
    states += [kept[f"middle.{i}"], kept[f"stream.{i + 1}"] if i + 1 < L else kept["final"]]
out["lens"] = torch.stack([(norm(x[-1], "ln_f") @ W["lm_head.weight"].T).log_softmax(-1)[a] for x in states])

# logit = sum of (x_i - mean(x_i)) / sigma * gamma * W_U + beta * W_U, sigma held fixed.
final = kept["final"][-1]
sigma = ((final - final.mean()).pow(2).mean() + 1e-5).sqrt()
written = [embeddings[-1], W["wpe.weight"][len(text) - 1]]
for i in range(L):
    output = W[f"h.{i}.attn.c_proj.weight"].view(H, K, D)
    written += [kept[f"heads.{i}"][-1, h] @ output[h] for h in range(H)]
    written += [W[f"h.{i}.attn.c_proj.bias"], kept[f"mlp.{i}"][-1]]
for name, answer in (("raw", W["lm_head.weight"][a]), ("centered", W["lm_head.weight"][a] - W["lm_head.weight"].mean(0))):
    added = [((x - x.mean()) / sigma * W["ln_f.weight"]) @ answer for x in written] + [W["ln_f.bias"] @ answer]
    out["direct." + name] = torch.stack(added)

write_safetensors(FOLDER / "experiments_stories.safetensors", out)
