#include "app/views/influence/gradients_picture.h"

#include "core/lens/head_gradients.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

TEST_CASE("through argmax nothing reaches queries and keys, which is said because it was computed") {
  Workspace workspace = openedOn("influence", "gradients");
  workspace.selection.layer = 1, workspace.selection.head = 2;
  const SeenPicture seen(workspace);
  const int tokens = seen.snapshot->pass->trace->tokenCount();
  for (const std::string part : {"q", "k"})
    for (int t = 0; t < tokens; ++t)
      CHECK(seen.at({headGradient::norms(part), {headGradient::argmax, t}}) == 0);
  CHECK(seen.says("W_Q and W_K do not learn"));
  int exact = 0, bars = 0, reached = 0;
  for (const Shape& shape : seen.scene.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    exact += text && text->text == "argmax: exactly 0 for every token";
    bars += std::holds_alternative<Bar>(shape);
  }
  for (int t = 0; t < tokens; ++t)
    reached += seen.at({headGradient::norms("v"), {headGradient::argmax, t}}) > 0;
  CHECK(exact == 2);
  int through = 0;
  for (const std::string part : {"q", "k", "v"})
    for (int t = 0; t < tokens; ++t)
      through += seen.at({headGradient::norms(part), {headGradient::softmax, t}}) > 0;
  CHECK(bars == through + reached);  // what is 0 has none
  CHECK(reached > 0);
  CHECK(seen.says("argmax: " + std::to_string(reached) + " of " + std::to_string(tokens)));
}

TEST_CASE("the vectors of the token under the pointer stand at the foot") {
  SeenPicture seen(openedOn("influence", "gradients"));
  const auto shown = [&] {
    for (const Shape& shape : seen.scene.shapes)
      if (const auto* matrix = std::get_if<Matrix>(&shape)) return matrix->values;
    return TensorRef{};
  };
  CHECK(shown().tensor == headGradient::vectors("q"));
  CHECK(shown().index[1] == seen.snapshot->pass->trace->tokenCount() - 1);
  seen.draw(seen.hit("values 3").target, {1296, 872});
  CHECK(shown().tensor == headGradient::vectors("v"));
  CHECK(shown().index[1] == 3);
  seen.click("keys 2");
  CHECK(seen.workspace.selection.query == 2);
}

TEST_CASE("attention that compares nothing has no such gradients, and says why") {
  Workspace workspace = openedOn("influence", "gradients");
  workspace.changes = {{"attention_kernel", "linear"}};
  const SeenPicture seen(workspace);
  CHECK(seen.says("linear attention has neither softmax nor argmax"));
  seen.hit("Saliency");
}
