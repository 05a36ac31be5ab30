#include "core/tensor/operations/attention.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/tensor/kernels.h"
#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

class ScaledScores final : public AttentionStep {
 public:
  ScaledScores(const Tape& tape, Value q, Value k, Value scores, float scale)
      : AttentionStep(tape, scores),
        K(q.width / scores.width),
        group_(q.width / k.width),
        scale_(scale),
        dq_{q},
        dk_{k},
        dScores_{scores} {}

  void forward(const Work& w) override {
    const Value &q = dq_.value, &k = dk_.value, &scores = dScores_.value;
    kernels().multiply({w.rowEnd - w.rowBegin, keys(w.rowEnd), K,
                        q.data + at(q, w.sequence, w.head, w.rowBegin, K), q.stride, 1,
                        k.data + at(k, w.sequence, w.head / group_, 0, K), 1, k.stride,
                        scores.data + at(scores, w.sequence, w.head, w.rowBegin), scores.stride, scale_});
  }

  // dq (+)= dS · k / √K, dk (+)= dSᵀ · q / √K, where heads of a group add to the same dk. Products that are
  // added up take no factor, so there dS is scaled beforehand. Beyond the triangle dS is 0.
  void backwardOf(int b, int h) override {
    const Value &q = dq_.value, &k = dk_.value, &scores = dScores_.value;
    const int T = queryCount(), S = keyCount();
    const bool adds = dq_.accumulate || dk_.accumulate || group_ > 1;
    float* dS = gradient(dScores_, b, h, 0);
    if (adds)
      for (std::ptrdiff_t i = 0; i < T * scores.stride; ++i) dS[i] *= scale_;
    const float scale = adds ? 1 : scale_;
    const auto query = at(q, b, h, 0, K), key = at(k, b, h / group_, 0, K);
    eachBlock(T, [&](int begin, int end) {
      kernels().multiply({end - begin, K, keys(end), dS + begin * scores.stride, scores.stride, 1,
                          k.data + key, k.stride, 1, dq_.data + query + begin * q.stride, q.stride, scale,
                          dq_.accumulate});
    });
    eachBlock(S, [&](int begin, int end) {
      const int first = firstQuery(begin);
      kernels().multiply({end - begin, K, T - first, dS + first * scores.stride + begin, 1, scores.stride,
                          q.data + query + first * q.stride, q.stride, 1, dk_.data + key + begin * k.stride,
                          k.stride, scale, dk_.accumulate || h % group_ != 0});
    });
  }

  double multiplyAdds() const override { return pairs(dScores_.value.width) * K; }
  std::vector<Gradient*> operands() override { return {&dq_, &dk_}; }
  Gradient* result() override { return &dScores_; }

  bool makes(Cell cell) const override { return holds(dScores_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, s] = placeOf(dScores_.value, cell);
    Derivation d;
    for (int k = 0; k < K; ++k)
      d.terms.push_back({headCell(dq_.value, h, t, K, k), headCell(dk_.value, h / group_, s, K, k), scale_});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dq_.value.data) + " · " + names.of(dk_.value.data) + "ᵀ" + scaleWords(scale_, K);
  }

 private:
  int K, group_;
  float scale_;
  Gradient dq_, dk_, dScores_;
};

class DistanceScores final : public AttentionStep {
 public:
  DistanceScores(const Tape& tape, const Weight& b, Value scores)
      : AttentionStep(tape, scores), b_(b), reach_(b.columns / 2), dScores_{scores} {}

  void forward(const Work& w) override {
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      float* row = dScores_.value.data + at(dScores_.value, w.sequence, w.head, t);
      const float* ahead = b_.value + static_cast<std::ptrdiff_t>(w.head) * b_.columns + reach_ - t;
      std::copy(ahead, ahead + keys(w.rowEnd), row);
    }
  }

  void backwardOf(int b, int h) override {
    if (!b_.gradient) return;
    for (int t = 0; t < queryCount(); ++t)
      kernels().accumulate(gradient(dScores_, b, h, t),
                           b_.gradient + static_cast<std::ptrdiff_t>(h) * b_.columns + reach_ - t,
                           keys(t + 1));
  }

  Gradient* result() override { return &dScores_; }

  bool makes(Cell cell) const override { return holds(dScores_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, s] = placeOf(dScores_.value, cell);
    return {.terms = {{b_.cell(h, reach_ + s - t)}}};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(b_.value) + "[s − t]";
  }

 private:
  Weight b_;
  int reach_;
  Gradient dScores_;
};

class Softmax final : public AttentionStep {
 public:
  Softmax(const Tape& tape, Value scores, Value pattern)
      : AttentionStep(tape, scores), dScores_{scores}, dPattern_{pattern} {}

  void forward(const Work& w) override {
    const Value &scores = dScores_.value, &pattern = dPattern_.value;
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const int S = keys(t + 1);
      float* row = pattern.data + at(pattern, w.sequence, w.head, t);
      kernels().softmax(scores.data + at(scores, w.sequence, w.head, t), row, S);
      std::fill(row + S, row + keys(w.rowEnd), 0.f);
    }
  }

  void backwardOf(int b, int h) override {
    const Value& pattern = dPattern_.value;
    for (int t = 0; t < queryCount(); ++t) {
      float* dS = gradient(dScores_, b, h, t);
      const int S = keys(t + 1);
      kernels().softmaxBackward(pattern.data + at(pattern, b, h, t), gradient(dPattern_, b, h, t), dS, false,
                                S);
      std::fill(dS + S, dS + keyCount(), 0.f);
    }
  }

  std::vector<Gradient*> operands() override { return {&dScores_}; }
  Gradient* result() override { return &dPattern_; }

  bool makes(Cell cell) const override { return holds(dPattern_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    return amongKeys(Form::Softmax, dScores_.value, placeOf(dPattern_.value, cell));
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return "softmax(" + names.of(dScores_.value.data) + ")";
  }

 private:
  Gradient dScores_, dPattern_;
};

class HardArgmax final : public AttentionStep {
 public:
  HardArgmax(const Tape& tape, Value scores, Value pattern)
      : AttentionStep(tape, scores), dScores_{scores}, dPattern_{pattern} {}

  void forward(const Work& w) override {
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const float* scores = dScores_.value.data + at(dScores_.value, w.sequence, w.head, t);
      float* row = dPattern_.value.data + at(dPattern_.value, w.sequence, w.head, t);
      const float* largest = std::max_element(scores, scores + keys(t + 1));
      std::fill(row, row + keys(w.rowEnd), 0.f);
      if (*largest > minusInfinity) row[largest - scores] = 1;
    }
  }

  void backwardOf(int b, int h) override {
    for (int t = 0; t < queryCount(); ++t) std::fill_n(gradient(dScores_, b, h, t), keyCount(), 0.f);
  }

  std::vector<Gradient*> operands() override { return {&dScores_}; }
  Gradient* result() override { return &dPattern_; }

  bool makes(Cell cell) const override { return holds(dPattern_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    return amongKeys(Form::Largest, dScores_.value, placeOf(dPattern_.value, cell));
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return "1 where " + names.of(dScores_.value.data) + " is largest, else 0";
  }

 private:
  Gradient dScores_, dPattern_;
};

class WeightedSum final : public AttentionStep {
 public:
  WeightedSum(const Tape& tape, Value pattern, Value v, int valueHeads, Value z)
      : AttentionStep(tape, pattern),
        K(v.width / valueHeads),
        group_(pattern.width / valueHeads),
        dPattern_{pattern},
        dv_{v},
        dz_{z} {}

  void forward(const Work& w) override {
    const Value &pattern = dPattern_.value, &v = dv_.value, &z = dz_.value;
    kernels().multiply({w.rowEnd - w.rowBegin, K, keys(w.rowEnd),
                        pattern.data + at(pattern, w.sequence, w.head, w.rowBegin), pattern.stride, 1,
                        v.data + at(v, w.sequence, w.head / group_, 0, K), v.stride, 1,
                        z.data + at(z, w.sequence, w.head, w.rowBegin, K), z.stride});
  }

  void backwardOf(int b, int h) override {
    const Value &pattern = dPattern_.value, &v = dv_.value, &z = dz_.value;
    const int T = queryCount(), S = keyCount();
    const auto square = at(pattern, b, h, 0), value = at(v, b, h / group_, 0, K);
    const float* dz = dz_.data + at(z, b, h, 0, K);
    float* dA = gradient(dPattern_, b, h, 0);
    // dA = dz · vᵀ, dv (+)= Aᵀ · dz, where heads of a group add to the same dv
    eachBlock(T, [&](int begin, int end) {
      kernels().multiply({end - begin, keys(end), K, dz + begin * z.stride, z.stride, 1, v.data + value, 1,
                          v.stride, dA + begin * pattern.stride, pattern.stride});
    });
    eachBlock(S, [&](int begin, int end) {
      const int first = firstQuery(begin);
      kernels().multiply({end - begin, K, T - first, pattern.data + square + first * pattern.stride + begin,
                          1, pattern.stride, dz + first * z.stride, z.stride, 1,
                          dv_.data + value + begin * v.stride, v.stride, 1,
                          dv_.accumulate || h % group_ != 0});
    });
  }

  double multiplyAdds() const override { return pairs(dPattern_.value.width) * K; }
  std::vector<Gradient*> operands() override { return {&dPattern_, &dv_}; }
  Gradient* result() override { return &dz_; }

  bool makes(Cell cell) const override { return holds(dz_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, t, column] = placeOf(dz_.value, cell);
    const int h = column / K, k = column % K;
    Derivation d;
    for (int s = 0; s < keys(t + 1); ++s)
      d.terms.push_back({squareCell(dPattern_.value, h, t, s), headCell(dv_.value, h / group_, s, K, k)});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dPattern_.value.data) + " · " + names.of(dv_.value.data);
  }

 private:
  int K, group_;
  Gradient dPattern_, dv_, dz_;
};

}  // namespace

Value scaledScores(Tape& tape, const Value& q, const Value& k, int heads, float scale, bool triangular,
                   float fill) {
  assert(q.width % k.width == 0 && q.width % heads == 0);
  const Value scores = tape.squares(heads, fill, triangular, q.stream, k.stream);
  tape.add(std::make_unique<ScaledScores>(tape, q, k, scores, scale));
  return scores;
}

Value distanceScores(Tape& tape, const Value& x, const Weight& b, bool triangular) {
  const Value scores = tape.squares(b.rows, minusInfinity, triangular, x.stream, x.stream);
  assert(b.columns / 2 + 1 >= tape.extent(x).capacity);
  tape.add(std::make_unique<DistanceScores>(tape, b, scores));
  return scores;
}

Value softmax(Tape& tape, const Value& scores, bool inPlace) {
  const Value pattern = inPlace
                            ? tape.over(scores)
                            : tape.squares(scores.width, 0, scores.triangular, scores.stream, scores.keys);
  tape.add(std::make_unique<Softmax>(tape, scores, pattern));
  return pattern;
}

Value hardArgmax(Tape& tape, const Value& scores) {
  const Value pattern = tape.squares(scores.width, 0, scores.triangular, scores.stream, scores.keys);
  tape.add(std::make_unique<HardArgmax>(tape, scores, pattern));
  return pattern;
}

Value weightedSum(Tape& tape, const Value& pattern, const Value& v, int valueHeads) {
  const Value z = tape.rows(v.width / valueHeads * pattern.width, pattern.stream);
  tape.add(std::make_unique<WeightedSum>(tape, pattern, v, valueHeads, z));
  return z;
}

}  // namespace glassformer
