#include "core/model/positional/alibi.h"

#include <cmath>
#include <cstdlib>

#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

// In place; slopes are not learned, so the scores' gradient goes through unchanged.
class Slope final : public AttentionStep {
 public:
  Slope(const Tape& tape, Value scores) : AttentionStep(tape, scores), scores_(scores) {}

  void forward(const Work& w) override {
    const float slope = alibiSlope(w.head, scores_.width);
    const int S = keys(w.rowEnd);
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      float* row = scores_.data + at(scores_, w.sequence, w.head, t);
      for (int s = 0; s < S; ++s) row[s] -= slope * static_cast<float>(std::abs(t - s));
    }
  }

  bool makes(Cell cell) const override { return holds(scores_, cell); }
  Derivation derive(Cell cell, const Before& before) const override {
    const auto [h, t, s] = placeOf(scores_, cell);
    Derivation d = before();
    d.terms.push_back(
        {nullptr, nullptr, -alibiSlope(h, scores_.width) * static_cast<float>(std::abs(t - s))});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.before() + " − m |t − s|";
  }

 private:
  Value scores_;
};

class Alibi final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"alibi", "ALiBi", "Scores fall linearly with the distance, with one slope per head.",
            "s[t, s] = q · k / √K − m |t − s|, m = 2^(−8 (h+1) / H)", "Press et al. 2022"};
  }
  Status validate(const ModelConfig& config) const override {
    if (config.kernel != AttentionKernel::Linear) return success();
    return Error{"linear attention has no scores that ALiBi could shift", "config", "choose another kernel"};
  }
  bool shiftsScores() const override { return true; }
  Value bias(Pass& pass, const ModelConfig&, const std::string&, const Value&,
             const Value& scores) const override {
    pass.tape().add(std::make_unique<Slope>(pass.tape(), scores));
    return scores;
  }
};

}  // namespace

const PositionalEncoding& alibiPositions() {
  static const Alibi alibi;
  return alibi;
}

float alibiSlope(int head, int heads) {
  return std::exp2(-8.f * static_cast<float>(head + 1) / static_cast<float>(heads));
}

}  // namespace glassformer
