#pragma once
#include "app/panels/overlay.h"

namespace glassformer {

/// Everything that can be undone and redone, by name and in order; a click goes there.
class HistoryPanel : public Overlay {
 public:
  HistoryPanel() : Overlay("History") {}

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  int first_ = 0;  // row on top
};

}  // namespace glassformer
