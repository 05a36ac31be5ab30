#pragma once
#include <string>
#include <vector>

#include "app/document/tab_text.h"
#include "core/model/config.h"
#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What a command has a model read.
struct Prompt {
  std::vector<int> tokens;  ///< of the text, behind the start sign where the model has learned texts so
  std::vector<int> source;  ///< of an encoder-decoder
};

/// The text and the source that were given; where neither was, those that the window opens the model with.
TabText writingFor(const std::string& model, const std::string& text, const std::string& source);

/// Whether a model can read such a source: an encoder-decoder needs one, all others have no use for it.
Status checkSource(const ModelConfig& config, const std::string& source);

/// Whether so many tokens of a text, or of its source, fit into the model's context.
Status checkLength(std::size_t tokens, const ModelConfig& config, Stream stream);

/// The tokens of a text and its source. Refuses what is empty or longer than the model's context; only what
/// is written from a source may begin empty.
Result<Prompt> promptOf(const Tokenizer& tokenizer, const ModelConfig& config, const std::string& text,
                        const std::string& source = "");

}  // namespace glassformer
