#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// A place along the residual stream. Letter P counts them: the embedding, then one after every sublayer.
struct ResidualPlace {
  std::string
      label;  ///< "embed", "0 attn" (or "0 recurrence", "0 convolution"), "0 cross", "0 mlp", "1 attn", ...
  std::string
      point;  ///< the trace point that holds it: hook_embed_sum, blocks.i.hook_resid_pre, hook_resid_mid, ...
  std::string
      passedOn;  ///< what the next sublayer finds: the same, or normalized where norms come after the sum
  std::string normScale;  ///< the scale of the norm that reads or follows there; empty where there is none
};
/// Of the text's stack, or of the encoder.
std::vector<ResidualPlace> residualPlaces(const Transformer& model, Stream stream = Stream::Text);

/// How often a block adds to the stream.
int sumsPerBlock(const ModelConfig& config, Stream stream);

/// The points of all of them, whatever of a pass is kept.
std::vector<std::string> residualPoints(const ModelConfig& config, Stream stream = Stream::Text);

/// Whether the stream is the sum of what its sublayers add, so that it can be taken apart: not where sums are
/// normalized, the residual is taken from a norm, or there is none.
bool isSumOfParts(const ModelConfig& config);
/// Whether a logit, before it is capped, is one, too, the final norm's σ held fixed: not where a layer stands
/// before the unembedding.
bool isLogitSumOfParts(const ModelConfig& config);

/// What a measurement of a stack's residual stream is called: "lens.residual_norm", of the encoder
/// "lens.encoder.residual_norm".
std::string residualMeasurement(std::string_view name, Stream stream);

/// Adds, of the text's stack or of the encoder, lens.residual_norm [P, T] (‖x‖ of each token at each place),
/// lens.attention_norm [L, T] (or lens.recurrence_norm, lens.convolution_norm), lens.cross_attention_norm [L,
/// T] and lens.mlp_norm [L, T] (how much each adds, where there is one); with residual connections also
/// lens.attention_share [L, T] and so on, the same as a share of the length of what it is added to.
void measureResidualStream(const Transformer& model, const Trace& trace, TensorSet& measurements,
                           Stream stream = Stream::Text);

/// Adds lens.norm_scale [P, T]: 1 / σ of the norm at each place, by which it stretches each token's residual
/// stream; NaN where there is none.
void measureNormScales(const Transformer& model, const Trace& trace, TensorSet& measurements,
                       Stream stream = Stream::Text);

}  // namespace glassformer
