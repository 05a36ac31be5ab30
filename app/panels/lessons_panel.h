#pragma once
#include "app/panels/overlay.h"

namespace glassformer {

/// The lessons there are: what each is about, for whom, how long it takes.
class LessonsPanel : public Overlay {
 public:
  LessonsPanel() : Overlay("Lessons") {}

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;
  void reset() override { chosen_ = first_ = 0; }

 private:
  void row(Ui& ui, const Box& box, int i);

  int chosen_ = 0, first_ = 0;
};

}  // namespace glassformer
