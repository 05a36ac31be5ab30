#pragma once
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer counterfactual`: the single tokens, and the smallest sets of ablated heads, that change the
/// prediction or a head's top key, each tried by a pass (see
/// core/lens/counterfactual.h); the picture *Counterfactuals*.
struct CounterfactualCommand {
  static constexpr const char *name = "counterfactual",
                              *about =
                                  "find the smallest edits that change a prediction or a "
                                  "head's top key: one token or a few ablated heads";

  std::string model = "stories", text, source;
  int token = -1;    ///< where the answer is given, counted from 0; -1: at the mask or the last
  std::string to;    ///< the answer that is wanted, as it is written; empty: any other
  std::string head;  ///< ask where this one looks from there; empty: what the model answers
  int key = -1;      ///< the token that it is to look at; -1: any other
  bool all = false;  ///< every token at every place, else the best guesses
  int listed = 20;   ///< of each kind
  std::vector<std::string> choices;  ///< "norm=rms"
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
