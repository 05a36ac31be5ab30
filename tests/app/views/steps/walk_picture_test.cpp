#include <algorithm>

#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

// The texts of the walk: its title, and the steps that stand out.
struct WalkSeen {
  explicit WalkSeen(const std::string& step, int selectedLayer = 0) {
    Workspace workspace = openedOn("step", "walk");
    workspace.text = "The animal didn't cross the street.";
    workspace.step = step, workspace.selection.layer = selectedLayer;
    const auto snapshot = snapshotOf(workspace);
    const PlainMetrics metrics;
    const Theme theme = darkTheme();
    const Scene scene = viewOf("step").scene({workspace, *snapshot, {1296, 872}, theme, metrics, {}});
    for (const Shape& shape : scene.shapes)
      if (const auto* text = std::get_if<Text>(&shape)) {
        if (text->text.find(" through ") != std::string::npos) title = text->text;
        if (text->style.color == theme.accent) marked.push_back(text->text);
      }
  }
  std::string title;
  std::vector<std::string> marked;
};
using Marked = std::vector<std::string>;

}  // namespace

TEST_CASE("one token's walk is that of the stepper's block, and marks the step that it has reached") {
  const WalkSeen weigh("blocks.1.attn.hook_pattern");
  CHECK(weigh.title == "“.” through Block 1");
  CHECK(weigh.marked == Marked{"Softmax · L1H0"});
  CHECK(WalkSeen("blocks.2.hook_resid_mid").marked == Marked{"Residual add"});
  // A step that lectures pass over belongs to the one before it.
  CHECK(WalkSeen("blocks.2.attn.hook_v").marked == Marked{"Query · L2H0"});
}

TEST_CASE("outside of the blocks, one token's walk is that of the selected block") {
  const WalkSeen embedding("hook_embed", 2);
  CHECK(embedding.title == "“.” through Block 2");
  CHECK(embedding.marked.empty());
}
