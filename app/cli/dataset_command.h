#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/interventions_option.h"
#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer effects`: what leaving out each head, attention and MLP does to the loss and the logits of
/// the tokens that come next, and what each adds to these logits itself, over many texts as mean and spread,
/// beside one text; and the texts in which a part matters most. Or another of datasetMetrics(). As *Many
/// texts* in *Influence* has it.
struct DatasetCommand {
  static constexpr const char *name = "dataset",
                              *about = "statistics of every component over a dataset, and on one text";

  std::string model = "stories";
  std::string text, source;  ///< the one text beside; empty: none
  std::string file;          ///< a text in every line, of an encoder-decoder its source and a tab before it;
                             ///< to patch they are pairs, two by two
  int texts = 200;           ///< of the task, where that is not given
  bool questions = false;    ///< those of the task's held-out questions, up to where the answer comes
  bool repeats = false;      ///< random tokens, said twice, instead
  std::uint64_t seed = 1;    ///< which texts those are
  std::string measure;  ///< of datasetMetrics(), what each text tells by itself, or "edges"; empty: the parts
  bool alone = false;   ///< of the measure "edges": of the text alone, none beside it is read
  std::string metric = "loss";        ///< of the measure "edges": id of metricChoices
  float threshold = 0;                ///< of the same, from which on one matters in a text; 0: the usual one
  std::string positions = "trained";  ///< means over tokens: over those that the task trains, "all" or "last"
  std::string part;  ///< "L2H0": of which the texts are listed; empty: the one that matters most
  int best = 5;      ///< texts that are listed; as JSON so are all parts
  std::vector<std::string> choices;   ///< "norm=rms"
  InterventionOptions interventions;  ///< that stand in every pass
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;

 private:
  std::string dataset(std::size_t count) const;
};

}  // namespace glassformer
