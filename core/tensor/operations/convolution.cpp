#include "core/tensor/operations/convolution.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

class Delayed final : public Operation {
 public:
  Delayed(const Extent& extent, Value x, int taps, int ahead, Value y)
      : Operation(extent), taps_(taps), ahead_(ahead), width_(x.width / taps), dx_{x}, dy_{y} {}

  Domain domain() const override { return Domain::Time; }

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    eachPart([&](int b, std::ptrdiff_t first, int j) {
      for (int t = work.rowBegin; t < work.rowEnd; ++t) {
        float* to = y.data + (first + t) * y.stride + j * width_;
        if (isInside(t + ahead_ - j, b))
          std::copy_n(x.data + (first + t + ahead_ - j) * x.stride + j * width_, width_, to);
        else
          std::fill_n(to, width_, 0.f);
      }
    });
  }

  // dx[t, j] (+)= dy[t − a + j, j], as far as the sequence goes.
  void backwardAt(int t) override {
    const Value &x = dx_.value, &y = dy_.value;
    eachPart([&](int b, std::ptrdiff_t first, int j) {
      float* dx = dx_.data + (first + t) * x.stride + j * width_;
      if (!dx_.accumulate) std::fill_n(dx, width_, 0.f);
      const int reader = t - ahead_ + j;
      if (reader >= 0 && reader < extent_.positions && isInside(t, b))
        kernels().accumulate(dy_.data + (first + reader) * y.stride + j * width_, dx, width_);
    });
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, column] = placeOf(dy_.value, cell);
    const int t = r % extent_.capacity, j = column / width_;
    Derivation d;
    if (isInside(t + ahead_ - j, r / extent_.capacity))
      d.terms.push_back({cellOf(dx_.value, r + ahead_ - j, column)});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    const std::string early = ahead_ > 0 ? " + " + std::to_string(ahead_) : "";
    return "(" + names.of(dx_.value.data) + ")[t" + early + " − j]";
  }

 private:
  bool isInside(int t, int sequence) const { return t >= 0 && t < extent_.length(sequence); }
  // Visits every sequence, where its first row is, with every tap.
  template <typename Visit>
  void eachPart(Visit visit) const {
    for (int b = 0; b < extent_.sequences; ++b)
      for (int j = 0; j < taps_; ++j) visit(b, static_cast<std::ptrdiff_t>(b) * extent_.capacity, j);
  }

  int taps_, ahead_, width_;
  Gradient dx_, dy_;
};

class TapProducts final : public Operation {
 public:
  TapProducts(const Extent& extent, Value x, const Weight& weight, Value y)
      : Operation(extent), weight_(weight), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      for (int i = 0; i < y.width; ++i)
        y.data[r * y.stride + i] = x.data[r * x.stride + i % x.width] * weight_.value[i];
  }

  // dx[d] (+)= Σ_j dy[j, d] w[j, d], dw[j, d] += Σ_r dy[r, j, d] x[r, d]
  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r) {
      const float *from = x.data + r * x.stride, *dy = dy_.data + r * y.stride;
      if (float* dx = dx_.data ? dx_.data + r * x.stride : nullptr) {
        if (!dx_.accumulate) std::fill_n(dx, x.width, 0.f);
        for (int i = 0; i < y.width; ++i) dx[i % x.width] += dy[i] * weight_.value[i];
      }
      for (int i = 0; weight_.gradient && i < y.width; ++i) weight_.gradient[i] += dy[i] * from[i % x.width];
    }
  }

  double multiplyAdds() const override {
    return static_cast<double>(extent_.sequences) * extent_.positions * dy_.value.width;
  }
  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const Place place = placeOf(dy_.value, cell);
    Derivation d;
    d.terms.push_back(
        {cellOf(dx_.value, place.row, place.column % dx_.value.width), weight_.value + place.column});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dx_.value.data) + " ⊙ " + names.of(weight_.value);
  }

 private:
  Weight weight_;
  Gradient dx_, dy_;
};

}  // namespace

Value delayed(Tape& tape, const Value& x, int taps, int ahead) {
  assert(taps > ahead && ahead >= 0 && x.width % taps == 0);
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<Delayed>(tape.extent(x), x, taps, ahead, y));
  return y;
}

Value tapProducts(Tape& tape, const Value& x, const Weight& weight) {
  assert(weight.columns == x.width);
  const Value y = tape.rows(weight.rows * x.width, x.stream);
  tape.add(std::make_unique<TapProducts>(tape.extent(x), x, weight, y));
  return y;
}

}  // namespace glassformer
