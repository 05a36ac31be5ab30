#include "app/figure/figure.h"

#include <algorithm>
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
        CHECK(figure.scenes[0].at.x + figure.picture().size.x * figure.scenes[0].scale <=
              size.layout.x + 0.01f);
        CHECK(figure.scenes[0].at.y + figure.picture().size.y * figure.scenes[0].scale + figure.foot.size.y <=
              size.layout.y + 0.01f);
        CHECK(figure.foot.shapes.empty() != caption);
        for (const Shape& shape : figure.foot.shapes) {
          const Box line = textBox(fonts, std::get<Text>(shape));
          CHECK(line.right() <= size.layout.x);
          CHECK(line.bottom() <= size.layout.y);
          // From where the heading begins; a picture without numbers has it in its middle.
          if (const Text* heading = findText(figure.picture(), figure.picture().title);
              heading && heading->horizontal == Align::Start)
            CHECK(line.x == Approx(figure.scenes[0].at.x + heading->at.x * figure.scenes[0].scale));
        }
      }
}

TEST_CASE("a scene larger than its sheet is shown whole") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *snapshot, pixelSize({280, 400}), fonts);
  CHECK(figure.picture().size.x == 560);
  CHECK(figure.scenes[0].scale == Approx(0.5f));
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
  REQUIRE(both.scenes.size() == 2);
  CHECK(both.scenes[0].at.x + both.scenes[0].picture.size.x * both.scenes[0].scale <= both.scenes[1].at.x);
  CHECK(findText(both.titles, "The dog sang."));
  CHECK(both.caption.ends_with("reading “The cat sang.” next to “The dog sang.”"));
  CHECK(both.numbers.front().name() == "blocks.0.attn.hook_pattern.H0");
  CHECK(both.numbers.back().name().starts_with("other.blocks."));
  workspace.comparison.mode = ComparisonMode::Difference;
  const Figure difference =
      makeFigure(workspace, *storiesSnapshot(workspace), *findFigureSize("double-column"), fonts);
  REQUIRE(difference.scenes.size() == 1);
  CHECK(difference.caption.find("“The cat sang.” minus “The dog sang.”") != std::string::npos);
  CHECK(difference.numbers.front().name() == "difference.blocks.0.attn.hook_pattern.H0");
}

TEST_CASE("a figure has the parts that are chosen, and the picture gets the room of those it has not") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const auto made = [&] { return makeFigure(workspace, *snapshot, *findFigureSize("column"), fonts); };
  const auto matrixOf = [](const Figure& figure) {
    Box largest;
    for (const Shape& shape : figure.picture().shapes)
      if (const auto* matrix = std::get_if<Matrix>(&shape); matrix && matrix->box.width > largest.width)
        largest = matrix->box;
    return largest;
  };
  const auto has = [&](const Figure& figure, const char* words) {
    return findText(figure.picture(), words) != nullptr;
  };
  const Figure all = made();
  CHECK((has(all, "blocks") && has(all, "attends to") && has(all, "masked")));
  // Before each bar's number stand what it is of, and where that stands in the text.
  const auto spelled = [&](const char* words, float y) {
    return std::ranges::any_of(all.picture().shapes, [&](const Shape& shape) {
      const Text* text = std::get_if<Text>(&shape);
      return text && text->text == words && text->at.y == y;
    });
  };
  const bool placed = std::ranges::any_of(all.picture().shapes, [&](const Shape& shape) {
    const Text* text = std::get_if<Text>(&shape);
    return text && !text->value.empty() && spelled("·it", text->at.y) && spelled("8", text->at.y);
  });
  CHECK(placed);
  workspace.figure.heads = false;
  CHECK((!has(made(), "blocks") && has(made(), "attends to")));
  workspace.figure.heads = true, workspace.figure.bars = false;
  CHECK((has(made(), "blocks") && !has(made(), "attends to")));
  workspace.figure.heads = false;
  CHECK(matrixOf(made()).width > matrixOf(all).width + 40);
  workspace.figure.colorScale = false;
  CHECK_FALSE(has(made(), "masked"));
  workspace.figure.heads = workspace.figure.bars = workspace.figure.headsFirst = true;
  const Figure headsFirst = made();
  CHECK(findText(headsFirst.picture(), "blocks")->at.x < matrixOf(headsFirst).x);
  CHECK(findText(all.picture(), "blocks")->at.x > matrixOf(all).right());
}

TEST_CASE("a caption stands above where it is chosen to, with the picture below it, all on the sheet") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  workspace.figure.captionAbove = true;
  const FigureFonts fonts;
  const FigureSize& size = *findFigureSize("column");
  const Figure figure = makeFigure(workspace, *snapshot, size, fonts);
  REQUIRE_FALSE(figure.foot.shapes.empty());
  for (const Shape& shape : figure.foot.shapes)
    CHECK(textBox(fonts, std::get<Text>(shape)).bottom() <= figure.scenes[0].at.y);
  CHECK(figure.scenes[0].at.y + figure.picture().size.y * figure.scenes[0].scale <= size.layout.y + 0.01f);
}

TEST_CASE("a figure is as wide in print as is chosen, its text as large, and it keeps its proportions") {
  const FigureSize window = pixelSize({800, 600});
  FigureSettings settings;
  settings.size = "column";
  const FigureSize column = sizeFor(settings, window);
  CHECK(column.layout == findFigureSize("column")->layout);
  settings.millimetres = 120;
  const FigureSize wider = sizeFor(settings, window);
  CHECK(wider.millimetres == 120);
  CHECK(wider.points() == Approx(column.points()).epsilon(0.01));
  settings.points = 4;
  const FigureSize finer = sizeFor(settings, window);
  CHECK(finer.points() == Approx(4).epsilon(0.01));
  CHECK(finer.layout.y / finer.layout.x == Approx(column.layout.y / column.layout.x).epsilon(0.01));
  settings.points = 20;  // a picture needs its room
  CHECK(sizeFor(settings, window).layout.x == 560);
  settings.size = "window";
  CHECK(sizeFor(settings, window).layout == window.layout);
}

TEST_CASE("on paper a figure is light on white") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  workspace.look.dark = true, workspace.look.contrast = true;
  workspace.figure.look = FigureLook::Paper;
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *snapshot, pixelSize({640, 480}), fonts);
  CHECK_FALSE(figure.theme.dark);
  CHECK(figure.theme.ground == Rgba{255, 255, 255, 255});
  CHECK(figure.theme.text == lightTheme().text);
}
