#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/lens/prediction.h"
#include "core/model/pass.h"
#include "core/model/transformer.h"
#include "core/tensor/operations/derivative.h"
#include "core/tensor/operations/loss.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What a pass backward begins with: an answer at its position; or, with `targets`, the mean loss of the
/// tokens that should come next, Targets::none where none is asked for.
struct BackwardFrom {
  AnswerMetric answer;
  std::vector<int> targets;
};

/// The forward pass of a trace, run once more on a tape of its own, and backward for any of its logits, or
/// the difference of two at one position: the gradient ∂logit[t, v]/∂x of named points x; for those of
/// another point; or for the mean loss of what comes next. `interventions` are part of the function. Beyond
/// the memory limit (core/model/pass_limit.h) it drops the squares of attention, too, to the bit.
class GradientPass {
 public:
  /// `model` outlives it. `points`: tables of rows whose gradients are kept.
  GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
               const std::vector<std::string>& points);
  /// `of`: the table or squares, [T, width] or [H, T, S], whose numbers are differentiated in place of
  /// logits.
  GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
               const std::vector<std::string>& points, const std::string& of);
  /// `points` may be ways, too (see Pass::way()). `targets`: of every token the one that should come next, or
  /// Targets::none; at least one is. What is differentiated is the mean of −ln p of these.
  GradientPass(const Transformer& model, const Trace& trace, const Interventions& interventions,
               const std::vector<std::string>& points, std::vector<int> targets);

  /// One that has run backward from what is asked.
  static std::unique_ptr<GradientPass> ran(const Transformer& model, const Trace& trace,
                                           const Interventions& interventions,
                                           const std::vector<std::string>& points, const BackwardFrom& from);

  /// ∂y/∂x of the answer that is asked about, measured by this pass's own logits.
  void run(const AnswerMetric& of);
  /// The same of any number of what is differentiated.
  void runFrom(const TableEntry& of);
  /// With targets: the loss.
  double run();
  /// Computes the pass anew where the tensors of its interventions have other values than before.
  void forward() { tape_.forward(); }
  /// ∂logit/∂x of the last run, [T, D] or [T, H, K] as the point itself is.
  TensorView gradient(const std::string& point) const;
  /// Whether what the last run differentiated is made of the point at all.
  bool reaches(const std::string& point) const { return !gradients_.at(point).empty(); }
  /// The same of a point or a way as wide as the stream, [T, D].
  TensorView rowGradient(const std::string& name, int width) const;
  /// What the forward pass computed.
  TensorView value(const std::string& point) const;
  int count(Stream stream) const { return tape_.extent(stream).positions; }

 private:
  using Gradients = std::map<std::string, std::vector<float>>;
  static std::map<std::string, std::vector<float>*> placesOf(Gradients& gradients);
  void keepWithinLimit(const ModelConfig& config, const Trace& trace);
  void start(const Trace& trace, const Interventions& interventions);

  Gradients gradients_;
  TableEntry entry_;
  Targets targets_;
  Tape tape_;
  Pass pass_;
};

}  // namespace glassformer
