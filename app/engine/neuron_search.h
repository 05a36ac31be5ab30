#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/document/neuron_settings.h"
#include "app/engine/need.h"
#include "app/engine/searched_texts.h"
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

/// What the weights of the neuron that is looked at say, and the texts on which it is strongest: texts of the
/// model's own task, or the lines of all tabs, read one after the other behind the picture, without
/// interventions, once for all neurons of the model.
class NeuronSearch final : public BackgroundJob {
 public:
  static constexpr const char* doing = "searching examples of neurons";

  explicit NeuronSearch(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  using Weights = std::pair<NeuronId, std::shared_ptr<const TensorSet>>;

  bool isOf(const MeasuredModel& of) const;
  bool takeUpModel(const MeasuredModel& of);
  bool takeUpWeights(const NeuronId& id);
  bool takeUpTexts(const MeasuredModel& of, const StartJob& begin);
  JobResult keptFor(const MeasuredModel& of, const Snapshot& snapshot) const;
  void addExamples(const NeuronId& id, TensorSet& set) const;

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::vector<Weights> weights_;  // of the neurons that were looked at last
  SearchedTexts texts_;
  std::unique_ptr<LivePass> pass_;
  std::unique_ptr<NeuronExamples> examples_;
  int next_ = 0;  // text
};

}  // namespace glassformer
