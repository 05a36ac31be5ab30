#include "app/views/steps/slips_picture.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/view_commands.h"
#include "core/lens/slips.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

SeenPicture slipOf(const char* id, const std::string& text = "The dog was too tired.") {
  Workspace workspace = openedOn("step", "slips");
  workspace.text = text;
  commands::choose(slipChoice, id).apply(workspace);
  return SeenPicture(workspace);
}

}  // namespace

TEST_CASE("a product that does not conform is refused with its sizes, and the right one stands below") {
  const SeenPicture order = slipOf("order");
  const std::string tokens = std::to_string(order.snapshot->pass->trace->tokenCount());
  CHECK(order.says("[S × K] · [T × S]: K 32 ≠ T " + tokens));
  CHECK(order.says("not a product"));
  CHECK(order.hit(slip::right).target.cell.tensor == "lens.slip.right.order");
  const SeenPicture readout = slipOf("readout");
  CHECK((readout.says("[D × K] · [D × K]:") && readout.says("K 32 ≠ D 128")));
  CHECK(readout.hit(std::string(slip::other) + " turned").rows == 32);
}

TEST_CASE("where sizes meet by chance that is said") {
  std::string text = "The";
  while (slipOf("order", text).snapshot->pass->trace->tokenCount() < 32) text += " dog";
  const SeenPicture met = slipOf("order", text);
  CHECK(met.says("K 32 = T 32"));
  CHECK(met.says("by chance"));
  CHECK_FALSE(met.says("not a product"));
}

TEST_CASE("what can be computed stands as printed, as meant, and subtracted") {
  for (const char* id : {"scale", "root", "sum"}) {
    SeenPicture seen = slipOf(id);
    INFO(id);
    for (const char* name : {slip::printed, slip::right, slip::difference})
      CHECK(seen.hit(name).rows == seen.snapshot->pass->trace->tokenCount());
    CHECK(seen.at({slipTensor(slip::largest, slipCalled(id)), {0}}) > 0.01f);
    CHECK(seen.says("the largest difference"));
    seen.click("√(σ + ε)");
    CHECK(seen.workspace.settings.chosen(slipChoice) == "root");
  }
}
