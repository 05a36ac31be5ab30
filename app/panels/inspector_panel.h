#pragma once
#include "app/panels/panel.h"

namespace glassformer {

/// The right region: the number the pointer is on, or was on last: value, name, index, meaning and equation.
class InspectorPanel : public Panel {
 public:
  InspectorPanel() : Panel("Inspector") {}

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  void showNumber(Ui& ui, Box& rest);

  Target last_;  // stays when the pointer leaves, so that its text can be read
};

}  // namespace glassformer
