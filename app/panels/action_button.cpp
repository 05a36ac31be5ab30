#include "app/panels/action_button.h"

namespace glassformer::widgets {

void actionButton(Ui& ui, const char* title, const char* label, const Box& box, ButtonOptions options) {
  const Action& action = actionOf(title);
  const std::string key = keyText(action);
  options.enabled = isAvailable(action, ui);
  options.tip = title + (key.empty() ? "" : "   " + key);
  if (button(ui, label, box, options)) action.run(ui);
}

}  // namespace glassformer::widgets
