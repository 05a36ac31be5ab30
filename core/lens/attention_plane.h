#pragma once
#include <string>
#include <vector>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// A number that each query has for each key.
enum class AttentionQuantity {
  Scores,               ///< q · kᵀ / √K, before the mask
  Masked,               ///< the same, minus infinity for later keys
  Pattern,              ///< A = softmax of it
  ValueWeighted,        ///< ‖A · v · W_O‖, see value_norms.h
  ValueWeightedExcess,  ///< the key's share of what is moved, minus its share of the pattern
};

/// What is made of several heads' numbers.
enum class HeadFold { One, Average, Maximum, Difference };

/// In which order the queries are listed.
enum class RowOrder {
  Text,   ///< as in the text
  Focus,  ///< the largest number of each row decides: most focused first
  Key,    ///< the number for one key decides
};

/// One [T, S] plane of attention as it can be asked for: a quantity of one head, or of several folded into
/// one; on request with every row divided by its largest number, and with the rows in another order.
struct AttentionPlane {
  AttentionQuantity quantity = AttentionQuantity::Pattern;
  HeadFold fold = HeadFold::One;
  std::vector<HeadId> heads;  ///< of one site, sorted; of a difference the minuend, then the subtrahend
  bool normalized = false;
  RowOrder order = RowOrder::Text;
  int key = 0;  ///< for RowOrder::Key

  bool operator==(const AttentionPlane&) const = default;
};

/// The tensor that holds the plane. It names its heads, so a picture never mistakes one head's numbers for
/// another's: "lens.scores.L2H0", "lens.pattern.average.L0H1+L2H0", "lens.moved.L2H0.normalized.by_focus".
/// The masked scores and the pattern of one head are the trace's own [H, T, S].
std::string tensorOf(const AttentionPlane& plane);
/// Whether it is a plane of the trace, at index heads[0].head of that tensor.
bool isTraced(const AttentionPlane& plane);
/// [T]: which query each row of an ordered plane is.
std::string rowsTensorOf(const AttentionPlane& plane);

/// Adds the plane [T, S] where it is not there yet; for an ordered one also its rows [T] and the plane in the
/// order of the text; for one head's Moved also lens.value_norm.L2H0 [S].
void measureAttention(const Transformer& model, const Trace& trace, const AttentionPlane& plane,
                      TensorSet& measurements, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
