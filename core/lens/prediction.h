#pragma once

namespace glassformer {

/// One of the model's logits: at which position, of which vocabulary entry.
struct Prediction {
  int position = -1;
  int entry = -1;
  bool operator==(const Prediction&) const = default;
};

}  // namespace glassformer
