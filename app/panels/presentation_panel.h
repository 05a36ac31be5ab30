#pragma once
#include "app/panels/panel.h"

namespace glassformer {

/// What stands below the stage in a presentation: the text, the view, and for a moment the way out.
class PresentationPanel : public Panel {
 public:
  PresentationPanel() : Panel("Presentation") {}
  /// Shows the way out again.
  void begin(double seconds) { began_ = seconds; }

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  double began_ = 0;
};

}  // namespace glassformer
