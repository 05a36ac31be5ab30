#pragma once
#include <span>
#include <string>

#include "core/lens/head_id.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

class Transformer;
struct Slip;

/// Where what is measured for a slip goes, each tensor under its part's name: see slipTensor().
struct SlipSet {
  TensorSet& set;
  const Slip& of;
};

/// A formula as it is often printed, beside what is meant: computed both ways from the same numbers, or,
/// where its matrices do not conform, not computed at all.
struct Slip {
  const char *id, *label;       ///< in sessions, and on screen
  const char *printed, *right;  ///< equations
  const char* wrong;            ///< what is wrong, in a sentence
  /// Why a model has nothing to show it on; empty: it does.
  std::string (*whyNot)(const Transformer& model, const Trace& trace, HeadId head);
  /// Measures `right`, and what was printed where it can be computed.
  void (*measure)(const Transformer& model, const Trace& trace, HeadId head, const SlipSet& into);
  bool ofHead = true;    ///< false: of a norm
  bool conforms = true;  ///< false: it is a product of `left` and `other`, whose inner sizes do not meet
};

/// Every one that is known.
std::span<const Slip> slips();
/// The one of this id, else the first.
const Slip& slipCalled(std::string_view id);

/// What is measured for a slip, each by the name "lens.slip.right.order".
namespace slip {
inline constexpr const char *right = "lens.slip.right",  ///< what is meant
    *printed = "lens.slip.printed",                      ///< the same numbers by the formula as printed
        *unscaled = "lens.slip.unscaled",                ///< the scores that a softmax as printed has
            *difference = "lens.slip.difference",        ///< printed − right
                *largest = "lens.slip.largest",          ///< [1]: the largest difference there
                    *left = "lens.slip.left",            ///< of a product, the matrix that is printed first
                        *other = "lens.slip.other";      ///< and the second
}  // namespace slip
std::string slipTensor(const char* part, const Slip& of);

/// What a slip needs: see above; nothing where the model has nothing to show it on.
void measureSlip(const Slip& slip, const Transformer& model, const Trace& trace, HeadId head, TensorSet& set);

}  // namespace glassformer
