#pragma once
#include "app/panels/panel.h"

namespace glassformer {

/// Model, views, layer stepper, undo and redo, zoom, theme.
class TopBar : public Panel {
 public:
  TopBar() : Panel("Top bar") {}

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showModel(Ui& ui, const Box& box);
  void showViews(Ui& ui, Box box);
  void showMoreViews(Ui& ui, Box row, bool alone);
  void showStepper(Ui& ui, Box box);
  void showDrawerButton(Ui& ui, const char* id, const char* icon, const Box& box, bool open);
  void showTools(Ui& ui, Box box);
};

}  // namespace glassformer
