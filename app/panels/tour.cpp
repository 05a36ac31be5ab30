#include "app/panels/tour.h"

#include <array>
#include <utility>

#include "app/document/view_commands.h"
#include "app/panels/action.h"
#include "app/panels/widgets.h"

namespace glassformer {

namespace {

constexpr float tourWidth = 336, tourHeight = 200, tourGap = 16;

struct TourStep {
  const char* title;
  const char* words;
  Box (*region)(const Layout&);
  void (*open)(Ui&) = [](Ui&) {};  ///< what it speaks of
};

// Where the window is narrow, the left column is a drawer.
void openDrawer(Ui& ui) {
  Look look = ui.workspace().look;
  look.inputOpen = true;
  ui.emit(commands::setLook(look));
}

void openMatrix(Ui& ui) { ui.emit(commands::choosePicture("attention", "matrix")); }

// How much of the left column the text takes; the rest is the map of the model.
float textHeight(const Layout& layout) {
  return 48 + std::clamp((layout.left.height - 56) * 0.22f, 100.0f, 212.0f);
}

constexpr std::array steps{
    TourStep{
        "Write here",
        "Type, or change a word: every picture follows with every key. Each patch of colour is one token, a "
        "piece of text the model reads at once.",
        [](const Layout& l) {
          return Box{l.left.x, l.left.y, l.left.width, textHeight(l)};
        },
        openDrawer},
    TourStep{
        "Who looks at whom",
        "A row is a token that looks, a column one that is looked at. Point at a cell: its number, and where "
        "that comes from, stands on the right. The small pictures are all the heads.",
        [](const Layout& l) { return l.stage; }, openMatrix},
    TourStep{
        "More than one view",
        "Positions, the residual stream, the next token and the beam tree show the same forward pass from "
        "other sides. The number keys switch between them.",
        [](const Layout& l) { return l.top; }},
    TourStep{
        "Through the model, step by step",
        "This is the model itself, the input below, the answer on top. Click a box, or press → and ←, and "
        "the stage shows that tensor with its equation.",
        [](const Layout& l) {
          const float y = l.left.y + textHeight(l);
          return Box{l.left.x, y, l.left.width, l.left.bottom() - y};
        },
        openDrawer},
    TourStep{"Let it go on writing",
             "Down here stands what the model would say next, greedily, by chance or by beam search. Space "
             "appends one token; undo takes it back.",
             [](const Layout& l) { return l.bottom; }},
    TourStep{
        "Everything by name",
        "Ctrl P finds every view, head and action. A question mark shows all keys, F5 presents to a lecture "
        "hall. This tour is in the list too.",
        [](const Layout& l) {
          return Box{l.top.right() - 292, l.top.y, 292, l.top.height};
        }},
};

// Beside the region, where the window has room for it; else inside its corner.
Box beside(const Box& region, Point window) {
  Box box{region.right() + tourGap, region.y + tourGap, tourWidth, tourHeight};
  if (box.right() > window.x - tourGap) box.x = region.x - tourGap - tourWidth;
  if (region.width > window.x / 2) {
    box.x = region.center().x - tourWidth / 2;
    box.y = region.bottom() + tourGap;
    if (box.bottom() > window.y - tourGap) box.y = region.y - tourGap - tourHeight;
    if (box.y < tourGap) box.y = region.bottom() - tourGap - tourHeight;
  }
  box.x = std::clamp(box.x, tourGap, std::max(tourGap, window.x - tourGap - tourWidth));
  box.y = std::clamp(box.y, tourGap, std::max(tourGap, window.y - tourGap - tourHeight));
  return box;
}

}  // namespace

int Tour::stepCount() { return static_cast<int>(steps.size()); }
const char* Tour::words(int step) { return steps[static_cast<std::size_t>(step)].words; }

void Tour::show(Ui& ui, const Layout& layout, Point window) {
  if (!running()) return;
  const TourStep& step = steps[static_cast<std::size_t>(step_)];
  if (std::exchange(entered_, false)) step.open(ui);
  const Box region = step.region(layout);
  const bool visible = region.width > 1 && region.height > 1;  // where it is no drawer
  if (visible)
    ui.painter.paint(ImGui::GetForegroundDrawList(),
                     Rect{region.inset(2), {0, 0, 0, 0}, ui.theme.accent, Theme::radius, 2},
                     {{0, 0}, ui.scale});
  draw(ui, beside(visible ? region : layout.stage, window), true);
}

void Tour::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  const TourStep& step = steps[static_cast<std::size_t>(step_)];
  ui.draw(Rect{area, theme.raised, theme.accent, 0, 1});
  Box rest = area.inset(16, 16);
  const Box title = rest.takeTop(28);
  ui.drawText({title.x, title.y + 8}, step.title, {FontFace::Strong, Theme::body, theme.text});
  Box foot = rest.takeBottom(Theme::control);
  float y = rest.y + 8;
  for (const std::string& line : wrapped(ui.metrics(), step.words, FontFace::Ui, Theme::small, rest.width)) {
    ui.drawText({rest.x, y}, line, {FontFace::Ui, Theme::small, theme.text});
    y += 20;
  }
  const bool last = step_ + 1 == stepCount();
  int next = step_;
  if (widgets::button(ui, last ? "Done##tour" : "Next##tour", foot.takeRight(72),
                      {.look = widgets::Look::Primary}))
    next = last ? none : step_ + 1;
  foot.takeRight(8);
  if (step_ > 0 && widgets::button(ui, "Back##tour", foot.takeRight(64), {.look = widgets::Look::Raised}))
    next = step_ - 1;
  foot.takeRight(8);
  if (!last && widgets::button(ui, "Skip##tour", foot.takeRight(56), {})) next = none;
  ui.drawText({foot.x, foot.center().y}, std::to_string(step_ + 1) + " of " + std::to_string(stepCount()),
              {FontFace::Ui, Theme::small, theme.quiet});
  entered_ = next != step_ && next != none;
  step_ = next;
}

}  // namespace glassformer
