#pragma once
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/formats/model_formats.h"
#include "tests/core/model/reference_values.h"

namespace glassformer {

/// A member of the family with weights, inputs, trace and gradients as PyTorch has them; made by
/// tests/reference/make_family_reference.py.
struct ReferenceMember {
  std::string file;
  ReferenceValues values;
  ModelConfig config;

  /// The first of its two sequences.
  std::vector<int> tokens() const { return firstHalf("tokens"); }
  std::vector<int> source() const {
    return config.isEncoderDecoder() ? firstHalf("source") : std::vector<int>{};
  }

 private:
  std::vector<int> firstHalf(const std::string& name) const {
    auto tokens = values.integers(name);
    tokens.resize(tokens.size() / 2);
    return tokens;
  }
};

inline std::vector<ReferenceMember> referenceFamily() {
  std::vector<ReferenceMember> members;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SOURCE_FOLDER) + "/tests/reference")) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with("family_") || !file.ends_with(".safetensors")) continue;
    ReferenceValues values(file);
    const auto family = readFamilyConfig(values.stored().metadata().at("config"), file);
    INFO(file << ": " << (family ? "" : family.error().message()));
    REQUIRE(family);
    members.push_back({file, std::move(values), family->config});
  }
  REQUIRE(members.size() >= 53);
  return members;
}

}  // namespace glassformer
