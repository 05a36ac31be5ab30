#include "app/engine/strategies.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/document/strategies_settings.h"
#include "app/engine/model_library.h"
#include "core/decode/beam_search.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

std::vector<int> tokensOf(const TensorView& tokens, int row) {
  std::vector<int> ids;
  for (int i = 0; i < tokens.extent[1] && std::isfinite(tokens(row, i)); ++i)
    ids.push_back(static_cast<int>(tokens(row, i)));
  return ids;
}

}  // namespace

TEST_CASE("strategies set side by side go on as each does alone, with the model's own probabilities") {
  for (const char* name : {"stories", "translate"}) {
    INFO(name);
    Workspace workspace = initialWorkspace();
    commands::setModel(name).apply(workspace);
    workspace.view = "next_token", workspace.settings.pictures["next_token"] = "strategies";
    workspace.decoding.depth = 5, workspace.decoding.beamWidth = 4;
    workspace.decoding.stages = {{"temperature", 1.3f}, {"top-k", 6}};
    workspace.decoding.seed = 3;
    workspace.settings.choices[samplesChoice] = manySamplesChosen;
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& kept = *snapshot->kept.measured;
    const auto loaded = ModelLibrary(SOURCE_FOLDER "/build").load(name);
    LivePass pass(loaded->transformer);
    const NextTokenLogits logits = nextTokenLogits(pass, {}, snapshot->pass->trace->source());
    const std::vector<int>& prompt = snapshot->pass->trace->tokens();
    const int context = loaded->transformer->config().context, stop = loaded->tokenizer->endOfText();
    const auto sampled = [&](const SamplingSettings& settings) {
      return generate(logits, prompt, 5, settings, context, stop);
    };
    CHECK(tokensOf(kept[strategies::token], 0) == sampled({.greedy = true}));
    const BeamTree tree =
        beamSearch(logits, prompt, {.width = 4, .depth = 5, .endOfText = stop, .context = context});
    CHECK(tokensOf(kept[strategies::token], 1) == tree.path(tree.best));
    CHECK(std::abs(kept[strategies::total](1) - tree.nodes[static_cast<std::size_t>(tree.best)].cumulative) <
          1e-4);
    // Nothing is better than the best there is.
    CHECK(kept[strategies::exact](1) == 1);
    CHECK(kept[strategies::exact](0) > 0);
    for (int row = 0; row < 5; ++row)
      if (tokensOf(kept[strategies::token], row).size() == 5)
        CHECK(kept[strategies::total](2) >= kept[strategies::total](row) - 1e-5);
    CHECK(tokensOf(kept[strategies::token], 3) == sampled({.stages = workspace.decoding.stages, .seed = 3}));
    CHECK(tokensOf(kept[strategies::token], 4) == sampled({.seed = 3}));
    for (int row = 0; row < 5; ++row) {
      std::vector<int> text = prompt;
      double total = 0;
      const std::vector<int> tokens = tokensOf(kept[strategies::token], row);
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const double own = logSoftmax(logits(text))[static_cast<std::size_t>(tokens[i])];
        CHECK(std::abs(kept[strategies::probability](row, static_cast<int>(i)) - std::exp(own)) < 1e-4);
        total += own;
        text.push_back(tokens[i]);
      }
      CHECK(std::abs(kept[strategies::total](row) - total) < 1e-3);
    }
    // All samples are there, and what a row says of its seed is so.
    CHECK(kept[strategies::found](0) == manySamples);
    const TensorView counts = kept[strategies::count];
    for (int row = 0; row < std::min(3, counts.extent[0]); ++row) {
      const auto seed = 3 + static_cast<std::uint64_t>(kept[strategies::first](row));
      CHECK(tokensOf(kept[strategies::sampled], row) ==
            sampled({.stages = workspace.decoding.stages, .seed = seed}));
      const double expected = kept[strategies::expected](row);
      CHECK(std::abs(counts(row) - expected) < 5 * std::sqrt(expected) + 1);
    }
  }
}
