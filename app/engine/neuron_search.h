#pragma once
#include <memory>
#include <string>

#include "app/document/neuron_settings.h"
#include "app/engine/job.h"
#include "core/lens/neuron_examples.h"
#include "core/lens/neurons.h"
#include "core/model/live_pass.h"

namespace glassformer {

struct Workspace;

/// The neuron that is looked at: the chosen one of the selected block, else its strongest on the text.
NeuronId shownNeuron(const Workspace& workspace, const Snapshot& snapshot);

namespace neuronExamples {
inline constexpr const char *activation = "examples.activation",  ///< [Y]: where each text's is largest
    *token = "examples.token",                                    ///< [Y]: at which token that is
        *around = "examples.around",                  ///< [Y, Z]: of the tokens around it; NaN: there is none
            *tokens = "examples.tokens",              ///< [Y, Z]: what each text says; NaN: nothing any more
                *source = "examples.source",          ///< [Y, Z]: what was read beside it
                    *searched = "examples.searched";  ///< [2]: how many texts were read, and of how many
}  // namespace neuronExamples

/// Of which neuron of which model.
struct NeuronKey {
  std::shared_ptr<const Transformer> model;
  NeuronId neuron;
  bool operator==(const NeuronKey&) const = default;
};

/// What the weights of the neuron that is looked at say.
class NeuronWeights final : public WholeJob<NeuronKey> {
 public:
  explicit NeuronWeights(int /*threads*/) {}

 private:
  std::optional<NeuronKey> key(const JobSide& side) const override;
  Result measureAll(const NeuronKey& key, const JobSide& side, const StartJob& begin) override;
};

/// The texts on which each neuron of a model is strongest: read one after the other, without interventions.
class NeuronExamplesSearch {
 public:
  NeuronExamplesSearch(const CorpusKey& key, std::shared_ptr<const SearchedTexts> texts, const JobSide& side,
                       int threads);

  bool goOn(const JobSide& side, const StartJob& begin, const std::function<void()>& more);
  JobResult of(const NeuronId& id) const;

 private:
  std::shared_ptr<const SearchedTexts> texts_;
  LivePass pass_;
  NeuronExamples examples_;
  int next_ = 0;  // text
};

/// Those of the neuron that is looked at: texts of the model's own task, or the lines of all tabs.
class NeuronSearch final : public JobOverTexts<CorpusKey, NeuronExamplesSearch> {
 public:
  static constexpr const char* doing = "searching examples of neurons";

  using JobOverTexts::JobOverTexts;

 private:
  std::optional<CorpusKey> key(const JobSide& side) const override;
  JobResult result(const CorpusKey&, const NeuronExamplesSearch& search, const JobSide& side) const override {
    return search.of(shownNeuron(side.workspace(), side.snapshot));
  }
};

}  // namespace glassformer
