#include "app/panels/action_button.h"

namespace glassformer::widgets {

void actionButton(Ui& ui, const char* id, const char* label, const Box& box, ButtonOptions options) {
  const Action& action = actionOf(id);
  const std::string key = keyText(action);
  options.enabled = isAvailable(action, ui);
  options.tip = action.title + (key.empty() ? "" : "   " + key);
  if (button(ui, label, box, options)) action.run(ui);
}

}  // namespace glassformer::widgets
