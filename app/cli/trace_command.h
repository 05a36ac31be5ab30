#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/interventions_option.h"
#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer trace`: every trace point of one forward pass, F32, under its name, in one safetensors file.
struct TraceCommand {
  static constexpr const char *name = "trace",
                              *about = "save all activations of one forward pass as safetensors";

  std::string model = "stories", text, source, out, only;
  std::optional<std::string> tokens;  ///< ids, separated by commas
  std::vector<std::string> choices;   ///< "norm=rms"
  InterventionOptions interventions;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

/// Whether a name fits a pattern in which * stands for any run of characters.
bool fitsPattern(std::string_view name, std::string_view pattern);

}  // namespace glassformer
