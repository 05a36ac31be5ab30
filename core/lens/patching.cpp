#include "core/lens/patching.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace glassformer {

namespace {

// Puts these in the place of what the part selects of a point [T, D] or [T, H, K].
Intervention withNumbers(Intervention part, const TensorView& shapedAs, std::vector<float> numbers) {
  part.kind = InterventionKind::Replace;
  part.tensor = std::make_shared<Tensor>(
      Tensor(std::span(shapedAs.extent.data(), static_cast<std::size_t>(shapedAs.rank)), std::move(numbers)));
  return part;
}

}  // namespace

Intervention patchAt(const Trace& here, const Trace& other, const std::string& point, int position,
                     int from) {
  const TensorView values = here[point];
  auto tensor = std::make_shared<Tensor>(Tensor({values.extent[0], values.extent[1]}));
  std::copy_n(&other[point](from, 0), values.extent[1], &(*tensor)(position, 0));
  Intervention patch{.point = point, .kind = InterventionKind::Replace};
  patch.index[0] = position;
  patch.tensor = std::move(tensor);
  return patch;
}

Intervention patchOfPart(const Trace& here, const Trace& other, Intervention part,
                         const Alignment& alignment) {
  const TensorView own = here[part.point];
  std::vector<float> numbers = own.copy();
  const std::vector<float> theirs = other[part.point].copy();
  const std::size_t row = numbers.size() / static_cast<std::size_t>(own.extent[0]);
  for (const auto& [a, b] : alignment.columns)
    if (a >= 0 && b >= 0)
      std::copy_n(theirs.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(b) * row), row,
                  numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(a) * row));
  return withNumbers(std::move(part), own, std::move(numbers));
}

Intervention patchOfHead(const Trace& here, const Trace& other, const std::string& point, int head,
                         const Alignment& alignment) {
  Intervention part{.point = point};
  part.index[1] = head;
  return patchOfPart(here, other, std::move(part), alignment);
}

Intervention heldAtMean(const Trace& here, Intervention part) {
  const TensorView own = here[part.point];
  std::vector<float> numbers = own.copy();
  const auto positions = static_cast<std::size_t>(own.extent[0]);
  const std::size_t row = numbers.size() / positions;
  for (std::size_t d = 0; d < row; ++d) {
    double sum = 0;
    for (std::size_t t = 0; t < positions; ++t) sum += static_cast<double>(numbers[t * row + d]);
    const auto mean = static_cast<float>(sum / static_cast<double>(positions));
    for (std::size_t t = 0; t < positions; ++t) numbers[t * row + d] = mean;
  }
  return withNumbers(std::move(part), own, std::move(numbers));
}

float lead(const Trace& trace, int position, int answer, int other) {
  const TensorView logits = trace["logits"][position];
  return logits(answer) - (other == answer ? 0 : logits(other));
}

Derivation derivedLead(const Trace& trace, int position, int answer, int other) {
  const TensorView logits = trace["logits"][position];
  Derivation ahead{.terms = {{&logits(answer)}}};
  if (other != answer) ahead.terms.push_back({&logits(other), nullptr, -1});
  return ahead;
}

}  // namespace glassformer
