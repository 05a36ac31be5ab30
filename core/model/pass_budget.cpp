#include "core/model/pass_budget.h"

#include <atomic>

namespace glassformer {
namespace {
std::atomic<double> budget{usualPassBudget};
std::atomic<double> shownBytes{0}, besideBytes{0};
}  // namespace

double passBudget() { return budget; }
void setPassBudget(double bytes) { budget = bytes; }

CountedPass::CountedPass(double bytes, bool isShown) : bytes_(bytes), isShown_(isShown) {
  (isShown_ ? shownBytes : besideBytes) += bytes_;
}
CountedPass::~CountedPass() { (isShown_ ? shownBytes : besideBytes) -= bytes_; }

double CountedPass::shown() { return shownBytes; }
double CountedPass::beside() { return besideBytes; }

}  // namespace glassformer
