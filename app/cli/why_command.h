#pragma once
#include <string>
#include <vector>

#include "app/cli/interventions_option.h"
#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer why POINT[INDEX]`: what made a number of the forward pass, its terms the largest first, each
/// opened in turn as deep as is asked; as the window's *Where it comes from* has it. A number of a picture of
/// *Influence* that compares passes, "causal.logit[2, 0]", is measured first, and its passes are run again.
struct WhyCommand {
  static constexpr const char *name = "why",
                              *about = "say what made a number of a forward pass, down to the weights";

  std::string number;  ///< "blocks.2.attn.hook_pattern[0, 9, 3]"
  std::string model = "stories", text, source;
  std::string compare;               ///< another text, for what compares two
  std::vector<std::string> choices;  ///< "norm=rms"
  InterventionOptions interventions;
  int terms = 8;  ///< listed of each number; the others are summed up
  int depth = 1;  ///< 1: what made the number; 2: what made that, too
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
