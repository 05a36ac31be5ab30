#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/transformer.h"
#include "core/watch.h"

namespace glassformer {

/// The weights of a model as far as another config can use them.
struct CarriedOver {
  Parameters parameters;
  std::vector<std::string> fresh;  ///< what is random again, whole or in part: "h.0.attn.c_attn.weight"
  std::int64_t freshValues = 0;    ///< how many numbers that are
};

/// Keeps the weights that fit: the same name and shape; of fused queries, keys and values the parts that both
/// have; the taps that both have; the rows that both have of tables of tokens and positions. Converts where
/// that is exact, or usual: a tied unembedding becomes a copy of the embedding, sinusoids a learned table,
/// values and outputs one matrix per head (their product), and the heads of keys and values a mean of those
/// that are to share one (Ainslie et al. 2023). The rest is initialized from the seed.
CarriedOver carryOver(const Transformer& from, const ModelConfig& to, std::uint64_t seed,
                      const ProgressCallback& watch = noProgress);

}  // namespace glassformer
