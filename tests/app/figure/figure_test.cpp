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
        CHECK(figure.pictureAt.x + figure.picture.size.x * figure.pictureScale <= size.layout.x + 0.01f);
        CHECK(figure.pictureAt.y + figure.picture.size.y * figure.pictureScale + figure.foot.size.y <=
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
  CHECK(figure.picture.size.x == 560);
  CHECK(figure.pictureScale == Approx(0.5f));
}

TEST_CASE("the look of a figure is its own") {
  Workspace workspace = initialWorkspace();
  for (const bool window : {true, false}) {
    workspace.appearance.dark = window;
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
  CHECK_FALSE(findText(figure.picture, "Pattern"));
  CHECK(findText(figure.picture, "keys →"));
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
