#include "core/tensor/operations/soft_cap.h"

#include <cassert>
#include <cmath>
#include <string>

#include "core/tensor/operations/attention_step.h"

namespace glassformer {
namespace {

// What both kinds have in common: y = c tanh(x / c), and dx (+)= dy (1 − tanh²(x / c)).
struct Cap {
  float c;

  void forward(const float* x, float* y, int n) const {
    for (int i = 0; i < n; ++i) y[i] = c * std::tanh(x[i] / c);
  }
  void backward(const float* x, const float* dy, float* dx, bool accumulate, int n) const {
    for (int i = 0; i < n; ++i) {
      const float t = std::tanh(x[i] / c);
      dx[i] = (accumulate ? dx[i] : 0) + dy[i] * (1 - t * t);
    }
  }
  Derivation derive(Cell x) const { return {.form = Form::Capped, .terms = {{x}}, .constant = c}; }
  std::string equation(const std::string& x) const {
    std::string number = std::to_string(c);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
    const bool isSum = x.find(' ') != std::string::npos;
    return number + " tanh(" + (isSum ? "(" + x + ")" : x) + " / " + number + ")";
  }
};

class CapScores final : public AttentionStep {
 public:
  CapScores(const Tape& tape, Value x, float cap, Value y)
      : AttentionStep(tape, x), cap_{cap}, dx_{x}, dy_{y} {}

  void forward(const Work& w) override {
    for (int t = w.rowBegin; t < w.rowEnd; ++t) {
      const auto row = at(dy_.value, w.sequence, w.head, t);
      cap_.forward(dx_.value.data + row, dy_.value.data + row, keys(w.rowEnd));
    }
  }
  // Of keys that the rows do not hold there is no gradient.
  void backwardOf(int b, int h) override {
    for (int t = 0; t < queryCount(); ++t) {
      float* dx = gradient(dx_, b, h, t);
      const int S = keys(t + 1);
      cap_.backward(dx_.value.data + at(dx_.value, b, h, t), gradient(dy_, b, h, t), dx, dx_.accumulate, S);
      if (!dx_.accumulate) std::fill(dx + S, dx + keyCount(), 0.f);
    }
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }
  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [h, t, s] = placeOf(dy_.value, cell);
    return cap_.derive(squareCell(dx_.value, h, t, s));
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return cap_.equation(names.of(dx_.value.data));
  }

 private:
  Cap cap_;
  Gradient dx_, dy_;
};

class CapRows final : public Operation {
 public:
  CapRows(const Extent& extent, Value x, float cap, Value y) : Operation(extent), cap_{cap}, dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      cap_.forward(x.data + r * x.stride, y.data + r * y.stride, x.width);
  }
  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      cap_.backward(x.data + r * x.stride, dy_.data + r * y.stride, dx_.data + r * x.stride, dx_.accumulate,
                    x.width);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }
  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    return cap_.derive(cellOf(dx_.value, r, j));
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return cap_.equation(names.of(dx_.value.data));
  }

 private:
  Cap cap_;
  Gradient dx_, dy_;
};

}  // namespace

Value softCap(Tape& tape, const Value& x, float cap, float fill) {
  assert(cap > 0);
  if (!x.square) {
    const Value y = tape.rows(x.width, x.stream);
    tape.add(std::make_unique<CapRows>(tape.extent(x), x, cap, y));
    return y;
  }
  const Value y = tape.squares(x.width, fill, x.triangular, x.stream, x.keys);
  tape.add(std::make_unique<CapScores>(tape, x, cap, y));
  return y;
}

}  // namespace glassformer
