// What is counted, turned or computed from weights alone opens as far as there is anything to open.
#include "app/explain/leaf_reasons.h"

#include "app/document/model_commands.h"
#include "app/document/tabs.h"
#include "app/explain/index_meaning.h"
#include "app/explain/other_passes.h"
#include "app/scene/format.h"
#include "app/views/steps/slips_picture.h"
#include "tests/app/explain/opened_terms.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

void checkDown(const Snapshot& snapshot, std::initializer_list<const char*> tensors, double apart = 1e-5) {
  checkTerms(snapshot, tensors, apart);
  for (const char* const tensor : tensors) {
    INFO(tensor);
    const TensorView numbers = *sourcesOf(snapshot).find(tensor);
    std::array<int, maxRank> last{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(numbers.rank); ++d) last[d] = numbers.extent[d] - 1;
    CHECK(leadsDown(snapshot, {tensor, {}}));
    CHECK(leadsDown(snapshot, {tensor, last}));
  }
}

// A picture of another model, with a text that it reads.
Workspace openedIn(const char* model, const char* view, const char* picture) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  if (std::string_view(model) == "translate") setTabs(workspace, {TabText("drei", "three")}, 0);
  workspace.view = view, workspace.settings.pictures[view] = picture;
  return workspace;
}

}  // namespace

TEST_CASE("what a block costs opens into the sizes that it is counted from") {
  const SeenPicture sizes(openedOn("cost", "sizes"));
  checkDown(*sizes.snapshot, {"cost.parts", "cost.parts_anew", "cost.ways", "cost.serial"});
  const auto made = provenanceOf(sourcesOf(*sizes.snapshot), {"cost.parts", {0}});
  REQUIRE(made);
  CHECK(made->derivation.form == Form::Product);
  CHECK(made->derivation.terms.front().value() == 4);
  CHECK(operandsOf(sourcesOf(*sizes.snapshot), made->derivation.terms.back()).front().cell.tensor ==
        "cost.size_D");
  Workspace mixing = openedOn("cost", "mixing");
  mixing.settings.choose("cost.tokens", "256");
  const SeenPicture kinds(std::move(mixing));
  checkDown(*kinds.snapshot, {"cost.multiply_adds", "cost.mixing", "cost.of_token", "cost.pairs"});
  CHECK(groundWords("cost.seconds").find("clock") != std::string::npos);
}

TEST_CASE("what a cache keeps and saves opens into rows, numbers of a token and multiply-adds of a row") {
  for (const char* const model : {"stories", "translate"}) {
    INFO(model);
    checkDown(*latestFor(openedIn(model, "cost", "cache")), {"cache.bytes", "cache.multiply_adds"});
  }
}

TEST_CASE("a step in series opens into the one that it waits for, in the encoder, too") {
  for (const char* const model : {"stories", "translate"}) {
    INFO(model);
    const auto snapshot = latestFor(openedIn(model, "cost", "unrolled"));
    checkDown(*snapshot, {"lens.serial_steps"});
    const auto first = provenanceOf(sourcesOf(*snapshot), {"lens.serial_steps", {0, 0}});
    REQUIRE(first);
    CHECK(operandCells(first->derivation).empty() == (std::string(model) == "stories"));
  }
}

TEST_CASE("counts and slips, shifts and scores of positions open down to weights and what is chosen") {
  checkDown(*SeenPicture(openedOn("tokens", "unembedding")).snapshot,
            {"unembedding.count", "unembedding.mean"});
  for (const char* const slip : {"scale", "root", "sum", "order", "readout"}) {
    INFO(slip);
    Workspace workspace = openedOn("step", "slips");
    workspace.settings.choose(slipChoice, slip);
    const auto snapshot = latestFor(workspace);
    CHECK(sourcesOf(*snapshot).contains(std::string("lens.slip.right.") + slip));
    for (const char* const part : {"right", "printed", "difference", "largest", "left", "other"}) {
      const std::string name = std::string("lens.slip.") + part + "." + slip;
      if (sourcesOf(*snapshot).contains(name)) checkDown(*snapshot, {name.c_str()}, 1e-4);
    }
  }
  for (const char* const model : {"stories", "positions/sinusoidal"}) {
    INFO(model);
    Workspace workspace = openedIn(model, "positions", "scores");
    const auto snapshot = latestFor(workspace);
    const HeadId head{workspace.selection.layer, workspace.selection.head};
    const std::string name = "lens.position_scores." + nameOf(head);
    checkDown(*snapshot, {name.c_str()}, 1e-4);
    workspace.settings.pictures["positions"] = "shift";
    checkDown(*latestFor(workspace),
              {"positions.shift_matrix", "positions.shift_factor", "positions.shift_turned",
               "positions.shift_moved", "positions.shift_error", "positions.shift_largest"});
  }
}

TEST_CASE("of samples what is counted says so, and what should come opens, each where it stands") {
  const SeenPicture seen(openedOn("next_token", "strategies"));
  const auto cellOf = [&](const char* name) { return seen.hit(name).target.cell; };
  const TensorRef count = cellOf("sample 1"), expected = cellOf("expected 1"),
                  different = cellOf("different samples");
  CHECK(groundWords(count.tensor).find("single samples are not kept") != std::string::npos);
  CHECK(comparesPasses(*seen.snapshot, expected));
  const auto made = provenanceOf(sourcesOf(*seen.snapshot), different);
  REQUIRE(made);
  CHECK(made->derivation.value() == static_cast<double>(seen.at(different)));
  CHECK(indexMeanings(*seen.snapshot, *seen.scene.sources.point(count.tensor), count) == "listed 1");
  CHECK(formattedValue(count.tensor, 62) == "62");
}
