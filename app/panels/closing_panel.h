#pragma once
#include "app/panels/overlay.h"

namespace glassformer {

/// Asked before the window is closed while a model is being trained.
class ClosingPanel : public Overlay {
 public:
  ClosingPanel() : Overlay("Close Glassformer?") {}

  bool isConfirmed() const { return confirmed_; }

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  bool confirmed_ = false;
};

}  // namespace glassformer
