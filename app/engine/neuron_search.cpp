#include "app/engine/neuron_search.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/chosen_number.h"
#include "app/document/tabs.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/train/training_task.h"

namespace glassformer {

namespace {

constexpr std::uint64_t corpusSeed = 1;
constexpr std::size_t weightsKept = 2;  // of the open text, and of the one compared with

Tensor noneYet(std::size_t rows, std::size_t columns) {
  return {{static_cast<int>(rows), static_cast<int>(columns)}, std::vector<float>(rows * columns, NAN)};
}

}  // namespace

NeuronId shownNeuron(const Workspace& workspace, const Snapshot& snapshot) {
  const ModelConfig& config = *snapshot.model->config;
  const int layer = std::clamp(workspace.selection.layer, 0, config.layers - 1),
            chosen = chosenNumber(workspace.settings, neuronChoice, -1);
  NeuronId id{layer, chosen, shownStream(workspace, config)};
  if (chosen >= 0 && chosen < config.feedForward) return id;
  const bool isMeasured =
      snapshot.pass->measurements && snapshot.pass->measurements->contains(neurons::order);
  id.neuron = isMeasured ? static_cast<int>((*snapshot.pass->measurements)[neurons::order](0)) : 0;
  return id;
}

NeuronSearch::Corpus NeuronSearch::corpusAsked(const MeasuredModel& of) {
  Corpus corpus{textsSearched(of.workspace.settings), {}};
  if (corpus.count == 0) corpus.lines = linesOf(allTabs(of.workspace), of.model.config().reads());
  return corpus;
}

bool NeuronSearch::isOf(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer;
}

void NeuronSearch::addExamples(const NeuronId& id, TensorSet& set) const {
  const std::vector<NeuronExamples::Example> found = examples_->of(id);
  Tensor searched({2}, {static_cast<float>(next_), static_cast<float>(texts_.size())});
  set.add({neuronExamples::searched, "2", "how many texts were read, and of how many", ""},
          std::move(searched));
  if (found.empty()) return;
  std::size_t longest = 1, longestSource = 1;
  for (const auto& example : found) {
    const TokenText& text = texts_[static_cast<std::size_t>(example.text)];
    longest = std::max(longest, text.tokens.size());
    longestSource = std::max(longestSource, text.source.size());
  }
  const int count = static_cast<int>(found.size());
  Tensor activations({count}), places({count}), around = noneYet(found.size(), NeuronExamples::window),
                                                tokens = noneYet(found.size(), longest),
                                                source = noneYet(found.size(), longestSource);
  for (int i = 0; i < count; ++i) {
    const NeuronExamples::Example& example = found[static_cast<std::size_t>(i)];
    const TokenText& text = texts_[static_cast<std::size_t>(example.text)];
    activations(i) = example.activation, places(i) = static_cast<float>(example.token);
    for (int k = 0; k < NeuronExamples::window; ++k)
      around(i, k) = example.around[static_cast<std::size_t>(k)];
    for (std::size_t t = 0; t < text.tokens.size(); ++t)
      tokens(i, static_cast<int>(t)) = static_cast<float>(text.tokens[t]);
    for (std::size_t t = 0; t < text.source.size(); ++t)
      source(i, static_cast<int>(t)) = static_cast<float>(text.source[t]);
  }
  set.add(
      {neuronExamples::activation, "Y", "how active the neuron is where it is strongest in each text", "a_f"},
      std::move(activations));
  set.add({neuronExamples::token, "Y", "at which token of each text that is", "argmax |a_f|"},
          std::move(places));
  set.add({neuronExamples::around, "YZ", "how active the neuron is at the tokens around that one", "a_f"},
          std::move(around));
  set.add({neuronExamples::tokens, "YZ", "the tokens of each text", ""}, std::move(tokens));
  if (longestSource > 1)
    set.add({neuronExamples::source, "YZ", "the tokens of the source of each text", ""}, std::move(source));
}

Kept NeuronSearch::keptFor(const MeasuredModel& of, const Snapshot& snapshot) const {
  const auto& config = snapshot.model->config;
  if (!isOf(of) || !snapshot.pass->hasTrace() || !config || !config->hasFeedForward()) return {};
  const NeuronId id = shownNeuron(of.workspace, snapshot);
  const auto weights = std::ranges::find(weights_, id, &Weights::first);
  auto set = weights == weights_.end() ? std::make_shared<TensorSet>()
                                       : std::make_shared<TensorSet>(*weights->second);
  const bool isSearched = isRead_ && corpus_ == corpusAsked(of);
  if (isSearched && missing_.empty()) addExamples(id, *set);
  return {std::move(set), isSearched ? missing_ : ""};
}

void NeuronSearch::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const bool isOther = of.other != nullptr;
  const Kept there = isOther          ? Kept{.missing = "this is told of the open model alone"}
                     : snapshot.other ? keptFor(of, *snapshot.other)
                                      : Kept{};
  put(snapshot, keptFor(of, snapshot), there);
}

bool NeuronSearch::takeUpModel(const MeasuredModel& of) {
  if (isOf(of)) return false;
  model_ = of.model.shown->transformer;
  pass_ = std::make_unique<LivePass>(model_, threads_);
  weights_.clear(), isRead_ = false;
  return true;
}

bool NeuronSearch::takeUpWeights(const NeuronId& id) {
  if (std::ranges::find(weights_, id, &Weights::first) != weights_.end()) return false;
  auto set = std::make_shared<TensorSet>();
  measureNeuronWeights(*model_, id, *set);
  if (weights_.size() == weightsKept) weights_.erase(weights_.begin());
  weights_.emplace_back(id, std::move(set));
  return true;
}

bool NeuronSearch::takeUpCorpus(const MeasuredModel& of, const Begin& begin) {
  Corpus asked = corpusAsked(of);
  if (isRead_ && corpus_ == asked) return false;
  OpenModel& model = of.model;
  if (asked.count > 0 && !model.task && !model.origin.task.empty()) {
    if (!begin("writing the texts of " + model.origin.task)(0, 0)) return false;
    model.task = makeTask(model.origin);
  }
  corpus_ = std::move(asked);
  isRead_ = true, missing_.clear(), texts_.clear(), next_ = 0;
  examples_ = std::make_unique<NeuronExamples>(model.config());
  for (const Writing& line : corpus_.lines)
    texts_.push_back(readBy(*model.shown->tokenizer, model.config(), line));
  if (corpus_.count == 0) return true;
  auto read = taskTexts(model.task.get(), *model.shown->tokenizer, model.config(), model.shown->name,
                        corpusSeed, corpus_.count);
  if (read)
    texts_ = std::move(*read);
  else
    missing_ = "This model " + read.error().what + ": its examples are searched in the lines of the tabs.";
  return true;
}

bool NeuronSearch::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin) {
  if (isMoving(of.workspace, snapshot) || !snapshot.pass->hasTrace() || !of.model.config().hasFeedForward())
    return false;
  bool isNew = takeUpModel(of);
  isNew |= takeUpWeights(shownNeuron(of.workspace, snapshot));
  if (snapshot.other && snapshot.other->pass->hasTrace() && !of.other)
    isNew |= takeUpWeights(shownNeuron(of.workspace, *snapshot.other));
  return takeUpCorpus(of, begin) || isNew;
}

void NeuronSearch::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                           const std::function<void()>& more) {
  const int count = static_cast<int>(texts_.size());
  if (isMoving(of.workspace, snapshot) || !isOf(of) || !isRead_ || next_ == count) return;
  const Watch watch = begin(doing);
  for (; next_ < count; ++next_) {
    if (!watch(next_, count)) return;
    const TokenText& text = texts_[static_cast<std::size_t>(next_)];
    const bool isWhole = !text.tokens.empty() && (!model_->config().reads() || !text.source.empty());
    if (isWhole) examples_->add(*pass_->run(text.tokens, {}, text.source), next_);
    more();
  }
  more();
}

}  // namespace glassformer
