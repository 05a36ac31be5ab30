#include "core/train/step_ring.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace glassformer {

namespace {

constexpr std::size_t fewest = 4, most = 512;

std::size_t capacityFor(std::size_t budget, std::size_t bytes, std::size_t enough) {
  const std::size_t possible = budget / bytes, modest = budget / 6 / bytes;
  return std::clamp(std::max(modest, std::min(possible, enough)), fewest, most);
}

}  // namespace

StepRing::StepRing(std::size_t budget, std::size_t count, std::size_t enough)
    : count_(count),
      capacity_(capacityFor(budget, std::max<std::size_t>(1, count * sizeof(float)), enough)) {}

void StepRing::keep(int step, std::span<const float> values) {
  assert(values.size() == count_ && (kept_.empty() || step >= kept_.rbegin()->first));
  if (kept_.size() > 1 && !isDue(kept_.rbegin()->first)) kept_.erase(std::prev(kept_.end()));
  if (kept_.size() >= capacity_) thin();
  kept_[step] = std::make_shared<const AlignedVector>(values.begin(), values.end());
}

void StepRing::thin() {
  while (kept_.size() >= capacity_) {
    interval_ *= 2;
    std::erase_if(kept_, [&](const auto& entry) { return !isDue(entry.first); });
  }
}

StepRing::Values StepRing::at(int step) const {
  const auto after = kept_.upper_bound(step);
  return after == kept_.begin() ? nullptr : std::prev(after)->second;
}

int StepRing::stepAt(int step) const {
  const auto after = kept_.upper_bound(step);
  return after == kept_.begin() ? -1 : std::prev(after)->first;
}

int StepRing::stepShared(const StepRing& other, int atMost) const {
  int step = stepAt(atMost);
  while (step >= 0 && other.stepAt(step) != step) step = stepAt(step - 1);
  return step;
}

std::vector<int> StepRing::steps() const {
  std::vector<int> steps;
  for (const auto& [step, values] : kept_) steps.push_back(step);
  return steps;
}

}  // namespace glassformer
