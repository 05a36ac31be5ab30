#include "core/tensor/operations/elementwise.h"

#include <algorithm>

#include "core/random.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

class Add final : public Operation {
 public:
  Add(const Extent& extent, Value a, Value b, Value y) : extent_(extent), da_{a}, db_{b}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &a = da_.value, &b = db_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      kernels().add(a.data + r * a.stride, b.data + r * b.stride, y.data + r * y.stride, y.width);
  }

  void backward() override {
    for (Gradient* operand : operands())
      for (int r = 0; r < extent_.rows(); ++r) {
        const float* dy = dy_.data + r * dy_.value.stride;
        float* dx = operand->data + r * operand->value.stride;
        if (operand->accumulate)
          kernels().accumulate(dy, dx, dy_.value.width);
        else
          std::copy(dy, dy + dy_.value.width, dx);
      }
  }

  std::vector<Gradient*> operands() override { return {&da_, &db_}; }
  Gradient* result() override { return &dy_; }

 private:
  const Extent& extent_;
  Gradient da_, db_, dy_;
};

class Activate final : public Operation {
 public:
  Activate(const Extent& extent, Value x, Nonlinearity nonlinearity, Value y)
      : extent_(extent), nonlinearity_(nonlinearity), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    const Kernels& k = kernels();
    const auto function = nonlinearity_ == Nonlinearity::GeluTanh ? k.geluTanh
                          : nonlinearity_ == Nonlinearity::Gelu   ? k.gelu
                                                                  : k.relu;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      function(x.data + r * x.stride, y.data + r * y.stride, x.width);
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const Kernels& k = kernels();
    const auto function = nonlinearity_ == Nonlinearity::GeluTanh ? k.geluTanhBackward
                          : nonlinearity_ == Nonlinearity::Gelu   ? k.geluBackward
                                                                  : k.reluBackward;
    for (int r = 0; r < extent_.rows(); ++r)
      function(x.data + r * x.stride, dy_.data + r * y.stride, dx_.data + r * x.stride, dx_.accumulate,
               x.width);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  const Extent& extent_;
  Nonlinearity nonlinearity_;
  Gradient dx_, dy_;
};

class Dropout final : public Operation {
 public:
  Dropout(const Extent& extent, Value x, float probability, const DropoutSource& source, int index, Value y)
      : extent_(extent), probability_(probability), source_(source), index_(index), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      eachFactor(r,
                 [&](int j, float factor) { y.data[r * y.stride + j] = x.data[r * x.stride + j] * factor; });
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      eachFactor(r, [&](int j, float factor) {
        float& dx = dx_.data[r * x.stride + j];
        dx = (dx_.accumulate ? dx : 0) + dy_.data[r * y.stride + j] * factor;
      });
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  // Visits 0 or 1 / (1 - p) for every column of a row; four 16-bit draws per hash.
  template <typename Visit>
  void eachFactor(int row, Visit visit) const {
    const auto threshold = static_cast<std::uint32_t>(probability_ * 65536);
    const float keep = 1 / (1 - probability_);
    const std::uint64_t stream = mix(source_.seed + mix(static_cast<std::uint64_t>(index_) << 32 |
                                                        static_cast<std::uint32_t>(source_.firstRow + row)));
    for (int j = 0; j < dx_.value.width; j += 4) {
      std::uint64_t bits = mix(stream + static_cast<std::uint64_t>(j) * 0x9E3779B97F4A7C15u);
      for (int i = j; i < std::min(j + 4, dx_.value.width); ++i, bits >>= 16)
        visit(i, (bits & 0xFFFF) < threshold ? 0 : keep);
    }
  }

  const Extent& extent_;
  float probability_;
  const DropoutSource& source_;
  int index_;
  Gradient dx_, dy_;
};

}  // namespace

Value add(Tape& tape, const Value& a, const Value& b) {
  assert(a.width == b.width);
  const Value y = tape.rows(a.width);
  tape.add(std::make_unique<Add>(tape.extent(), a, b, y));
  return y;
}

Value activate(Tape& tape, const Value& x, Nonlinearity nonlinearity) {
  const Value y = tape.rows(x.width);
  tape.add(std::make_unique<Activate>(tape.extent(), x, nonlinearity, y));
  return y;
}

Value dropout(Tape& tape, const Value& x, float probability, const DropoutSource& source) {
  const Value y = tape.rows(x.width);
  tape.add(std::make_unique<Dropout>(tape.extent(), x, probability, source, tape.operationCount(), y));
  return y;
}

}  // namespace glassformer
