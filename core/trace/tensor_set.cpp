#include "core/trace/tensor_set.h"

#include <cassert>

namespace glassformer {

void TracePoints::add(TracePoint point) {
  places.emplace(point.name, static_cast<int>(all.size()));
  all.push_back(std::move(point));
}

int TensorSet::find(std::string_view name) const {
  const auto found = points_->places.find(std::string(name));
  // Of points that were described before, those behind the last tensor are not in the set.
  return found == points_->places.end() || found->second >= count() ? -1 : found->second;
}

TensorView TensorSet::operator[](std::string_view name) const {
  const int i = find(name);
  assert(i >= 0 && "no tensor of that name");
  return tensor(i);
}

void TensorSet::lookAt(std::string_view name, const std::function<void(const TensorView&)>& look) const {
  const int i = find(name);
  assert(i >= 0 && "no tensor of that name");
  const TensorView& tensor = tensors_[static_cast<std::size_t>(i)];
  makeFor(tensor.data, [&] { look(tensor); });
}

std::optional<TensorSet::Located> TensorSet::locate(Cell cell) const {
  for (int i = 0; i < count(); ++i)
    if (const auto index = tensors_[static_cast<std::size_t>(i)].indexOf(cell)) return Located{i, *index};
  return std::nullopt;
}

std::optional<Derivation> TensorSet::derive(const std::string& name,
                                            const std::array<int, maxRank>& index) const {
  const auto known = derivations_.find(find(name));
  return known == derivations_.end() ? std::nullopt : known->second(index);
}

OpenPasses TensorSet::across(const std::string& name, const std::array<int, maxRank>& index) const {
  const auto known = across_.find(find(name));
  return known == across_.end() ? OpenPasses() : known->second(index);
}

void TensorSet::add(TracePoint point, TensorView tensor, std::shared_ptr<const void> owner) {
  assert(static_cast<int>(point.letters.size()) == tensor.rank);
  assert(!contains(point.name) && points_->all.size() == tensors_.size());
  if (points_.use_count() > 1) points_ = std::make_shared<TracePoints>(*points_);
  points_->add(std::move(point));
  tensors_.push_back(tensor);
  owners_.push_back(std::move(owner));
}

void TensorSet::add(TracePoint point, Tensor tensor, DerivationOf derivation) {
  const auto owned = std::make_shared<const Tensor>(std::move(tensor));
  add(std::move(point), owned->view(), owned);
  if (derivation) derivations_.emplace(count() - 1, std::move(derivation));
}

void TensorSet::addAcross(TracePoint point, Tensor tensor, AcrossOf across, DerivationOf derivation) {
  add(std::move(point), std::move(tensor), std::move(derivation));
  if (across) across_.emplace(count() - 1, std::move(across));
}

void TensorSet::addMissing(const TensorSet& other) {
  for (int i = 0; i < other.count(); ++i) {
    if (contains(other.point(i).name)) continue;
    add(other.point(i), other.tensor(i), other.owners_[static_cast<std::size_t>(i)]);
    const auto derivation = other.derivations_.find(i);
    if (derivation != other.derivations_.end()) derivations_.emplace(count() - 1, derivation->second);
    const auto across = other.across_.find(i);
    if (across != other.across_.end()) across_.emplace(count() - 1, across->second);
  }
}

}  // namespace glassformer
