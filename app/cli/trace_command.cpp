#include "app/cli/trace_command.h"

#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/asked.h"
#include "app/cli/choices_option.h"
#include "app/cli/prompt.h"
#include "app/engine/token_ids.h"
#include "core/io/config_file.h"
#include "core/io/safetensors.h"
#include "core/model/live_pass.h"

namespace glassformer {
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

namespace {

// Bytes that are no valid UTF-8 are replaced.
template <typename AnyJson>
std::string compactJson(const AnyJson& json) {
  return json.dump(-1, ' ', false, AnyJson::error_handler_t::replace);
}

// What each token stands for, so that the file can be read where the tokenizer is not.
std::string textsOf(const Tokenizer& tokenizer, const std::vector<int>& ids, const std::vector<int>& source) {
  nlohmann::json texts = nlohmann::json::array();
  for (const auto* read : {&ids, &source})
    for (const int id : *read) texts.push_back(tokenizer.writtenBehind(id));
  return compactJson(texts);
}

}  // namespace

Status TraceCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const ModelConfig& config = loaded->transformer->config();
  const auto given = tokens ? parsedTokens(*tokens, "--token-ids") : std::vector<int>();
  if (!given) return given.error();
  // Tokens are taken as they are; a word stands in for the text that they replace.
  auto prompt = promptOf(*loaded->tokenizer, config, tokens ? "." : text, source);
  if (!prompt) return prompt.error();
  const std::vector<int>& ids = tokens ? *given : prompt->tokens;
  if (Status status = checkTokens(ids, config, "--token-ids"); !status) return status;

  const auto changed = interventions.of(loaded->transformer);
  if (!changed) return changed.error();
  LivePass pass(loaded->transformer);
  if (Status fits = pass.checkMemory(ids.size(), prompt->source.size()); !fits) return fits;
  const auto trace = pass.run(ids, *changed, prompt->source);
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < trace->count(); ++i)
    if (only.empty() || fitsPattern(trace->point(i).name, only))
      tensors.push_back({trace->point(i).name, trace->tensor(i)});
  if (tensors.empty())
    return Error{"no trace point fits " + only, "--only", "for example blocks.*.attn.hook_pattern"};
  std::map<std::string, std::string> metadata{
      {"model", loaded->name},
      {"tokens", joined(ids)},
      {"texts", textsOf(*loaded->tokenizer, ids, prompt->source)},
      {"config", modelConfigJson(config, loaded->tokenizer->endOfText())}};
  Question question = askedOf(*loaded, choices, {tokens ? "" : text, source}, *changed);
  if (tokens) question.text = loaded->tokenizer->decode(ids);
  metadata["question"] = compactJson(questionJson(question));
  if (config.isEncoderDecoder()) metadata["source"] = joined(prompt->source);
  return writeSafetensors(out, tensors, metadata);
}

}  // namespace glassformer
