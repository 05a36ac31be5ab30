#pragma once
#include <memory>
#include <span>
#include <string>

#include "core/train/tasks/question_task.h"
#include "core/watch.h"

namespace glassformer {

/// "qmbxz|qmbxz": letters that differ from one another, and then the same again; the answer begins behind the
/// second q. Nothing but the letters themselves says what follows: a model has to find where it has seen the
/// last letter before, and say what stood behind it there. That is induction (Elhage et al. 2021, Olsson et
/// al. 2022): one head attends to the previous token, another, in a later layer, to what followed.
Example repeatedLetters(Random& random, int period);

/// The most letters that can differ from one another: capital and small ones.
constexpr int mostLetters = 52;

/// How often the next letter is right where letters are repeated, each given all right ones before it. The
/// watch counts the repeats; stopped, those measured so far are what there is.
struct RepeatAccuracy {
  int letters = 0, right = 0;
  double share() const { return letters ? static_cast<double>(right) / letters : 0; }
};
RepeatAccuracy measureRepeats(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                              std::span<const Example> repeats, int threads,
                              const ProgressCallback& watch = noProgress);

/// What each head does on repeats, averaged over them [L, H] each; of models that attend.
struct RepeatHeads {
  Tensor previousToken, induction;
};
RepeatHeads measureRepeatHeads(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                               std::span<const Example> repeats, int threads,
                               const ProgressCallback& watch = noProgress);

}  // namespace glassformer
