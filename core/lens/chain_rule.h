#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/lens/gradient_pass.h"
#include "core/model/transformer.h"
#include "core/trace/across_passes.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// "gradient.blocks.0.hook_resid_mid": ∂y/∂x of all numbers of a named point.
std::string gradientName(const std::string& point);

/// Runs a pass again, forward and backward; what it measures are the gradients ∂y/∂x of every named table
/// that y is made of, of scores and patterns of a softmax too, and the slopes of what is taken number by
/// number (core/lens/slopes.h). Each gradient says by the chain rule what made it: of every number that x has
/// a part in, its own gradient times its derivative by x, down to where the pass backward begins, at 1 or,
/// for a loss, at p − 1 and p. An argmax hands nothing on, an intervention what it leaves of a change.
ReplayedPass backwardAgain(std::string name, const std::shared_ptr<const Transformer>& model,
                           const Trace& read, const Interventions& interventions, const BackwardFrom& from);

/// A pass backward, to be run again when a number that was measured on it is opened.
struct BackwardPass {
  std::string name;
  std::shared_ptr<const Transformer> model;
  Trace read;  ///< the tokens alone
  Interventions interventions;
  BackwardFrom from;

  /// Of a trace's pass; `model` outlives what this opens.
  static BackwardPass of(const Transformer& model, const Trace& trace, Interventions interventions,
                         BackwardFrom from, std::string name = "the same pass, forward and backward");
  /// What `made` says of the pass and its gradients, to which it may add what it takes of them.
  using Made = std::function<Derivation(const Trace& pass, TensorSet& gradients)>;
  OpenPasses opened(Made made) const;
  /// One number of the gradient of a point.
  OpenPasses number(const std::string& point, const std::array<int, maxRank>& at) const;
};

}  // namespace glassformer
