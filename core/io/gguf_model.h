#pragma once
#include <memory>
#include <string_view>

#include "core/io/formats/model_formats.h"
#include "core/io/gguf.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What a GGUF file says of its model without a config.json beside it: the keys of its architecture
/// ("llama.block_count") as the config.json of a family. Read are llama, qwen2, qwen3, gemma, gemma2, gemma3,
/// gpt2, gptneox, phi2 and bert. What llama.cpp knows of an architecture without being told is known here,
/// too: Gemma 2's and 3's scale of scores and order of windows. Refuses, naming the key or tensor, what is
/// missing or not computed here.
Result<FamilyConfig> familyOf(const GgufFile& file, std::string_view name);

/// Its tokenizer, from the keys "tokenizer.ggml. ...": pieces of SentencePiece with their scores ("llama"),
/// byte pairs ("gpt2") cut as "tokenizer.ggml.pre" says, or word pieces ("bert") of small letters. Refuses
/// other kinds and other cuts, naming the key.
Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const GgufFile& file, std::string_view name);

}  // namespace glassformer
