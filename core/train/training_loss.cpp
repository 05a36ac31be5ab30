#include "core/train/training_loss.h"

#include <algorithm>
#include <cassert>

#include "core/model/head.h"

namespace glassformer {

TrainingLoss::TrainingLoss(const Pass& pass, const ModelConfig& config, const Value& logits)
    : firstClass_(config.firstClass), classCount_(config.classes), logits_(logits) {
  if (!config.hasClassHead()) return;
  const auto head = std::ranges::find(pass.points(), classLogits, &NamedValue::name);
  assert(head != pass.points().end());
  classLogits_ = head->value;
}

void TrainingLoss::differentiate(Tape& tape) {
  crossEntropy(tape, logits_, tokens_);
  if (classLogits_.data) crossEntropy(tape, classLogits_, classes_);
}

void TrainingLoss::set(std::span<const int> targets, float rowWeight) {
  tokens_.token.assign(targets.begin(), targets.end());
  tokens_.weight = classes_.weight = rowWeight;
  if (!classLogits_.data) return;
  classes_.token.clear();
  for (const int token : targets) {
    const int named = token - firstClass_;
    classes_.token.push_back(token != Targets::none && named >= 0 && named < classCount_ ? named
                                                                                         : Targets::none);
  }
}

double TrainingLoss::alone(const Tape& tape) const {
  return crossEntropyAlone(tape, logits_, tokens_) +
         (classLogits_.data ? crossEntropyAlone(tape, classLogits_, classes_) : 0);
}

}  // namespace glassformer
