#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// A text, and a source beside it, with one number per token: every word in the colour of its number, which
/// stands below it where there is room, and the same numbers as bars.
struct AttributedText {
  std::vector<TensorRef> numbers;  ///< [S] of each of the view's streams
  Coloring scale;
  std::function<std::string(int token, Stream stream, float number)> say;  ///< on hover
  std::function<Command(const Target&)> extend = nullptr;  ///< a click with Ctrl on a token; may be empty
};
/// A long text makes the picture taller. A click on a token asks about the prediction there.
void addAttributedText(InfluencePicture& picture, Box area, const AttributedText& text);

}  // namespace glassformer
