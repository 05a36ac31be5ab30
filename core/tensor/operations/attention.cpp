#include "core/tensor/operations/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

// One step of attention: works per sequence and head, on rows of [T, S] squares and on the head's columns of
// tables.
class AttentionStep : public Operation {
 public:
  explicit AttentionStep(const Extent& extent) : extent_(extent) {}
  Domain domain() const override { return Domain::Heads; }

 protected:
  // Row t of a square.
  std::ptrdiff_t at(const Value& square, int b, int h, int t) const {
    return ((static_cast<std::ptrdiff_t>(b) * square.width + h) * extent_.capacity + t) * square.stride;
  }
  // Columns of head h in row t of a table.
  std::ptrdiff_t at(const Value& table, int b, int h, int t, int headWidth) const {
    return (static_cast<std::ptrdiff_t>(b) * extent_.capacity + t) * table.stride + h * headWidth;
  }
  // Keys that rows up to t (exclusive) look at.
  int keys(int t) const { return extent_.wholeRows ? extent_.positions : t; }

  template <typename Step>
  void eachHead(int heads, Step step) const {
    for (int b = 0; b < extent_.sequences; ++b)
      for (int h = 0; h < heads; ++h) step(b, h);
  }

  const Extent& extent_;
};

class ScaledScores final : public AttentionStep {
 public:
  ScaledScores(const Extent& extent, Value q, Value k, Value scores)
      : AttentionStep(extent),
        K(q.width / scores.width),
        scale_(1 / std::sqrt(static_cast<float>(K))),
        dq_{q},
        dk_{k},
        dScores_{scores} {}

  void forward(const Work& w) override {
    const Value &q = dq_.value, &k = dk_.value, &scores = dScores_.value;
    kernels().multiply({w.rowEnd - w.rowBegin, keys(w.rowEnd), K,
                        q.data + at(q, w.sequence, w.head, w.rowBegin, K), q.stride, 1,
                        k.data + at(k, w.sequence, w.head, 0, K), 1, k.stride,
                        scores.data + at(scores, w.sequence, w.head, w.rowBegin), scores.stride, scale_});
  }

  void backward() override {
    assert(!dq_.accumulate && !dk_.accumulate);
    const Value &q = dq_.value, &k = dk_.value, &scores = dScores_.value;
    const int T = extent_.positions;
    eachHead(scores.width, [&](int b, int h) {
      const float* dS = dScores_.data + at(scores, b, h, 0);
      const auto head = at(q, b, h, 0, K);
      // dq = dS · k / √K, dk = dSᵀ · q / √K
      kernels().multiply(
          {T, K, T, dS, scores.stride, 1, k.data + head, k.stride, 1, dq_.data + head, q.stride, scale_});
      kernels().multiply(
          {T, K, T, dS, 1, scores.stride, q.data + head, q.stride, 1, dk_.data + head, k.stride, scale_});
    });
  }

  std::vector<Gradient*> operands() override { return {&dq_, &dk_}; }
  Gradient* result() override { return &dScores_; }

 private:
  int K;
  float scale_;
  Gradient dq_, dk_, dScores_;
};

// In place, and without a backward of its own: the softmax gives masked scores the gradient 0.
class CausalMask final : public AttentionStep {
 public:
  CausalMask(const Extent& extent, Value scores) : AttentionStep(extent), scores_(scores) {}

  void forward(const Work& w) override {
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      float* row = scores_.data + at(scores_, w.sequence, w.head, t);
      std::fill(row + t + 1, row + keys(w.rowEnd), minusInfinity);
    }
  }

 private:
  Value scores_;
};

class Softmax final : public AttentionStep {
 public:
  Softmax(const Extent& extent, Value scores, Value pattern)
      : AttentionStep(extent), dScores_{scores}, dPattern_{pattern} {}

  void forward(const Work& w) override {
    const Value &scores = dScores_.value, &pattern = dPattern_.value;
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const int S = keys(t + 1);
      float* row = pattern.data + at(pattern, w.sequence, w.head, t);
      kernels().softmax(scores.data + at(scores, w.sequence, w.head, t), row, S);
      std::fill(row + S, row + keys(w.rowEnd), 0.f);
    }
  }

  void backward() override {
    const Value &scores = dScores_.value, &pattern = dPattern_.value;
    const int T = extent_.positions;
    eachHead(pattern.width, [&](int b, int h) {
      for (int t = 0; t < T; ++t) {
        const auto row = at(scores, b, h, t);
        kernels().softmaxBackward(pattern.data + row, dPattern_.data + row, dScores_.data + row, false,
                                  t + 1);
        std::fill(dScores_.data + row + t + 1, dScores_.data + row + T, 0.f);
      }
    });
  }

  std::vector<Gradient*> operands() override { return {&dScores_}; }
  Gradient* result() override { return &dPattern_; }

 private:
  Gradient dScores_, dPattern_;
};

class WeightedSum final : public AttentionStep {
 public:
  WeightedSum(const Extent& extent, Value pattern, Value v, Value z)
      : AttentionStep(extent), K(v.width / pattern.width), dPattern_{pattern}, dv_{v}, dz_{z} {}

  void forward(const Work& w) override {
    const Value &pattern = dPattern_.value, &v = dv_.value, &z = dz_.value;
    kernels().multiply({w.rowEnd - w.rowBegin, K, keys(w.rowEnd),
                        pattern.data + at(pattern, w.sequence, w.head, w.rowBegin), pattern.stride, 1,
                        v.data + at(v, w.sequence, w.head, 0, K), v.stride, 1,
                        z.data + at(z, w.sequence, w.head, w.rowBegin, K), z.stride});
  }

  void backward() override {
    const Value &pattern = dPattern_.value, &v = dv_.value, &z = dz_.value;
    const int T = extent_.positions;
    eachHead(pattern.width, [&](int b, int h) {
      const auto square = at(pattern, b, h, 0);
      const float* dz = dz_.data + at(z, b, h, 0, K);
      // dA = dz · vᵀ, dv = Aᵀ · dz
      kernels().multiply({T, T, K, dz, z.stride, 1, v.data + at(v, b, h, 0, K), 1, v.stride,
                          dPattern_.data + square, pattern.stride});
      kernels().multiply({T, K, T, pattern.data + square, 1, pattern.stride, dz, z.stride, 1,
                          dv_.data + at(v, b, h, 0, K), v.stride, 1, dv_.accumulate});
    });
  }

  std::vector<Gradient*> operands() override { return {&dPattern_, &dv_}; }
  Gradient* result() override { return &dz_; }

 private:
  int K;
  Gradient dPattern_, dv_, dz_;
};

}  // namespace

Value scaledScores(Tape& tape, const Value& q, const Value& k, int heads) {
  const Value scores = tape.squares(heads, minusInfinity);
  tape.add(std::make_unique<ScaledScores>(tape.extent(), q, k, scores));
  return scores;
}

Value causalMask(Tape& tape, const Value& scores) {
  tape.add(std::make_unique<CausalMask>(tape.extent(), scores));
  return scores;
}

Value softmax(Tape& tape, const Value& scores) {
  const Value pattern = tape.squares(scores.width, 0);
  tape.add(std::make_unique<Softmax>(tape.extent(), scores, pattern));
  return pattern;
}

Value weightedSum(Tape& tape, const Value& pattern, const Value& v) {
  const Value z = tape.rows(v.width);
  tape.add(std::make_unique<WeightedSum>(tape.extent(), pattern, v, z));
  return z;
}

}  // namespace glassformer
