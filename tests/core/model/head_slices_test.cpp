// What belongs to each head: heads that are made equal see and hand on the same, in every model of the
// family.
#include "core/model/head_slices.h"

#include "core/model/point_names.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

TEST_CASE("heads made equal have the same pattern and read out the same, whatever the model") {
  int equal = 0;
  forEachMember([&](const ModelConfig& config) {
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {.equalHeads = 1}, 5);
    CHECK(headsApart(config, parameters) == 0);
    if (!config.hasAttention()) return;
    Parameters own(parameterSpecs(config));
    initialize(config, own, {}, 5);
    Parameters again(parameterSpecs(config));
    initialize(config, again, {.equalHeads = 0}, 5);
    CHECK(std::ranges::equal(own.values(), again.values()));
    const auto model = std::make_shared<const Transformer>(config, std::move(parameters));
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(5, 1), {}, randomTokens(config.isEncoderDecoder() ? 4 : 0, 2));
    // Slopes that depend on the head, and columns of the stream itself, are no weights.
    const bool isAlibi = config.positions->description().id == "alibi";
    if (isAlibi || config.similarity == Similarity::Plain) return;
    for (const AttentionSite site : sitesOf(config)) {
      const TensorView pattern = (*trace)[attentionPoint(1, site, "hook_pattern")],
                       read = (*trace)[attentionPoint(1, site, "hook_z")];
      for (int head = 1; head < pattern.extent[0]; ++head) CHECK(pattern[head].copy() == pattern[0].copy());
      for (int head = 1; head < read.extent[1]; ++head)
        for (int i = 0; i < read.extent[2]; ++i) CHECK(read(2, head, i) == read(2, 0, i));
      ++equal;
    }
  });
  CHECK(equal > 60);
}

TEST_CASE("what no head has of its own is left alone, and deviations stay as they were") {
  ModelConfig config = smallConfig();
  config.width = 256;
  Parameters own(parameterSpecs(config)), alike(parameterSpecs(config));
  initialize(config, own, {}, 5), initialize(config, alike, {.equalHeads = 0.6f}, 5);
  const auto deviation = [](const TensorView& view) {
    double square = 0;
    view.forEach([&](const auto&, float value) { square += static_cast<double>(value) * value; });
    return std::sqrt(square / static_cast<double>(view.size()));
  };
  for (const char* name : {"h.0.attn.c_attn.weight", "h.1.attn.c_proj.weight"}) {
    CHECK(own[name].copy() != alike[name].copy());
    CHECK(std::abs(deviation(alike[name]) / deviation(own[name]) - 1) < 0.02);
  }
  for (const char* name : {"wte.weight", "h.0.mlp.c_fc.weight", "h.0.mlp.c_proj.weight", "h.0.ln_1.weight"})
    CHECK(own[name].copy() == alike[name].copy());
}
