#include "core/model/transformer.h"

#include <cassert>
#include <cmath>
#include <string>

#include "core/model/block.h"
#include "core/tensor/operations/embedding.h"
#include "core/tensor/operations/linear.h"

namespace glassformer {

Transformer::Transformer(ModelConfig config, Parameters parameters)
    : config_(config), parameters_(std::move(parameters)) {
  assert(validate(config_));
  if (config_.positions == PositionalEncoding::Sinusoidal)
    sinusoids_ = std::make_shared<const Tensor>(sinusoidalPositions(config_.context, config_.width));
}

TensorView Transformer::positionTable() const {
  return sinusoids_ ? sinusoids_->view() : parameters_["wpe.weight"];
}

TensorView Transformer::unembedding() const {
  return parameters_[config_.tiedUnembedding ? "wte.weight" : "lm_head.weight"];
}

Value Transformer::forward(Pass& pass) const {
  Tape& tape = pass.tape();
  const Weight embedding = pass.weight("wte.weight");
  const Weight positions = sinusoids_
                               ? Weight{sinusoids_->view().data, nullptr, config_.context, config_.width}
                               : pass.weight("wpe.weight");

  const Value embedded = pass.point("hook_embed", embedTokens(tape, embedding));       // [T, D]
  const Value placed = pass.point("hook_pos_embed", embedPositions(tape, positions));  // [T, D]
  Value x = pass.drop(add(tape, embedded, placed));                                    // [T, D]

  for (int layer = 0; layer < config_.layers; ++layer)
    x = pass.within("blocks." + std::to_string(layer) + ".",
                    [&] { return block(pass, config_, "h." + std::to_string(layer) + ".", x); });

  const Value normalized = normalize(pass, config_, "ln_f", "ln_final", x);  // [T, D]
  const Weight unembedding = config_.tiedUnembedding ? embedding : pass.weight("lm_head.weight");
  return pass.point("logits", unembed(tape, normalized, unembedding));  // [T, V]
}

Tensor sinusoidalPositions(int context, int width) {
  Tensor table({context, width});
  for (int t = 0; t < context; ++t)
    for (int j = 0; j < width; ++j) {
      const double angle = t / std::pow(10000.0, (j - j % 2) / static_cast<double>(width));
      table(t, j) = static_cast<float>(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return table;
}

}  // namespace glassformer
