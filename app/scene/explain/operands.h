#pragma once
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/explain.h"
#include "app/scene/scene_input.h"
#include "core/model/point_names.h"

namespace glassformer {

/// Reads the operands of one cell.
class Operands {
 public:
  Operands(const Snapshot& from, const Target& asked)
      : snapshot(from), target(asked), cell(asked.cell), sources(sourcesOf(from)), config(*from.config) {
    const bool encoder = cell.tensor.starts_with("encoder.") || cell.tensor.starts_with("lens.encoder.");
    stream = encoder ? Stream::Source : Stream::Text;
    for (const std::string_view stack : {"blocks.", "encoder.", "decoder."})
      if (cell.tensor.starts_with(stack) &&
          std::isdigit(static_cast<unsigned char>(cell.tensor[stack.size()])))
        layer = std::stoi(cell.tensor.substr(stack.size()));
    const bool across = cell.tensor.find("cross_attn") != std::string::npos;
    site = across                     ? AttentionSite::Across
           : stream == Stream::Source ? AttentionSite::Encoder
                                      : ownSite(config);
  }

  /// Of the stack that the cell belongs to.
  std::string block(int of, const std::string& point) const { return blockPoint(config, of, point, stream); }
  std::string stack(const std::string& point) const { return stackPoint(config, point, stream); }
  /// Of the attention that the cell belongs to.
  std::string attention(const char* point) const { return attentionPoint(layer, site, point); }
  float at(const std::string& tensor, std::array<int, maxRank> index) const {
    return valueOf(sources, {tensor, index}).value_or(std::nanf(""));
  }
  float here(const std::string& point, std::array<int, maxRank> index) const {
    return at(block(layer, point), index);
  }
  float same(const std::string& point) const {
    return here(point, cell.index);
  }  ///< same index, other tensor
  int extent(const std::string& tensor, int dimension) const {
    const auto found = sources.find(tensor);
    return found ? found->extent[static_cast<std::size_t>(dimension)] : 0;
  }

  const Snapshot& snapshot;
  const Target& target;
  const TensorRef& cell;
  TensorSources sources;
  const ModelConfig& config;
  Stream stream = Stream::Text;
  AttentionSite site = AttentionSite::Only;
  int layer = -1;
};

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
std::span<const ExplanationRule> mixingRules();  ///< of recurrence and convolution
std::span<const ExplanationRule> residualRules();
std::span<const ExplanationRule> nextTokenRules();
std::span<const ExplanationRule> positionRules();
std::span<const ExplanationRule> influenceRules();
std::span<const ExplanationRule> trainingRules();
std::span<const ExplanationRule> beamRules();

}  // namespace glassformer
