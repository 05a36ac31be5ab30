#pragma once

namespace glassformer {

/// One of the model's logits: at which position, of which vocabulary entry.
struct Prediction {
  int position = -1;
  int entry = -1;
  bool operator==(const Prediction&) const = default;
};

/// The number y by which an answer v at position t is measured, of the logits z [V] there and p = softmax(z).
struct AnswerMetric {
  enum class As {
    Logit,           ///< z_v, or with `against` the logit difference z_v − z_against (Wang et al. 2022)
    CentredLogit,    ///< z_v − mean(z): a logit without what softmax does not see
    LogProbability,  ///< ln p_v
    Probability      ///< p_v
  };
  Prediction prediction;
  int against = -1;  ///< the contrast token; -1: nothing is subtracted. Of a logit alone.
  As as = As::Logit;
  bool operator==(const AnswerMetric&) const = default;
};

}  // namespace glassformer
