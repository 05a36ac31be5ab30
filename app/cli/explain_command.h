#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interventions_option.h"
#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

struct Snapshot;
struct Workspace;

/// `glassformer explain POINT[INDEX]`: the derivation of a value of the forward pass, its operands largest
/// first, opened to a depth; the window's *How computed*. A number of a picture of *Attribution* that
/// compares passes, "causal.logit[2, 0]", is measured first, and its passes are run again; so is the
/// *Decomposition* of the head that is named.
struct ExplainCommand {
  static constexpr const char *name = "explain",
                              *about =
                                  "print the derivation of a value of a forward pass, down to the weights";

  std::string number;  ///< "blocks.2.attn.hook_pattern[0, 9, 3]"
  std::string model = "stories", text, source;
  std::string compare;               ///< another text, for what compares two
  std::vector<std::string> choices;  ///< "norm=rms"
  std::optional<std::string> head;   ///< whose score or output is taken apart: "2.0", "cross.2.0"
  std::optional<int> token, key;     ///< which token looks, and at which
  std::string target, against;       ///< whose logit is taken apart, and whose is subtracted, as written
  InterventionOptions interventions;
  int terms = 8;  ///< listed of each number; the others are summed up
  int depth = 1;  ///< 1: what made the number; 2: what made that, too
  bool json = false, csv = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;

 private:
  Status select(Workspace& workspace) const;
  Status chooseLogit(const ModelLibrary& library, Workspace& workspace) const;
  Status checkSelected(const Workspace& workspace, const Snapshot& snapshot) const;
};

}  // namespace glassformer
