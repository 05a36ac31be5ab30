#pragma once
#include "app/panels/panel.h"

namespace glassformer {

/// Model, views, layer stepper, undo and redo, zoom, theme.
class TopBar : public Panel {
 public:
  TopBar() : Panel("Top bar") {}
  static constexpr float drawerBelow = 1280;  ///< window width below which the inspector is a drawer

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showModel(Ui& ui, const Box& box);
  void showViews(Ui& ui, Box box);
  void showStepper(Ui& ui, Box box);
  void showDrawerButton(Ui& ui, const Box& box);
  void showTools(Ui& ui, Box box);
};

/// Moves the layer stepper by so many steps, stopping at its ends.
void moveStep(Ui& ui, int by);
void setZoom(Ui& ui, float zoom);
void toggleTheme(Ui& ui);
void toggleInspector(Ui& ui);

}  // namespace glassformer
