#include "app/engine/searched_texts.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>
#include <tuple>

#include "app/document/metric_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/tabs.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "app/engine/ragged_rows.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

namespace {

constexpr std::uint64_t corpusSeed = 1;

Result<std::vector<TokenText>> textsOf(const Corpus& corpus, const OpenModel& model) {
  const TrainingTask* const task = model.task.get();
  const auto& [name, tokenizer] = std::tie(model.shown->name, *model.shown->tokenizer);
  if (corpus.questions) return taskQuestions(task, tokenizer, model.config(), name, corpus.count);
  if (corpus.repeats) return repeatsFor(task, tokenizer, model.config(), corpusSeed, corpus.count);
  if (corpus.count > 0) return taskTexts(task, tokenizer, model.config(), name, corpusSeed, corpus.count);
  std::vector<TokenText> lines;
  for (const TabText& line : corpus.lines) {
    lines.push_back(readBy(tokenizer, model.config(), line));
    lines.back().counted = trainedTokens(taskName(task, model.origin), tokenizer, lines.back().tokens);
  }
  return lines;
}

}  // namespace

Corpus corpusAsked(const Workspace& workspace, const ModelConfig& config) {
  const ViewSettings& settings = workspace.settings;
  const std::string_view chosen = settings.chosen(neuronCorpus);
  Corpus corpus{textsSearched(settings),
                chosen == corpusOfQuestions,
                chosen == corpusOfRepeats,
                std::string(settings.chosen(countedPositions)),
                {}};
  if (corpus.count == 0) corpus.lines = linesOf(allTabs(workspace), config.isEncoderDecoder());
  return corpus;
}

SearchedTexts::SearchedTexts(Corpus corpus, const OpenModel& model)
    : corpus_(std::move(corpus)), reader_(model.shown) {
  if (auto texts = textsOf(corpus_, model))
    texts_ = *std::move(texts);
  else
    missing_ = "This model " + texts.error().what + ": “Tabs” reads the lines of the tabs.";
  std::set<int> tokens, sources;
  for (TokenText& text : texts_) {
    text.counted = countedTokens(corpus_.positions, text.tokens.size(), std::move(text.counted));
    tokens.insert(text.tokens.begin(), text.tokens.end());
    sources.insert(text.source.begin(), text.source.end());
  }
  occurring_.assign(tokens.begin(), tokens.end());
  occurringInSources_.assign(sources.begin(), sources.end());
}

bool SearchedTexts::areOf(const Corpus& corpus, const OpenModel& model) const {
  return corpus_ == corpus && reader_.lock() == model.shown;
}

int SearchedTexts::partnerOf(int i) const {
  const int other = i % 2 == 0 ? i + 1 : i - 1;
  return corpus_.count == 0 && other < count() ? other : -1;
}

bool SearchedTexts::isWhole(int i, const ModelConfig& config) const {
  const auto& [tokens, source] = std::tie((*this)[i].tokens, (*this)[i].source);
  const std::size_t longest = std::max(tokens.size(), source.size());
  return !tokens.empty() && longest <= static_cast<std::size_t>(config.context) &&
         (!config.isEncoderDecoder() || !source.empty());
}

Tensor SearchedTexts::tokens(std::span<const int> some) const {
  return raggedRows(some | std::views::transform([&](int i) -> const auto& { return (*this)[i].tokens; }));
}

Tensor SearchedTexts::sources(std::span<const int> some) const {
  return raggedRows(some | std::views::transform([&](int i) -> const auto& { return (*this)[i].source; }));
}

std::shared_ptr<const SearchedTexts> textsRead(const Corpus& corpus, OpenModel& model,
                                               const StartJob& begin) {
  if (model.texts && model.texts->areOf(corpus, model)) return model.texts;
  if (corpus.count > 0 && !model.task && !model.origin.task.empty()) {
    if (!begin("writing the texts of " + model.origin.task)(0, 0)) return nullptr;
    model.task = makeTask(model.origin);
  }
  return model.texts = std::make_shared<const SearchedTexts>(corpus, model);
}

}  // namespace glassformer
