#include "core/model/config.h"

#include <string>

namespace glassformer {

Status validate(const ModelConfig& config) {
  const auto positive = [](int value, const char* field) -> Status {
    if (value > 0) return success();
    return Error{std::string(field) + " is " + std::to_string(value) + "; it must be at least 1", "config",
                 ""};
  };
  for (const auto& [value, field] :
       {std::pair{config.layers, "n_layer"}, std::pair{config.heads, "n_head"},
        std::pair{config.width, "n_embd"}, std::pair{config.feedForward, "n_inner"},
        std::pair{config.vocabulary, "vocab_size"}, std::pair{config.context, "n_positions"}})
    if (Status status = positive(value, field); !status) return status;
  if (config.width % config.heads != 0)
    return Error{"n_embd " + std::to_string(config.width) + " is not divisible by n_head " +
                     std::to_string(config.heads),
                 "config", "every head needs the same width"};
  if (!(config.normEpsilon > 0)) return Error{"layer_norm_epsilon must be positive", "config", ""};
  return success();
}

}  // namespace glassformer
