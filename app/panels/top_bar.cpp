#include "app/panels/top_bar.h"

#include <cmath>

#include "app/document/steps.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/scene/views.h"

namespace glassformer {

void moveStep(Ui& ui, int by) {
  if (!ui.snapshot.config) return;
  const int last = static_cast<int>(stepsOf(*ui.snapshot.config).size()) - 1;
  ui.emit(commands::setStep(std::clamp(ui.workspace().step + by, 0, last)));
}

void setZoom(Ui& ui, float zoom) {
  Appearance appearance = ui.workspace().appearance;
  appearance.zoom = std::clamp(std::round(zoom * 10) / 10, 0.7f, 2.5f);
  ui.emit(commands::setAppearance(appearance));
}

void toggleTheme(Ui& ui) {
  Appearance appearance = ui.workspace().appearance;
  appearance.dark = !appearance.dark;
  ui.emit(commands::setAppearance(appearance));
}

void toggleInspector(Ui& ui) {
  Appearance appearance = ui.workspace().appearance;
  appearance.inspectorOpen = !appearance.inspectorOpen;
  ui.emit(commands::setAppearance(appearance));
}

void TopBar::content(Ui& ui, const Box& area) {
  Box bar = area.inset(16, 0);
  const bool roomy = area.width >= 1200;
  showModel(ui, bar.takeLeft(roomy ? 168 : 116));
  const Box tools = bar.takeRight(roomy ? 236 : 184);
  const Box stepper = bar.takeRight(area.width >= 1400 ? 272.0f : roomy ? 248.0f : 76.0f);
  if (area.width < TopBar::drawerBelow) showDrawerButton(ui, bar.takeRight(96));
  showViews(ui, bar);
  showStepper(ui, stepper);
  showTools(ui, tools);
  ui.draw(Rect{{area.x, area.bottom() - 1, area.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

void TopBar::showModel(Ui& ui, const Box& box) {
  const Theme& theme = ui.theme;
  ui.drawText({box.x, box.y + 21}, "Glassformer", {FontFace::Strong, Theme::body, theme.text});
  std::string about = ui.snapshot.model;
  if (const auto& config = ui.snapshot.config)
    about += " · " + std::to_string(config->layers) + " × " + std::to_string(config->heads) + " heads";
  ui.drawText({box.x, box.y + 39}, about, {FontFace::Ui, Theme::small - 1, theme.quiet}, Align::Start,
              box.width - 12);
}

void TopBar::showViews(Ui& ui, Box box) {
  Box row{box.x, box.center().y - Theme::control / 2, box.width, Theme::control};
  int number = 0;
  for (const View& view : views()) {
    const bool on = &viewOf(ui.workspace().view) == &view;
    const std::string tip = std::string(view.about) + "   " + std::to_string(++number);
    if (widgets::button(ui, view.title, row.takeLeft(widgets::buttonWidth(ui, view.title)),
                        {.on = on, .tip = tip}))
      ui.emit(commands::setView(view.id));
    row.takeLeft(4);
  }
}

void TopBar::showStepper(Ui& ui, Box box) {
  Box row{box.x, box.center().y - Theme::control / 2, box.width - 16, Theme::control};
  const auto steps = ui.snapshot.config ? stepsOf(*ui.snapshot.config) : std::vector<Step>{};
  const int last = static_cast<int>(steps.size()) - 1,
            step = std::clamp(ui.workspace().step, 0, std::max(last, 0));
  const bool room = row.width > 100;
  if (room) ui.draw(Rect{row, ui.theme.raised, ui.theme.line, Theme::radius, 1});
  if (widgets::button(ui, "Previous step", row.takeLeft(30),
                      {.enabled = step > 0, .icon = "◀", .tip = "previous step of the forward pass   ←"}))
    moveStep(ui, -1);
  if (widgets::button(ui, "Next step", row.takeRight(30),
                      {.enabled = step < last, .icon = "▶", .tip = "next step of the forward pass   →"}))
    moveStep(ui, 1);
  if (room && last >= 0)
    ui.drawText(row.center(), fullTitle(steps[static_cast<std::size_t>(step)]),
                {FontFace::Ui, Theme::small, ui.theme.text}, Align::Middle, row.width - 8);
}

void TopBar::showDrawerButton(Ui& ui, const Box& box) {
  const bool open = ui.workspace().appearance.inspectorOpen;
  const Box button{box.x, box.center().y - Theme::control / 2, box.width - 8, Theme::control};
  if (widgets::button(ui, "Inspector##drawer", button,
                      {.on = open, .tip = "the number under the pointer   I"}))
    toggleInspector(ui);
}

void TopBar::showTools(Ui& ui, Box box) {
  Box row{box.x, box.center().y - Theme::control / 2, box.width, Theme::control};
  const Appearance& appearance = ui.workspace().appearance;
  const auto tool = [&](const char* name, const char* icon, const char* tip, bool enabled) {
    return widgets::button(ui, name, row.takeRight(32), {.enabled = enabled, .icon = icon, .tip = tip});
  };
  if (tool("Theme", appearance.dark ? "☀" : "☾", appearance.dark ? "light theme   T" : "dark theme   T",
           true))
    toggleTheme(ui);
  row.takeRight(8);
  if (tool("Larger", "+", "everything larger   Ctrl +", appearance.zoom < 2.5f))
    setZoom(ui, appearance.zoom + 0.1f);
  if (box.width > 200) {
    const Box value = row.takeRight(44);
    ui.drawText(value.center(), formattedFixed(appearance.zoom * 100, 0) + " %",
                {FontFace::Mono, Theme::small - 1, ui.theme.quiet}, Align::Middle);
  }
  if (tool("Smaller", "−", "everything smaller   Ctrl −", appearance.zoom > 0.7f))
    setZoom(ui, appearance.zoom - 0.1f);
  row.takeRight(8);
  if (tool("Redo", "↷", "redo   Ctrl Shift Z", ui.history.canRedo())) ui.wantsRedo = true;
  if (tool("Undo", "↶", "undo   Ctrl Z", ui.history.canUndo())) ui.wantsUndo = true;
}

}  // namespace glassformer
