#include "app/engine/corpus.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "app/engine/open_model.h"
#include "core/train/training_task.h"

namespace glassformer {

namespace {

void cutOff(TokenText& text, const ModelConfig& config) {
  const auto room = static_cast<std::size_t>(config.context);
  text.tokens.resize(std::min(text.tokens.size(), room));
  text.source.resize(std::min(text.source.size(), room));
  if (!text.counted.empty()) text.counted.resize(std::min(text.counted.size(), room - 1));
  if (std::ranges::count(text.counted, true) == 0) text.counted.clear();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

}  // namespace

TokenText readBy(const Tokenizer& tokenizer, const ModelConfig& config, const TabText& writing) {
  TokenText text{tokenizer.encodeIds(writing.text), {}};
  const std::vector<int> signs = leadingSpecialTokens(tokenizer, config);
  text.tokens.insert(text.tokens.begin(), signs.begin(), signs.end());
  if (config.isEncoderDecoder()) text.source = sourceIds(tokenizer, writing.source);
  cutOff(text, config);
  return text;
}

namespace {

Status checkTask(const TrainingTask* task, const Tokenizer& tokenizer, const ModelConfig& config,
                 const std::string& model) {
  if (!task) return Error{"names no training task in its card", model, ""};
  if (!(task->tokenizer() == tokenizer) || task->recipe().config.stack != config.stack)
    return Error{"no longer reads the texts of its task, " + task->recipe().task, model, ""};
  return success();
}

}  // namespace

Result<std::vector<TokenText>> taskTexts(const TrainingTask* task, const Tokenizer& tokenizer,
                                         const ModelConfig& config, const std::string& model,
                                         std::uint64_t seed, int count) {
  if (Status is = checkTask(task, tokenizer, config, model); !is) return is.error();
  std::vector<TokenText> texts = heldOutTexts(*task, seed, count);
  for (TokenText& text : texts) cutOff(text, config);
  return texts;
}

Result<std::vector<TokenText>> taskQuestions(const TrainingTask* task, const Tokenizer& tokenizer,
                                             const ModelConfig& config, const std::string& model, int count) {
  if (Status is = checkTask(task, tokenizer, config, model); !is) return is.error();
  std::vector<TokenText> questions;
  for (const Example& each : task->examples(count))
    questions.push_back(readBy(tokenizer, config, {each.prompt, each.source}));
  if (questions.empty()) return Error{"was trained on no questions with one correct answer", model, ""};
  return questions;
}

Result<std::vector<TokenText>> repeatsFor(const TrainingTask* task, const Tokenizer& tokenizer,
                                          const ModelConfig& config, std::uint64_t seed, int count) {
  if (config.isEncoderDecoder() || config.stack == Stack::EncoderOnly)
    return Error{"continues no text, so it cannot read repeated tokens", "", ""};
  if (config.context < 3) return Error{"has a context too short for two repeated tokens", "", ""};
  std::vector<TokenText> texts(static_cast<std::size_t>(count));
  if (task && checkTask(task, tokenizer, config, "")) {
    texts = heldOutTexts(*task, seed, count);
  } else {
    const int vocabulary = std::min(tokenizer.vocabularySize(), config.vocabulary);
    texts.front().tokens.resize(static_cast<std::size_t>(vocabulary));
    std::iota(texts.front().tokens.begin(), texts.front().tokens.end(), 0);
  }
  return repeatedTexts(texts, tokenizer, config.context, seed);
}

int signsBefore(const std::vector<int>& tokens, const std::vector<int>& signs) {
  const auto differs = std::ranges::mismatch(tokens, signs);
  return static_cast<int>(differs.in1 - tokens.begin());
}

std::vector<int> gapsOf(const std::vector<int>& tokens, int mask) {
  std::vector<int> gaps;
  for (std::size_t t = 0; t < tokens.size(); ++t)
    if (tokens[t] == mask) gaps.push_back(static_cast<int>(t));
  return gaps;
}

std::vector<TabText> linesOf(const std::vector<TabText>& writings, bool readsSource) {
  std::vector<TabText> all;
  for (const TabText& writing : writings) {
    const std::vector<std::string> texts = lines(writing.text),
                                   sources = readsSource ? lines(writing.source) : std::vector<std::string>{};
    for (std::size_t i = 0; i < (readsSource ? sources.size() : texts.size()); ++i) {
      const TabText line(i < texts.size() ? texts[i] : "", readsSource ? sources[i] : "");
      const bool isEmpty = readsSource ? line.source.empty() : line.text.empty();
      if (!isEmpty && std::ranges::find(all, line) == all.end()) all.push_back(line);
    }
  }
  return all;
}

}  // namespace glassformer
