#include "app/engine/branch_paths.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "core/decode/beam_search.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

// The tokens from the root to where a path ends.
std::vector<int> added(const TensorSet& set, int way) {
  std::vector<int> tokens;
  for (int node = static_cast<int>(set[paths::end](way)); node > 0;
       node = static_cast<int>(set[paths::parent](node)))
    tokens.insert(tokens.begin(), static_cast<int>(set[paths::token](node)));
  return tokens;
}

}  // namespace

TEST_CASE("every path of the tree of branches is what each makes alone, with the model's own probabilities") {
  for (const char* name : {"stories", "translate"}) {
    INFO(name);
    Workspace workspace = initialWorkspace();
    commands::setModel(name).apply(workspace);
    workspace.view = "beam", workspace.settings.pictures["beam"] = "branches";
    workspace.settings.choices[samplePaths] = "on";
    workspace.decoding.depth = 5, workspace.decoding.beamWidth = 4, workspace.decoding.lengthPenalty = 0.8f;
    const std::string text = workspace.text;
    workspace.branches = {{"A", {text + (text.empty() ? "The" : " The"), workspace.source}, 0},
                          {"B", {"Zebra", "another source"}, 1}};
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    const TensorSet& kept = *snapshot->kept.measured;
    const auto loaded = ModelLibrary(SOURCE_FOLDER "/build").load(name);
    LivePass pass(loaded->transformer);
    const NextTokenLogits logits = nextTokenLogits(pass, {}, snapshot->pass->trace->source());
    const std::vector<int>& prompt = snapshot->pass->trace->tokens();
    const int context = loaded->transformer->config().context, stop = loaded->tokenizer->endOfText();
    CHECK(kept[paths::root](0) == static_cast<float>(prompt.size()));
    CHECK(kept[paths::end](2) == -1);
    CHECK(added(kept, 0).empty());
    CHECK(added(kept, 1).size() >= 1);
    CHECK(added(kept, 3) == generate(logits, prompt, 5, {.greedy = true}, context, stop));
    const BeamTree beam =
        beamSearch(logits, prompt,
                   {.width = 4, .depth = 5, .lengthPenalty = 0.8f, .endOfText = stop, .context = context});
    for (int i = 0; i < 4; ++i) {
      const int node = beam.hypotheses[static_cast<std::size_t>(i)];
      CHECK(added(kept, 4 + i) == beam.path(node));
      CHECK(std::abs(kept[paths::score](4 + i) - beam.nodes[static_cast<std::size_t>(node)].score) < 1e-4);
    }
    float samples = 0;
    for (int way = 8; way < kept[paths::kind].extent[0]; ++way) samples += kept[paths::count](way);
    CHECK(samples > 10);
    for (int way = 0; way < kept[paths::kind].extent[0]; ++way) {
      if (kept[paths::end](way) < 0) continue;
      std::vector<int> all = prompt;
      double total = 0;
      for (const int token : added(kept, way)) {
        total += logSoftmax(logits(all))[static_cast<std::size_t>(token)];
        all.push_back(token);
      }
      CHECK(std::abs(kept[paths::total](way) - total) < 1e-3);
    }
  }
}
