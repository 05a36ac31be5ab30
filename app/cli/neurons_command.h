#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer neurons`: the neurons of a block on a text, the strongest first; of one neuron how active it
/// is at every token, what it reads and writes, and the texts on which it is strongest, as *Neurons* in the
/// window has it.
struct NeuronsCommand {
  static constexpr const char
      *name = "neurons",
      *about = "print the activations of a neuron, tokens that excite it and tokens it promotes";

  std::string model = "stories", text, source;
  int block = 0;
  bool encoder = false;              ///< of an encoder-decoder: the encoder's
  int neuron = -1;                   ///< -1: all, as many as are listed
  int listed = 10;                   ///< neurons, and tokens of each kind
  std::string file;                  ///< a text in every line, in place of texts of the model's task
  int texts = 200;                   ///< of the task
  std::uint64_t seed = 1;            ///< which ones those are
  std::vector<std::string> choices;  ///< "norm=rms"
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
