#pragma once

namespace glassformer {

inline constexpr double usualPassBudget = 2e9;

/// How many bytes two passes that are kept to be looked at may take together, the one that is looked at and
/// the next; where they would take more, less of them is kept (core/model/memory_need.h: retainedWithin()).
/// It is the program's, as its memory is, and may be asked and set from any thread.
double passBudget();
void setPassBudget(double bytes);

}  // namespace glassformer
