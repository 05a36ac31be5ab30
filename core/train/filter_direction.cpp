#include "core/train/filter_direction.h"

#include <cmath>

#include "core/random.h"

namespace glassformer {

FilterShape::FilterShape(const ParameterSpec& spec) {
  if (spec.extent.size() != 2) return;
  const std::string_view name = spec.name;
  byRow_ = isTable(spec.name);
  const bool taps = name.ends_with("c_taps.weight");  // each [D, D]
  count_ = byRow_ || taps ? spec.extent[0] : spec.extent[1];
}

namespace {

std::vector<double> squaresOf(const TensorView& matrix, const FilterShape& filters) {
  std::vector<double> squares(static_cast<std::size_t>(filters.count()));
  matrix.forEach([&](const auto& index, float w) {
    squares[static_cast<std::size_t>(filters.at(index[0], index[1]))] += static_cast<double>(w) * w;
  });
  return squares;
}

}  // namespace

Parameters filterNormalizedDirection(const Parameters& weights, std::uint64_t seed) {
  std::vector<ParameterSpec> specs;
  for (int i = 0; i < weights.count(); ++i) specs.push_back(weights.spec(i));
  Parameters direction(std::move(specs));
  for (int i = 0; i < weights.count(); ++i) {
    const FilterShape filters(weights.spec(i));
    if (filters.count() == 0) continue;
    const TensorView drawn = direction.view(i);
    float* const values = direction.values().data() + direction.offset(i);
    Random random(mix(mix(seed) + static_cast<std::uint64_t>(i)));
    for (std::int64_t j = 0; j < drawn.size(); ++j) values[j] = static_cast<float>(random.normal());
    const std::vector<double> own = squaresOf(drawn, filters), wanted = squaresOf(weights.view(i), filters);
    drawn.forEach([&, at = values](const auto& index, float) mutable {
      const auto filter = static_cast<std::size_t>(filters.at(index[0], index[1]));
      *at++ *= static_cast<float>(std::sqrt(wanted[filter] / own[filter]));
    });
  }
  return direction;
}

}  // namespace glassformer
