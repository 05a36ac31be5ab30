#include "core/trace/tensor_set.h"

#include <cassert>

namespace glassformer {

int TensorSet::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? -1 : found->second;
}

TensorView TensorSet::operator[](std::string_view name) const {
  const int i = find(name);
  assert(i >= 0 && "no tensor of that name");
  return tensor(i);
}

std::optional<TensorSet::Located> TensorSet::locate(Cell cell) const {
  for (int i = 0; i < count(); ++i)
    if (const auto index = tensors_[static_cast<std::size_t>(i)].indexOf(cell)) return Located{i, *index};
  return std::nullopt;
}

std::optional<Derivation> TensorSet::derive(const std::string& name,
                                            const std::array<int, maxRank>& index) const {
  const int i = find(name);
  const bool isKnown = i >= 0 && derivations_[static_cast<std::size_t>(i)];
  return isKnown ? derivations_[static_cast<std::size_t>(i)](index) : std::nullopt;
}

OpenPasses TensorSet::across(const std::string& name, const std::array<int, maxRank>& index) const {
  const int i = find(name);
  const bool isKnown = i >= 0 && across_[static_cast<std::size_t>(i)];
  return isKnown ? across_[static_cast<std::size_t>(i)](index) : OpenPasses();
}

void TensorSet::add(TracePoint point, TensorView tensor, std::shared_ptr<const void> owner) {
  assert(static_cast<int>(point.letters.size()) == tensor.rank);
  assert(!contains(point.name));
  index_.emplace(point.name, count());
  points_.push_back(std::move(point));
  tensors_.push_back(tensor);
  owners_.push_back(std::move(owner));
  derivations_.emplace_back();
  across_.emplace_back();
}

void TensorSet::add(TracePoint point, Tensor tensor, DerivationOf derivation) {
  const auto owned = std::make_shared<const Tensor>(std::move(tensor));
  add(std::move(point), owned->view(), owned);
  derivations_.back() = std::move(derivation);
}

void TensorSet::addAcross(TracePoint point, Tensor tensor, AcrossOf across) {
  add(std::move(point), std::move(tensor));
  across_.back() = std::move(across);
}

}  // namespace glassformer
