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
#include "core/model/point_names.h"

namespace glassformer {

/// Reads the operands of one cell.
class Operands {
 public:
  Operands(const Snapshot& from, const Target& asked)
      : snapshot(from),
        target(asked),
        cell(asked.cell),
        sources(sourcesOf(from)),
        model(*from.model->transformer),
        config(*from.model->config) {
    const std::string_view lens = "lens.encoder.";
    if (placeOfPoint(cell.tensor).inEncoder() || cell.tensor.starts_with(lens)) stream = Stream::Source;
  }

  /// Of the stack that the cell belongs to.
  std::string block(int of, const std::string& point) const { return blockPoint(config, of, point, stream); }
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
  const Transformer& model;
  const ModelConfig& config;
  Stream stream = Stream::Text;
};

/// √Σ x² of what a tensor has along a dimension, from `first` on. `of`: what these numbers are.
Explanation lengthOf(const Operands& o, const std::string& tensor, std::array<int, maxRank> first,
                     int dimension, const std::string& of);
/// A number as it stands behind an operator: in brackets where it is negative.
std::string signedOperand(float value);
Explanation sum(float a, float b);
/// exp(x_i) / Σ exp(x), shifted by the maximum where the numbers would be too large to write.
Explanation softmax(const std::vector<float>& values, std::size_t chosen, const std::string& over);

/// How the numbers of one kind of tensor come about.
struct ExplanationRule {
  std::string_view part;  ///< the end of the tensor's name, or its beginning where more follows
  std::optional<Explanation> (*explain)(const Operands&);
};
/// The rules by family; the first that fits a name is taken.
std::span<const ExplanationRule> attentionRules();
std::span<const ExplanationRule> residualRules();
std::span<const ExplanationRule> nextTokenRules();
std::span<const ExplanationRule> positionRules();
std::span<const ExplanationRule> influenceRules();
std::span<const ExplanationRule> trainingRules();
std::span<const ExplanationRule> beamRules();

}  // namespace glassformer
