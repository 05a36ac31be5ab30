#pragma once
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/model/parameters.h"

namespace glassformer {

/// The tensors of a fixture from PyTorch; see tests/reference/.
class ReferenceValues {
 public:
  explicit ReferenceValues(const std::string& file)
      : stored_(*StoredTensors::open(std::string(SOURCE_FOLDER) + "/tests/reference/" + file)) {}

  const StoredTensors& stored() const { return stored_; }
  bool has(const std::string& name) const { return stored_.find(name); }
  std::vector<float> values(const std::string& name) const {
    INFO(name);
    REQUIRE(stored_.find(name));
    return *stored_.find(name)->converted();
  }
  std::vector<int> integers(const std::string& name) const {
    const auto floats = values(name);
    return {floats.begin(), floats.end()};
  }
  Parameters weights(const ModelConfig& config) const {
    Parameters parameters(parameterSpecs(config));
    for (int i = 0; i < parameters.count(); ++i) {
      const auto given = values("weights." + parameters.spec(i).name);
      REQUIRE(static_cast<std::int64_t>(given.size()) == parameters.view(i).size());
      std::ranges::copy(given,
                        parameters.values().begin() + static_cast<std::ptrdiff_t>(parameters.offset(i)));
    }
    return parameters;
  }

 private:
  StoredTensors stored_;
};

/// Largest difference, relative to the largest value of the tensor.
inline double worst(const std::vector<float>& ours, const std::vector<float>& theirs) {
  REQUIRE(ours.size() == theirs.size());
  double difference = 0, largest = 1e-12;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (std::isinf(theirs[i])) {
      REQUIRE(ours[i] == theirs[i]);
      continue;
    }
    difference = std::max(difference, std::abs(static_cast<double>(ours[i]) - theirs[i]));
    largest = std::max(largest, std::abs(static_cast<double>(theirs[i])));
  }
  return difference / largest;
}

}  // namespace glassformer
