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
struct HeadMatrices {
  Eigen::MatrixXd q, k, v;       ///< [D, K]; of queries with their 1 / √K
  Eigen::MatrixXd o;             ///< [K, D]
  Eigen::RowVectorXd queryBias;  ///< [K]: what every query has besides, (β W_Q + b_Q) / √K
};
HeadMatrices matricesOf(const Transformer& model, HeadId head);

/// What a token's embedding alone is for the heads of a block, had the blocks before added nothing, one row
/// each [Y, D]: E_a behind every norm that the stream itself goes through up to there (ln_embed; with norms
/// behind the sums all of the earlier blocks'). Where a norm's γ and β are taken into what reads, as
/// matricesOf() does, (x − mean) / σ is left of it.
Eigen::MatrixXd tokensAlone(const Transformer& model, HeadId head, std::span<const int> tokens);

/// What a head writes, as block `layer` of its stack finds it, or of layer L the unembedding, [K, D]: its
/// rows through every norm that the stream goes through from there on (the final one too), γ ⊙ (o − mean o).
/// Left out is each norm's 1 / σ, a number that every token has of its own and that changes no direction.
Eigen::MatrixXd writtenFor(const Transformer& model, HeadId head, int layer, const Eigen::MatrixXd& o);

}  // namespace glassformer
