#include "app/views/caption.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

std::string captionFor(const Workspace& workspace) {
  const auto snapshot = snapshotOf(workspace);
  const PlainMetrics metrics;
  const Theme theme = lightTheme();
  const SceneInput input{workspace, *snapshot, {960, 540}, theme, metrics, {}, Room::Figure};
  const View& view = viewOf(workspace.view);
  return captionOf(view, view.scene(input), input);
}

}  // namespace

TEST_CASE("a caption says view, head, equation, model and text") {
  Workspace workspace = initialWorkspace();
  workspace.selection.layer = 2, workspace.selection.head = 1;
  CHECK(
      captionFor(workspace) ==
      "Attention: Block 2, head 1, A = softmax(s). Model stories (3 blocks of 4 heads), reading “The animal "
      "didn't cross the street because it was too tired.”");
  workspace.view = "residual";
  workspace.text = "The\ncat";
  CHECK(captionFor(workspace) ==
        "Residual stream, ‖x‖ of each token after each sublayer, on a logarithmic scale. "
        "Model stories (3 blocks of 4 heads), reading “The cat”.");
}

TEST_CASE("a long text is shortened at a word") {
  CHECK(shortened("one two three", 20) == "one two three");
  CHECK(shortened("one two three", 9) == "one two …");
  CHECK(shortened("größer und größer", 12) == "größer und …");
  CHECK(shortened("abcdefghij", 5) == "abcd …");
}

TEST_CASE("every view has a caption, also without a text, and none speaks of clicks") {
  for (const View& view : views())
    for (const char* text : {"The cat", ""}) {
      Workspace workspace = initialWorkspace();
      workspace.view = view.id, workspace.text = text;
      const std::string caption = captionFor(workspace);
      INFO(caption);
      CHECK(caption.size() > 30);
      CHECK((caption.ends_with(".") || caption.ends_with("”")));
      if (*text) CHECK(caption.find("click") == std::string::npos);
      if (view.reads == Reads::Nothing) CHECK(caption.find("reading") == std::string::npos);
    }
}
