#include "app/panels/top_bar.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "app/document/steps.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/panels/action_button.h"
#include "app/panels/layout.h"
#include "app/scene/format.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

// By its icon.
void actionIcon(Ui& ui, const char* id, const char* icon, const Box& box) {
  widgets::actionButton(ui, id, actionOf(id).title, box, {.icon = icon});
}

}  // namespace

void TopBar::content(Ui& ui, const Box& area) {
  Box bar = area.inset(16, 0);
  const bool roomy = area.width >= 1200, compact = area.width < Layout::compactBelow,
             narrow = isNarrow(area.width, ui.workspace());
  if (compact) showDrawerButton(ui, "left-panel", "✎", bar.takeLeft(40), ui.workspace().look.inputOpen);
  if (area.width >= 720) showModel(ui, bar.takeLeft(roomy ? 168 : 116));
  const Box tools = bar.takeRight(compact ? 140.0f : 308.0f);
  const Box stepper = bar.takeRight(area.width >= 1480 ? 272.0f : 76.0f);
  if (narrow) showDrawerButton(ui, "inspector", "ℹ", bar.takeRight(40), ui.workspace().look.inspectorOpen);
  showViews(ui, bar);
  showStepper(ui, stepper);
  showTools(ui, tools);
  ui.draw(Rect{{area.x, area.bottom() - 1, area.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

void TopBar::showModel(Ui& ui, const Box& box) {
  const Theme& theme = ui.theme;
  const Action& choices = actionOf("architecture");
  if (widgets::button(ui, "Model", {box.x - 8, box.y + 6, box.width - 4, 44},
                      {.icon = "", .tip = "Architecture   " + keyText(choices)}))
    choices.run(ui);
  ui.drawText({box.x, box.y + 21}, "Glassformer", theme.heading());
  std::string about = ui.snapshot.model->name;
  const bool changed = !ui.workspace().changes.empty();
  if (const auto& config = ui.snapshot.model->config)
    about += " · " + depthWords(*config) + " × " +
             (config->hasAttention() ? std::to_string(config->heads) + (changed ? "" : " heads")
                                     : mixingName(config->mixing, true));
  if (changed) about += ", changed";
  ui.drawText({box.x, box.y + 39}, about,
              {FontFace::Ui, Theme::small - 1, changed ? theme.accent : theme.quiet}, Align::Start,
              box.width - 12);
}

namespace {

// Short of room, tabs have short titles and stand closer.
constexpr float mostTightening = 18, tabGap = 4, moreWidth = 36;

struct ViewTabs {
  std::vector<const View*> views;
  bool areShort = false;  ///< with short titles

  const char* titleOf(const View& view) const {
    return areShort && view.shortTitle ? view.shortTitle : view.title;
  }
  float width(const Ui& ui) const {
    float sum = 0;
    for (const View* view : views) sum += widgets::buttonWidth(ui, titleOf(*view)) + tabGap;
    return sum;
  }
};

// As many of the views as there is room for, the one that is open among them; none where that would be a few.
ViewTabs tabsIn(const Ui& ui, float width) {
  const View* const open = &viewOf(ui.workspace().view);
  ViewTabs tabs;
  for (const View& view : views()) tabs.views.push_back(&view);
  if (tabs.width(ui) <= width) return tabs;
  tabs.areShort = true;
  const auto fits = [&](float room) {
    return tabs.width(ui) - mostTightening * static_cast<float>(tabs.views.size()) <= room;
  };
  if (fits(width)) return tabs;
  while (tabs.views.size() > 3 && !fits(width - moreWidth)) {
    tabs.views.pop_back();
    if (std::ranges::find(tabs.views, open) == tabs.views.end()) tabs.views.back() = open;
  }
  if (tabs.views.size() <= 3) tabs.views.clear();
  return tabs;
}

}  // namespace

void TopBar::showViews(Ui& ui, Box box) {
  Box row{box.x, box.center().y - Theme::control / 2, box.width, Theme::control};
  const ViewTabs tabs = tabsIn(ui, row.width);
  const bool all = tabs.views.size() == views().size();
  const float room = row.width - (all ? 0 : moreWidth);
  const float tightening = std::ceil(std::max(0.0f, tabs.width(ui) - room) /
                                     static_cast<float>(std::max<std::size_t>(tabs.views.size(), 1)));
  for (const View* view : tabs.views) {
    const bool on = &viewOf(ui.workspace().view) == view;
    const char* const title = tabs.titleOf(*view);
    const std::string tip =
        std::string(view->about) + "   " + viewKey(static_cast<int>(view - views().data()));
    if (widgets::button(ui, title, row.takeLeft(widgets::buttonWidth(ui, title) - tightening),
                        {.on = on, .tip = tip}))
      ui.emit(commands::setView(view->id));
    row.takeLeft(tabGap);
  }
  if (!all) showMoreViews(ui, row, tabs.views.empty());
}

// The way to the views that have no tab: `alone`, with the name of the one that is open.
void TopBar::showMoreViews(Ui& ui, Box row, bool alone) {
  const std::string label =
      alone ? std::string(viewOf(ui.workspace().view).title) + " ▾##views" : std::string("▾##views");
  const float width = alone ? widgets::buttonWidth(ui, label.c_str()) : moreWidth - tabGap;
  if (widgets::button(ui, label.c_str(), row.takeLeft(std::min(width, row.width)),
                      {.look = widgets::Look::Raised, .tip = "All views   " + keyText(actionOf("palette"))}))
    ui.ask(Request::Palette);
}

void TopBar::showStepper(Ui& ui, Box box) {
  Box row{box.x, box.center().y - Theme::control / 2, box.width - 16, Theme::control};
  const auto steps =
      ui.snapshot.model->transformer ? stepsOf(*ui.snapshot.model->transformer) : std::vector<Step>{};
  const bool room = row.width > 100;
  if (room) ui.draw(Rect{row, ui.theme.raised, ui.theme.line, Theme::radius, 1});
  actionIcon(ui, "previous-operation", "◀", row.takeLeft(30));
  actionIcon(ui, "next-operation", "▶", row.takeRight(30));
  if (!room || steps.empty()) return;
  const Step& shown = stepCalled(ui.workspace().step, steps);
  const float width = row.width;
  const bool whole = ui.metrics().width(fullTitle(shown), FontFace::Ui, Theme::small) <= width;
  ui.drawText(row.center(), whole ? fullTitle(shown) : shown.title, ui.theme.plain(), Align::Middle, width);
}

void TopBar::showDrawerButton(Ui& ui, const char* id, const char* icon, const Box& box, bool open) {
  const Action& action = actionOf(id);
  const Box button{box.x, box.center().y - Theme::control / 2, box.width - 8, Theme::control};
  if (widgets::button(ui, action.title, button,
                      {.on = open, .icon = icon, .tip = action.title + std::string("   ") + keyText(action)}))
    action.run(ui);
}

void TopBar::showTools(Ui& ui, Box box) {
  Box row{box.x, box.center().y - Theme::control / 2, box.width, Theme::control};
  const Look& look = ui.workspace().look;
  actionIcon(ui, "palette", "☰", row.takeRight(32));
  actionIcon(ui, "present", "▣", row.takeRight(32));
  actionIcon(ui, "toggle-theme", look.dark ? "☀" : "☾", row.takeRight(32));
  const bool roomy = box.width > 200;
  if (roomy || look.zoom <= 1)
    actionIcon(ui, "export-figure", "↧", row.takeRight(32));
  else  // the way back from letters that leave no room for it
    actionIcon(ui, "zoom-out", "−", row.takeRight(32));
  if (roomy) {
    row.takeRight(8);
    actionIcon(ui, "zoom-in", "+", row.takeRight(32));
    const Box value = row.takeRight(44);
    ui.drawText(value.center(), formattedFixed(look.zoom * 100, 0) + " %",
                {FontFace::Mono, Theme::small - 1, ui.theme.quiet}, Align::Middle);
    actionIcon(ui, "zoom-out", "−", row.takeRight(32));
  }
  if (row.width < 64) return;
  row.takeRight(std::min(8.0f, row.width - 64));
  actionIcon(ui, "redo", "↷", row.takeRight(32));
  actionIcon(ui, "undo", "↶", row.takeRight(32));
}

}  // namespace glassformer
