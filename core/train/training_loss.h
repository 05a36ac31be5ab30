#pragma once
#include <span>

#include "core/model/pass.h"
#include "core/tensor/operations/loss.h"

namespace glassformer {

/// What training makes small: the mean cross-entropy of the tokens that a model should predict, and where it
/// has a head for classes that of the classes besides, wherever the token to predict names one (both losses
/// at once, as Radford et al. 2018 fine-tune).
class TrainingLoss {
 public:
  /// Of a pass that has been written down, and the logits that it ended in.
  TrainingLoss(const Pass& pass, const ModelConfig& config, const Value& logits);

  /// Ends the tape with it: its gradient goes back from there.
  void differentiate(Tape& tape);
  /// For each row the token to predict, or Targets::none, and what a row weighs in the loss.
  void set(std::span<const int> targets, float rowWeight);
  /// Of the tape's last run, which went backward.
  double value() const { return tokens_.loss + classes_.loss; }
  /// Of one that went forward only.
  double alone(const Tape& tape) const;

 private:
  int firstClass_, classCount_;
  Value logits_, classLogits_;
  Targets tokens_, classes_;
};

}  // namespace glassformer
