#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/text/word_piece.h"

namespace glassformer {

/// Whether a tokenizer.json is about word pieces. Files of 2020 do not name the type of their model: of these
/// it is told by the longest word, which no other model has.
bool isWordPieceModel(const nlohmann::json& file);

/// A tokenizer.json whose model is "WordPiece", as Hugging Face's tokenizers library writes it. Null where
/// the model is another. Refuses, with file and field: a normalizer that is not BERT's, another cut than
/// BERT's, a vocabulary whose ids have gaps or are no whole numbers.
Result<std::shared_ptr<const Tokenizer>> readWordPieceFile(std::string_view json, std::string_view name);
std::string writeWordPieceFile(const WordPiece& tokenizer);

/// The older form: `vocab.txt`, a token in every line, its number being the id; and what
/// `tokenizer_config.json` says besides, empty where there is none. Refuses, with file and line or field, an
/// empty or repeated token, and texts that are to be cut otherwise.
Result<WordPiece> parseVocabText(std::string_view text, std::string_view settings,
                                 std::string_view textName = "vocab.txt",
                                 std::string_view settingsName = "tokenizer_config.json");

}  // namespace glassformer
