#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/lens/prediction.h"
#include "core/model/pass.h"
#include "core/model/transformer.h"
#include "core/tensor/operations/derivative.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The forward pass of a trace, run once more on a tape of its own, and backward for any of its logits, or
/// the difference of two at one position: the gradient ∂logit[t, v]/∂x of named points x. `interventions` are
/// part of the function.
class GradientPass {
 public:
  /// `model` outlives it. `points`: tables of rows whose gradients are kept.
  GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
               const std::vector<std::string>& points);

  /// `against`: an entry whose logit is subtracted; -1: none.
  void run(Prediction of, int against = -1);
  /// Computes the pass anew where the tensors of its interventions have other values than before.
  void forward() { tape_.forward(); }
  /// ∂logit/∂x of the last run, [T, D] or [T, H, K] as the point itself is.
  TensorView gradient(const std::string& point) const;
  /// What the forward pass computed.
  TensorView value(const std::string& point) const;
  int count(Stream stream) const { return tape_.extent(stream).positions; }

 private:
  using Gradients = std::map<std::string, std::vector<float>>;
  static std::map<std::string, std::vector<float>*> targets(Gradients& gradients);

  Gradients gradients_;
  TableEntry entry_;
  Tape tape_;
  Pass pass_;
};

}  // namespace glassformer
