#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/lens/contributions.h"
#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// A norm whose σ is held fixed at every token: but for its β it is linear then.
class FixedNorm {
 public:
  /// The one that makes a point, "blocks.0.ln1.hook_normalized" or "encoder.ln_final.hook_normalized".
  FixedNorm(const Transformer& model, const Trace& trace, const std::string& normalized);
  FixedNorm(TensorView gamma, TensorView beta, TensorView scale, NormKind kind);

  /// x [D] becomes γ ⊙ (x − mean(x)) / σ, of an RMS norm γ ⊙ x / rms.
  void carry(float* x, int token) const;
  /// What x [D] is multiplied with so that the product of u and what carry() makes of it comes of it.
  std::vector<float> before(std::vector<float> u, int token) const;
  const TensorView& beta() const { return beta_; }  ///< [D]; empty where it has none

 private:
  TensorView gamma_, beta_, scale_;  // [D], [D], [T, 1]
  NormKind kind_;
};
/// The one between an attention's output and the stream.
FixedNorm normBehind(const Transformer& model, const Trace& trace, int layer, AttentionSite site);

/// What has been written into a stream by the time that somebody reads it, and through which norms it gets
/// there: of norms in front of sublayers (and of the last one) that of the reader alone; where sums are
/// normalized, or residuals are taken from a norm, all since it was written. So with every σ held fixed what
/// is read is the sum of what was written, each carried through its norms, and of the βs.
struct WrittenParts {
  std::vector<ContributionPart> parts;
  std::vector<std::string> norms;  ///< the points that they make, in the order of the pass
  std::vector<std::size_t> from;   ///< of each part the first of the norms that it goes through
  /// The first part that is still there: without residual connections a sublayer's output takes the place of
  /// all that was written before.
  std::size_t first = 0;
};
/// By the time of the first point of a stream whose name begins so; of all of the stack without one.
WrittenParts writtenParts(const Transformer& model, Stream stream, const std::string& before = "");

}  // namespace glassformer
