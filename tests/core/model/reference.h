#pragma once
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/train/trainer.h"

namespace glassformer {

/// A fixture from PyTorch; made by tests/reference/make_transformer_reference.py.
class Reference {
 public:
  explicit Reference(const std::string& file)
      : stored_(*StoredTensors::open(std::string(SOURCE_FOLDER) + "/tests/reference/" + file)) {
    config_ = {.layers = 2, .heads = 2, .width = 16, .feedForward = 40, .vocabulary = 23, .context = 12};
    config_.tiedUnembedding = !stored_.find("weights.lm_head.weight");
    config_.activation = config_.tiedUnembedding ? Activation::GeluTanh : Activation::Relu;
  }

  const ModelConfig& config() const { return config_; }
  std::vector<float> values(const std::string& name) const {
    INFO(name);
    REQUIRE(stored_.find(name));
    return stored_.find(name)->converted();
  }
  std::vector<int> integers(const std::string& name) const {
    const auto floats = values(name);
    return {floats.begin(), floats.end()};
  }
  Batch batch(int i) const {
    return {integers("tokens." + std::to_string(i)), integers("targets." + std::to_string(i))};
  }
  Parameters weights() const {
    Parameters parameters(parameterSpecs(config_));
    for (int i = 0; i < parameters.count(); ++i) {
      const auto given = values("weights." + parameters.spec(i).name);
      REQUIRE(static_cast<std::int64_t>(given.size()) == parameters.view(i).size());
      std::ranges::copy(given,
                        parameters.values().begin() + static_cast<std::ptrdiff_t>(parameters.offset(i)));
    }
    return parameters;
  }
  TrainingOptions training() const {
    TrainingOptions options{.sequences = 2, .positions = 9, .shards = 2};
    options.schedule = {ScheduleKind::Cosine, 1e-2f, 4, 10, 0.1f};
    options.weightDecay = 0.1f;
    return options;
  }

 private:
  StoredTensors stored_;
  ModelConfig config_;
};

}  // namespace glassformer
