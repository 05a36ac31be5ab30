#pragma once
#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace glassformer {

/// How wide text will be, in pixels at 100 %, wherever the scene is going to be drawn. Scenes lay out by it.
class TextMetrics {
 public:
  virtual ~TextMetrics() = default;
  virtual float width(std::string_view text, FontFace face, float size) const = 0;
};

/// The text, or as much of its beginning as fits, with an ellipsis.
std::string fitted(const TextMetrics& metrics, std::string_view text, FontFace face, float size,
                   float maxWidth);

}  // namespace glassformer
