#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/train/training_task.h"
#include "core/watch.h"

namespace glassformer {

/// A question, what a model said, and whether that is the one right answer.
struct Answered {
  Example example;
  std::string given;  ///< as long as the right answer, in tokens, or one longer where the text should end
  bool right = false;
};

/// What a model says, always taking the most probable token. Prompt and answer have to fit the model's
/// context. The watch counts the examples; stopped, those answered so far are returned. On small models and
/// short questions a second thread would only wait for the first.
std::vector<Answered> answer(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                             std::span<const Example> examples, int threads = 1,
                             const ProgressCallback& watch = noProgress);

/// The same, as the head for classes says it behind the last token of each prompt: the token that names the
/// likeliest class. The model has such a head.
std::vector<Answered> classified(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                                 std::span<const Example> examples, int threads = 1,
                                 const ProgressCallback& watch = noProgress);

/// The share of right ones, 0 to 1; 0 of none.
double shareRight(std::span<const Answered> answered);

}  // namespace glassformer
