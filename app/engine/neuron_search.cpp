#include "app/engine/neuron_search.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/chosen_number.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

namespace {

Tensor noneYet(std::size_t rows, std::size_t columns) {
  return {{static_cast<int>(rows), static_cast<int>(columns)}, std::vector<float>(rows * columns, NAN)};
}

// Whether there are neurons to look at.
bool hasNeurons(const JobSide& side) {
  return side.snapshot.pass->hasTrace() && !side.isMoving() && side.config().hasFeedForward();
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

std::optional<NeuronKey> NeuronWeights::key(const JobSide& side) const {
  if (!hasNeurons(side)) return std::nullopt;
  return NeuronKey{side.model, shownNeuron(side.workspace(), side.snapshot)};
}

NeuronWeights::Result NeuronWeights::measureAll(const NeuronKey& key, const JobSide&, const StartJob&) {
  auto set = std::make_shared<TensorSet>();
  measureNeuronWeights(*key.model, key.neuron, *set);
  return JobResult{std::move(set)};
}

NeuronExamplesSearch::NeuronExamplesSearch(const CorpusKey& key, std::shared_ptr<const SearchedTexts> texts,
                                           const JobSide&, int threads)
    : texts_(std::move(texts)), pass_(key.model, threads), examples_(key.model->config()) {}

JobResult NeuronExamplesSearch::of(const NeuronId& id) const {
  if (!texts_->missing().empty()) return {.missing = texts_->missing()};
  auto set = std::make_shared<TensorSet>();
  const std::vector<NeuronExamples::Example> found = examples_.of(id);
  set->add({neuronExamples::searched, "2", "number of texts read, and of all texts", ""},
           Tensor({2}, {static_cast<float>(next_), static_cast<float>(texts_->count())}));
  if (found.empty()) return {std::move(set)};
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
  set->add({neuronExamples::activation, "Y", "activation of the neuron at its strongest token of each text",
            "a_f"},
           std::move(activations));
  set->add({neuronExamples::token, "Y", "at which token of each text that is", "argmax |a_f|"},
           std::move(places));
  set->add({neuronExamples::around, "YZ", "activation of the neuron at the tokens around that one", "a_f"},
           std::move(around));
  set->add({neuronExamples::tokens, "YZ", "the tokens of each text", ""}, texts_->tokens(texts));
  if (pass_.model().config().isEncoderDecoder())
    set->add({neuronExamples::source, "YZ", "the tokens of the source of each text", ""},
             texts_->sources(texts));
  return {std::move(set)};
}

bool NeuronExamplesSearch::goOn(const JobSide&, const StartJob& begin, const std::function<void()>& more) {
  const int count = texts_->count();
  if (next_ == count) return true;
  const ProgressCallback watch = begin(NeuronSearch::doing);
  for (; next_ < count; ++next_) {
    if (!watch(next_, count)) return false;
    const TokenText& text = (*texts_)[next_];
    if (texts_->isWhole(next_, pass_.model().config()))
      examples_.add(*pass_.run(text.tokens, {}, text.source), next_);
    more();
  }
  more();
  return true;
}

std::optional<CorpusKey> NeuronSearch::key(const JobSide& side) const {
  return hasNeurons(side) ? side.corpus() : std::nullopt;
}

}  // namespace glassformer
