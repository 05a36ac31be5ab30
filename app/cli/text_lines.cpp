#include "app/cli/text_lines.h"

#include <sstream>

#include "app/cli/prompt.h"
#include "app/engine/corpus.h"
#include "core/io/files.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

Result<TokenText> readText(const LoadedModel& model, const std::string& text, const std::string& source) {
  auto prompt = promptOf(*model.tokenizer, model.transformer->config(), text, source);
  if (!prompt) return prompt.error();
  std::vector<bool> trained =
      trainedTokens(taskName(model.task.get(), model.origin), *model.tokenizer, prompt->tokens);
  return TokenText{std::move(prompt->tokens), std::move(prompt->source), std::move(trained)};
}

namespace {

// A line of a file: "text", or "source<tab>text" where the model reads a source.
Result<TokenText> readLine(const LoadedModel& model, const std::string& line, const std::string& where) {
  std::string source, text = line;
  if (model.transformer->config().isEncoderDecoder()) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos)
      return Error{"has no tab between a source and its text", where, "this model writes from a source"};
    source = line.substr(0, tab), text = line.substr(tab + 1);
  }
  auto read = readText(model, text, source);
  if (!read) return Error{read.error().what, where, read.error().hint};
  return read;
}

}  // namespace

Result<std::vector<TokenText>> readLines(const LoadedModel& model, const std::string& file) {
  const auto content = readTextFile(file);
  if (!content) return content.error();
  std::istringstream lines(*content);
  std::vector<TokenText> texts;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    auto read = readLine(model, line, file + ", line " + std::to_string(number));
    if (!read) return read.error();
    texts.push_back(std::move(*read));
  }
  if (texts.empty()) return Error{"the file has no line", file, "a text in every line"};
  return texts;
}

namespace {
std::shared_ptr<const TrainingTask> taskOf(const LoadedModel& model) {
  return model.task ? model.task : makeTask(model.origin);
}
}  // namespace

Result<std::vector<TokenText>> textsOfTask(const LoadedModel& model, std::uint64_t seed, int count,
                                           const char* otherwise) {
  const auto task = taskOf(model);
  auto texts = taskTexts(task.get(), *model.tokenizer, model.transformer->config(), model.name, seed, count);
  if (!texts) return Error{texts.error().what, texts.error().where, otherwise};
  return texts;
}

Result<std::vector<TokenText>> questionsOfTask(const LoadedModel& model, int count, const char* otherwise) {
  const auto task = taskOf(model);
  auto texts = taskQuestions(task.get(), *model.tokenizer, model.transformer->config(), model.name, count);
  if (!texts) return Error{texts.error().what, texts.error().where, otherwise};
  return texts;
}

Result<std::vector<TokenText>> repeatsOf(const LoadedModel& model, std::uint64_t seed, int count) {
  const auto task = taskOf(model);
  auto texts = repeatsFor(task.get(), *model.tokenizer, model.transformer->config(), seed, count);
  if (!texts) return Error{texts.error().what, model.name, ""};
  return texts;
}

}  // namespace glassformer
