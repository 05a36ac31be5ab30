#include "app/cli/prompt.h"

#include "app/document/model_commands.h"
#include "app/document/workspace.h"
#include "app/engine/open_model.h"
#include "app/engine/token_ids.h"

namespace glassformer {

Status checkLength(std::size_t tokens, const ModelConfig& config, Stream stream) {
  if (static_cast<int>(tokens) <= config.context) return success();
  const bool isText = stream == Stream::Text;
  return Error{(isText ? "the text has " : "the source has ") + std::to_string(tokens) + " tokens",
               isText ? "--text" : "--source", "this model takes at most " + std::to_string(config.context)};
}

TabText writingFor(const std::string& model, const std::string& text, const std::string& source) {
  if (!text.empty() || !source.empty()) return {text, source};
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  return {workspace.text, workspace.source};
}

Status checkSource(const ModelConfig& config, const std::string& source) {
  if (config.isEncoderDecoder() && source.empty())
    return Error{"this model writes from a source, and there is none", "--source", "give the text to read"};
  if (!config.isEncoderDecoder() && !source.empty())
    return Error{"this model reads no source", "--source", "remove --source"};
  return success();
}

Result<Prompt> promptOf(const Tokenizer& tokenizer, const ModelConfig& config, const std::string& text,
                        const std::string& source) {
  if (Status fits = checkSource(config, source); !fits) return fits.error();
  const std::vector<int> start = leadingSpecialTokens(tokenizer, config);
  if (text.empty() && start.empty()) return Error{"the text is empty", "--text", "give at least one word"};
  Prompt prompt{tokenizer.encodeIds(text), {}};
  prompt.tokens.insert(prompt.tokens.begin(), start.begin(), start.end());
  for (const int close : closeSigns(tokenizer, config)) prompt.tokens.push_back(close);
  if (config.isEncoderDecoder()) prompt.source = sourceIds(tokenizer, source);
  if (Status known = checkRows(prompt.tokens, tokenizer, config, "--text"); !known) return known.error();
  if (Status known = checkRows(prompt.source, tokenizer, config, "--source"); !known) return known.error();
  if (Status fits = checkLength(prompt.tokens.size(), config, Stream::Text); !fits) return fits.error();
  if (Status fits = checkLength(prompt.source.size(), config, Stream::Source); !fits) return fits.error();
  return prompt;
}

}  // namespace glassformer
