#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace glassformer {

/// How wide text will be, in pixels at 100 %, wherever the scene is going to be drawn. Scenes lay out by it.
class TextMetrics {
 public:
  virtual ~TextMetrics() = default;
  virtual float width(std::string_view text, FontFace face, float size) const = 0;
};

/// What pictures are set in: the theme's colours and styles, and how wide text is.
struct Typography {
  const Theme& theme;
  const TextMetrics& metrics;
};

/// The text, or as much of its beginning as fits, with an ellipsis.
std::string fitted(const TextMetrics& metrics, std::string_view text, FontFace face, float size,
                   float maxWidth);

/// The text, or as much of its beginning and its end as fits, with an ellipsis between.
std::string fittedInMiddle(const TextMetrics& metrics, const std::string& text, FontFace face, float size,
                           float maxWidth);

/// The text in lines no wider than `maxWidth`, broken at spaces, and inside a word only where it alone is too
/// wide. With `maxLines` (0: any number), the last line ends in an ellipsis where there is more.
std::vector<std::string> wrapped(const TextMetrics& metrics, std::string_view text, FontFace face, float size,
                                 float maxWidth, int maxLines = 0);

/// Where a text comes to lie, shortened as it is drawn.
Box textBox(const TextMetrics& metrics, const Text& text);
/// Whether it is drawn with an ellipsis.
bool isShortened(const TextMetrics& metrics, const Text& text);

}  // namespace glassformer
