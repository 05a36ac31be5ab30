#include "app/views/tokens/unembedding_picture.h"

#include <set>

#include "core/lens/unembedding.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

std::set<std::string> weightsDrawn(const SeenPicture& seen) {
  std::set<std::string> names;
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* matrix = std::get_if<Matrix>(&shape)) names.insert(matrix->values.tensor);
  return names;
}

}  // namespace

TEST_CASE("tied, both strips are the same tensor and every cosine is 1; untied, two tensors are compared") {
  SeenPicture seen(openedOn("tokens", "unembedding"));
  REQUIRE_FALSE(seen.snapshot->model->config->tiedUnembedding);
  CHECK(weightsDrawn(seen) == std::set<std::string>{"lm_head.weight", "wte.weight"});
  CHECK(seen.says("Two tensors"));
  CHECK_FALSE(seen.says("the same tensor"));
  for (const int token : seen.snapshot->pass->trace->tokens())
    CHECK(seen.at({unembedding::cosine, {token}}) < 1);
  seen.click("Tied");
  CHECK(weightsDrawn(seen) == std::set<std::string>{"wte.weight"});
  CHECK(seen.says("the same tensor"));
  for (const int token : seen.snapshot->pass->trace->tokens())
    CHECK(seen.at({unembedding::cosine, {token}}) == 1);
  seen.click("Untied");
  CHECK(seen.workspace.changes.empty());
}

TEST_CASE("a row for every token of the text, and for the likeliest next ones") {
  SeenPicture seen(openedOn("tokens", "unembedding"));
  const TensorView logits =
      (*seen.snapshot->pass->trace)["logits"][seen.snapshot->pass->trace->tokenCount() - 1];
  int best = 0;
  for (int v = 0; v < logits.extent[0]; ++v)
    if (logits(v) > logits(best)) best = v;
  CHECK(seen.hit("likely " + std::to_string(best) + " in").target.cell.index[0] == best);
  for (int t = 0; t < seen.snapshot->pass->trace->tokenCount(); ++t)
    CHECK(seen.hit("token " + std::to_string(t) + " out").target.cell.index[0] ==
          seen.snapshot->pass->trace->tokens()[static_cast<std::size_t>(t)]);
}
