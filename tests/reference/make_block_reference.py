#!/usr/bin/env python3
"""Blocks of few bits as GGUF files have them, for tests/core/io/number_formats_test.cpp, and a model whose matrices are such
blocks, in a GGUF file of three parts: formats/qwen2_blocks, read by tests/core/io/formats/model_formats_test.cpp.

The widening here follows the description of the formats in the order in which their numbers are stored, a block after the
other, with NumPy's float32; the program computes each number by its index. Bytes are random, scales are small.

Usage: python3 tests/reference/make_block_reference.py
"""
import pathlib
import struct

import numpy as np

FOLDER = pathlib.Path(__file__).parent
f4 = np.float32


def half(raw, at):
    return f4(np.frombuffer(raw, "<f2", 1, at)[0])


def q4_0(b):
    d, q = half(b, 0), b[2:18]
    return [f4((x & 15) - 8) * d for x in q] + [f4((x >> 4) - 8) * d for x in q]


def q4_1(b):
    d, m, q = half(b, 0), half(b, 2), b[4:20]
    return [f4(x & 15) * d + m for x in q] + [f4(x >> 4) * d + m for x in q]


def q5_0(b):
    d, (fifth,), q = half(b, 0), struct.unpack("<I", b[2:6]), b[6:22]
    low = [f4(((x & 15) | (fifth >> j & 1) << 4) - 16) * d for j, x in enumerate(q)]
    return low + [f4(((x >> 4) | (fifth >> (j + 16) & 1) << 4) - 16) * d for j, x in enumerate(q)]


def q5_1(b):
    d, m, (fifth,), q = half(b, 0), half(b, 2), struct.unpack("<I", b[4:8]), b[8:24]
    low = [f4((x & 15) | (fifth >> j & 1) << 4) * d + m for j, x in enumerate(q)]
    return low + [f4((x >> 4) | (fifth >> (j + 16) & 1) << 4) * d + m for j, x in enumerate(q)]


def q2_k(b):
    scales, q, d, least, y, which = b[:16], b[16:80], half(b, 80), half(b, 82), [], 0
    for n in (0, 32):
        for shift in (0, 2, 4, 6):
            for part in (0, 16):
                dl, ml = d * f4(scales[which] & 15), least * f4(scales[which] >> 4)
                which += 1
                y += [dl * f4(q[n + part + l] >> shift & 3) - ml for l in range(16)]
    return y


def q3_k(b):
    mask, q, packed, d, y, which, bit = b[:32], b[32:96], b[96:108], half(b, 108), [], 0, 1
    a0, a1, tmp = struct.unpack("<III", packed)
    low, two = 0x0F0F0F0F, 0x03030303
    words = [a0 & low | (tmp & two) << 4, a1 & low | (tmp >> 2 & two) << 4,
             a0 >> 4 & low | (tmp >> 4 & two) << 4, a1 >> 4 & low | (tmp >> 6 & two) << 4]
    scales = struct.pack("<IIII", *words)
    for n in (0, 32):
        for shift in (0, 2, 4, 6):
            for part in (0, 16):
                dl = d * f4(scales[which] - 32)
                which += 1
                y += [dl * f4((q[n + part + l] >> shift & 3) - (0 if mask[part + l] & bit else 4)) for l in range(16)]
            bit <<= 1
    return y


def scale_and_least(j, s):
    if j < 4:
        return s[j] & 63, s[j + 4] & 63
    return s[j + 4] & 15 | s[j - 4] >> 6 << 4, s[j + 4] >> 4 | s[j] >> 6 << 4


def q4_k(b):
    d, least, s, q, y = half(b, 0), half(b, 2), b[4:16], b[16:144], []
    for j in range(4):
        for k, shift in ((2 * j, 0), (2 * j + 1, 4)):
            scale, m = scale_and_least(k, s)
            y += [d * f4(scale) * f4(x >> shift & 15) - least * f4(m) for x in q[32 * j:32 * j + 32]]
    return y


def q5_k(b):
    d, least, s, fifths, q, y, one, two = half(b, 0), half(b, 2), b[4:16], b[16:48], b[48:176], [], 1, 2
    for j in range(4):
        for k, shift, bit in ((2 * j, 0, one), (2 * j + 1, 4, two)):
            scale, m = scale_and_least(k, s)
            y += [d * f4(scale) * f4((x >> shift & 15) + (16 if h & bit else 0)) - least * f4(m)
                  for x, h in zip(q[32 * j:32 * j + 32], fifths)]
        one, two = one << 2, two << 2
    return y


def q6_k(b):
    low, high, s, d, y = b[:128], b[128:192], np.frombuffer(b, np.int8, 16, 192), half(b, 208), [f4(0)] * 256
    for n in (0, 1):
        ql, qh, sc = low[64 * n:64 * n + 64], high[32 * n:32 * n + 32], s[8 * n:8 * n + 8]
        for l in range(32):
            four = ((ql[l] & 15) | (qh[l] & 3) << 4, (ql[l + 32] & 15) | (qh[l] >> 2 & 3) << 4,
                    ql[l] >> 4 | (qh[l] >> 4 & 3) << 4, ql[l + 32] >> 4 | (qh[l] >> 6 & 3) << 4)
            for k in range(4):
                y[128 * n + 32 * k + l] = d * f4(sc[l // 16 + 2 * k]) * f4(four[k] - 32)
    return y


# Its number in a file, numbers and bytes of a block, where its scales in halves stand and how large they are made.
TYPES = {"Q4_0": (2, 32, 18, q4_0, {0: 0.02}), "Q4_1": (3, 32, 20, q4_1, {0: 0.01, 2: -0.08}),
         "Q5_0": (6, 32, 22, q5_0, {0: 0.01}), "Q5_1": (7, 32, 24, q5_1, {0: 0.006, 2: -0.09}),
         "Q2_K": (10, 256, 84, q2_k, {80: 0.006, 82: 0.008}), "Q3_K": (11, 256, 110, q3_k, {108: 0.002}),
         "Q4_K": (12, 256, 144, q4_k, {0: 0.0004, 2: 0.003}), "Q5_K": (13, 256, 176, q5_k, {0: 0.0002, 2: 0.003}),
         "Q6_K": (14, 256, 210, q6_k, {208: 0.00005})}


def random_blocks(kind, rows, columns, random):
    """The bytes of a matrix [rows, columns], and its numbers."""
    _, numbers, size, widen, scales = TYPES[kind]
    raw, values = b"", []
    for _ in range(rows * columns // numbers):
        block = bytearray(random.integers(0, 256, size, np.uint8).tobytes())
        for at, scale in scales.items():
            block[at:at + 2] = np.float16(scale * random.uniform(0.5, 1.5)).tobytes()
        raw += bytes(block)
        values += widen(bytes(block))
    return raw, np.array(values, f4).reshape(rows, columns)


def text(s):
    return struct.pack("<Q", len(s.encode())) + s.encode()


def write_part(path, keys, tensors, alignment=32):
    """`keys` are whole; a tensor is its name, its extents with the outermost first, the number of its type, and its bytes."""
    infos, data, offset = b"", b"", 0
    for name, extents, kind, raw in tensors:
        infos += text(name) + struct.pack("<I", len(extents)) + b"".join(struct.pack("<Q", e) for e in reversed(extents))
        infos += struct.pack("<IQ", kind, offset)
        raw += b"\0" * (-len(raw) % alignment)
        data, offset = data + raw, offset + len(raw)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys) + infos
    path.write_bytes(head + b"\0" * (-len(head) % alignment) + data)


def make_blocks():
    """One matrix of each type, and what it is in F32."""
    random, tensors = np.random.default_rng(7), []
    for kind in TYPES:
        raw, values = random_blocks(kind, 2, 512, random)
        tensors += [(kind, (2, 512), TYPES[kind][0], raw), (kind + " as F32", (2, 512), 0, values.tobytes())]
    write_part(FOLDER / "blocks.gguf", [text("general.architecture") + struct.pack("<I", 8) + text("none")], tensors)


if __name__ == "__main__":
    make_blocks()
