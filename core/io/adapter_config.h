#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/text/expression.h"

namespace glassformer {

/// What an adapter_config.json says (PEFT, Mangrulkar et al. 2022): how W + s · B · A is made.
struct AdapterConfig {
  /// A number for all weights, and others for those whose paths end as an expression says; the first counts.
  struct Numbers {
    double usual = 0;
    std::vector<std::pair<Expression, double>> patterns;
    double of(const std::string& path) const;
  };

  std::string base;            ///< where it was when the adapter was learned
  Numbers rank;                ///< r
  Numbers alpha;               ///< α
  bool byRoot = false;         ///< s = α / √r instead of α / r (Kalajdzievski 2023)
  bool isTransposed = false;   ///< the base's matrices are [in, out]
  bool hasMagnitudes = false;  ///< DoRA

  int rankOf(const std::string& path) const { return static_cast<int>(rank.of(path)); }
  /// s of a weight, "model.layers.0.self_attn.q_proj".
  double scaleOf(const std::string& path) const;
};

/// Of a folder that is an adapter. Refuses, naming file and field, what changes weights in other ways.
Result<AdapterConfig> readAdapterConfig(const std::filesystem::path& adapter);

/// The file's name in the folder.
inline constexpr const char* adapterConfigFile = "adapter_config.json";

}  // namespace glassformer
