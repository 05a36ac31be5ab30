#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/lens/neurons.h"

namespace glassformer {

/// The texts on which every neuron of a model is strongest, by the largest |a| of each text. Of the tokens
/// around that place the activations are kept, too.
class NeuronExamples {
 public:
  static constexpr int kept = 8, before = 15, behind = 8, window = before + 1 + behind;

  struct Example {
    int text = -1;  ///< as add() was told; -1: none
    int token = 0;  ///< where it is strongest
    float activation = 0;
    std::array<float, window> around{};  ///< of the tokens from `token` − before on; NaN where there is none
  };

  explicit NeuronExamples(const ModelConfig& config);

  /// Takes up a pass. Every text is added once.
  void add(const Trace& trace, int text);
  /// Those found so far, the strongest first; of equals the one that was added first.
  std::vector<Example> of(const NeuronId& id) const;

 private:
  using Best = std::array<Example, kept>;
  std::size_t placeOf(const NeuronId& id) const;
  static void insert(Best& best, const TensorView& activations, int neuron, int text);

  ModelConfig config_;
  std::vector<Stream> streams_;
  std::vector<Best> best_;  // of every stream, block and neuron
};

}  // namespace glassformer
