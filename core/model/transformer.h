#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/model/pass.h"

namespace glassformer {

/// A transformer: its shape and its weights. Immutable while it is looked at; training owns the weights it
/// changes.
class Transformer {
 public:
  Transformer(ModelConfig config, Parameters parameters);
  /// One whose weights are elsewhere: its shape, and those points of a pass that are known. It can be asked
  /// for nothing that is computed.
  Transformer(ModelConfig config, std::vector<std::string> points);

  const ModelConfig& config() const { return config_; }
  const Parameters& parameters() const { return parameters_; }
  Parameters& parameters() { return parameters_; }
  bool hasWeights() const { return parameters_.count() > 0; }
  /// P [C, D], added to the embeddings of the text: learned or given; nothing where the encoding adds
  /// nothing, or the weights are elsewhere.
  std::optional<TensorView> positionTable() const;
  /// W_Uᵀ [V, D]: the embedding again where they are tied.
  TensorView unembedding() const;

  /// The names of what its forward pass records, in the order in which it comes about: what there is to look
  /// at, known before anything is computed.
  const std::vector<std::string>& points() const { return points_; }

  /// Writes the forward pass onto a tape: from tokens to logits [R, V], one row per token of the text; and
  /// where the config has classes, to their logits beside these, the pass's point classLogits [R, classes].
  Value forward(Pass& pass) const;
  /// The end of it alone: from a stream as the last block leaves it [R, D], the final norm included, to
  /// logits [R, V].
  Value readOut(Pass& pass, const Value& stream) const { return toLogits(pass, finish(pass, "", stream)); }

 private:
  Value embed(Pass& pass, const std::string& weights, Stream stream) const;
  std::vector<Value> encode(Pass& pass) const;
  Value decode(Pass& pass, const std::string& blocks, const std::vector<Value>& memories) const;
  Value finish(Pass& pass, const std::string& weights, const Value& x) const;
  Value toLogits(Pass& pass, const Value& normalized) const;

  ModelConfig config_;
  Parameters parameters_;
  std::shared_ptr<const Tensor> givenPositions_;  // null: learned, or none
  std::vector<std::string> points_;
};

/// One without numbers, on which passes are recorded that are never run: how many positions there could be
/// changes no row, so it has few.
Transformer modelOfShapes(const ModelConfig& config);

}  // namespace glassformer
