#pragma once
#include <string>

namespace glassformer {

/// An expression of Oniguruma that matches characters of one script in a row, and spaces among them. Hiragana
/// and Katakana count as Han (as in Hugging Face's tokenizers library, and SentencePiece).
std::string runsOfOneScript();

}  // namespace glassformer
