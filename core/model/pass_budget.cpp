#include "core/model/pass_budget.h"

#include <atomic>

namespace glassformer {
namespace {
std::atomic<double> budget{usualPassBudget};
}

double passBudget() { return budget; }
void setPassBudget(double bytes) { budget = bytes; }

}  // namespace glassformer
