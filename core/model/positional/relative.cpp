#include "core/model/positional/relative.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

// y[h, t, s] = scores[h, t, s] + scale · q[t, h] · a[clip(s - t, -k, k) + k].
class RelativeScores final : public AttentionStep {
 public:
  RelativeScores(const Tape& tape, Value q, Value scores, const Weight& a, float scale, Value y)
      : AttentionStep(tape, scores),
        K(a.columns),
        reach_(a.rows / 2),
        scale_(scale),
        a_(a),
        dq_{q},
        dScores_{scores},
        dy_{y} {}

  void forward(const Work& w) override {
    const Value &q = dq_.value, &scores = dScores_.value, &y = dy_.value;
    std::vector<float> products(static_cast<std::size_t>(a_.rows));
    const int S = keys(w.rowEnd);
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const float* query = q.data + at(q, w.sequence, w.head, t, K);
      for (int d = 0; d < a_.rows; ++d) {
        float sum = 0;
        for (int k = 0; k < K; ++k) sum += query[k] * vector(d)[k];
        products[static_cast<std::size_t>(d)] = scale_ * sum;
      }
      const auto row = at(scores, w.sequence, w.head, t);
      for (int s = 0; s < S; ++s)
        y.data[row + s] = scores.data[row + s] + products[static_cast<std::size_t>(index(t, s))];
    }
  }

  void backwardOf(int b, int h) override {
    const Value& q = dq_.value;
    std::vector<float> sums(static_cast<std::size_t>(a_.rows));
    for (int t = 0; t < queryCount(); ++t) {
      const float* dy = gradient(dy_, b, h, t);
      std::copy_n(dy, keyCount(), gradient(dScores_, b, h, t));
      std::ranges::fill(sums, 0.f);
      for (int s = 0; s < keys(t + 1); ++s) sums[static_cast<std::size_t>(index(t, s))] += scale_ * dy[s];
      const auto query = at(q, b, h, t, K);
      for (int k = 0; k < K; ++k) {
        float& dq = dq_.data[query + k];
        if (!dq_.accumulate) dq = 0;
        for (int d = 0; d < a_.rows; ++d) {
          dq += sums[static_cast<std::size_t>(d)] * vector(d)[k];
          if (a_.gradient) a_.gradient[d * K + k] += sums[static_cast<std::size_t>(d)] * q.data[query + k];
        }
      }
    }
  }

  std::vector<Gradient*> operands() override { return {&dq_, &dScores_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, s] = placeOf(dy_.value, cell);
    Derivation d{.terms = {{squareCell(dScores_.value, h, t, s)}}};
    for (int k = 0; k < K; ++k)
      d.terms.push_back({headCell(dq_.value, h, t, K, k), a_.cell(index(t, s), k), scale_});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dScores_.value.data) + " + " + names.of(dq_.value.data) + " · " + names.of(a_.value) +
           "[clip(s − t)]ᵀ" + scaleWords(scale_, K);
  }

 private:
  int index(int t, int s) const { return std::clamp(s - t, -reach_, reach_) + reach_; }
  const float* vector(int d) const { return a_.value + static_cast<std::ptrdiff_t>(d) * K; }

  int K, reach_;
  float scale_;
  Weight a_;
  Gradient dq_, dScores_, dy_;
};

class Relative final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"relative", "Relative", "A learned vector per distance, compared with the queries.",
            "s[t, s] = q · (k + a[clip(s − t)]) / √K", "Shaw et al. 2018"};
  }
  std::optional<Number> number(const ModelConfig&) const override {
    return Number{"farthest distance", 1, 512, 16};
  }
  Status validate(const ModelConfig& config) const override {
    if (config.kernel == AttentionKernel::Softmax || config.kernel == AttentionKernel::HardArgmax)
      return success();
    return Error{"relative positions need scores of queries and keys", "config", "choose the softmax kernel"};
  }
  std::vector<ParameterSpec> attentionParameters(const ModelConfig& config) const override {
    return {{"relative", {2 * static_cast<int>(numberOf(config)) + 1, config.headWidth()}}};
  }
  bool shiftsScores() const override { return true; }
  Value bias(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& queries,
             const Value& scores) const override {
    Tape& tape = pass.tape();
    const float scale = config.scoreScale();
    const Value y = tape.squares(scores.width, -std::numeric_limits<float>::infinity(), scores.triangular,
                                 scores.stream, scores.keys);
    tape.add(
        std::make_unique<RelativeScores>(tape, queries, scores, pass.weight(weights + "relative"), scale, y));
    return y;
  }
};

}  // namespace

const PositionalEncoding& relativePositions() {
  static const Relative relative;
  return relative;
}

}  // namespace glassformer
