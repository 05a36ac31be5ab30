#!/usr/bin/env python3
"""Gradients by depth from PyTorch, for tests/core/lens/depth_gradients_test.cpp.

Writes depth_<name>.safetensors for each of the configs below: random weights, one text, and of the mean loss of its next
tokens the gradient at every place of the residual stream, with the model as it is, without residual connections, without
norms, and without either; of the model as it is also what comes through every skip and through every sublayer. The model
is make_family_reference.py's. Needs Debian's python3-torch.

Usage: python3 tests/reference/make_depth_reference.py
"""
import json

import torch
import torch.nn.functional as F

from make_family_reference import FOLDER, SIZES, USUAL, Model, make_weights
from reference_files import write_safetensors

ROWS = 7
CONFIGS = {
    "pre": {"n_layer": 3},
    "post": {"n_layer": 3, "norm_placement": "post", "final_norm": False, "activation_function": "relu"},
    "from_norm": {"norm_placement": "residual"},
    "sandwich": {"norm_placement": "sandwich", "norm": "rms"},
    "bare": {"norm_placement": "none"},
}
VARIANTS = {"own": {}, "no_residual": {"residual": False}, "no_norms": {"norm_placement": "none"},
            "neither": {"residual": False, "norm_placement": "none"}}


class Kept(Model):
    """The same model; of every point that has a gradient it is kept."""

    def note(self, name, x):
        if x.requires_grad:
            x.retain_grad()
        self.points[self.prefix + name] = x
        return x

    def residual(self, weight, name, part, result, x, f):
        place = self.c["norm_placement"]
        if not self.c.get("residual", True):
            return super().residual(weight, name, part, result, x, f)
        split = self.note(part + ".both", 1 * (self.norm(weight, name, x) if place == "residual" else x))
        skip, through = self.note(part + ".skip", 1 * split), self.note(part + ".through", 1 * split)
        n = self.norm(weight, name, through) if place in ("pre", "sandwich") else through
        total = self.note(result, skip + self.handed_on(part, f(n), weight, name))
        return self.norm(weight, name, total) if place == "post" else total


for name, changes in CONFIGS.items():
    c = SIZES | USUAL | changes
    torch.manual_seed(20262)
    w = make_weights(c)
    tokens = torch.randint(c["vocab_size"], (1, ROWS))
    out = {"tokens": tokens} | {"weights." + k: v for k, v in w.items()}
    for variant, without in VARIANTS.items():
        points = {}
        logits = Kept(c | without, w, points)(tokens)
        loss = F.cross_entropy(logits[0, :-1], tokens[0, 1:])
        loss.backward()
        out[f"{variant}.loss"] = loss.view(1)
        for point, x in points.items():
            isWay = point.endswith((".both", ".skip", ".through"))
            isPlace = point.startswith("blocks.") and ".hook_resid_" in point
            if isPlace or (isWay and variant == "own"):
                out[f"{variant}.{point}"] = x.grad[0]
    write_safetensors(FOLDER / f"depth_{name}.safetensors", out, {"config": json.dumps(c | {"model_type": "glassformer"})})
