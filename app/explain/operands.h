#pragma once
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/drawing/scene_input.h"
#include "app/explain/explain.h"

namespace glassformer {

/// Reads the operands of one cell.
class Operands {
 public:
  Operands(const Snapshot& from, const Target& asked)
      : snapshot(from), target(asked), cell(asked.cell), sources(sourcesOf(from)) {}

  float at(const std::string& tensor, std::array<int, maxRank> index) const {
    return valueOf(sources, {tensor, index}).value_or(std::nanf(""));
  }
  int extent(const std::string& tensor, int dimension) const {
    const auto found = sources.find(tensor);
    return found ? found->extent[static_cast<std::size_t>(dimension)] : 0;
  }

  const Snapshot& snapshot;
  const Target& target;
  const TensorRef& cell;
  TensorSources sources;
};

/// How the numbers of one kind of tensor come about.
struct ExplanationRule {
  std::string_view part;  ///< the tensor's name, or its beginning, with a dot, where more follows
  std::optional<Explanation> (*explain)(const Operands&);
};
/// The rules by family; the first that fits a name is taken.
std::span<const ExplanationRule> trainingRules();
std::span<const ExplanationRule> beamRules();

}  // namespace glassformer
