#pragma once
#include <string>

#include "core/train/trainer.h"
#include "tests/core/model/reference_values.h"

namespace glassformer {

/// A run of training in PyTorch; made by tests/reference/make_transformer_reference.py.
class Reference : public ReferenceValues {
 public:
  explicit Reference(const std::string& file) : ReferenceValues(file) {
    config_ = {.layers = 2, .heads = 2, .width = 16, .feedForward = 40, .vocabulary = 23, .context = 12};
    config_.tiedUnembedding = !has("weights.lm_head.weight");
    config_.activation = config_.tiedUnembedding ? Activation::GeluTanh : Activation::Relu;
  }

  const ModelConfig& config() const { return config_; }
  Parameters weights() const { return ReferenceValues::weights(config_); }
  Batch batch(int i) const {
    return {integers("tokens." + std::to_string(i)), integers("targets." + std::to_string(i)), {}, {}};
  }
  TrainingOptions training() const {
    TrainingOptions options{.sequences = 2, .positions = 9, .shards = 2};
    options.schedule = {ScheduleKind::Cosine, 1e-2f, 4, 10, 0.1f};
    options.weightDecay = 0.1f;
    return options;
  }

 private:
  ModelConfig config_;
};

}  // namespace glassformer
