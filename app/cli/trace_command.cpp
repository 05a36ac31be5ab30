#include "app/cli/trace_command.h"

#include <cstdio>
#include <map>

#include "app/cli/choices_option.h"
#include "app/cli/prompt.h"
#include "core/io/safetensors.h"
#include "core/model/live_pass.h"

namespace glassformer {
namespace {

Status checkTokens(const std::vector<int>& tokens, const ModelConfig& config) {
  if (static_cast<int>(tokens.size()) > config.context)
    return Error{std::to_string(tokens.size()) + " tokens", "--tokens",
                 "this model takes at most " + std::to_string(config.context)};
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] < 0 || tokens[i] >= config.vocabulary)
      return Error{
          "token " + std::to_string(tokens[i]) + " at place " + std::to_string(i) + " does not exist",
          "--tokens", "ids go from 0 to " + std::to_string(config.vocabulary - 1)};
  return success();
}

std::string joined(const std::vector<int>& tokens) {
  std::string text;
  for (const int t : tokens) text += (text.empty() ? "" : ",") + std::to_string(t);
  return text;
}

}  // namespace

bool fitsPattern(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() != '*')
    return !name.empty() && name.front() == pattern.front() && fitsPattern(name.substr(1), pattern.substr(1));
  for (std::size_t skip = 0; skip <= name.size(); ++skip)
    if (fitsPattern(name.substr(skip), pattern.substr(1))) return true;
  return false;
}

Status TraceCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (text.empty() && tokens.empty() && !config.reads())
    return Error{"nothing to read", "trace", "give --text or --tokens"};
  // Tokens are taken as they are; a word stands in for the text that they replace.
  auto prompt = promptOf(*loaded->tokenizer, config, tokens.empty() ? text : ".", source);
  if (!prompt) return prompt.error();
  const std::vector<int>& ids = tokens.empty() ? prompt->tokens : tokens;
  if (Status status = checkTokens(ids, config); !status) return status;

  LivePass pass(loaded->transformer);
  const auto trace = pass.run(ids, {}, prompt->source);
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < trace->count(); ++i)
    if (only.empty() || fitsPattern(trace->point(i).name, only))
      tensors.push_back({trace->point(i).name, trace->tensor(i)});
  if (tensors.empty())
    return Error{"no trace point fits " + only, "--only", "for example blocks.*.attn.hook_pattern"};
  std::map<std::string, std::string> about{{"model", loaded->name}, {"tokens", joined(ids)}};
  if (config.reads()) about["source"] = joined(prompt->source);
  return writeSafetensors(out, tensors, about);
}

}  // namespace glassformer
