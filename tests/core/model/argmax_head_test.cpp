// A single head that takes its largest weight alone, as a model with a hard argmax does in all of them.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/lens/head_gradients.h"
#include "core/lens/influence.h"
#include "core/model/live_pass.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

Intervention argmaxOf(int layer, int own) {
  return {
      "blocks." + std::to_string(layer) + ".attn.hook_pattern", InterventionKind::Argmax, {own, -1, -1, -1}};
}

// Whether a row is 1 at the first of its largest scores that can be seen, and 0 elsewhere.
bool isArgmaxRow(const TensorView& pattern, const TensorView& scores, int t) {
  int largest = -1;
  for (int s = 0; s < scores.extent[1]; ++s)
    if (std::isfinite(scores(t, s)) && (largest < 0 || scores(t, s) > scores(t, largest))) largest = s;
  for (int s = 0; s < pattern.extent[1]; ++s)
    if (pattern(t, s) != (s == largest ? 1.f : 0.f)) return false;
  return true;
}

}  // namespace

TEST_CASE("argmax in one head leaves the others of its block as they were") {
  ModelConfig config = smallConfig();
  for (const MaskKind mask : {MaskKind::Causal, MaskKind::None}) {
    config.mask.kind = mask;
    const auto model = makeModel(config);
    const auto tokens = randomTokens(9, 3);
    const auto plain = LivePass(model, 1).run(tokens),
               hard = LivePass(model, 1).run(tokens, {argmaxOf(0, 1)});
    const TensorView before = (*plain)["blocks.0.attn.hook_pattern"],
                     after = (*hard)["blocks.0.attn.hook_pattern"],
                     scores = (*hard)["blocks.0.attn.hook_attn_scores"];
    for (int own = 0; own < config.heads; ++own)
      for (int t = 0; t < 9; ++t)
        if (own == 1)
          CHECK(isArgmaxRow(after[own], scores[own], t));
        else
          CHECK(after[own][t].copy() == before[own][t].copy());
    CHECK((*plain)["logits"].copy() != (*hard)["logits"].copy());
  }
}

TEST_CASE("argmax in every head is the model whose attention is a hard argmax") {
  ModelConfig config = smallConfig();
  const auto soft = makeModel(config);
  config.kernel = AttentionKernel::HardArgmax;
  const Transformer hard(config, soft->parameters());
  Interventions all;
  for (int layer = 0; layer < config.layers; ++layer)
    for (int own = 0; own < config.heads; ++own) all.push_back(argmaxOf(layer, own));
  const auto tokens = randomTokens(9, 5);
  const auto one = LivePass(soft, 1).run(tokens, all),
             other = LivePass(std::make_shared<const Transformer>(hard), 1).run(tokens);
  for (const char* point : {"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_pattern", "logits"})
    CHECK((*one)[point].copy() == (*other)[point].copy());
}

// Where its largest weight changes hands, argmax has no derivative; elsewhere that is 0, and so no slope of
// differences holds it.
TEST_CASE("backward argmax in every head is the hard argmax's model too") {
  ModelConfig config = smallConfig();
  const auto soft = makeModel(config);
  config.kernel = AttentionKernel::HardArgmax;
  const auto hard = std::make_shared<const Transformer>(config, soft->parameters());
  Interventions all;
  for (int layer = 0; layer < config.layers; ++layer)
    for (int own = 0; own < config.heads; ++own) all.push_back(argmaxOf(layer, own));
  const auto tokens = randomTokens(9, 5);
  TensorSet one, other;
  measureInfluence(*soft, *LivePass(soft, 1).run(tokens, all), all, {7, 3}, one);
  measureInfluence(*hard, *LivePass(hard, 1).run(tokens), {}, {7, 3}, other);
  CHECK(one["lens.influence"].copy() == other["lens.influence"].copy());
}

TEST_CASE("argmax is taken of what there is and a row of nothing stays so") {
  const auto apply = described(InterventionKind::Argmax).applyToRow;
  const auto of = [&](std::vector<float> row) {
    apply(row);
    return row;
  };
  CHECK(of({0.2f, 0.5f, 0.3f}) == std::vector<float>{0, 1, 0});
  CHECK(of({0.5f, 0.5f}) == std::vector<float>{1, 0});
  CHECK(of({0, 0}) == std::vector<float>{0, 0});
  CHECK(of({-INFINITY, -2, -1}) == std::vector<float>{-INFINITY, 0, 1});
  CHECK(of({}).empty());
}

TEST_CASE("the two gradients of a head are the same whether or not it is argmaxed itself") {
  const auto model = makeModel(smallConfig());
  const auto tokens = randomTokens(8, 1);
  const HeadId own{0, 2};
  const Prediction asked{6, 11};
  TensorSet plain, hard;
  measureHeadGradients(*model, *LivePass(model, 1).run(tokens), {}, own, asked, plain);
  const Interventions argmax{argmaxOf(0, 2)};
  measureHeadGradients(*model, *LivePass(model, 1).run(tokens, argmax), argmax, own, asked, hard);
  CHECK(plain[headGradient::vectors("q")].copy() == hard[headGradient::vectors("q")].copy());
}
