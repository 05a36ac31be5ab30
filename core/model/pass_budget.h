#pragma once

namespace glassformer {

inline constexpr double usualPassBudget = 2e9;

/// How many bytes two passes that are kept to be looked at may take together, the one that is looked at and
/// the next; where they would take more, less of them is kept (core/model/memory_need.h: retainedWithin()).
/// Passes that something is measured on beside these have what these leave.
/// It is the program's, as its memory is, and may be asked and set from any thread.
double passBudget();
void setPassBudget(double bytes);

/// Memory that a pass holds, counted for as long as this lives.
class CountedPass {
 public:
  /// `isShown`: it is there to be looked at; what is measured beside it has the rest of the budget.
  CountedPass(double bytes, bool isShown);
  ~CountedPass();
  CountedPass(const CountedPass&) = delete;
  CountedPass& operator=(const CountedPass&) = delete;

  /// What all such passes of the program hold, and what those that are not shown do.
  static double shown();
  static double beside();

 private:
  double bytes_;
  bool isShown_;
};

}  // namespace glassformer
