#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/model/config.h"
#include "core/result.h"
#include "core/trace/trace.h"

namespace glassformer {

/// How one tensor of a dump differs from the trace point of that name.
struct PointCheck {
  std::string name;
  double error = 0;                  ///< largest difference, over the largest of the dump's numbers
  std::array<int, maxRank> index{};  ///< where it is
  int rank = 0;
  float ours = 0, theirs = 0;
};

/// What another implementation computed, held against a pass.
struct TraceCheck {
  std::vector<PointCheck> points;       ///< in the order of the pass
  std::vector<std::string> unknown;     ///< tensors of the dump that the pass has no point for
  std::vector<std::string> otherShape;  ///< "attn.hook_q is [9, 4, 8], here [9, 2, 16]"

  /// The first point whose error is larger; null where there is none.
  const PointCheck* firstBeyond(double tolerance) const;
};

/// Compares every float tensor of the dump that bears the name of a trace point. Leading dimensions of 1 (a
/// batch) are passed over; scores that are masked agree, whether -inf or merely very small stands for it.
Result<TraceCheck> checkTrace(const Trace& trace, const StoredTensors& dump);

/// Whether what a dump has under the names of a model's trace points could be of that model: nothing that no
/// text could be of, and something at all.
bool couldBeOf(const StoredTensors& dump, const ModelConfig& config);

/// "blocks.0.attn.hook_q[3, 1, 2]".
std::string cellWords(const PointCheck& point);

}  // namespace glassformer
