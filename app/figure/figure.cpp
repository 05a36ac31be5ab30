#include "app/figure/figure.h"

#include "app/figure/scene_painting.h"
#include "app/scene/caption.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float lineHeight = 19, below = 20;
constexpr int mostLines = 4;

SceneInput inputFor(const Workspace& workspace, const Snapshot& snapshot, Point size, const Theme& theme,
                    const FigureFonts& fonts) {
  return {workspace, snapshot, size, theme, fonts, {}, true};
}

std::vector<std::string> captionLines(const Figure& figure, float margin, const FigureFonts& fonts) {
  return wrapped(fonts, figure.caption, FontFace::Ui, Theme::small, figure.size.layout.x - 2 * margin,
                 mostLines);
}

float heightOf(const std::vector<std::string>& lines) {
  return lines.empty() ? 0 : lineHeight * static_cast<float>(lines.size()) + below;
}

// Where the picture's heading begins: its first text.
float marginOf(const Scene& picture) {
  for (const Shape& shape : picture.shapes)
    if (const Text* text = std::get_if<Text>(&shape); text && text->horizontal == Align::Start)
      return text->at.x;
  return 24;
}

// Under the picture, from its left margin.
Scene captionScene(const std::vector<std::string>& lines, Point size, float margin, const Theme& theme) {
  Scene foot;
  foot.size = {size.x, heightOf(lines)};
  float y = size.y - foot.size.y + lineHeight / 2;
  for (const std::string& line : lines) {
    addText(foot, {margin, y}, line, {FontFace::Ui, Theme::small, theme.text});
    y += lineHeight;
  }
  return foot;
}

std::string captionFor(const FigureSettings& settings, const std::string& generated) {
  const bool edited = !settings.editedCaption.empty() && settings.captionReplaced == generated;
  return edited ? settings.editedCaption : generated;
}

// A scene larger than its room is shown whole, smaller.
void fit(Figure& figure, Point room) {
  const Point wanted = figure.picture.size;
  figure.pictureScale = std::min({1.0f, room.x / wanted.x, room.y / wanted.y});
  figure.pictureAt = {std::max(0.0f, (room.x - wanted.x * figure.pictureScale) / 2), 0};
}

}  // namespace

bool isDark(const Workspace& workspace) {
  const FigureLook look = workspace.figure.look;
  return look == FigureLook::Dark || (look == FigureLook::AsWindow && workspace.appearance.dark);
}

Figure makeFigure(const Workspace& workspace, const Snapshot& snapshot, const FigureSize& size,
                  const FigureFonts& fonts) {
  Figure figure;
  figure.size = size;
  figure.theme = isDark(workspace) ? darkTheme() : lightTheme();
  const View& view = viewOf(workspace.view);
  const auto lay = [&](Point room) {
    const SceneInput input = inputFor(workspace, snapshot, room, figure.theme, fonts);
    figure.picture = view.scene(input);
    figure.generated = captionOf(view, figure.picture, input);
    figure.caption = captionFor(workspace.figure, figure.generated);
  };
  lay(size.layout);
  Point room = size.layout;
  if (workspace.figure.caption) {
    const float margin = marginOf(figure.picture);
    const auto lines = captionLines(figure, margin, fonts);
    room.y -= heightOf(lines);
    lay(room);  // what a scene is called does not depend on its size
    figure.foot = captionScene(lines, size.layout, margin, figure.theme);
  }
  fit(figure, room);
  figure.numbers = numberTables(figure.picture, snapshot);
  return figure;
}

void paintFigure(Pen& pen, const Figure& figure, const FigureFonts& fonts) {
  pen.rectangle({0, 0, figure.size.layout.x, figure.size.layout.y}, 0, figure.theme.ground);
  pen.pushPlacement(figure.pictureAt, figure.pictureScale);
  paintScene(pen, figure.picture, figure.theme, fonts);
  pen.pop();
  paintScene(pen, figure.foot, figure.theme, fonts);
}

}  // namespace glassformer
