#pragma once
#include "core/io/model_directory.h"

namespace glassformer {

/// The folder's name, and the sentence that the example is about.
inline constexpr const char *workedExampleName = "worked", *workedExampleText = "We wash our cats";

/// The example that lectures work out by hand, as a model whose weights are set by hand: one attention of one
/// head over the words of a sentence, and nothing else. "We" asks; its scores are q · kᵀ = 13, 24, 20, 12,
/// over √K = 8 they are 1.625, 3, 2.5, 1.5, the softmax makes them 0.1214, 0.4802, 0.2913, 0.1071, and by
/// these the values are averaged.
ModelDirectory workedExample();

}  // namespace glassformer
