#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/word_piece.h"

namespace glassformer {

/// The model "WordPiece" of a tokenizer.json. Null where the model is another. Refuses, with file and field,
/// what is damaged.
Result<std::shared_ptr<const Tokenizer>> readWordPieceFile(TokenizerFile& file);
nlohmann::ordered_json wordPieceModel(const Tokenizer& tokenizer);

/// The tokens of a `vocab.txt`, one a line; of a repeated line the later has the token, and the other none.
/// Refuses an empty line.
Result<std::vector<std::string>> tokenLines(std::string_view text, std::string_view name);
/// The older form: `vocab.txt`, a token in every line, its number being the id; and what
/// `tokenizer_config.json` says besides, empty where there is none. Of a repeated line the later counts.
/// Refuses, with file and line or field, an empty line, and texts that are to be cut otherwise.
Result<WordPiece> parseVocabText(std::string_view text, std::string_view settings,
                                 std::string_view textName = "vocab.txt",
                                 std::string_view settingsName = "tokenizer_config.json");

}  // namespace glassformer
