#pragma once
#include "app/panels/overlay.h"

namespace glassformer {

/// The map of keys: every action that has one, by group.
class KeyMapPanel : public Overlay {
 public:
  KeyMapPanel() : Overlay("Keys") {}

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  float scroll_ = 0;
};

}  // namespace glassformer
