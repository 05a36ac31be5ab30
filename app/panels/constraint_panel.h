#pragma once
#include <string>
#include <vector>

#include "app/panels/overlay.h"
#include "core/decode/candidates.h"
#include "core/decode/constraint_check.h"

namespace glassformer {

/// What the continuation has to be: a pattern that it matches, and tokens that are not in it. The likeliest
/// tokens show at once what that leaves.
class ConstraintPanel : public Overlay {
 public:
  ConstraintPanel() : Overlay("Constraint") {}
  void begin(const Workspace& workspace);

 protected:
  Box place(const Ui& ui, Point window) const override;
  bool veils() const override { return false; }
  void content(Ui& ui, const Box& area) override;

 private:
  // The likeliest tokens behind the text, then those that fit and are not among them.
  struct Row {
    Candidate candidate;
    bool fits = false, isBanned = false;
  };
  void showPattern(Ui& ui, Box& rest);
  void showDeadEnd(Ui& ui, const Box& line, const DeadEnd& end);
  void showRows(Ui& ui, Box& rest);
  void showBanned(Ui& ui, Box rest);
  void showRow(Ui& ui, const Row& row, const Box& box);
  void showActions(Ui& ui, Box row);
  void set(Ui& ui, std::string pattern, std::string behind);
  void look(const Ui& ui);

  std::string typed_, problem_;  // the problem: why what was typed is no pattern
  std::vector<Row> rows_;
  int fitting_ = 0;
  std::optional<ConstraintStanding> standing_;  // of the pattern behind the text
  // What they were made for.
  std::shared_ptr<const Trace> trace_;
  Constraint constraint_;
};

}  // namespace glassformer
