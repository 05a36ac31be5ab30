#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/model/config.h"
#include "core/model/pass.h"
#include "core/model/point_names.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

class Transformer;

/// What the named values of a pass are: letters, one line, and the equation that was recorded for them. The
/// names are TransformerLens's, unchanged, so that an exported trace opens in the tools people already use.
class Catalogue {
 public:
  /// `pass`: written down by this model's forward pass; all three outlive the catalogue.
  Catalogue(const Pass& pass, const TensorSet& weights, const ModelConfig& config)
      : pass_(pass), weights_(weights), config_(config) {}

  TracePoint describe(const NamedValue& point) const;
  /// "q · kᵀ / √K": how a value comes about, in the words of the trace point of that name.
  std::string equation(const Value& value, const std::string& point) const;

 private:
  std::optional<std::string> nameIn(const std::string& scope, const std::string& primes, Cell cell) const;
  const NamedValue* pointAt(Cell cell, const std::string& scope) const;
  bool repeatsAnother(const NamedValue& point) const;

  const Pass& pass_;
  const TensorSet& weights_;
  const ModelConfig& config_;
};

/// A trace point as it would be of a pass over so many tokens, but for how it was computed: in place of an
/// equation it has its symbol.
struct DescribedPoint {
  TracePoint point;
  std::vector<int> extent;
};
/// Every point of such a model's passes, in the order in which they come about.
std::vector<DescribedPoint> describedPoints(const ModelConfig& config, int tokens, int source = 0);

/// What equations call a weight, by its name in files: "W_Q". In one matrix for several, `column` decides.
/// γ and β carry as many primes as what they normalize.
std::string symbolOfWeight(const std::string& name, int column, const std::string& primes,
                           const ModelConfig& config);

/// The weights under their names in files, "h.0.attn.c_attn.weight", and the given positions as "positions".
std::shared_ptr<const TensorSet> namedWeights(const std::shared_ptr<const Transformer>& model);

}  // namespace glassformer
