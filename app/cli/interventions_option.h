#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/model/transformer.h"
#include "core/result.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// What is changed inside the model while it computes, for the commands that can.
struct InterventionOptions {
  std::vector<std::string> off;  ///< parts it is to do without, as the window names them: "L2H3"
  /// "L2H3 scale 0.5", "blocks.1.attn.hook_pattern[2, *, 0] replace 0.3", "L2H3 mean", "L2H3 as FOLDER@400"
  std::vector<std::string> changes;

  /// As interventions on a model of that shape, in the order in which they are written, what is off first. A
  /// change is a part or POINT[INDEX], what is done there as interventionKinds() calls it, and the number of
  /// those that take one; "mean" behind a part or numbers of a table [T, D] or [T, H, K] at every token: held
  /// at their mean over the text that is read, as the pass has them with what is written before; or a part,
  /// and behind "as" the folder of a training, as whose step it is held: see keptStep(). An error lists what
  /// there is.
  Result<Interventions> of(const std::shared_ptr<const Transformer>& model) const;
  bool isEmpty() const { return off.empty() && changes.empty(); }
};

}  // namespace glassformer
