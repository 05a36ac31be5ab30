#pragma once
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer attribute`: integrated gradients of a logit, or of what parts two, by the embedding of every
/// token of a text and its source (see core/lens/integrated_gradients.h); as *Integrated* in the window has
/// it.
struct AttributeCommand {
  static constexpr const char *name = "attribute",
                              *about = "attribute a logit to every token by integrated gradients";

  std::string model = "stories", text, source;
  int token = -1;  ///< where the prediction is made, counted from 0; -1: at the mask or the last token
  std::string target, against;       ///< tokens as they are written; no target: the model's answer
  std::string baseline = "zero";     ///< or "mean", or a token as it is written
  int gradients = 128;               ///< along the path at most
  std::vector<std::string> choices;  ///< "norm=rms"
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
