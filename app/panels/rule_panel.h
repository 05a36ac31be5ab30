#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/panels/overlay.h"
#include "core/lens/attention_rule.h"
#include "core/lens/head_id.h"

namespace glassformer {

/// Attention rules for the selected head: those that have a name, and the one that is drawn on the matrix,
/// each with its overlap on the open text. One of them can take the place of the head's pattern.
class RulePanel : public Overlay {
 public:
  RulePanel() : Overlay("Hypothesis") {}

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  // A rule with its overlap; NaN: it names no key of this text.
  struct Row {
    std::string id, meaning;
    float agreement = 0;
  };
  void showRow(Ui& ui, const Row& row, const Box& box);
  void showElsewhere(Ui& ui, Box row);
  void showActions(Ui& ui, Box row);
  void measure(const Ui& ui);

  std::vector<Row> rows_;
  // What they were measured on.
  std::shared_ptr<const Trace> trace_;
  HeadId head_{-1, -1};
  std::string drawn_;
};

}  // namespace glassformer
