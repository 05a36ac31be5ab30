#include "app/views/cost/cache_scene.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "core/model/live_pass.h"
#include "core/model/model_size.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

TEST_CASE("the cache holds the keys and values of a whole pass, and each step computes its own row alone") {
  for (const char* name : {"stories", "translate", "positions/rotary"}) {
    INFO(name);
    Workspace workspace = initialWorkspace();
    commands::setModel(name).apply(workspace);
    workspace.view = "cost", workspace.settings.pictures["cost"] = "cache";
    workspace.decoding.strategy = DecodingStrategy::Greedy, workspace.decoding.depth = 5;
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& kept = *snapshot->kept.measured;
    const auto loaded = ModelLibrary(SOURCE_FOLDER "/build").load(name);
    const ModelConfig& config = loaded->transformer->config();
    const int prompt = snapshot->pass->trace->tokenCount(), count = kept["cache.token"].extent[0];
    const int source = static_cast<int>(snapshot->pass->trace->source().size());
    REQUIRE(count > prompt);
    std::vector<int> tokens;
    for (int t = 0; t < count; ++t) tokens.push_back(static_cast<int>(kept["cache.token"](t)));
    LivePass pass(loaded->transformer);
    const auto trace = pass.run(tokens, {}, snapshot->pass->trace->source());
    for (int layer = 0; layer < config.layers; ++layer) {
      const TensorView k = (*trace)[comparedPoint(*trace, layer, ownSite(config), "k")],
                       v = (*trace)[attentionPoint(layer, ownSite(config), "hook_v")];
      for (int t = 0; t < count; ++t)
        for (int head = 0; head < config.valueHeads(); ++head) {
          double key = 0, value = 0;
          for (int i = 0; i < config.headWidth(); ++i)
            key += std::pow(k(t, head, i), 2), value += std::pow(v(t, head, i), 2);
          const int row = layer * config.valueHeads() + head;
          CHECK(std::abs(kept["cache.keys"](row, t) - std::sqrt(key)) < 1e-3);
          CHECK(std::abs(kept["cache.values"](row, t) - std::sqrt(value)) < 1e-3);
        }
    }
    for (int t = prompt; t < count; ++t) {
      CHECK(kept["cache.reused"](t) == static_cast<float>(t));
      CHECK(kept["cache.bytes"](t) ==
            static_cast<float>(2 * 4 * config.layers * config.valueHeads() * config.headWidth() * (t + 1)));
      CHECK(kept["cache.multiply_adds"](1, t) == static_cast<float>(multiplyAdds(config, t + 1, source)));
      CHECK(kept["cache.multiply_adds"](0, t) ==
            static_cast<float>(multiplyAdds(config, t + 1, source) - multiplyAdds(config, t, source)));
      for (int way = 0; way < 2; ++way) CHECK(kept["cache.seconds"](way, t) > 0);
    }
    CHECK(kept["cache.reused"](0) == 0);
  }
}

TEST_CASE("what looks ahead can keep nothing: every step computes all rows anew") {
  Workspace workspace = initialWorkspace();
  workspace.view = "cost", workspace.settings.pictures["cost"] = "cache";
  workspace.changes = {{"mask", "none"}};
  workspace.decoding.strategy = DecodingStrategy::Greedy, workspace.decoding.depth = 4;
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& kept = *snapshot->kept.measured;
  for (int t = 0; t < kept["cache.token"].extent[0]; ++t) {
    CHECK(kept["cache.reused"](t) == 0);
    CHECK(kept["cache.multiply_adds"](0, t) == kept["cache.multiply_adds"](1, t));
  }
}
