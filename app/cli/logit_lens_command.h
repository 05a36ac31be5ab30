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

/// `glassformer logit-lens`: the prediction after every sublayer at every token, and the tokens that each
/// sublayer promotes and suppresses; the picture *Logit lens*.
struct LogitLensCommand {
  static constexpr const char *name = "logit-lens",
                              *about =
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
