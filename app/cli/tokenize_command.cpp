#include "app/cli/tokenize_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/json_lines.h"
#include "app/engine/library_tokenizers.h"
#include "app/engine/open_model.h"
#include "app/scene/format.h"
#include "core/io/files.h"
#include "core/text/json_text.h"

namespace glassformer {

namespace {

nlohmann::json tokensOf(const Tokenizer& tokenizer, const std::string& text) {
  nlohmann::json list = nlohmann::json::array();
  for (const Token& token : tokenizer.encode(text))
    list.push_back({{"id", token.id},
                    {"label", tokenizer.tokenLabel(token.id)},
                    {"begin", token.begin},
                    {"end", token.end}});
  return list;
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

// "stories, draft: 4 tokens" and below it "The|·dog|·sang|."
void print(const NamedTokenizer& named, const std::string& text) {
  std::vector<std::string> labels;
  for (const int id : named.tokenizer->encodeIds(text)) labels.push_back(named.tokenizer->tokenLabel(id));
  std::string pieces;
  for (const std::string& label : labels) pieces += (pieces.empty() ? "" : "|") + label;
  const std::string count = countWords(static_cast<std::int64_t>(labels.size()), "token");
  std::printf("%s: %s\n    %s\n", joined(named.models).c_str(), count.c_str(), pieces.c_str());
}

// The named model's first, as in the window.
Result<std::vector<NamedTokenizer>> tokenizersOf(const ModelLibrary& library, const std::string& first) {
  std::vector<std::string> names{first};
  for (const ModelLibrary::Entry& entry : library.builtIn())
    if (entry.name != first) names.push_back(entry.name);
  std::vector<NamedTokenizer> tokenizers;
  for (const std::string& name : names) {
    const auto loaded = library.load(name);
    if (!loaded) return loaded.error();
    addTokenizer(tokenizers, name, loaded->tokenizer);
  }
  return tokenizers;
}

}  // namespace

Status TokenizeCommand::run(const ModelLibrary& models) const {
  if (text.empty() && texts.empty())
    return Error{"the text is missing", "--text", "give a text, or a file of texts with --texts"};
  return !texts.empty() ? cutLines(models) : library ? cutByAll(models) : cut(models);
}

Status TokenizeCommand::cut(const ModelLibrary& models) const {
  const auto loaded = models.load(model);
  if (!loaded) return loaded.error();
  const nlohmann::json list = tokensOf(*loaded->tokenizer, text);
  if (json) return printJson(list), success();
  for (const nlohmann::json& token : list)
    std::printf("%6d  %s\n", token["id"].get<int>(), token["label"].get<std::string>().c_str());
  return success();
}

Status TokenizeCommand::cutLines(const ModelLibrary& models) const {
  const auto content = readTextFile(texts);
  if (!content) return content.error();
  const auto loaded = models.load(model);
  if (!loaded) return loaded.error();
  const Tokenizer& tokenizer = *loaded->tokenizer;
  std::istringstream lines(*content);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = texts + ", line " + std::to_string(++number);
    const auto read = parseJson(line, where);
    if (!read || !read->is_string()) return Error{"not a JSON string", where, "write \"The dog sang.\""};
    std::vector<int> ids = tokenizer.encodeIds(read->get<std::string>());
    const std::vector<int> start = leadingSpecialTokens(tokenizer, loaded->transformer->config()),
                           close = closeSigns(tokenizer, loaded->transformer->config());
    ids.insert(ids.begin(), start.begin(), start.end());
    ids.insert(ids.end(), close.begin(), close.end());
    std::printf("%s\n", nlohmann::json(ids).dump().c_str());
  }
  return success();
}

Status TokenizeCommand::cutByAll(const ModelLibrary& models) const {
  const auto tokenizers = tokenizersOf(models, model);
  if (!tokenizers) return tokenizers.error();
  nlohmann::json all = nlohmann::json::array();
  for (const NamedTokenizer& named : *tokenizers)
    if (json)
      all.push_back({{"models", named.models}, {"tokens", tokensOf(*named.tokenizer, text)}});
    else
      print(named, text);
  if (json) printJson(all);
  return success();
}

}  // namespace glassformer
