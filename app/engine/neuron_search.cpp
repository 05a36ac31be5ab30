#include "app/engine/neuron_search.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/chosen_number.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

namespace {

constexpr std::size_t weightsKept = 2;  // of the open text, and of the one compared with

Tensor noneYet(std::size_t rows, std::size_t columns) {
  return {{static_cast<int>(rows), static_cast<int>(columns)}, std::vector<float>(rows * columns, NAN)};
}

}  // namespace

NeuronId shownNeuron(const Workspace& workspace, const Snapshot& snapshot) {
  const ModelConfig& config = *snapshot.model->config;
  const Stream stream = shownStream(workspace, config);
  const int layer = std::clamp(workspace.selection.layer, 0, blocksOf(config, stream) - 1),
            chosen = chosenNumber(workspace.settings, neuronChoice, -1);
  NeuronId id{layer, chosen, stream};
  if (chosen >= 0 && chosen < config.feedForward) return id;
  const bool isMeasured =
      snapshot.pass->measurements && snapshot.pass->measurements->contains(neurons::order);
  id.neuron = isMeasured ? static_cast<int>((*snapshot.pass->measurements)[neurons::order](0)) : 0;
  return id;
}

bool NeuronSearch::isOf(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer;
}

void NeuronSearch::addExamples(const NeuronId& id, TensorSet& set) const {
  const std::vector<NeuronExamples::Example> found = examples_->of(id);
  Tensor searched({2}, {static_cast<float>(next_), static_cast<float>(texts_.count())});
  set.add({neuronExamples::searched, "2", "number of texts read, and of all texts", ""}, std::move(searched));
  if (found.empty()) return;
  const int count = static_cast<int>(found.size());
  std::vector<int> texts;
  Tensor activations({count}), places({count}), around = noneYet(found.size(), NeuronExamples::window);
  for (int i = 0; i < count; ++i) {
    const NeuronExamples::Example& example = found[static_cast<std::size_t>(i)];
    texts.push_back(example.text);
    activations(i) = example.activation, places(i) = static_cast<float>(example.token);
    for (int k = 0; k < NeuronExamples::window; ++k)
      around(i, k) = example.around[static_cast<std::size_t>(k)];
  }
  set.add({neuronExamples::activation, "Y", "activation of the neuron at its strongest token of each text",
           "a_f"},
          std::move(activations));
  set.add({neuronExamples::token, "Y", "at which token of each text that is", "argmax |a_f|"},
          std::move(places));
  set.add({neuronExamples::around, "YZ", "activation of the neuron at the tokens around that one", "a_f"},
          std::move(around));
  set.add({neuronExamples::tokens, "YZ", "the tokens of each text", ""}, texts_.tokens(texts));
  if (model_->config().isEncoderDecoder())
    set.add({neuronExamples::source, "YZ", "the tokens of the source of each text", ""},
            texts_.sources(texts));
}

JobResult NeuronSearch::keptFor(const MeasuredModel& of, const Snapshot& snapshot) const {
  const auto& config = snapshot.model->config;
  if (!isOf(of) || !snapshot.pass->hasTrace() || !config || !config->hasFeedForward()) return {};
  const NeuronId id = shownNeuron(of.workspace, snapshot);
  const auto weights = std::ranges::find(weights_, id, &Weights::first);
  auto set = weights == weights_.end() ? std::make_shared<TensorSet>()
                                       : std::make_shared<TensorSet>(*weights->second);
  const bool isSearched = texts_.areAsked(of);
  if (isSearched && texts_.missing().empty()) addExamples(id, *set);
  return {std::move(set), isSearched ? texts_.missing() : ""};
}

void NeuronSearch::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const bool isOther = of.other != nullptr;
  const JobResult there = isOther          ? JobResult{.missing = "only for the open model"}
                          : snapshot.other ? keptFor(of, *snapshot.other)
                                           : JobResult{};
  put(snapshot, keptFor(of, snapshot), there);
}

bool NeuronSearch::takeUpModel(const MeasuredModel& of) {
  if (isOf(of)) return false;
  model_ = of.model.shown->transformer;
  pass_ = std::make_unique<LivePass>(model_, threads_);
  weights_.clear(), texts_.forget();
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

bool NeuronSearch::takeUpTexts(const MeasuredModel& of, const StartJob& begin) {
  if (!texts_.takeUp(of, begin)) return false;
  next_ = 0, examples_ = std::make_unique<NeuronExamples>(of.model.config());
  return true;
}

bool NeuronSearch::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  if (isMoving(of.workspace, snapshot) || !snapshot.pass->hasTrace() || !of.model.config().hasFeedForward())
    return false;
  bool isNew = takeUpModel(of);
  isNew |= takeUpWeights(shownNeuron(of.workspace, snapshot));
  if (snapshot.other && snapshot.other->pass->hasTrace() && !of.other)
    isNew |= takeUpWeights(shownNeuron(of.workspace, *snapshot.other));
  return takeUpTexts(of, begin) || isNew;
}

void NeuronSearch::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                           const std::function<void()>& more) {
  const int count = texts_.count();
  if (isMoving(of.workspace, snapshot) || !isOf(of) || !texts_.areAsked(of) || next_ == count) return;
  const ProgressCallback watch = begin(doing);
  for (; next_ < count; ++next_) {
    if (!watch(next_, count)) return;
    const TokenText& text = texts_[next_];
    if (texts_.isWhole(next_, model_->config()))
      examples_->add(*pass_->run(text.tokens, {}, text.source), next_);
    more();
  }
  more();
}

}  // namespace glassformer
