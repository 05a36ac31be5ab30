#include "app/cli/trace_command.h"

#include <charconv>
#include <map>

#include "app/cli/choices_option.h"
#include "app/cli/prompt.h"
#include "core/io/safetensors.h"
#include "core/model/live_pass.h"
#include "core/text/utf8.h"

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

Result<std::vector<int>> parsedTokens(const std::string& list) {
  std::vector<int> ids;
  const char *at = list.data(), *const end = at + list.size();
  for (bool more = true; more; ++at) {
    int id = 0;
    const auto [rest, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (rest != end && *rest != ','))
      return Error{inQuotes(list) + " has no id at place " + std::to_string(ids.size()), "--tokens",
                   "whole numbers, separated by commas, such as 12,7,300"};
    ids.push_back(id);
    more = rest != end;
    at = rest;
  }
  return ids;
}

std::string joined(const std::vector<int>& tokens) {
  std::string text;
  for (const int t : tokens) text += (text.empty() ? "" : ",") + std::to_string(t);
  return text;
}

}  // namespace

// Where a letter does not fit, the last star takes one more: no pattern takes longer than both lengths
// multiplied.
bool fitsPattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*')
      star = p++, taken = n;
    else if (p < pattern.size() && pattern[p] == name[n])
      ++n, ++p;
    else if (star != std::string_view::npos)
      p = star + 1, n = ++taken;
    else
      return false;
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Status TraceCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  if (text.empty() && !tokens && !config.reads())
    return Error{"nothing to read", "trace", "give --text or --tokens"};
  const auto given = tokens ? parsedTokens(*tokens) : std::vector<int>();
  if (!given) return given.error();
  // Tokens are taken as they are; a word stands in for the text that they replace.
  auto prompt = promptOf(*loaded->tokenizer, config, tokens ? "." : text, source);
  if (!prompt) return prompt.error();
  const std::vector<int>& ids = tokens ? *given : prompt->tokens;
  if (Status status = checkTokens(ids, config); !status) return status;

  LivePass pass(loaded->transformer);
  if (Status fits = pass.checkMemory(ids.size(), prompt->source.size()); !fits) return fits;
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
