#include "app/figure/figure.h"

#include <catch2/catch_approx.hpp>

#include "tests/app/figure/figure_cases.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const Text* findText(const Scene& scene, const std::string& words) {
  for (const Shape& shape : scene.shapes)
    if (const Text* text = std::get_if<Text>(&shape); text && text->text.find(words) != std::string::npos)
      return text;
  return nullptr;
}

}  // namespace

TEST_CASE("a figure is the view's scene above its caption, all of it on the sheet") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  for (const View& view : views())
    for (const FigureSize& size : figureSizes())
      for (const bool caption : {true, false}) {
        INFO(view.id << " " << size.id << (caption ? " with" : " without") << " caption");
        workspace.view = view.id;
        workspace.figure.caption = caption;
        const Figure figure = makeFigure(workspace, *snapshot, size, fonts);
        CHECK(figure.parts[0].at.x + figure.picture().size.x * figure.parts[0].scale <=
              size.layout.x + 0.01f);
        CHECK(figure.parts[0].at.y + figure.picture().size.y * figure.parts[0].scale + figure.foot.size.y <=
              size.layout.y + 0.01f);
        CHECK(figure.foot.shapes.empty() != caption);
        for (const Shape& shape : figure.foot.shapes) {
          const Box line = textBox(fonts, std::get<Text>(shape));
          CHECK(line.right() <= size.layout.x);
          CHECK(line.bottom() <= size.layout.y);
        }
      }
}

TEST_CASE("a scene larger than its sheet is shown whole") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *snapshot, pixelSize({280, 400}), fonts);
  CHECK(figure.picture().size.x == 560);
  CHECK(figure.parts[0].scale == Approx(0.5f));
}

TEST_CASE("the look of a figure is its own") {
  Workspace workspace = initialWorkspace();
  for (const bool window : {true, false}) {
    workspace.look.dark = window;
    workspace.figure.look = FigureLook::Light;
    CHECK_FALSE(isDark(workspace));
    workspace.figure.look = FigureLook::Dark;
    CHECK(isDark(workspace));
    workspace.figure.look = FigureLook::AsWindow;
    CHECK(isDark(workspace) == window);
  }
}

TEST_CASE("a figure has no controls, the window has") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const Theme theme = lightTheme();
  const Scene shown = viewOf("attention").scene({workspace, *snapshot, {960, 540}, theme, fonts, {}});
  const Figure figure = makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts);
  CHECK(findText(shown, "Pattern"));
  CHECK_FALSE(findText(figure.picture(), "Pattern"));
  CHECK(findText(figure.picture(), "keys →"));
}

TEST_CASE("an edited caption stands in place of the one it was written for") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const auto figure = [&] { return makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts); };
  const std::string generated = figure().caption;
  workspace.figure.captionReplaced = generated;
  workspace.figure.editedCaption = "Mine";
  CHECK(figure().caption == "Mine");
  CHECK(figure().generated == generated);
  CHECK(findText(figure().foot, "Mine"));
  workspace.selection.layer = 1;
  CHECK(figure().caption == figure().generated);
}

TEST_CASE(
    "two texts that are compared stand side by side, or as their difference, with the numbers of each") {
  Workspace workspace = initialWorkspace();
  workspace.text = "The cat sang.";
  workspace.aside = {"The dog sang."};
  workspace.comparison.with = OtherText{1};
  const FigureFonts fonts;
  const auto snapshot = storiesSnapshot(workspace);
  const Figure both = makeFigure(workspace, *snapshot, *findFigureSize("double-column"), fonts);
  REQUIRE(both.parts.size() == 2);
  CHECK(both.parts[0].at.x + both.parts[0].picture.size.x * both.parts[0].scale <= both.parts[1].at.x);
  CHECK(findText(both.titles, "The dog sang."));
  CHECK(both.caption.ends_with("reading “The cat sang.” beside “The dog sang.”"));
  CHECK(both.numbers.front().name() == "blocks.0.attn.hook_pattern.H0");
  CHECK(both.numbers.back().name().starts_with("other.blocks."));
  workspace.comparison.view = ComparisonView::Difference;
  const Figure difference =
      makeFigure(workspace, *storiesSnapshot(workspace), *findFigureSize("double-column"), fonts);
  REQUIRE(difference.parts.size() == 1);
  CHECK(difference.caption.find("“The cat sang.” minus “The dog sang.”") != std::string::npos);
  CHECK(difference.numbers.front().name() == "difference.blocks.0.attn.hook_pattern.H0");
}
