#pragma once

namespace glassformer {

/// One of the model's logits: at which position, of which vocabulary entry.
struct Prediction {
  int position = -1;
  int entry = -1;
  bool operator==(const Prediction&) const = default;
};

/// What is attributed: a logit z = logit[t, v], or how far it is ahead of another, z = logit[t, v] − logit[t,
/// against].
struct AttributedLogit {
  Prediction prediction;
  int against = -1;  ///< -1: nothing is subtracted
  bool operator==(const AttributedLogit&) const = default;
};

}  // namespace glassformer
