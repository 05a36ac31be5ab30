#include "core/model/positional/bucketed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

// y[h, t, s] = scores[h, t, s] + b[h, bucket(s - t)].
class BucketBias final : public AttentionStep {
 public:
  BucketBias(const Tape& tape, Value scores, const Weight& b, DistanceBuckets buckets, Value y)
      : AttentionStep(tape, scores), b_(b), buckets_(buckets), dScores_{scores}, dy_{y} {}

  void forward(const Work& w) override {
    const int S = keys(w.rowEnd);
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const auto row = at(dy_.value, w.sequence, w.head, t);
      for (int s = 0; s < S; ++s)
        dy_.value.data[row + s] = dScores_.value.data[row + s] + b_.value[index(w.head, t, s)];
    }
  }

  void backwardOf(int b, int h) override {
    for (int t = 0; t < queryCount(); ++t) {
      const float* dy = gradient(dy_, b, h, t);
      std::copy_n(dy, keyCount(), gradient(dScores_, b, h, t));
      for (int s = 0; b_.gradient && s < keys(t + 1); ++s) b_.gradient[index(h, t, s)] += dy[s];
    }
  }

  std::vector<Gradient*> operands() override { return {&dScores_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, s] = placeOf(dy_.value, cell);
    return {.terms = {{squareCell(dScores_.value, h, t, s)}, {b_.value + index(h, t, s)}}};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dScores_.value.data) + " + " + names.of(b_.value) + "[bucket(s − t)]";
  }

 private:
  int index(int h, int t, int s) const { return h * buckets_.count + buckets_.of(s - t); }

  Weight b_;
  DistanceBuckets buckets_;
  Gradient dScores_, dy_;
};

class Bucketed final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"bucketed", "T5 bias", "A learned bias per head and distance bucket is added to the scores.",
            "s[t, s] = q · k / √K + b[bucket(s − t)]", "Raffel et al. 2020"};
  }
  // The logarithm needs a farthest distance beyond those with buckets of their own.
  std::optional<Number> number(const ModelConfig& config) const override {
    const auto least = static_cast<float>(config.distanceBuckets / 2 + 1);
    return Number{"farthest distance", least, 4096, std::max(128.0f, least)};
  }
  Status validate(const ModelConfig& config) const override {
    if (config.distanceBuckets < leastBuckets || config.distanceBuckets > mostBuckets)
      return Error{"relative_attention_num_buckets is " + std::to_string(config.distanceBuckets) +
                       "; it must be " + std::to_string(leastBuckets) + " to " + std::to_string(mostBuckets),
                   "config", ""};
    if (config.kernel != AttentionKernel::Linear) return success();
    return Error{"linear attention has no scores that a bias could shift", "config", "choose another kernel"};
  }
  std::vector<ParameterSpec> attentionParameters(const ModelConfig& config) const override {
    return {{"buckets", {config.heads, config.distanceBuckets}}};
  }
  bool shiftsScores() const override { return true; }
  Value bias(Pass& pass, const ModelConfig& config, const std::string& weights, const Value&,
             const Value& scores) const override {
    Tape& tape = pass.tape();
    const Value y = tape.squares(scores.width, -std::numeric_limits<float>::infinity(), scores.triangular,
                                 scores.stream, scores.keys);
    const DistanceBuckets buckets{config.distanceBuckets, static_cast<int>(numberOf(config)),
                                  looksBack(config, weights)};
    tape.add(std::make_unique<BucketBias>(tape, scores, pass.weight(weights + "buckets"), buckets, y));
    return y;
  }

 private:
  // Whether all buckets are for what came before: in every decoder (Raffel et al. 2020). An encoder, beside a
  // decoder or alone, has half of them for what comes after.
  static bool looksBack(const ModelConfig& config, const std::string& weights) {
    return config.stack != Stack::EncoderOnly && !weights.starts_with("encoder.");
  }
};

}  // namespace

const PositionalEncoding& bucketedPositions() {
  static const Bucketed bucketed;
  return bucketed;
}

int DistanceBuckets::of(int distance) const {
  const int own = causal ? count : count / 2, later = !causal && distance > 0 ? own : 0;
  const int away = causal ? std::max(0, -distance) : std::abs(distance), near = own / 2;
  if (away < near) return later + away;
  const double share =
      std::log(static_cast<double>(away) / near) / std::log(static_cast<double>(farthest) / near);
  constexpr double rounding = 1e-9;  // a quotient of logarithms that is 3 / 5 may come out less
  return later + std::min(own - 1, near + static_cast<int>(share * (own - near) + rounding));
}

}  // namespace glassformer
