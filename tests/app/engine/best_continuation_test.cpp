#include "app/engine/best_continuation.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/document/strategies_settings.h"
#include "app/engine/strategies.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace searched(const char* model, int width) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.view = "beam", workspace.settings.pictures["beam"] = "search";
  workspace.decoding.depth = 4, workspace.decoding.beamWidth = width;
  return workspace;
}

}  // namespace

TEST_CASE("behind a beam tree the best there is is searched, as beside the strategies") {
  for (const char* name : {"stories", "translate"})
    for (const int width : {1, 4}) {
      INFO(name << ", width " << width);
      Workspace workspace = searched(name, width);
      const auto tree = latestFor(workspace);
      REQUIRE(tree->kept.measured);
      const TensorSet& best = *tree->kept.measured;
      CHECK(best[bestContinuation::calls](1) == 1);
      const BeamTree& beam = *tree->decoded->beam;
      CHECK(best[bestContinuation::score](1) ==
            static_cast<float>(beam.nodes[static_cast<std::size_t>(beam.best)].score));
      CHECK(best[bestContinuation::score](0) >= best[bestContinuation::score](1));

      workspace.view = "next_token", workspace.settings.pictures["next_token"] = "strategies";
      const auto strategiesShown = latestFor(workspace);
      const TensorView tokens = (*strategiesShown->kept.measured)[strategies::token];
      for (int i = 0; i < workspace.decoding.depth; ++i) {
        const float there = tokens(2, i), here = best[bestContinuation::token](i);
        CHECK((there == here || (std::isnan(there) && std::isnan(here))));
      }
    }
}
