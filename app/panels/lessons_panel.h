#pragma once
#include "app/panels/overlay.h"
#include "app/panels/row_list.h"

namespace glassformer {

/// The lessons and lectures there are: what each is about, for whom, how far one is.
class LessonsPanel : public Overlay {
 public:
  LessonsPanel() : Overlay("Lessons") {}

 protected:
  Box place(const Ui& ui, Point window) const override;
  Point leastWindow() const override { return {760, 480}; }
  void content(Ui& ui, const Box& area) override;
  void reset() override { rows_.begin(); }

 private:
  void row(Ui& ui, const Box& box, const std::shared_ptr<const Lesson>& lesson, int i);

  RowList rows_;
};

}  // namespace glassformer
