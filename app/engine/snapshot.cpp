#include "app/engine/snapshot.h"

#include <algorithm>

namespace glassformer {

int positionAmong(std::span<const int> tokens, int chosen, int maskToken) {
  const int last = static_cast<int>(tokens.size()) - 1;
  if (chosen >= 0) return std::min(chosen, last);
  if (maskToken < 0) return last;
  const auto masked = std::find(tokens.begin(), tokens.end(), maskToken);
  return masked == tokens.end() ? last : static_cast<int>(masked - tokens.begin());
}

int Snapshot::positionOr(int chosen, Stream stream) const {
  const auto& trace = pass->trace;
  if (!trace) return -1;
  const bool isSource = stream == Stream::Source;
  return positionAmong(isSource ? trace->source() : trace->tokens(), chosen,
                       isSource ? -1 : model->maskToken);
}

}  // namespace glassformer
