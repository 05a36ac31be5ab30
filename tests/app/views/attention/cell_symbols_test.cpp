#include "app/views/attention/cell_symbols.h"

#include "tests/app/views/seen_picture.h"

using namespace glassformer;

TEST_CASE("an equation of scores is written for one query and key") {
  CHECK(ofCell("q · kᵀ / √K", 2, 1) == "q₂·k₁/√K");
  CHECK(ofCell("q · kᵀ / √K − m |t − s|", 12, 3) == "q₁₂·k₃/√K − m |12 − 3|");
  CHECK(ofCell("q · kᵀ / √K + q · a[clip(s − t)]ᵀ / √K", 1, 0) == "q₁·k₀/√K + q₁·a[clip(0 − 1)]/√K");
  CHECK(ofCell("q_R · k_Rᵀ / √K", 2, 1) == "R₂q₂·R₁k₁/√K");
  CHECK(ofCell("φ(q) · φ(k)ᵀ", 2, 1) == "φ(q₂)·φ(k₁)");
  CHECK(ofCell("x · xᵀ", 2, 1) == "x₂·x₁");
  CHECK(subscript(1904) == "₁₉₀₄");
}

TEST_CASE("cells of the matrix say what they are, and that the mask forbids some") {
  Workspace workspace = openedOn("attention", "matrix");
  workspace.text = "The dog sang.";
  SeenPicture seen(workspace);
  CHECK_FALSE(seen.says("A₁₀"));
  seen.click("…");
  seen.click("Symbols");
  CHECK(seen.workspace.settings.chosen("attention.symbols") == "yes");
  CHECK(seen.says("A₁₀"));
  CHECK_FALSE(seen.says("A₀₁"));  // a later key
  seen.click("Scores");
  CHECK(seen.says("q₁·k₀/√K"));
  CHECK(seen.says("q₀·k₁/√K"));  // before the mask
  seen.click("Masked scores");
  CHECK(seen.says("q₁·k₀/√K"));
  CHECK_FALSE(seen.says("q₀·k₁"));
  CHECK(seen.says("−∞"));
  seen.click("Symbols");
  CHECK_FALSE(seen.says("q₁·k₀"));
}

TEST_CASE("what the model computes is what the symbols say; a long text has none") {
  Workspace workspace = openedOn("attention", "matrix");
  workspace.text = "The dog sang.";
  workspace.changes = {{"scale_attn_weights", "no"}};
  workspace.settings.choose("attention.symbols", "yes");
  workspace.settings.attention.stage = AttentionStage::Scores;
  CHECK(SeenPicture(workspace).says("q₁·k₀"));
  CHECK_FALSE(SeenPicture(workspace).says("q₁·k₀/√K"));
  workspace.changes = {{"position_embedding_type", "rotary"}};
  CHECK(SeenPicture(workspace).says("R₁q₁·R₀k₀"));  // and below it
  CHECK(SeenPicture(workspace).says("/√K"));
  workspace.changes = {{"position_embedding_type", "alibi"}};
  CHECK(SeenPicture(workspace).says("s₁₀"));  // "/√K − m |1 − 0|" has no room
  workspace.text = "The dog sang. The dog sang. The dog sang. The dog sang. The dog sang.";
  CHECK_FALSE(SeenPicture(workspace).says("s₁₀"));
}
