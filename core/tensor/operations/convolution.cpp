#include "core/tensor/operations/convolution.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

class Delayed final : public Operation {
 public:
  Delayed(const Extent& extent, Value x, int taps, Value y)
      : Operation(extent), taps_(taps), width_(x.width / taps), dx_{x}, dy_{y} {}

  Domain domain() const override { return Domain::Time; }

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    eachPart([&](std::ptrdiff_t first, int j) {
      for (int t = work.rowBegin; t < work.rowEnd; ++t) {
        float* to = y.data + (first + t) * y.stride + j * width_;
        if (t < j)
          std::fill_n(to, width_, 0.f);
        else
          std::copy_n(x.data + (first + t - j) * x.stride + j * width_, width_, to);
      }
    });
  }

  // dx[t, j] (+)= dy[t + j, j], as far as the sequence goes.
  void backwardAt(int t) override {
    const Value &x = dx_.value, &y = dy_.value;
    eachPart([&](std::ptrdiff_t first, int j) {
      float* dx = dx_.data + (first + t) * x.stride + j * width_;
      if (!dx_.accumulate) std::fill_n(dx, width_, 0.f);
      if (t + j < extent_.positions)
        kernels().accumulate(dy_.data + (first + t + j) * y.stride + j * width_, dx, width_);
    });
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, column] = placeOf(dy_.value, cell);
    const int t = r % extent_.capacity, j = column / width_;
    Derivation d;
    if (t >= j) d.terms.push_back({cellOf(dx_.value, r - j, column)});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return "(" + names.of(dx_.value.data) + ")[t − j]";
  }

 private:
  // Visits the first row of every sequence with every tap.
  template <typename Visit>
  void eachPart(Visit visit) const {
    for (int b = 0; b < extent_.sequences; ++b)
      for (int j = 0; j < taps_; ++j) visit(static_cast<std::ptrdiff_t>(b) * extent_.capacity, j);
  }

  int taps_, width_;
  Gradient dx_, dy_;
};

}  // namespace

Value delayed(Tape& tape, const Value& x, int taps) {
  assert(taps > 0 && x.width % taps == 0);
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<Delayed>(tape.extent(x), x, taps, y));
  return y;
}

}  // namespace glassformer
