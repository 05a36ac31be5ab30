#pragma once
#include <filesystem>
#include <memory>

#include "core/io/formats/model_formats.h"
#include "core/text/tokenizer.h"

namespace glassformer {

inline constexpr const char *tokenizerFile = "tokenizer.json", *sourceTokenizerFile = "source_tokenizer.json",
                            *vocabFile = "vocab.json", *mergesFile = "merges.txt",
                            *wordPiecesFile = "vocab.txt", *tokenizerSettingsFile = "tokenizer_config.json";

/// The tokenizer of a model's directory: tokenizer.json, and source_tokenizer.json where sources are cut
/// otherwise; or else a model of SentencePiece, or vocab.txt (a list of words where it has no [UNK] and no
/// tokenizer_config.json stands beside it), or vocab.json with merges.txt, of which the
/// family says what is no part of a text. A folder without any of them is a toy model's: texts are ids then.
/// Refuses, naming file and field, what none of them can be.
Result<std::shared_ptr<const Tokenizer>> readTokenizer(const std::filesystem::path& folder,
                                                       const FamilyConfig& family);

/// Byte pairs in both forms, other tokenizers as tokenizer.json; and that of sources.
Status writeTokenizer(const std::filesystem::path& folder, const Tokenizer& tokenizer);

}  // namespace glassformer
