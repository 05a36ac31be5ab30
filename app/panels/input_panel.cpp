#include "app/panels/input_panel.h"

#include "app/panels/widgets.h"
#include "app/scene/model_map_scene.h"

namespace glassformer {

std::string InputPanel::status(const Ui& ui) const {
  const Snapshot& snapshot = ui.snapshot;
  if (!snapshot.config) return "";
  const auto count = snapshot.tokens.size();
  std::string text = std::to_string(count) + (count == 1 ? " token" : " tokens");
  if (static_cast<int>(count) > snapshot.config->context)
    text += ", " + std::to_string(snapshot.config->context) + " read";
  return text;
}

void InputPanel::content(Ui& ui, const Box& area) {
  Box rest = area.inset(16, 16);
  const Box title = rest.takeTop(24);
  widgets::heading(ui, {title.x, title.y + 8}, "TEXT");
  ui.drawText({title.right(), title.y + 8}, status(ui), {FontFace::Ui, Theme::small, ui.theme.quiet},
              Align::End);
  field_.show(ui, rest.takeTop(std::clamp(rest.height * 0.22f, 100.0f, 212.0f)));
  rest.takeTop(20);
  widgets::heading(ui, {rest.x, rest.y + 8}, "MODEL");
  rest.takeTop(24);
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  map_.show(ui, modelMapScene(input), rest);
  ui.draw(Rect{{area.right() - 1, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

}  // namespace glassformer
