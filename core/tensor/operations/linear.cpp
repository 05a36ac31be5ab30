#include "core/tensor/operations/linear.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// Share `part` of n columns, cut at multiples of a cache line.
std::pair<int, int> columnShare(int n, const Work& work) {
  const auto cut = [&](int part) { return part == work.parts ? n : n / 16 * part / work.parts * 16; };
  return {cut(work.part), cut(work.part + 1)};
}

class Linear final : public Operation {
 public:
  Linear(const Extent& extent, Value x, const Weight& weight, const Weight& bias, Value y)
      : Operation(extent), weight_(weight), bias_(bias), dx_{x}, dy_{y} {}

  bool splitsColumns() const override { return true; }

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    const auto [j0, j1] = columnShare(y.width, work);
    for (int r = work.rowBegin; bias_.value && r < work.rowEnd; ++r)
      std::copy(bias_.value + j0, bias_.value + j1, y.data + r * y.stride + j0);
    kernels().multiply({work.rowEnd - work.rowBegin, j1 - j0, x.width, x.data + work.rowBegin * x.stride,
                        x.stride, 1, weight_.value + j0, y.width, 1, y.data + work.rowBegin * y.stride + j0,
                        y.stride, 1, bias_.value != nullptr});
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const int R = extent_.rows(), in = x.width, out = y.width;
    if (dx_.data)  // dx (+)= dy · Wᵀ
      kernels().multiply(
          {R, in, out, dy_.data, y.stride, 1, weight_.value, 1, out, dx_.data, x.stride, 1, dx_.accumulate});
    if (!weight_.gradient) return;  // not trained
    // dW += xᵀ · dy
    kernels().multiply(
        {in, out, R, x.data, 1, x.stride, dy_.data, y.stride, 1, weight_.gradient, out, 1, true});
    for (int r = 0; bias_.value && r < R; ++r)
      kernels().accumulate(dy_.data + r * y.stride, bias_.gradient, out);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  Weight weight_, bias_;
  Gradient dx_, dy_;
};

class Unembed final : public Operation {
 public:
  Unembed(const Extent& extent, Value x, const Weight& embedding, Value y)
      : Operation(extent), embedding_(embedding), dx_{x}, dy_{y} {}

  bool splitsColumns() const override { return true; }

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    const auto [j0, j1] = columnShare(y.width, work);
    kernels().multiply({work.rowEnd - work.rowBegin, j1 - j0, x.width, x.data + work.rowBegin * x.stride,
                        x.stride, 1, embedding_.value + static_cast<std::ptrdiff_t>(j0) * x.width, 1, x.width,
                        y.data + work.rowBegin * y.stride + j0, y.stride});
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const int R = extent_.rows(), D = x.width, V = y.width;
    // dx (+)= dy · E
    kernels().multiply(
        {R, D, V, dy_.data, y.stride, 1, embedding_.value, D, 1, dx_.data, x.stride, 1, dx_.accumulate});
    if (!embedding_.gradient) return;  // not trained
    // dE += dyᵀ · x
    kernels().multiply(
        {V, D, R, dy_.data, 1, y.stride, x.data, x.stride, 1, embedding_.gradient, D, 1, true});
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  Weight embedding_;
  Gradient dx_, dy_;
};

}  // namespace

Value linear(Tape& tape, const Value& x, const Weight& weight, const Weight& bias) {
  assert(weight.rows == x.width && (!bias.value || bias.columns == weight.columns));
  const Value y = tape.rows(weight.columns, x.stream);
  tape.add(std::make_unique<Linear>(tape.extent(x), x, weight, bias, y));
  return y;
}

Value unembed(Tape& tape, const Value& x, const Weight& embedding) {
  assert(embedding.columns == x.width);
  const Value y = tape.rows(embedding.rows, x.stream);
  tape.add(std::make_unique<Unembed>(tape.extent(x), x, embedding, y));
  return y;
}

}  // namespace glassformer
