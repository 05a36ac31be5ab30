#include "app/document/steps.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "core/model/positional/positional_encoding.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

// One of every kind of stack and of what mixes tokens.
std::vector<ModelConfig> configs() {
  std::vector<ModelConfig> all(8, smallConfig());
  all[1].stack = Stack::EncoderDecoder;
  all[2].mixing = Mixing::Recurrence;
  all[3].mixing = Mixing::Convolution;
  all[4].normPlacement = NormPlacement::Post;
  all[5] = withBlock(all[5], *findNamedBlock("resnet"));
  all[6] = withBlock(all[6], *findNamedBlock("convnext"));
  all[7].tokenTypes = 2, all[7].normedEmbedding = all[7].headTransform = true;
  return all;
}

}  // namespace

TEST_CASE("every step has a name of its own, and is found by it") {
  for (const ModelConfig& config : configs()) {
    const auto steps = stepsOf(*makeModel(config));
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
  const auto steps = stepsOf(*makeModel(configs().back()));
  std::string before, behind;
  for (const Step& step : steps)
    if (step.layer < 0)
      (step.tensor.find("embed") != std::string::npos ? before : behind) += step.title + ", ";
  CHECK(before == "Token embedding, Positions, Token types, Sum of embeddings, Embedding norm, ");
  CHECK(behind == "Final norm, MLM head, Head activation, Head norm, Logits, ");
}

TEST_CASE("a step that a model does not have is its first, and a place is the step that stands there") {
  const auto steps = stepsOf(*makeModel(configs().front()));
  const int last = static_cast<int>(steps.size()) - 1;
  CHECK(placeOf("", steps) == 0);
  CHECK(placeOf("blocks.99.hook_mlp_out", steps) == 0);
  CHECK(placeOf("7", steps) == 7);
  CHECK(placeOf("99999", steps) == last);
  CHECK(placeOf("-3", steps) == 0);
  CHECK(stepCalled("logits", steps).title == "Logits");
}

TEST_CASE(
    "every point that a pass records is a step, in its order, but for scales and what repeats another") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    std::vector<std::string> recorded, shown;
    const auto trace =
        traceOf(config, {1, 2, 3}, config.isEncoderDecoder() ? std::vector{4, 5} : std::vector<int>{});
    std::set<const float*> seen;
    for (int i = 0; i < trace->count(); ++i) {
      const std::string& name = trace->point(i).name;
      const bool isNew = seen.insert(trace->tensor(i).data).second, isScale = name.ends_with("hook_scale");
      if ((isNew && !isScale) || name.ends_with("hook_resid_pre")) recorded.push_back(name);
    }
    for (const Step& step : stepsOf(*model))
      if (!isMeasured(step)) shown.push_back(step.tensor);
    // What a block finds is a step where it is a sum: of several embeddings, which no norm has gone over.
    const bool isSum = (config.positions->isAdded() || config.tokenTypes > 0) && !config.normsEmbedding();
    std::erase_if(recorded, [&](const std::string& name) {
      return name.ends_with("hook_resid_pre") && !(isSum && name.ends_with(".0.hook_resid_pre"));
    });
    CHECK(shown == recorded);
  });
}
