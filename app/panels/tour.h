#pragma once
#include <functional>

#include "app/panels/layout.h"
#include "app/panels/panel.h"

namespace glassformer {

/// Six short steps on the real interface, for a first start: each outlines a region and says in two sentences
/// what it is for. What a step speaks of, it opens. Everything stays usable meanwhile.
class Tour : public Panel {
 public:
  Tour() : Panel("Tour") {}

  static int stepCount();
  static const char* words(int step);
  void begin() { step_ = 0, entered_ = true; }
  void end() { step_ = none; }
  bool running() const { return step_ != none; }
  int step() const { return step_; }
  void show(Ui& ui, const Layout& layout, Point window);

 protected:
  void content(Ui& ui, const Box& area) override;
  Rgba background(const Theme& theme) const override { return theme.raised; }

 private:
  static constexpr int none = -1;
  int step_ = none;
  bool entered_ = false;  // in this frame: what it speaks of is to be opened
};

}  // namespace glassformer
