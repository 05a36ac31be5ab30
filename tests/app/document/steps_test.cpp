#include "app/document/steps.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace glassformer;

namespace {

// One of every kind of stack and of what mixes tokens.
std::vector<ModelConfig> configs() {
  std::vector<ModelConfig> all(6);
  all[1].stack = Stack::EncoderDecoder;
  all[2].mixing = Mixing::Recurrence;
  all[3].mixing = Mixing::Convolution;
  all[4].normPlacement = NormPlacement::Post;
  all[5].tokenTypes = 2, all[5].normedEmbedding = all[5].headTransform = true;
  for (ModelConfig& config : all) config.layers = 3;
  return all;
}

}  // namespace

TEST_CASE("every step has a name of its own, and is found by it") {
  for (const ModelConfig& config : configs()) {
    const auto steps = stepsOf(config);
    std::set<std::string> names;
    for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
      const std::string name = nameOf(steps[static_cast<std::size_t>(i)]);
      INFO(name);
      CHECK(names.insert(name).second);
      CHECK(placeOf(name, steps) == i);
    }
  }
}

TEST_CASE(
    "before the blocks all embeddings are shown, their sum and its norm; behind them the head's layer") {
  const auto steps = stepsOf(configs().back());
  std::string before, behind;
  for (const Step& step : steps)
    if (step.layer < 0)
      (step.tensor.find("embed") != std::string::npos ? before : behind) += step.title + ", ";
  CHECK(before == "Token embedding, Positions, Token types, Sum of embeddings, Embedding norm, ");
  CHECK(behind == "Final norm, Head layer, Head activation, Head norm, Logits, ");
}

TEST_CASE("a step that a model does not have is its first, and a place is the step that stands there") {
  const auto steps = stepsOf(configs().front());
  const int last = static_cast<int>(steps.size()) - 1;
  CHECK(placeOf("", steps) == 0);
  CHECK(placeOf("blocks.99.hook_mlp_out", steps) == 0);
  CHECK(placeOf("7", steps) == 7);
  CHECK(placeOf("99999", steps) == last);
  CHECK(placeOf("-3", steps) == 0);
  CHECK(stepCalled("logits", steps).title == "Logits");
}
