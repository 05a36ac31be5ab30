#include "app/engine/snapshot.h"

#include <algorithm>

namespace glassformer {

int Snapshot::positionOr(int chosen, Stream stream) const {
  const int last = countOf(stream) - 1;
  if (chosen >= 0 && chosen <= last) return chosen;
  if (stream == Stream::Source || maskToken < 0 || chosen > last) return last;
  const std::vector<int>& read = trace->tokens();
  const auto masked = std::find(read.begin(), read.end(), maskToken);
  return masked == read.end() ? last : static_cast<int>(masked - read.begin());
}

}  // namespace glassformer
