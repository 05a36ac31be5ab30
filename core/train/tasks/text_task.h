#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/train/training_task.h"

namespace glassformer {

/// What the tokens of a text are.
enum class TextTokens {
  Character,  ///< its characters
  BytePairs,  ///< up to 1024 tokens of byte-level BPE, learned from the text
};

/// The most bytes that a text to learn from may have: with its tokens, some 400 MB of memory.
constexpr std::size_t mostTextBytes = std::size_t{16} << 20;

/// Any text, continued. Its last tenth is held out: neither the model nor the tokenizer learns from it. A
/// batch's rows begin anywhere. Refuses, with the place, what is empty, no text (a NUL byte), no UTF-8, too
/// large, or too short for one sequence in each part. `name`: of the file, for the card and for errors.
/// `steps` 0: as its recipe says.
Result<std::shared_ptr<const TrainingTask>> textTask(const std::string& name, std::string text,
                                                     TextTokens tokens, std::uint64_t seed, int steps);

/// How it is trained, without its text: the vocabulary is the tokenizer's.
Recipe textRecipe(std::uint64_t seed, int steps);

/// A token for each character of the text, and for every byte, so that anything else can be written as well.
BytePairEncoding charactersOf(std::string_view text);

}  // namespace glassformer
