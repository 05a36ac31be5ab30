#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/document/tab_text.h"
#include "core/model/config.h"
#include "core/result.h"
#include "core/text/tokenizer.h"
#include "core/train/held_out_texts.h"

namespace glassformer {

/// Texts for a model to read, cut off where its context ends.

/// What is written, as the model reads it: behind its start sign.
TokenText readBy(const Tokenizer& tokenizer, const ModelConfig& config, const TabText& writing);

/// Held-out texts of the task that a model called `model` was trained on; refuses where that is not known, or
/// reads otherwise. Another seed takes others.
Result<std::vector<TokenText>> taskTexts(const TrainingTask* task, const Tokenizer& tokenizer,
                                         const ModelConfig& config, const std::string& model,
                                         std::uint64_t seed, int count);

/// The prompts of its held-out questions that have one right answer; refuses where there are none, too.
Result<std::vector<TokenText>> taskQuestions(const TrainingTask* task, const Tokenizer& tokenizer,
                                             const ModelConfig& config, const std::string& model, int count);

/// Random tokens, said twice (see repeatedTexts()): of the task's texts, or where it is not known of the
/// whole vocabulary. Refuses a model that has no room for three tokens, or reads a source.
Result<std::vector<TokenText>> repeatsFor(const TrainingTask* task, const Tokenizer& tokenizer,
                                          const ModelConfig& config, std::uint64_t seed, int count);

/// How many of a text's first tokens are these signs, which nobody wrote.
int signsBefore(const std::vector<int>& tokens, const std::vector<int>& signs);

/// Where this token stands: in a text for a model that fills gaps, what stands for one.
std::vector<int> gapsOf(const std::vector<int>& tokens, int mask);

/// Every line that is written in texts, once; of a model that reads a source with the same line of that.
std::vector<TabText> linesOf(const std::vector<TabText>& writings, bool readsSource);

}  // namespace glassformer
