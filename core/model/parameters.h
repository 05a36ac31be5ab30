#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// One weight as Hugging Face's GPT-2 names it. Matrices are [in, out], so that y = x · W + b.
struct ParameterSpec {
  std::string name;         ///< "h.0.attn.c_attn.weight"
  std::vector<int> extent;  ///< rank 1 or 2
};

/// Every parameter a config needs, in file order. GPT-2's: wte [V,D], wpe [C,D] (learned positions only), per
/// layer h.i.{ln_1, attn.c_attn [D,3D], attn.c_proj [D,D], ln_2, mlp.c_fc [D,F], mlp.c_proj [F,D]}.{weight,
/// bias}, ln_f, lm_head.weight [V,D] (untied only). An encoder-decoder's decoder has h.i.ln_cross_attn and
/// h.i.crossattention.{q_attn, c_attn, c_proj} besides, and its encoder is a stack named "encoder.h.i. ...".
/// In place of h.i.attn a recurrence has h.i.recurrence.{c_input [D,D], c_state.weight [D,D] (no bias),
/// c_proj [D,D]}, a convolution h.i.convolution.c_taps.{weight [D,J·D], bias [D]}, tap after tap; a
/// depthwise one h.i.convolution.c_depthwise.{weight [J,D], bias [D]}, a bottleneck h.i.convolution.{c_reduce
/// [D,B], c_taps [B,J·B], c_proj [B,D]}.{weight, bias}. With one residual around a block it has no ln_1.
/// Where the config has them: norms behind sublayers h.i.{ln_1_post, ln_2_post}, wtt [Z,D] of token types,
/// ln_embed, the layer before the unembedding head.{c_fc [D,D], ln_head}, lm_head.bias [V], and the head for
/// classes score.weight, one row each.
std::vector<ParameterSpec> parameterSpecs(const ModelConfig& config);

/// Whether its rows are tokens, positions, types or classes, one vector each: wte, wpe, wtt, lm_head.weight,
/// score.weight. All other matrices are multiplied with.
bool isTable(std::string_view name);

/// Whether the queries and keys of a text's attention to itself are normalized before they are compared.
bool hasNormedQueries(const ModelConfig& config);

/// How many columns of the fused projection of an attention are queries, keys and values, in this order. 0:
/// the config has none of these (x · x needs neither queries nor keys).
struct AttentionColumns {
  int query = 0, key = 0, value = 0;
  int all() const { return query + key + value; }
};
AttentionColumns selfAttentionColumns(const ModelConfig& config);   ///< h.i.attn.c_attn
AttentionColumns crossAttentionColumns(const ModelConfig& config);  ///< h.i.crossattention.{q_attn, c_attn}

/// The weights of a model, float32: one contiguous block of our own, or views into another model's.
class Parameters {
 public:
  Parameters() = default;
  /// Owned and all zero; see initialize() in core/model/initialization.h.
  explicit Parameters(std::vector<ParameterSpec> specs);
  /// Borrowed: one per spec, alive as long as `owner`.
  Parameters(std::vector<ParameterSpec> specs, std::vector<TensorView> views,
             std::shared_ptr<const void> owner);

  int count() const { return static_cast<int>(specs_.size()); }
  const ParameterSpec& spec(int i) const { return specs_[static_cast<std::size_t>(i)]; }
  TensorView view(int i) const { return views_[static_cast<std::size_t>(i)]; }
  int find(std::string_view name) const;  ///< -1 when there is none
  TensorView operator[](std::string_view name) const;
  std::int64_t valueCount() const;
  /// The same values, owned.
  Parameters copy() const;

  /// Owned parameters only: all values in spec order, each parameter starting at offset(i).
  std::span<float> values() { return {owned_ ? owned_->data() : nullptr, owned_ ? owned_->size() : 0}; }
  std::size_t offset(int i) const { return offsets_[static_cast<std::size_t>(i)]; }

 private:
  void listNames();

  std::vector<ParameterSpec> specs_;
  std::vector<int> byName_;  // their places, in the order of their names
  std::vector<TensorView> views_;
  std::vector<std::size_t> offsets_;
  std::shared_ptr<AlignedVector> owned_;
  std::shared_ptr<const void> owner_;
};

/// Weights that only have shapes: enough to write a pass down that is never run.
Parameters shapesOf(const ModelConfig& config);

}  // namespace glassformer
