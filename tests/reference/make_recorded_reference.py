#!/usr/bin/python3
"""A pass of a small PyTorch model, saved as a researcher saves one on a cluster, under the usual names: whole as an npz, and in
part as safetensors of halves. And what the views' numbers of it are, as NumPy and PyTorch compute them."""
import json
import pathlib
import struct

import numpy
import torch
from torch import nn
from torch.nn.functional import gelu, log_softmax, softmax

from reference_files import write_safetensors

FOLDER = pathlib.Path(__file__).parent / "recorded"
LAYERS, HEADS, WIDTH, NEURONS, VOCABULARY = 2, 3, 12, 10, 23
TEXTS = ["The", " cat", " sat", " on", " the", " mat", ".\n", "é"]
TOKENS, OTHER = [3, 11, 7, 19, 4, 22, 0, 9], [3, 11, 7, 19, 4, 12, 0, 9]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, NEURONS), nn.Linear(NEURONS, WIDTH)

    def forward(self, x, keep):
        T = x.shape[1]
        keep("hook_resid_pre", x)
        keep("ln1.hook_scale", (x.var(-1, unbiased=False, keepdim=True) + self.ln1.eps).sqrt())
        n = keep("ln1.hook_normalized", self.ln1(x))
        q, k, v = (keep("attn.hook_" + name, part.view(1, T, HEADS, -1)) for name, part in
                   zip("qkv", self.qkv(n).split(WIDTH, -1)))
        scores = torch.einsum("bthk,bshk->bhts", q, k) / (WIDTH // HEADS) ** 0.5
        scores = keep("attn.hook_attn_scores", scores.masked_fill(torch.triu(torch.ones(T, T), 1) > 0, -1e9))
        pattern = keep("attn.hook_pattern", softmax(scores, -1))
        z = keep("attn.hook_z", torch.einsum("bhts,bshk->bthk", pattern, v))
        x = keep("hook_resid_mid", x + keep("hook_attn_out", self.out(z.flatten(2))))
        keep("ln2.hook_scale", (x.var(-1, unbiased=False, keepdim=True) + self.ln2.eps).sqrt())
        n = keep("ln2.hook_normalized", self.ln2(x))
        post = keep("mlp.hook_post", gelu(keep("mlp.hook_pre", self.up(n))))
        return keep("hook_resid_post", x + keep("hook_mlp_out", self.down(post)))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(16, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln_final, self.unembed = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        points = {}

        def keep(name, value):
            points[name] = value.detach()
            return value

        x = keep("hook_embed", self.tokens(ids)) + keep("hook_pos_embed", self.places(torch.arange(ids.shape[1]))[None])
        for i, block in enumerate(self.blocks):
            x = block(x, lambda name, value, i=i: keep(f"blocks.{i}.{name}", value))
        keep("ln_final.hook_scale", (x.var(-1, unbiased=False, keepdim=True) + self.ln_final.eps).sqrt())
        keep("logits", 4 * self.unembed(keep("ln_final.hook_normalized", self.ln_final(x))))
        return points


def measured(points, tokens):
    """What the views say of these points, each by its name there."""
    p = {name: value[0].double().numpy() for name, value in points.items()}
    places = ["blocks.0.hook_resid_pre"]
    for i in range(LAYERS):
        places += [f"blocks.{i}.hook_resid_mid", f"blocks.{i}.hook_resid_post"]
    stream = numpy.stack([p[name] for name in places])  # [P, T, D]
    norms = numpy.linalg.norm(stream, axis=-1)
    unit = stream / norms[..., None]
    logits = torch.tensor(p["logits"])
    log_p = log_softmax(logits, -1)
    following = torch.tensor(tokens[1:])
    surprise = -log_p[torch.arange(len(following)), following]
    last = log_p[-1].exp()
    centred = stream[-1] - stream[-1].mean(0)
    axes = numpy.linalg.svd(centred, full_matrices=False)[2][:3]
    axes = axes * numpy.sign(axes[numpy.arange(3), numpy.abs(axes).argmax(1)])[:, None]
    scales = [p[f"blocks.{i}.ln{norm}.hook_scale"] for i in range(LAYERS) for norm in (1, 2)] + [p["ln_final.hook_scale"]]
    post = p["blocks.1.mlp.hook_post"]
    return {
        "lens.residual_norm": norms,
        "lens.attention_norm": numpy.stack([numpy.linalg.norm(p[f"blocks.{i}.hook_attn_out"], axis=-1) for i in range(LAYERS)]),
        "lens.mlp_norm": numpy.stack([numpy.linalg.norm(p[f"blocks.{i}.hook_mlp_out"], axis=-1) for i in range(LAYERS)]),
        "lens.residual_cosine": numpy.einsum("ptd,qtd->tpq", unit, unit),
        "lens.norm_scale": 1 / numpy.stack(scales)[..., 0],
        "lens.top_probability": log_p.exp().topk(8, -1)[0],
        "lens.surprise": surprise,
        "said": last,
        "entropy": -(last * log_p[-1]).sum()[None],
        "lens.geometry": centred @ axes.T,
        "average": p["blocks.1.attn.hook_pattern"].mean(0),
        "lens.neuron_peak": post[numpy.abs(post).argmax(0), numpy.arange(NEURONS)],
    }


def write_halves(path, tensors, tokens, texts):
    """F16 and BF16 by turns, the ids as whole numbers of 64 bits."""
    header, blobs, offset = {"__metadata__": {"texts": json.dumps(texts), "model": "halves"}}, [], 0
    kinds = {name: "F16" if i % 2 else "BF16" for i, name in enumerate(tensors)}
    for name, value in [("tokens", torch.tensor(tokens)), *tensors.items()]:
        kind = kinds.get(name, "I64")
        data = value.contiguous().numpy() if kind == "I64" else value.to(
            torch.float16 if kind == "F16" else torch.bfloat16).contiguous().view(torch.int16).numpy()
        header[name] = {"dtype": kind, "shape": list(value.shape), "data_offsets": [offset, offset + data.nbytes]}
        blobs.append(data.tobytes())
        offset += data.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def save_as_the_manual_says(points, ids, texts):
    """By the lines that the manual gives, as they stand there."""
    manual = (pathlib.Path(__file__).parents[2] / "assets" / "manual.md").read_text()
    lines = manual[manual.index("import numpy\n"):]
    lines = lines[:lines.index("```")].replace('"mine.npz"', f'"{FOLDER / "whole.npz"}"')
    tokenizer = type("Tokenizer", (), {"decode": lambda self, one: texts[ids.index(one[0])]})()
    exec(lines, {"ids": ids, "tokenizer": tokenizer, "points": points})


def main():
    torch.manual_seed(5)
    model = Model()
    FOLDER.mkdir(exist_ok=True)
    with torch.no_grad():
        for name, tokens in [("whole", TOKENS), ("other", OTHER)]:
            points = model(torch.tensor([tokens]))
            texts = [" dog" if token == 12 else text for token, text in zip(tokens, TEXTS)]
            if name == "other":
                numpy.savez_compressed(FOLDER / "other.npz", tokens=numpy.array([tokens]), texts=numpy.array(texts),
                                       **{point: value.numpy() for point, value in points.items()})
            if name == "whole":
                save_as_the_manual_says(points, tokens, texts)
                write_safetensors(FOLDER / "whole.expected", {k: torch.as_tensor(v) for k, v in measured(points, tokens).items()})
                part = {k: v for k, v in points.items() if k.endswith("hook_pattern") or k == "logits"}
                write_halves(FOLDER / "part.safetensors", part, tokens, texts)


main()
