// The transformer against PyTorch: every trace point, the loss, every gradient, ten optimiser steps.
// The fixtures and how they were made: tests/reference/make_transformer_reference.py.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "core/model/live_pass.h"
#include "core/train/trainer.h"
#include "tests/core/model/reference.h"

using namespace glassformer;

namespace {

const char* const fixtures[] = {"transformer_gelu.safetensors", "transformer_relu.safetensors"};

}  // namespace

TEST_CASE("every trace point agrees with PyTorch") {
  for (const char* file : fixtures) {
    const Reference reference(file);
    LivePass live(std::make_shared<const Transformer>(reference.config(), reference.weights()));
    auto tokens = reference.batch(0).tokens;
    tokens.resize(9);  // the first sequence
    const auto trace = live.run(tokens);
    for (int i = 0; i < trace->count(); ++i) {
      INFO(file << ": " << trace->point(i).name);
      CHECK(worst(trace->tensor(i).copy(), reference.values("trace." + trace->point(i).name)) < 1e-5);
    }
  }
}

TEST_CASE("the loss and every gradient agree with PyTorch") {
  for (const char* file : fixtures) {
    const Reference reference(file);
    Trainer trainer(reference.config(), reference.weights(), reference.training());
    AlignedVector gradients;
    CHECK(trainer.gradients(reference.batch(0), gradients) ==
          Catch::Approx(reference.values("loss")[0]).epsilon(1e-5));
    const Parameters& parameters = trainer.model().parameters();
    for (int i = 0; i < parameters.count(); ++i) {
      INFO(file << ": " << parameters.spec(i).name);
      const auto begin = gradients.begin() + static_cast<std::ptrdiff_t>(parameters.offset(i));
      CHECK(worst({begin, begin + parameters.view(i).size()},
                  reference.values("gradients." + parameters.spec(i).name)) < 1e-4);
    }
  }
}

TEST_CASE("ten steps of AdamW with clipping and schedule end where PyTorch's do") {
  for (const char* file : fixtures) {
    const Reference reference(file);
    Trainer trainer(reference.config(), reference.weights(), reference.training());
    const auto losses = reference.values("losses");
    for (int i = 0; i < 10; ++i) {
      INFO(file << ": step " << i + 1);
      CHECK(trainer.step(reference.batch(i)).loss ==
            Catch::Approx(losses[static_cast<std::size_t>(i)]).epsilon(1e-4));
    }
    const Parameters& parameters = trainer.model().parameters();
    for (int i = 0; i < parameters.count(); ++i) {
      INFO(file << ": " << parameters.spec(i).name);
      // The gradient of the keys' biases is rounding noise (softmax ignores them), which Adam turns into
      // whole steps.
      if (parameters.spec(i).name.ends_with("c_attn.bias")) continue;
      CHECK(worst(parameters.view(i).copy(), reference.values("after." + parameters.spec(i).name)) < 1e-3);
    }
  }
}

TEST_CASE("eight steps of SGD with momentum, decay, clipping and growing batches end where PyTorch's do") {
  const Reference reference("transformer_sgd.safetensors");
  TrainingOptions options = reference.training();
  options.schedule = {ScheduleKind::Constant, 0.05f, 0, 8};
  options.optimizer = OptimizerKind::Sgd, options.momentum = 0.8f;
  options.growth = 2, options.growthStep = 3;
  Trainer trainer(reference.config(), reference.weights(), options);
  const auto losses = reference.values("losses");
  for (int i = 0; i < 8; ++i) {
    INFO("step " << i + 1);
    const Batch batch = reference.batch(i);
    CHECK(static_cast<int>(batch.tokens.size()) == options.sequencesAt(i + 1) * options.positions);
    CHECK(trainer.step(batch).loss == Catch::Approx(losses[static_cast<std::size_t>(i)]).epsilon(1e-4));
  }
  const Parameters& parameters = trainer.model().parameters();
  for (int i = 0; i < parameters.count(); ++i) {
    INFO(parameters.spec(i).name);
    CHECK(worst(parameters.view(i).copy(), reference.values("after." + parameters.spec(i).name)) < 1e-4);
  }
  for (const float moment : trainer.state().secondMoment) CHECK(moment == 0);
}
