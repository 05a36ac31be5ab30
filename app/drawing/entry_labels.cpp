#include "app/drawing/entry_labels.h"

#include "app/drawing/scene_input.h"

namespace glassformer {

EntryLabels::EntryLabels(const Snapshot& snapshot, std::string tensor, std::size_t positionDimension)
    : tensor_(std::move(tensor)), dimension_(positionDimension), vocabulary_(snapshot.model->vocabulary) {
  own_ = sourcesOf(snapshot.isDifference() ? *snapshot.sides->a : snapshot);
  if (!snapshot.isDifference()) return;
  other_ = sourcesOf(*snapshot.sides->b);
  alignment_ = snapshot.sides->alignments.text;
}

int EntryLabels::entryOf(const TensorSources& sources, std::array<int, maxRank> index, int position) const {
  index[dimension_] = position;
  const auto entry = position < 0 ? std::nullopt : valueOf(sources, {tensor_, index});
  return entry ? static_cast<int>(*entry) : -1;
}

std::string EntryLabels::operator()(std::array<int, maxRank> index) const {
  const auto label = [&](int entry) {
    return entry < 0 || !vocabulary_ ? std::string() : labelOfEntry(*vocabulary_, entry);
  };
  const int position = index[dimension_];
  if (alignment_.count() == 0) return label(entryOf(own_, index, position));
  const int a = entryOf(own_, index, alignment_[position].a),
            b = entryOf(other_, index, alignment_[position].b);
  if (a == b || b < 0) return label(a);
  return a < 0 ? label(b) : label(a) + "|" + label(b);
}

}  // namespace glassformer
