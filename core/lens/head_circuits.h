#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/watch.h"

namespace glassformer {

/// What a head can read and write, off its weights alone, without a text (Elhage et al. 2021). A head
/// compares and moves vectors of the residual stream by two matrices [D, D] of rank K, with the norm before
/// it taken into those that read (γ ⊙, and the mean out):
///   W_QK = W_Q W_Kᵀ / √K,  W_OV = W_V W_O.
/// Of tokens alone, without positions and what blocks before it add (see tokensAlone()):
///   score of query a and key b: q_a · (k_b − mean k), what parts b from the average key, for softmax
///   knows no more; effect of looking at a on the logit of b: (v_a − mean v) W_O · (u_b − mean u), with u the
///   columns of W_U. What is written arrives behind the norms that the stream itself goes through on the
///   way, the final one too, but for their 1 / σ (see writtenFor()).
/// Means are over the tokens that are asked about, and of u over the vocabulary. Where no logits are made of
/// what a head writes, as of an encoder's, the effects are not there (see whyNoEffectsOnLogits).
///
/// Across, queries are of the text's tokens, keys and values of the source's, as the encoder hands them on.
/// Where queries and keys are normalized in their head, each by a factor of its own, scores of tokens are as
/// exact, but no one matrix makes them (see whyNoComparingMatrix), and so where linear attention takes φ of
/// them. Read out by one matrix, or by none, W_OV is that matrix, or changes nothing. Scores that are capped
/// are told before the cap, which changes the order of no two of them.
namespace circuit {
inline constexpr const char *qk = "circuit.qk",  ///< [K]: singular values of W_QK, the largest first
    *ov = "circuit.ov",                          ///< [K]: of W_OV
        *matching = "circuit.matching",          ///< [1]: Σ λ / Σ |λ| of the scores' matrix
            *copying = "circuit.copying",        ///< [1]: of the effects'
                *asked = "circuit.asked";        ///< [1]: how many tokens were asked about, as queries
inline constexpr const char* askedKeys = "circuit.asked_keys";  ///< [1]: across, of the source
// Token ids and their number, the strongest first: of every query the key that it scores highest, of every
// token looked at the one whose logit rises and the one whose logit falls most.
inline constexpr const char *query = "circuit.query", *key = "circuit.key", *score = "circuit.score",
                            *promoting = "circuit.promoting", *promoted = "circuit.promoted",
                            *promotion = "circuit.promotion", *suppressing = "circuit.suppressing",
                            *suppressed = "circuit.suppressed",
                            *suppression = "circuit.suppression";  ///< [Y]
/// [L, H]: ‖W_OV W_QK‖ / (‖W_OV‖ ‖W_QK‖) and so on: of heads of earlier blocks, how much their output is what
/// this one's queries, keys or values read; of later ones, how much theirs read this one's. NaN in its own
/// block. Of a head across: what its queries read of the text's own heads up to its block, its keys and
/// values of the encoder's (see composedSite). Where the two had nothing to do with each other it would be 1
/// / √D (see byChance).
inline constexpr const char *byQueries = "circuit.by_queries", *byKeys = "circuit.by_keys",
                            *byValues = "circuit.by_values",
                            *byChance = "circuit.by_chance";  ///< [1]: 1 / √D
inline constexpr std::size_t pairsKept = 24;
}  // namespace circuit

/// Why this cannot be told of a head; empty where it can.
std::string whyNoCircuits(const ModelConfig& config, AttentionSite site);

/// Why its scores know no tokens: then it has no pairs of queries and keys; empty where they do.
std::string whyNoScoresOfTokens(const ModelConfig& config, AttentionSite site);
/// Why no one matrix makes its scores: then there are no singular values of it, nor what its queries and keys
/// read; empty where one does.
std::string whyNoComparingMatrix(const ModelConfig& config, AttentionSite site);
/// Which heads circuit::byQueries, byKeys or byValues of a head are about.
AttentionSite composedSite(const ModelConfig& config, AttentionSite site, std::string_view by);

/// Why nothing can be told of what looking at a token does to logits; empty where it can.
std::string whyNoEffectsOnLogits(const ModelConfig& config, AttentionSite site);

/// Tokens that are asked about as queries, and as keys, each once; across they are of two texts.
struct AskedTokens {
  std::vector<int> queries, keys;
  AskedTokens() = default;
  AskedTokens(std::vector<int> ofQueries, std::vector<int> ofKeys)
      : queries(std::move(ofQueries)), keys(std::move(ofKeys)) {}
  /// The same as both.
  AskedTokens(std::vector<int> both) : queries(both), keys(std::move(both)) {}
  bool operator==(const AskedTokens&) const = default;
};

/// Adds these of a head, with pairs among tokens. The config must allow it. Stopped by the watch it adds
/// nothing.
void measureHeadCircuits(const Transformer& model, HeadId head, const AskedTokens& tokens, TensorSet& set,
                         const ProgressCallback& watch = noProgress);

}  // namespace glassformer
