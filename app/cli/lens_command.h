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

/// `glassformer lens`: the logit lens, what every place of the residual stream would say behind every token,
/// and which tokens each sublayer makes likelier and less likely than any other; as the picture *Lens* has
/// it.
struct LensCommand {
  static constexpr const char *name = "lens", *about =
                                                  "print the logit lens: the prediction after each sublayer, "
                                                  "and the tokens that it promotes and suppresses";

  std::string model = "stories", text, source;
  std::optional<int> token;          ///< that one alone
  std::vector<std::string> choices;  ///< "norm=rms"
  InterventionOptions interventions;
  bool json = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
