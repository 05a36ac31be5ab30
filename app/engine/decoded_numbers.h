#pragma once
#include <memory>
#include <vector>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// What is known of tokens that were decoded, or are to be: one number of each [N].
struct DecodedNumbers {
  std::vector<double> logProbability;  ///< ln p, by the model, over all tokens
  std::vector<float> drawn;    ///< by the distribution that a token was drawn from; NaN: it was not drawn
  std::vector<float> entropy;  ///< of the model, in nats; empty: nobody asks
};

/// Names of what is measured of them begin with `prefix`: "way" or "continuation".
std::shared_ptr<const TensorSet> measureDecoded(const std::string& prefix, const DecodedNumbers& numbers,
                                                const TensorSet::AcrossOf& byModel,
                                                TensorSet::AcrossOf byDraw);

/// strip.total [1] = Σ ln p of the tokens of the way and of the continuation, of which either may be null.
/// Null where neither has a token.
std::shared_ptr<const TensorSet> measureTotal(std::shared_ptr<const TensorSet> way,
                                              std::shared_ptr<const TensorSet> continuation);

}  // namespace glassformer
