#pragma once
#include "app/panels/panel.h"

namespace glassformer {

/// Lies in the place of what a prediction is to be made of, until it is made.
class CoverPanel : public Panel {
 public:
  using Panel::Panel;

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.ground; }
};

}  // namespace glassformer
