#include "app/views/steps/state_picture.h"

#include "core/lens/attention_stages.h"
#include "core/lens/linear_state.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

TEST_CASE("softmax has no running state, and linear attention is one press away") {
  SeenPicture seen(openedOn("step", "state"));
  CHECK(seen.says("this attention is not linear"));
  seen.click("Linear attention");
  CHECK(seen.snapshot->model->config->kernel == AttentionKernel::Linear);
  const HeadId head{seen.workspace.selection.layer, seen.workspace.selection.head};
  const int tokens = seen.snapshot->pass->trace->tokenCount();
  for (int t = 0; t < tokens; ++t) CHECK(seen.at({stageTensor(linearState::error, head), {t}}) < 1e-5f);
  CHECK(seen.says("at most"));
}

TEST_CASE("the state that is shown is that after the selected token, on one scale for all") {
  Workspace workspace = openedOn("step", "state");
  workspace.changes = {{"attention_kernel", "linear"}};
  SeenPicture seen(workspace);
  const auto state = [&] {
    for (const Shape& shape : seen.scene.shapes)
      if (const auto* matrix = std::get_if<Matrix>(&shape);
          matrix && matrix->values.tensor.starts_with(linearState::state))
        return *matrix;
    return Matrix{};
  };
  const Matrix last = state();
  CHECK(last.values.index[0] == seen.snapshot->pass->trace->tokenCount() - 1);
  seen.click("state after 2");
  CHECK(state().values.index[0] == 2);
  CHECK(state().range == last.range);
  seen.click("Token after");
  CHECK(seen.workspace.selection.query == 3);
  CHECK(seen.says("2 · 4 ·"));  // keys and values of as many tokens
}

TEST_CASE("without the causal mask nothing runs along the text") {
  Workspace workspace = openedOn("step", "state");
  workspace.changes = {{"attention_kernel", "linear"}, {"mask", "none"}};
  SeenPicture seen(workspace);
  CHECK(seen.says("under the causal mask alone"));
  seen.click("Linear attention");
  CHECK(seen.says("Kept:"));
}
