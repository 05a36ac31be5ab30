#include "app/figure/figure.h"

#include "app/drawing/compared_side.h"
#include "app/figure/scene_painting.h"
#include "app/views/caption.h"
#include "app/views/stage.h"

namespace glassformer {

namespace {

constexpr float lineHeight = 19, below = 20;
constexpr int mostLines = 4;

std::vector<std::string> captionLines(const Figure& figure, float margin, const FigureFonts& fonts) {
  return wrapped(fonts, figure.caption, FontFace::Ui, Theme::small, figure.size.layout.x - 2 * margin,
                 mostLines);
}

float heightOf(const std::vector<std::string>& lines) {
  return lines.empty() ? 0 : lineHeight * static_cast<float>(lines.size()) + below;
}

// Where the picture's heading begins, or, where it has none, its first text.
float marginOf(const FigureScene& drawn) {
  const Text* first = nullptr;
  for (const Shape& shape : drawn.picture.shapes) {
    const Text* text = std::get_if<Text>(&shape);
    if (!text || text->horizontal != Align::Start) continue;
    if (text->text == drawn.picture.title) {
      first = text;
      break;
    }
    if (!first) first = text;
  }
  return first ? drawn.at.x + first->at.x * drawn.scale : 24;
}

Text lineOfText(Point at, const std::string& words, const TextStyle& style) {
  Text text;
  text.at = at, text.text = words, text.style = style;
  return text;
}

// Under the picture, or above it, from its left margin.
Scene captionScene(const std::vector<std::string>& lines, Point size, float margin, bool above,
                   const Theme& theme) {
  Scene caption;
  caption.size = {size.x, heightOf(lines)};
  float y = (above ? below : size.y - caption.size.y) + lineHeight / 2;
  for (const std::string& line : lines) {
    caption.add(lineOfText({margin, y}, line, theme.plain()));
    y += lineHeight;
  }
  return caption;
}

std::string captionFor(const FigureSettings& settings, const std::string& generated) {
  const bool edited = !settings.editedCaption.empty() && settings.captionReplaced == generated;
  return edited ? settings.editedCaption : generated;
}

// A scene larger than its room is shown whole, smaller.
FigureScene fitted(Scene scene, const Box& room) {
  FigureScene placed;
  placed.scale = std::min({1.0f, room.width / scene.size.x, room.height / scene.size.y});
  placed.at = {room.x + std::max(0.0f, (room.width - scene.size.x * placed.scale) / 2), room.y};
  placed.picture = std::move(scene);
  return placed;
}

void addTitle(Scene& titles, const StagePane& pane, const Theme& theme, const FigureFonts& fonts) {
  const Box& box = pane.title;
  if (box.height <= 0) return;
  titles.add(lineOfText({box.x + 24, box.center().y}, titleOf(pane, fonts, theme.mono(), box.width - 48),
                        theme.mono()));
  titles.add(Rect{{box.x, box.bottom() - 1, box.width, 1}, theme.line, {0, 0, 0, 0}, 0, 1});
  if (pane.source == Target::Source::Other)
    titles.add(Rect{{box.x, box.y, 1, box.height + pane.picture.height}, theme.line, {0, 0, 0, 0}, 0, 1});
}

// The numbers of all panes, each of the other side's and the difference's under its name.
void addNumbers(Figure& figure, const std::vector<StagePane>& panes, const Snapshot& snapshot) {
  for (std::size_t i = 0; i < panes.size(); ++i) {
    const Target::Source source = panes[i].source;
    const ComparedSide side(snapshot, source);
    for (NumberTable& table : numberTables(figure.scenes[i].picture, side.snapshot())) {
      table.side = source == Target::Source::Other        ? "other"
                   : source == Target::Source::Difference ? "difference"
                                                          : "";
      figure.numbers.push_back(std::move(table));
    }
  }
}

}  // namespace

bool isDark(const Workspace& workspace) {
  const FigureLook look = workspace.figure.look;
  return look == FigureLook::Dark || (look == FigureLook::AsWindow && workspace.look.dark);
}

Theme themeOf(const Workspace& workspace) {
  const FigureLook look = workspace.figure.look;
  Theme theme = themeFor(isDark(workspace), workspace.look.contrast && look == FigureLook::AsWindow);
  if (look == FigureLook::Paper) theme.ground = theme.panel;
  return theme;
}

Figure makeFigure(const Workspace& workspace, const Snapshot& snapshot, const FigureSize& size,
                  const FigureFonts& fonts) {
  Figure figure;
  figure.size = size;
  figure.theme = themeOf(workspace);
  const View& view = viewOf(workspace.view);
  const SceneInput input{workspace, snapshot, size.layout, figure.theme, fonts, {}, Room::Figure};
  std::vector<StagePane> panes;
  const auto lay = [&](float top, float height) {
    panes = stagePanes(workspace, snapshot, {0, top, size.layout.x, height});
    figure.scenes.clear();
    for (const StagePane& pane : panes)
      figure.scenes.push_back(fitted(stageScene(view, pane, input), pane.picture));
  };
  lay(0, size.layout.y);
  figure.generated = captionOf(view, figure.picture(), input);
  figure.caption = captionFor(workspace.figure, figure.generated);
  if (workspace.figure.caption) {
    const float margin = marginOf(figure.scenes.front());
    const auto lines = captionLines(figure, margin, fonts);
    const bool above = workspace.figure.captionAbove;
    const float height = heightOf(lines);  // what a scene is called does not depend on its size
    lay(above ? height : 0, size.layout.y - height);
    figure.foot = captionScene(lines, size.layout, margin, above, figure.theme);
  }
  for (const StagePane& pane : panes) addTitle(figure.titles, pane, figure.theme, fonts);
  addNumbers(figure, panes, snapshot);
  figure.recipe = {.workspace = shownBy(workspace), .width = size.layout.x, .height = size.layout.y};
  figure.question = questionOf(workspace, snapshot, neededFor(workspace));
  figure.sources = figureSources(snapshot);
  if (FigureSettings& own = figure.recipe.workspace.figure; figure.caption == figure.generated)
    own.editedCaption.clear(), own.captionReplaced.clear();  // it is another figure's
  return figure;
}

void paintFigure(Pen& pen, const Figure& figure, const FigureFonts& fonts) {
  pen.rectangle({0, 0, figure.size.layout.x, figure.size.layout.y}, 0, figure.theme.ground);
  for (const FigureScene& drawn : figure.scenes) {
    pen.pushPlacement(drawn.at, drawn.scale);
    paintScene(pen, drawn.picture, figure.theme, fonts);
    pen.pop();
  }
  paintScene(pen, figure.titles, figure.theme, fonts);
  paintScene(pen, figure.foot, figure.theme, fonts);
}

}  // namespace glassformer
