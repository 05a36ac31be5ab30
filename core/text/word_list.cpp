#include "core/text/word_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text/tokenizers.h"
#include "core/text/utf8.h"

namespace glassformer {

// As the tokenizer.json that it would be: one pipeline cuts all texts.
Result<std::shared_ptr<const Tokenizer>> wordListTokenizer(const std::vector<std::string>& words,
                                                           const std::string& where) {
  nlohmann::json vocab = nlohmann::json::object();
  for (std::size_t id = 0; id < words.size(); ++id) {
    if (const auto there = vocab.find(words[id]); there != vocab.end())
      return Error{
          "the word " + inQuotes(words[id]) + " has two ids, " + there->dump() + " and " + std::to_string(id),
          where, "write one word in each line"};
    vocab[words[id]] = id;
  }
  nlohmann::json model{{"type", "WordLevel"}, {"vocab", std::move(vocab)}, {"unk_token", nullptr}};
  for (const char* unknown : {"<unk>", "[UNK]"})
    if (model["vocab"].contains(unknown)) model["unk_token"] = unknown;
  const nlohmann::json file{{"pre_tokenizer", {{"type", "WhitespaceSplit"}}}, {"model", std::move(model)}};
  return readTokenizerJson(file.dump(), where);
}

std::vector<std::string> idsAsWords(int vocabulary) {
  std::vector<std::string> words;
  for (int id = 0; id < vocabulary; ++id) words.push_back(std::to_string(id));
  return words;
}

}  // namespace glassformer
