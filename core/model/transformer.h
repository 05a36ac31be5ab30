#pragma once
#include <memory>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/model/pass.h"

namespace glassformer {

/// A decoder-only transformer: its shape and its weights. Immutable while it is looked at; training owns the
/// weights it changes.
class Transformer {
 public:
  Transformer(ModelConfig config, Parameters parameters);

  const ModelConfig& config() const { return config_; }
  const Parameters& parameters() const { return parameters_; }
  Parameters& parameters() { return parameters_; }
  /// P [C, D]: the learned table, or the sinusoids.
  TensorView positionTable() const;
  /// W_Uᵀ [V, D]: the embedding again where they are tied.
  TensorView unembedding() const;

  /// Writes the forward pass onto a tape: from tokens to logits [R, V].
  Value forward(Pass& pass) const;

 private:
  ModelConfig config_;
  Parameters parameters_;
  std::shared_ptr<const Tensor> sinusoids_;
};

/// p[t, 2i] = sin(t / 10000^(2i/D)), p[t, 2i+1] = cos(t / 10000^(2i/D)) (Vaswani et al. 2017, section 3.5).
/// [C, D]
Tensor sinusoidalPositions(int context, int width);

}  // namespace glassformer
