#!/usr/bin/env python3
"""How fast Glassformer is beside PyTorch, on the same two cores, by turns.

Models of GPT-2's architecture with random weights, in float32: T d 128, 4 layers, 4 heads, vocabulary 512; S d 384, 6 layers,
6 heads, vocabulary 4096; G GPT-2 small's. Forward passes of 128 and 1,024 tokens give the logits of all of them; decoding goes
token by token with what it knows kept; training is a step of AdamW on 16 x 64 (T) or 8 x 128 tokens (S). Glassformer keeps
every number of a pass, PyTorch (eager) what it needs. Needs the built target bench and Debian's python3-torch with
libopenblas0-openmp: with the BLAS that comes otherwise its products take twenty times as long.

Usage: python3 tests/bench/beside_pytorch.py [BUILD/tests/bench [rounds]]
"""
import math
import pathlib
import re
import statistics
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

THREADS = 2
SHAPES = {"T": (128, 4, 4, 512), "S": (384, 6, 6, 4096), "G": (768, 12, 12, 50257)}


class Block(torch.nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = torch.nn.LayerNorm(d), torch.nn.LayerNorm(d)
        self.c_attn, self.c_proj = torch.nn.Linear(d, 3 * d), torch.nn.Linear(d, d)
        self.c_fc, self.c_out = torch.nn.Linear(d, 4 * d), torch.nn.Linear(4 * d, d)

    def forward(self, x, known=None):
        """x [B, T, D]; known: keys and values of the tokens before, which are added to."""
        B, T, D = x.shape
        q, k, v = (each.view(B, T, self.heads, -1).transpose(1, 2) for each in self.c_attn(self.ln_1(x)).split(D, -1))
        if known is not None:
            k, v = (torch.cat([before, new], 2) for before, new in zip(known, (k, v))) if known else (k, v)
            known[:] = [k, v]
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if T > 1:
            scores = scores + torch.full((T, k.shape[2]), -math.inf).triu(1 + k.shape[2] - T)
        z = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
        x = x + self.c_proj(z)
        h = self.c_fc(self.ln_2(x))
        return x + self.c_out(0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))))


class Gpt2(torch.nn.Module):
    def __init__(self, d, layers, heads, vocabulary, context=1024):
        super().__init__()
        self.wte, self.wpe = torch.nn.Embedding(vocabulary, d), torch.nn.Embedding(context, d)
        self.blocks = torch.nn.ModuleList(Block(d, heads) for _ in range(layers))
        self.ln_f = torch.nn.LayerNorm(d)
        for weight in self.parameters():
            torch.nn.init.normal_(weight, std=0.02)

    def forward(self, tokens, first=0, known=None):
        """tokens [B, T], of which the first is the one at `first` -> logits [B, T, V]"""
        x = self.wte(tokens) + self.wpe.weight[first : first + tokens.shape[1]]
        for i, block in enumerate(self.blocks):
            x = block(x, None if known is None else known[i])
        return self.ln_f(x) @ self.wte.weight.T


def tokens_of(model, *shape):
    return torch.randint(model.wte.num_embeddings, shape)


def forward(model, count):
    tokens = tokens_of(model, 1, count)
    with torch.no_grad():
        model(tokens)


def decode(model, count):
    known = [[] for _ in model.blocks]
    with torch.no_grad():
        for t in range(count):
            model(tokens_of(model, 1, 1), t, known)


def train(model, optimizer, sequences, positions):
    tokens, targets = tokens_of(model, sequences, positions), tokens_of(model, sequences, positions)
    optimizer.zero_grad()
    F.cross_entropy(model(tokens).flatten(0, 1), targets.flatten()).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
    optimizer.step()


def per_second(tokens, seconds, work):
    """Tokens per second: the median of as many runs as fit into `seconds`, after one that does not count."""
    work()
    times, until = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < until:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return tokens / statistics.median(times)


def pytorch(shape):
    """What is measured -> tokens per second."""
    model = Gpt2(*SHAPES[shape])
    speeds = {f"forward {shape} {count}": per_second(count, 1, lambda: forward(model, count)) for count in (128, 1024)}
    speeds[f"decode {shape} 64"] = per_second(64, 1, lambda: decode(model, 64))
    if shape != "G":
        sequences, positions = (8, 128) if shape == "S" else (16, 64)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        speeds[f"train {shape}"] = per_second(sequences * positions, 2, lambda: train(model, optimizer, sequences, positions))
    return speeds


def glassformer(bench, shape):
    """The same, of Glassformer."""
    said = "".join(
        subprocess.run([bench, what, shape], check=True, capture_output=True, text=True).stdout
        for what in (["forward"] if shape == "G" else ["forward", "train"])
    )
    found = re.findall(r"^((?:forward|decode) \w \d+) tokens: .*?([\d]+) tokens/s|^(train \w): .*?(\d+) tokens/s", said, re.M)
    return {one or other: float(speed or other_speed) for one, speed, other, other_speed in found}


def main():
    bench = sys.argv[1] if len(sys.argv) > 1 else str(pathlib.Path(__file__).parents[2] / "build/release/tests/bench")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    torch.manual_seed(1)
    torch.set_num_threads(THREADS)
    print(f"tokens/s, {THREADS} threads, PyTorch {torch.__version__}; medians of {rounds} rounds by turns")
    for shape in SHAPES:
        turns = [(glassformer(bench, shape), pytorch(shape)) for _ in range(rounds)]
        for what in turns[0][1]:
            ours, theirs = (statistics.median(turn[who][what] for turn in turns) for who in (0, 1))
            print(f"{what:16} Glassformer {ours:9,.0f}   PyTorch {theirs:9,.0f}   {ours / theirs:5.2f} times", flush=True)


if __name__ == "__main__":
    main()
