#!/usr/bin/env python3
"""Decoding by a second implementation, for tests/core/decode/decoding_reference_test.cpp.

Writes decoding.safetensors. The logits are those of the model `stories`, computed here with PyTorch and kept for the 48
tokens that it finds most probable: behind six texts, for sampling; and behind each of these tokens, by the whole model and
by its first two blocks alone, as a language in which the next token depends on the last one. For beams the logits behind
the texts are added by turns, the more the longer the text is: sums of the same cycle would be equal, and no order right. On
these are computed, in doubles: 30 settings of sampling, stage by stage; 90 beams; and 186 decisions of speculative decoding. The stages follow the
papers that core/decode/*.h name. Needs Debian's python3-torch.

Usage: python3 tests/reference/make_decoding_reference.py
"""
import json
import math
import pathlib

import torch
import torch.nn.functional as F

from reference_files import write_safetensors

FOLDER = pathlib.Path(__file__).parent
MODEL = FOLDER.parent.parent / "assets/models/stories"
KEPT, TEXT, DECISIONS, HYPOTHESES, LONGEST = 48, 8, 186, 8, 12
TEXTS = ["The old dog was", "Once there was a", "The animal was too", "The dog and the cat", "The king was", "It was a"]
STAGES = ["repetition", "frequency", "presence", "temperature", "top_k", "top_p", "min_p", "typical"]
OFF = {"repetition": 1, "frequency": 0, "presence": 0, "temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0, "typical": 1}
SETTINGS = [
    {}, {"temperature": 0.7}, {"temperature": 1.5}, {"temperature": 0.1}, {"top_k": 1}, {"top_k": 5}, {"top_k": 30},
    {"top_p": 0.5}, {"top_p": 0.9}, {"top_p": 0.99}, {"min_p": 0.05}, {"min_p": 0.3}, {"typical": 0.5}, {"typical": 0.95},
    {"repetition": 1.2}, {"repetition": 0.8}, {"frequency": 0.5}, {"frequency": 1.5}, {"presence": 0.5}, {"presence": 2},
    {"temperature": 0.7, "top_k": 10, "top_p": 0.9}, {"temperature": 1.3, "top_p": 0.8}, {"temperature": 2, "min_p": 0.1},
    {"repetition": 1.3, "temperature": 0.8, "top_k": 20}, {"frequency": 0.3, "presence": 0.4, "typical": 0.9},
    {"repetition": 1.2, "frequency": 0.5, "presence": 0.5, "temperature": 1.5, "top_k": 12, "top_p": 0.9, "min_p": 0.02,
     "typical": 0.9},
    {"order": ["top_p", "temperature"], "temperature": 3, "top_p": 0.8},
    {"order": ["min_p", "temperature"], "temperature": 0.5, "min_p": 0.05},
    {"order": ["typical", "top_k", "repetition"], "typical": 0.8, "top_k": 6, "repetition": 1.5},
    {"order": ["temperature", "frequency"], "temperature": 0.6, "frequency": 1},
]


def gpt2_logits(weights, config, tokens, blocks):
    """[T] tokens to [T, V] logits behind so many blocks; Radford et al. 2019."""
    heads, eps = config["n_head"], config["layer_norm_epsilon"]
    get = lambda name: weights[name].double()
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], get(name + ".weight"), get(name + ".bias"), eps)
    line = lambda x, name: x @ get(name + ".weight") + get(name + ".bias")
    x = get("wte.weight")[tokens] + get("wpe.weight")[: len(tokens)]
    masked = torch.ones(len(tokens), len(tokens)).triu(1).bool()
    for i in range(blocks):
        q, k, v = (part.view(len(tokens), heads, -1).transpose(0, 1)
                   for part in line(norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn").chunk(3, -1))
        scores = (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).masked_fill(masked, -math.inf)
        z = (scores.softmax(-1) @ v).transpose(0, 1).reshape(x.shape)
        x = x + line(z, f"h.{i}.attn.c_proj")
        h = F.gelu(line(norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc"), approximate="tanh")
        x = x + line(h, f"h.{i}.mlp.c_proj")
    unembedding = get("lm_head.weight") if "lm_head.weight" in weights else get("wte.weight")
    return norm(x, "ln_f") @ unembedding.T


def read_weights():
    data = (MODEL / "model.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    weights = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + at for at in entry["data_offsets"])
        flat = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32)
        weights[name.removeprefix("transformer.")] = flat.view(entry["shape"])
    return weights


class Language:
    """Real logits, of the kept tokens alone."""

    def __init__(self):
        config = json.loads((MODEL / "config.json").read_text())
        vocabulary, weights = json.loads((MODEL / "vocab.json").read_text()), read_weights()
        words = lambda text: [vocabulary[word if i == 0 else "Ġ" + word] for i, word in enumerate(text.split())]
        answer = lambda text, blocks=4: gpt2_logits(weights, config, text, blocks)[-1]
        behind = torch.stack([answer(words(text)) for text in TEXTS])
        end = config["eos_token_id"]
        likely = [t for t in behind.softmax(-1).mean(0).argsort(descending=True).tolist() if t != end]
        self.kept = sorted(likely[:KEPT - 1]) + [end]  # the end of the text is the last one
        self.behind = behind[:, self.kept].float()
        start = words(TEXTS[0])
        self.model, self.draft = (torch.stack([answer(start + [t], blocks)[self.kept] for t in self.kept]).float()
                                  for blocks in (4, 2))


def probabilities(z):
    return z.double().softmax(-1)


def keep(z, wanted):
    return z.masked_fill(~wanted, -math.inf)


def typical(z, mass):
    p = probabilities(z)
    information = -p.log()
    entropy = (p * information).nan_to_num(0).sum()
    order = (information - entropy).abs().argsort(stable=True)
    before = p[order].cumsum(0) - p[order]
    wanted = torch.zeros_like(z, dtype=torch.bool)
    wanted[order[before < mass]] = True
    wanted[order[0]] = True
    return keep(z, wanted)


def top_p(z, mass):
    p, order = probabilities(z).sort(descending=True, stable=True)
    wanted = torch.zeros_like(z, dtype=torch.bool)
    wanted[order[(p.cumsum(0) - p) < mass]] = True
    return keep(z, wanted)


def act(stage, z, number, seen):
    if stage == "repetition":
        return torch.where(seen > 0, torch.where(z > 0, z / number, z * number), z)
    if stage == "frequency":
        return z - number * seen
    if stage == "presence":
        return z - number * (seen > 0)
    if stage == "temperature":
        return z / number
    if stage == "top_k":
        return keep(z, z >= z.sort(descending=True).values[int(number) - 1])
    if stage == "top_p":
        return top_p(z, number)
    if stage == "min_p":
        return keep(z, probabilities(z) >= number * probabilities(z).max())
    return typical(z, number)


def ordered(setting):
    first = setting.get("order", [])
    return first + [stage for stage in STAGES if stage not in first]


def narrowed(z, setting, text):
    """The logits [9, V]: the model's, then after every stage; minus infinity for what is out."""
    steps = [z.double()]
    seen = torch.bincount(torch.tensor(text), minlength=KEPT)
    for stage in ordered(setting):
        is_on = setting.get(stage, OFF[stage]) != OFF[stage]
        steps.append(act(stage, steps[-1], setting[stage], seen) if is_on else steps[-1])
    return torch.stack(steps)


def sampling(language):
    generator = torch.Generator().manual_seed(5)
    texts = torch.randint(KEPT, (len(SETTINGS), TEXT), generator=generator)
    texts[:, 1] = texts[:, 0]  # a token that comes twice
    for i in range(len(SETTINGS)):  # and one of those that are probable
        texts[i, 2] = language.behind[i % len(TEXTS)].argmax()
    z = torch.stack([narrowed(language.behind[i % len(TEXTS)], s, texts[i].tolist()) for i, s in enumerate(SETTINGS)])
    after = torch.where(z.isinf(), -1, z.softmax(-1))  # -1: out; a probability may be 0 in single precision
    return {"behind": language.behind, "sampling.text": texts, "sampling.after": after,
            "sampling.numbers": torch.tensor([[s.get(stage, OFF[stage]) for stage in STAGES] for s in SETTINGS]),
            "sampling.order": torch.tensor([[STAGES.index(stage) for stage in ordered(s)] for s in SETTINGS])}


def beam(log_p, start, width, alpha, length):
    """log_p [N, V, V]: by the length of the text, its last token and the next one. Returns (tokens, ln P, score), the highest
    score first; a hypothesis that has ended competes with the others."""
    end = KEPT - 1
    hypotheses = [((), 0.0, 0.0)]
    for _ in range(length):
        candidates = []
        for tokens, total, score in hypotheses:
            if tokens and tokens[-1] == end:
                candidates.append((tokens, total, score))
                continue
            for token in range(KEPT):
                longer = total + log_p[len(tokens) + 1][(tokens or (start,))[-1]][token]
                candidates.append((tokens + (token,), longer, longer / (len(tokens) + 1) ** alpha))
        hypotheses = sorted(candidates, key=lambda h: -h[2])[:width]
    return hypotheses


def beams(language):
    log_p = [(language.model + n / 8 * language.behind[n % len(TEXTS)]).double().log_softmax(-1).tolist()
             for n in range(LONGEST + 1)]
    asked, tokens, numbers = [], [], []
    for i, (width, alpha, length) in enumerate((w, a, n) for w in (1, 2, 3, 5, 8) for a in (0, 0.3, 0.6, 0.8, 1, 1.5)
                                               for n in (2, 6, LONGEST)):
        start = (7 * i) % (KEPT - 1)
        asked.append([start, width, alpha, length])
        found = beam(log_p, start, width, alpha, length)
        rows = [list(h[0]) + [-1] * (LONGEST - len(h[0])) for h in found]
        tokens.append(rows + [[-1] * LONGEST] * (HYPOTHESES - len(rows)))
        numbers.append([h[1:] for h in found] + [(0, 0)] * (HYPOTHESES - len(found)))
    return {"beam.asked": torch.tensor(asked), "beam.tokens": torch.tensor(tokens), "beam.numbers": torch.tensor(numbers)}


class SplitMix:
    """Steele, Lea & Flood 2014."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        whole = 2 ** 64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & whole
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & whole
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & whole
        return ((x ^ (x >> 31)) >> 11) * 2.0 ** -53


def draw(p, u):
    """The token at which the cumulated probability passes u, the most probable first."""
    sorted_p, order = p.sort(descending=True, stable=True)
    reached = int((sorted_p.cumsum(0) <= u).sum())
    return int(order[min(reached, int((p > 0).sum()) - 1)])


def speculation(language, setting, seed, proposals, count, start):
    """(token, q, p, u, accepted) of every proposal that is looked at; Leviathan, Kalman & Matias 2023."""
    random, text, end = SplitMix(seed), [start], KEPT - 1
    distribution = lambda table, text: probabilities(narrowed(table[text[-1]], setting, text)[-1])
    is_whole = lambda text: len(text) > count or (len(text) > 1 and text[-1] == end)
    while not is_whole(text):
        written, q = list(text), []
        while len(q) < proposals and not is_whole(written):
            q.append(distribution(language.draft, written))
            written.append(draw(q[-1], random.uniform()))
        for i, drafted in enumerate(q):
            token, p, u = written[len(text)], distribution(language.model, text), random.uniform()
            accepted = u * drafted[token] < p[token]
            yield token, float(drafted[token]), float(p[token]), u, int(accepted)
            if not accepted:
                rest = (p - drafted).clamp(min=0)
                text.append(draw(rest / rest.sum(), random.uniform()))
                break
            text.append(token)
        else:
            if not is_whole(text):
                text.append(draw(distribution(language.model, text), random.uniform()))


def decisions(language):
    runs, found = [], []
    settings = [{}, {"temperature": 1.4}, {"top_k": 6}, {"temperature": 0.8, "top_p": 0.95}]
    while len(found) < DECISIONS:
        i = len(runs)
        run = {"setting": settings[i % 4], "seed": 11 + i, "proposals": 1 + i % 5, "count": 14, "start": (5 * i) % (KEPT - 1)}
        numbers = [run["setting"].get(stage, OFF[stage]) for stage in STAGES]
        runs.append([run["seed"], run["proposals"], run["count"], run["start"]] + numbers)
        found += speculation(language, **run)
    return {"speculative.runs": torch.tensor(runs), "speculative.decisions": torch.tensor(found[:DECISIONS])}


if __name__ == "__main__":
    known = Language()
    tables = {"model": known.model, "draft": known.draft}
    write_safetensors(FOLDER / "decoding.safetensors",
                      tables | sampling(known) | beams(known) | decisions(known))
