#!/usr/bin/env python3
"""Rollout and flow through an encoder and a decoder, for tests/core/lens/rollout_test.cpp.

Reads the attention patterns of family_translation_2017.safetensors, as PyTorch has them, and writes rollout_across.safetensors:
of every block of the decoder how much of each token's state came from each token of the source, as a product of what blocks
pass on, and as the largest flow to it by augmenting paths (Ford & Fulkerson 1956), one graph for all. Both are written down
from what core/lens/rollout.h says, in doubles. Needs Debian's python3-torch.

Usage: python3 tests/reference/make_rollout_reference.py
"""
import json
import pathlib
import struct

import torch

from reference_files import write_safetensors

FOLDER = pathlib.Path(__file__).parent
LAYERS = 2


def read_patterns():
    data = (FOLDER / "family_translation_2017.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])

    def mean_of_heads(name):
        entry = header["trace." + name + ".hook_pattern"]
        begin, end = entry["data_offsets"]
        flat = torch.frombuffer(bytearray(data[8 + length + begin:8 + length + end]), dtype=torch.float32)
        return flat.view(entry["shape"]).double().mean(0)

    return ([mean_of_heads(f"encoder.{i}.attn") for i in range(LAYERS)],
            [mean_of_heads(f"decoder.{i}.attn") for i in range(LAYERS)],
            [mean_of_heads(f"decoder.{i}.cross_attn") for i in range(LAYERS)])


def with_residual(attention):
    return (attention + torch.eye(len(attention), dtype=torch.float64)) / 2


def rollouts(encoder, decoder, across):
    memory = torch.eye(encoder[0].shape[0], dtype=torch.float64)
    for attention in encoder:
        memory = with_residual(attention) @ memory
    shares = torch.zeros_like(across[0])
    for own, cross in zip(decoder, across):
        shares = (with_residual(own) @ shares + cross @ memory) / 2
        yield shares


def graph_of(encoder, decoder, across):
    room = {}

    def add(level, other, matrix, share=1.0):
        for t in range(matrix.shape[0]):
            for s in range(matrix.shape[1]):
                room.setdefault((level, t), {})[(other, s)] = share * matrix[t, s].item()

    for i, attention in enumerate(encoder):
        add(f"e{i + 1}", f"e{i}", with_residual(attention))
    for i, (own, cross) in enumerate(zip(decoder, across)):
        add(f"m{i}", f"d{i}", with_residual(own))
        add(f"d{i + 1}", f"m{i}", torch.eye(own.shape[0], dtype=torch.float64), 0.5)
        add(f"d{i + 1}", f"e{LAYERS}", cross, 0.5)
    return room


def path_with_room(room, start, end):
    came = {start: None}
    waiting = [start]
    while waiting:
        node = waiting.pop(0)
        if node == end:
            path = []
            while came[node] is not None:
                path.append((came[node], node))
                node = came[node]
            return path
        for other, left in room.get(node, {}).items():
            if left > 1e-12 and other not in came:
                came[other] = node
                waiting.append(other)
    return None


def largest_flow(whole, start, end):
    room = {node: dict(others) for node, others in whole.items()}
    flow = 0.0
    while path := path_with_room(room, start, end):
        pushed = min(room[a][b] for a, b in path)
        for a, b in path:
            room[a][b] -= pushed
            room.setdefault(b, {})[a] = room.get(b, {}).get(a, 0.0) + pushed
        flow += pushed
    return flow


def main():
    encoder, decoder, across = read_patterns()
    graph = graph_of(encoder, decoder, across)
    T, S = across[0].shape
    flows = torch.tensor([[[largest_flow(graph, (f"d{layer + 1}", t), ("e0", s)) for s in range(S)]
                           for t in range(T)] for layer in range(LAYERS)])
    write_safetensors(FOLDER / "rollout_across.safetensors",
                      {"rollout": torch.stack(list(rollouts(encoder, decoder, across))), "flow": flows})


if __name__ == "__main__":
    main()
