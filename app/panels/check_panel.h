#pragma once
#include <optional>

#include "app/engine/model_check.h"
#include "app/panels/overlay.h"
#include "app/panels/row_list.h"

namespace glassformer {

/// What another implementation computed, held against the model here: the error of every trace point in the
/// order of the pass, the first that diverges, and what explains it.
class CheckPanel : public Overlay {
 public:
  CheckPanel() : Overlay("Check") {}
  void begin(ModelCheck check);

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;

 private:
  void showPoint(Ui& ui, const PointCheck& point, Box row) const;
  std::vector<std::string> verdict() const;

  std::optional<ModelCheck> check_;
  RowList rows_;
};

}  // namespace glassformer
