#pragma once
#include <string>
#include <vector>

#include "app/engine/model_library.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// A text and its source, as a model reads them.
Result<TokenText> readText(const LoadedModel& model, const std::string& text, const std::string& source);
/// A text in every line of a file that is not empty; where the model reads a source, that and a tab before
/// it.
Result<std::vector<TokenText>> readLines(const LoadedModel& model, const std::string& file);
/// Held-out texts of the task that the model was trained on, which is made where it is not at hand.
Result<std::vector<TokenText>> textsOfTask(const LoadedModel& model, std::uint64_t seed, int count,
                                           const char* otherwise);
/// The prompts of its held-out questions, likewise.
Result<std::vector<TokenText>> questionsOfTask(const LoadedModel& model, int count, const char* otherwise);

/// Random tokens, said twice: see repeatsFor(). Its task is made where it is not at hand.
Result<std::vector<TokenText>> repeatsOf(const LoadedModel& model, std::uint64_t seed, int count);

}  // namespace glassformer
