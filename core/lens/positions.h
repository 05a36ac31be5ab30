#pragma once
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// C, of the measurements below: the context or, where that is longer, its first 1024 positions. What is
/// compared with one another grows with the square of it.
int measuredPositions(const ModelConfig& config);

/// Adds positions.model [C, D] (the table that the model adds to its embeddings, if it does so) and how alike
/// any two positions are [C, C]: ..._similarity is their cosine, ..._dot their dot product. Depends on the
/// model alone.
void measurePositions(const Transformer& model, TensorSet& measurements);

/// The same of positions.sinusoidal [C, D], sinusoids of that base N as wide as the model (Vaswani et al.
/// 2017).
void measureSinusoids(const ModelConfig& config, double base, TensorSet& measurements);

/// Adds positions.alibi_slopes [H], m of every head, where scores fall with the distance (Press et al. 2022).
void measureAlibiSlopes(const ModelConfig& config, TensorSet& measurements);

/// For each of both tables, with `distance` from 1 to C − 1: positions.model_difference.4 [C − 4, D], which
/// is p(t + 4) − p(t), and positions.model_difference_norm.4 [C − 4], its length. A pair of sinusoids rotates
/// by a fixed angle from t to t + 4, so that the length of their difference does not depend on t.
void measurePositionDifferences(const TensorSet& positions, int distance, TensorSet& measurements);

}  // namespace glassformer
