#include "core/lens/gradient_pass.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "core/model/live_pass.h"
#include "core/model/pass_limit.h"
#include "core/model/point_names.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

TEST_CASE("whatever the member of the family and what is changed, gradients beyond the limit have the bits",
          "[family]") {
  int members = 0, differing = 0;
  forEachMember([&](const ModelConfig& config) {
    const auto model = makeModel(config);
    const auto tokens = randomTokens(9, 1), source = randomTokens(config.isEncoderDecoder() ? 5 : 0, 2);
    LivePass live(model, 1);
    const auto plain = live.run(tokens, {}, source);
    const auto has = [&](const std::string& point) { return plain->contains(point); };
    Interventions changes;
    for (const std::string& point : model->points()) {
      const bool isChanged = point.ends_with("hook_z") || point.ends_with("hook_post") ||
                             point.ends_with("hook_pattern") || point.ends_with("hook_attn_scores");
      if (isChanged) changes.push_back({point, InterventionKind::Scale, {-1, -1, -1, -1}, 0.5f});
    }
    const std::string embedding = stackPoint(config, "hook_embed", Stream::Text);
    if (!has(embedding)) return;
    ++members;
    for (const Interventions& interventions : {Interventions{}, changes}) {
      std::vector<float> gradients[2], patterns[2];
      for (const bool spares : {false, true}) {
        setPassLimit(spares ? noRoom : muchRoom);
        const auto trace = live.run(tokens, interventions, source);
        GradientPass pass(*model, *trace, interventions, {embedding});
        pass.run({{8, 3}});
        pass.run({{8, 4}, 3});
        gradients[spares] = pass.gradient(embedding).copy();
        for (const std::string& point : model->points())
          if (point.ends_with("hook_pattern")) patterns[spares] = pass.value(point).copy();
      }
      setPassLimit(usualPassLimit());
      REQUIRE(gradients[0] == gradients[1]);
      REQUIRE(patterns[0] == patterns[1]);
      differing += gradients[0] != std::vector<float>(gradients[0].size(), 0);
    }
  });
  CHECK(members > 50);
  CHECK(differing > members);
}
