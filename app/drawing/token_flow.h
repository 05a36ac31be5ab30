#pragma once
#include <array>
#include <vector>

#include "app/drawing/scene_input.h"

namespace glassformer {

/// A text as words in a row, broken into lines where it is itself, and of a width: where every token stands.
/// Large words have room for a number below them.
struct TokenFlow {
  std::vector<Box> boxes;
  float width = 0, height = 0;  ///< of the words; at most what they are broken to
};
TokenFlow tokenFlow(const SceneInput& input, Stream stream, float width, float size);

/// The type sizes of such a text, large ones first.
inline constexpr std::array flowSizes{36.0f,        32.0f,       Theme::large, 24.0f,
                                      Theme::title, Theme::body, 14.0f,        Theme::small};
inline bool flowHasNumbers(float flowSize) { return flowSize >= Theme::title; }
inline float flowWordHeight(float flowSize) { return std::ceil(flowSize * 1.6f); }

}  // namespace glassformer
