#pragma once
#include <vector>

#include "app/engine/dataset_metrics.h"

namespace glassformer {

/// What *Norms*, *Neurons* and *Integrated* say of one text, for means over many; a row for every attention,
/// as causalRows() has them. NaN where a block has no such thing.

/// The mean over tokens of ‖x‖ of the stream in front of each block, and of what its attention and its MLP
/// add.
std::vector<float> normsOfText(const MeasuredText& text);
inline constexpr const char* normColumns[] = {"stream", "attention", "MLP"};
OpenPasses madeOfNorms(const TextAgain& text, int cell);

/// ‖x‖ of the stream in front of each block at the first token, a start sign included, at the second, at the
/// last, and on average over those between; NaN where the text is too short for one.
std::vector<float> tokenNormsOfText(const MeasuredText& text);
inline constexpr const char* tokenNormColumns[] = {"first", "second", "between", "last"};
OpenPasses madeOfTokenNorms(const TextAgain& text, int cell);

/// How the tokens' states in front of each block lie: what of their variance is along each of the two first
/// principal components, and the mean cosine of two of them (Ethayarajh 2019); NaN of a single token.
std::vector<float> geometryOfText(const MeasuredText& text);
inline constexpr const char* geometryColumns[] = {"axis 1", "axis 2", "cosine"};
OpenPasses madeOfGeometry(const TextAgain& text, int cell);

/// Of a block's neurons over all tokens the share that is above 0, and the mean of a, and of |a|.
std::vector<float> neuronsOfText(const MeasuredText& text);
inline constexpr const char* neuronColumns[] = {"active", "mean a", "mean |a|"};
OpenPasses madeOfNeurons(const TextAgain& text, int cell);

/// What the answer's logit owes each of tokenClasses() as the last token sees them, by integrated gradients
/// from zero: Σ IG_s over the class. Empty where it was stopped.
std::vector<float> integratedOfText(const MeasuredText& text);
OpenPasses madeByIntegrating(const TextAgain& text, int cell);

}  // namespace glassformer
