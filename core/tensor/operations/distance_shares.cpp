#include "core/tensor/operations/distance_shares.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

class DistanceShares final : public AttentionStep {
 public:
  DistanceShares(const Tape& tape, const Weight& b, DistanceSpan span, Value scores, Value pattern)
      : AttentionStep(tape, scores),
        b_(b),
        reach_(b.columns / 2),
        span_(span),
        dScores_{scores},
        dPattern_{pattern},
        sums_(static_cast<std::size_t>(pattern.width)) {}

  void forward(const Work& w) override {
    const Value &scores = dScores_.value, &pattern = dPattern_.value;
    const std::vector<float> filter = filterOf(w.head);
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const int S = keys(t + 1);
      const float* score = scores.data + at(scores, w.sequence, w.head, t);
      float* row = pattern.data + at(pattern, w.sequence, w.head, t);
      for (int s = 0; s < S; ++s) row[s] = sees(score[s], s - t) ? filter[place(s - t)] : 0;
      std::fill(row + S, row + keys(w.rowEnd), 0.f);
    }
  }

  // A = exp(s) / n with n = Σ exp(b): dS = dA ⊙ A, and db loses w times the sum of all of these.
  void backwardOf(int b, int h) override {
    const Value& pattern = dPattern_.value;
    float& sum = sums_[static_cast<std::size_t>(h)];
    if (b == 0) sum = 0;
    for (int t = 0; t < queryCount(); ++t) {
      const float *shares = pattern.data + at(pattern, b, h, t), *dA = gradient(dPattern_, b, h, t);
      float* dS = gradient(dScores_, b, h, t);
      for (int s = 0; s < keyCount(); ++s) sum += dS[s] = s < keys(t + 1) ? dA[s] * shares[s] : 0;
    }
    if (!b_.gradient || b + 1 < extent_.sequences) return;
    const std::vector<float> filter = filterOf(h);
    for (int d = span_.first; d <= span_.last; ++d)
      b_.gradient[static_cast<std::ptrdiff_t>(h) * b_.columns + reach_ + d] -= filter[place(d)] * sum;
  }

  std::vector<Gradient*> operands() override { return {&dScores_}; }
  Gradient* result() override { return &dPattern_; }

  bool makes(Cell cell) const override { return holds(dPattern_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, s] = placeOf(dPattern_.value, cell);
    if (s >= keys(t + 1) || !sees(*squareCell(dScores_.value, h, t, s), s - t)) return {.form = Form::Masked};
    Derivation d{.form = Form::Softmax, .chosen = place(s - t)};
    for (int distance = span_.first; distance <= span_.last; ++distance)
      d.terms.push_back({b_.cell(h, reach_ + distance)});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return "exp(" + names.of(dScores_.value.data) + ") / Σ exp(" + names.of(b_.value) + ")";
  }

 private:
  bool sees(float score, int distance) const {
    return std::isfinite(score) && distance >= span_.first && distance <= span_.last;
  }
  std::size_t place(int distance) const { return static_cast<std::size_t>(distance - span_.first); }
  std::vector<float> filterOf(int head) const {
    return distanceFilter(
        {b_.value + static_cast<std::ptrdiff_t>(head) * b_.columns, static_cast<std::size_t>(b_.columns)},
        span_);
  }

  Weight b_;
  int reach_;
  DistanceSpan span_;
  Gradient dScores_, dPattern_;
  std::vector<float> sums_;  // of dS, by head; of the sequences before
};

}  // namespace

DistanceSpan distancesOf(const AttentionMask& mask, int reach) {
  if (mask.kind == MaskKind::None) return {-reach, reach};
  if (mask.kind == MaskKind::Window) return {std::max(-reach, 1 - mask.size), 0};
  return {-reach, 0};
}

std::vector<float> distanceFilter(std::span<const float> row, DistanceSpan span) {
  const auto reach = static_cast<int>(row.size() / 2);
  std::vector<float> filter;
  for (int d = span.first; d <= span.last; ++d) filter.push_back(row[static_cast<std::size_t>(reach + d)]);
  const float most = std::ranges::max(filter);
  double sum = 0;
  for (float& w : filter) sum += w = std::exp(w - most);
  for (float& w : filter) w = static_cast<float>(w / sum);
  return filter;
}

Value distanceShares(Tape& tape, const Value& scores, const Weight& b, const AttentionMask& mask) {
  const Value pattern = tape.squares(scores.width, 0, scores.triangular, scores.stream, scores.keys);
  tape.add(std::make_unique<DistanceShares>(tape, b, distancesOf(mask, b.columns / 2), scores, pattern));
  return pattern;
}

}  // namespace glassformer
