#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/config.h"

namespace glassformer {

/// What a model's folder says of it without opening the weights.
struct ModelInfo {
  std::string model;  ///< as the Workspace calls it: a built-in one's name, or the folder
  std::string name;   ///< the folder's
  std::filesystem::path folder;
  std::optional<ModelConfig> config;
  std::string error;        ///< why there is no config
  std::uintmax_t size = 0;  ///< of the weights' file, in bytes
  /// Of the numbers in its matrices: "BF16"; "Q4_K and Q6_K, computed as F32".
  std::string types;
  std::string purpose;  ///< the card's first paragraph
  /// The card's first table with two columns below a heading that begins with "Measured": what was measured,
  /// and the number.
  std::vector<std::pair<std::string, std::string>> measured;
};

/// Reads config.json and README.md; `model` is kept as it is.
ModelInfo modelInfo(std::string model, const std::filesystem::path& folder);

}  // namespace glassformer
