// The transformer against PyTorch: every trace point, the loss, every gradient, ten optimiser steps.
// The fixtures and how they were made: tests/reference/make_transformer_reference.py.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "core/io/safetensors.h"
#include "core/model/live_pass.h"
#include "core/train/trainer.h"

using namespace glassformer;
