#include "core/lens/distance_filter.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/attention_stages.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

// Trained weights are not all the same, and neither are these.
std::shared_ptr<const Transformer> byDistance(ModelConfig config, const AttentionMask& mask, bool isOpen) {
  config.kernel = AttentionKernel::Distance, config.mask = mask, config.zeroPadded = isOpen;
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 5);
  Random random(3);
  for (float& value : parameters.values()) value += 0.3f * (static_cast<float>(random.below(1000)) / 500 - 1);
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

}  // namespace

TEST_CASE("attention by distance with an open border is Toeplitz, and a convolution with its filter") {
  for (const AttentionMask& mask :
       {AttentionMask{MaskKind::Causal, 0, {}}, AttentionMask{MaskKind::None, 0, {}},
        AttentionMask{MaskKind::Window, 4, {}}}) {
    ModelConfig config = smallConfig();
    config.stack = mask.kind == MaskKind::None ? Stack::EncoderOnly : Stack::DecoderOnly;
    const auto model = byDistance(config, mask, true);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(9, 1));
    const HeadId head{1, 2, AttentionSite::Self};
    TensorSet set;
    measureFilter(*model, *trace, head, set);
    const TensorView pattern = (*trace)["blocks.1.attn.hook_pattern"][2],
                     behind = set[stageTensor(filter::behind, head)],
                     error = set[stageTensor(filter::error, head)];
    for (int t = 0; t < 9; ++t) {
      float row = 0;
      for (int s = 0; s < 9; ++s) {
        row += pattern(t, s);
        if (t > 0 && s > 0) CHECK(pattern(t, s) == pattern(t - 1, s - 1));
        if (s <= t) CHECK(pattern(t, s) == behind(t - s));
      }
      CHECK(row < 1 + 1e-6f);
      for (int k = 0; k < error.extent[1]; ++k) CHECK(std::abs(error(t, k)) < 1e-6f);
    }
    // A window's filter is whole as soon as the window is inside of the text.
    if (mask.kind == MaskKind::Window)
      CHECK(behind(0) + behind(1) + behind(2) + behind(3) == Catch::Approx(1));
    CHECK(pattern(0, 0) < 1);
  }
}

TEST_CASE("without it, shares of the text grow at its border, and the convolution is another one there") {
  const auto model = byDistance(smallConfig(), {MaskKind::Window, 3, {}}, false);
  LivePass live(model, 1);
  const auto trace = live.run(randomTokens(9, 1));
  const HeadId head{0, 1, AttentionSite::Self};
  TensorSet set;
  measureFilter(*model, *trace, head, set);
  const TensorView error = set[stageTensor(filter::error, head)];
  for (int t = 0; t < 9; ++t) {
    float most = 0;
    for (int k = 0; k < error.extent[1]; ++k) most = std::max(most, std::abs(error(t, k)));
    INFO(t);
    CHECK((most > 1e-4f) == (t < 2));
  }
  ModelConfig config = smallConfig();
  CHECK_FALSE(whyNoFilter(config, AttentionSite::Self).empty());
  config.kernel = AttentionKernel::Distance, config.zeroPadded = true;
  CHECK(validate(config));
  config.maskTime = MaskTime::AfterSoftmax;
  CHECK_FALSE(validate(config));
}
