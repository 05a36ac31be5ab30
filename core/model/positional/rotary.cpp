#include "core/model/positional/rotary.h"

#include <cassert>
#include <cmath>

namespace glassformer {
namespace {

// Per head, each pair of neighbouring columns is turned: (a, b) -> (a cos θ - b sin θ, a sin θ + b cos θ)
// with θ = t / base^(2i/K) for pair i (Su et al. 2021, eq. 34).
class Rotate final : public Operation {
 public:
  Rotate(const Extent& extent, Value x, int headWidth, double base, Value y)
      : Operation(extent), K(headWidth), cos_({extent.capacity, headWidth / 2}), sin_(cos_), dx_{x}, dy_{y} {
    for (int t = 0; t < extent.capacity; ++t)
      for (int i = 0; i < K / 2; ++i) {
        const double angle = t / std::pow(base, 2.0 * i / K);
        cos_(t, i) = static_cast<float>(std::cos(angle));
        sin_(t, i) = static_cast<float>(std::sin(angle));
      }
  }

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      turn(x.data + r * x.stride, y.data + r * y.stride, r % extent_.capacity, 1, false);
  }

  // The transpose of a rotation is the rotation back.
  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      turn(dy_.data + r * y.stride, dx_.data + r * x.stride, r % extent_.capacity, -1, dx_.accumulate);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    const int t = r % extent_.capacity, i = j % K / 2;
    const float c = cos_(t, i), s = j % 2 == 0 ? -sin_(t, i) : sin_(t, i);
    return {.terms = {{cellOf(dx_.value, r, j), nullptr, c}, {cellOf(dx_.value, r, j ^ 1), nullptr, s}}};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return "R_t · " + names.of(dx_.value.data);
  }

 private:
  void turn(const float* x, float* y, int t, float direction, bool accumulate) const {
    for (int j = 0; j < dx_.value.width; j += 2) {
      const int i = j % K / 2;
      const float c = cos_(t, i), s = direction * sin_(t, i);
      const float a = x[j] * c - x[j + 1] * s, b = x[j] * s + x[j + 1] * c;
      y[j] = (accumulate ? y[j] : 0) + a;
      y[j + 1] = (accumulate ? y[j + 1] : 0) + b;
    }
  }

  int K;
  Tensor cos_, sin_;  // [C, K/2]
  Gradient dx_, dy_;
};

class Rotary final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"rotary", "Rotary",
            "Queries and keys are turned by their positions; scores then depend on the distance alone.",
            "(R_t q) · (R_s k) = q · R_(s−t) k", "Su et al. 2021"};
  }
  std::optional<Number> number() const override { return Number{"base", 2, 1e7f, 10000}; }
  Status validate(const ModelConfig& config) const override {
    if (config.headWidth() % 2 == 0) return success();
    return Error{"n_embd / n_head is " + std::to_string(config.headWidth()) + "; rotary positions turn pairs",
                 "config", "give the heads an even width"};
  }
  bool rotates() const override { return true; }
  Value rotate(Tape& tape, const ModelConfig& config, const Value& x) const override {
    const Value y = tape.rows(x.width, x.stream);
    tape.add(std::make_unique<Rotate>(tape.extent(x), x, config.headWidth(),
                                      static_cast<double>(numberOf(config)), y));
    return y;
  }
};

}  // namespace

const PositionalEncoding& rotaryPositions() {
  static const Rotary rotary;
  return rotary;
}

}  // namespace glassformer
