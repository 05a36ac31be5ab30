#pragma once
#include <Eigen/Dense>
#include <span>
#include <string>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"

namespace glassformer {

/// Weights [rows, columns] where they lie, as a matrix.
using MappedWeights = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
                                 0, Eigen::OuterStride<>>;
MappedWeights mappedWeights(const TensorView& matrix);

/// A head's share of its block's weights, in doubles. What reads the stream has the norm before it taken in:
/// γ ⊙ W, and of a layer norm the mean of every column out.
/// Across, keys and values read what the encoder has made as it is: its last norm is its own.
struct HeadMatrices {
  Eigen::MatrixXd q, k;                   ///< [D, K]; of queries with their 1 / √K
  Eigen::MatrixXd v;                      ///< [D, K], or [D, D] where heads are added up as they are
  Eigen::MatrixXd o;                      ///< [K, D], or the one [D, D] that changes nothing
  Eigen::RowVectorXd queryBias, keyBias;  ///< [K]: what every query has besides, (β W_Q + b_Q) / √K, and key
};
HeadMatrices matricesOf(const Transformer& model, HeadId head);

/// Rows behind a norm of the stream, γ ⊙ (x − mean) / σ + β, `norm` as its weights are called: "h.0.ln_1".
Eigen::MatrixXd normalizedBy(const Transformer& model, const std::string& norm, Eigen::MatrixXd rows);

/// What a token's embedding alone is for the queries of a head, had all sublayers before added nothing, one
/// row each [Y, D]: E_a behind every norm that the stream itself goes through up to there (ln_embed; with
/// norms behind the sums those of all earlier sublayers). Where a norm's γ and β are taken into what reads,
/// as matricesOf() does, (x − mean) / σ is left of it.
Eigen::MatrixXd tokensAlone(const Transformer& model, HeadId head, std::span<const int> tokens);
/// The same for its keys and values: across, E_a behind all norms of the encoder, its last one too.
Eigen::MatrixXd keysAlone(const Transformer& model, HeadId head, std::span<const int> tokens);

/// The queries that those rows make, [Y, K], and the keys, normalized in their head where the model does that
/// (γ ⊙ q / √(mean(q²) + ε), each by a factor of its own); of linear attention φ of each.
Eigen::MatrixXd queriesOf(const Transformer& model, HeadId head, const HeadMatrices& own,
                          const Eigen::MatrixXd& rows);
Eigen::MatrixXd keysOf(const Transformer& model, HeadId head, const HeadMatrices& own,
                       const Eigen::MatrixXd& rows);
bool hasNormedQueries(const ModelConfig& config, AttentionSite site);

/// A place of a stack's stream: in front of the attention of a block to its own tokens, or behind that, of
/// the one across. Of layer L it is the stack's end.
struct StreamPlace {
  int layer = 0;
  bool isBehindOwn = false;
};
inline StreamPlace placeOf(HeadId head) { return {head.layer, head.site == AttentionSite::Cross}; }
StreamPlace endOf(const ModelConfig& config, AttentionSite site);

/// What a head writes, as it is found at a later place of its stack, [K, D]: its rows through every norm that
/// the stream goes through from there on (at the end the final one too), γ ⊙ (o − mean o). Left out is each
/// norm's 1 / σ, a number that every token has of its own and that changes no direction.
Eigen::MatrixXd writtenFor(const Transformer& model, HeadId head, StreamPlace to, const Eigen::MatrixXd& o);

}  // namespace glassformer
