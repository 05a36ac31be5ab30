#pragma once
#include <filesystem>
#include <memory>

#include "core/io/formats/model_formats.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// The tokenizer of a directory that has a model of SentencePiece: `spiece.model` or `tokenizer.model`, of
/// which `tokenizer_config.json` says what stands around texts (else the family does) and which tokens stand
/// behind its pieces, as does `added_tokens.json`; its texts end as config.json says; or Marian's
/// `source.spm`, `target.spm` and `vocab.json`. Null where it has none. Refuses, naming the file and byte or
/// field, what none of them can be.
Result<std::shared_ptr<const Tokenizer>> readSentencePieces(const std::filesystem::path& folder,
                                                            const FamilyConfig& family);

}  // namespace glassformer
