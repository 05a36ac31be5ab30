#include "core/tensor/operations/derivative.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

class Differentiate final : public Operation {
 public:
  Differentiate(const Extent& extent, Value table, const TableEntry& entry)
      : Operation(extent), entry_(entry), dTable_{table} {}

  void forward(const Work&) override {}

  void backward() override {
    const Value& table = dTable_.value;
    for (int r = 0; r < extent_.rows(); ++r) std::fill_n(dTable_.data + r * table.stride, table.width, 0.f);
    float* row = dTable_.data + entry_.row * table.stride;
    row[entry_.column] = 1;
    if (entry_.against >= 0) row[entry_.against] -= 1;
  }

  std::vector<Gradient*> operands() override { return {&dTable_}; }

 private:
  const TableEntry& entry_;
  Gradient dTable_;
};

class KeepGradient final : public Operation {
 public:
  KeepGradient(const Extent& extent, Value x, Value y, std::vector<float>& gradient)
      : Operation(extent), gradient_(gradient), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      std::copy_n(x.data + r * x.stride, x.width, y.data + r * y.stride);
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const auto width = static_cast<std::size_t>(y.width);
    gradient_.resize(static_cast<std::size_t>(extent_.rows()) * width);
    for (int r = 0; r < extent_.rows(); ++r) {
      const float* dy = dy_.data + r * y.stride;
      float* dx = dx_.data + r * x.stride;
      std::copy_n(dy, width, gradient_.data() + static_cast<std::size_t>(r) * width);
      if (dx_.accumulate)
        kernels().accumulate(dy, dx, y.width);
      else
        std::copy_n(dy, width, dx);
    }
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  std::vector<float>& gradient_;
  Gradient dx_, dy_;
};

}  // namespace

void differentiate(Tape& tape, const Value& table, const TableEntry& entry) {
  tape.add(std::make_unique<Differentiate>(tape.extent(table), table, entry));
}

Value keepGradient(Tape& tape, const Value& x, std::vector<float>& gradient) {
  assert(!x.recurrent);  // its gradient is complete position by position
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<KeepGradient>(tape.extent(x), x, y, gradient));
  return y;
}

}  // namespace glassformer
