#pragma once
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/text/byte_pair_encoding.h"
#include "core/text/tokenizers.h"

namespace glassformer {

/// The two ways in which a tokenizer of byte pairs is stored. Everything here works on the files' contents;
/// the names are only for messages. Reading and writing files is core/io's business. Damaged files are
/// refused with the file and the line or field.

/// `vocab.json`: one object from token (in GPT-2's symbols, see byte_symbols.h) to id. `merges.txt`: a line
/// "#version: 0.2", then one merge per line, two symbols separated by a space, lowest rank first.
/// What is no part of a text these files do not say: `special` tokens that are in the vocabulary are
/// recognised as written, and `signs` are put around every text where they are.
struct SpecialTokens {
  BosEosTokens signs;
  std::vector<std::string> special;
  TokensBeside beside = {};
};
Result<BytePairEncoding> parseVocabAndMerges(std::string_view vocabJson, std::string_view mergesText,
                                             std::string_view vocabName = "vocab.json",
                                             std::string_view mergesName = "merges.txt",
                                             const SpecialTokens& specials = {});

/// Hugging Face's `tokenizer.json` with a model of the type BPE.
Result<BytePairEncoding> parseTokenizerJson(std::string_view json, std::string_view name = "tokenizer.json");

std::string vocabJson(const BytePairEncoding& encoding);
std::string mergesText(const BytePairEncoding& encoding);

}  // namespace glassformer
