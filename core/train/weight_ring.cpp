#include "core/train/weight_ring.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace glassformer {

namespace {
constexpr std::size_t fewest = 4, most = 1024;
}

WeightRing::WeightRing(std::size_t budget, std::size_t values)
    : values_(values),
      capacity_(std::clamp(budget / std::max<std::size_t>(1, values * sizeof(float)), fewest, most)) {}

void WeightRing::keep(int step, std::span<const float> weights) {
  assert(weights.size() == values_ && (kept_.empty() || step >= kept_.rbegin()->first));
  if (kept_.size() > 1 && !isDue(kept_.rbegin()->first)) kept_.erase(std::prev(kept_.end()));
  if (kept_.size() >= capacity_) thin();
  kept_[step] = std::make_shared<const AlignedVector>(weights.begin(), weights.end());
}

void WeightRing::thin() {
  while (kept_.size() >= capacity_) {
    interval_ *= 2;
    std::erase_if(kept_, [&](const auto& entry) { return !isDue(entry.first); });
  }
}

WeightRing::Weights WeightRing::at(int step) const {
  const auto after = kept_.upper_bound(step);
  return after == kept_.begin() ? nullptr : std::prev(after)->second;
}

int WeightRing::stepAt(int step) const {
  const auto after = kept_.upper_bound(step);
  return after == kept_.begin() ? -1 : std::prev(after)->first;
}

std::vector<int> WeightRing::steps() const {
  std::vector<int> steps;
  for (const auto& [step, weights] : kept_) steps.push_back(step);
  return steps;
}

}  // namespace glassformer
