#include "core/tensor/operations/derivative.h"

#include <algorithm>

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
    const int heads = table.square ? table.width : 1;
    const std::ptrdiff_t numbers = table.square ? table.stride : table.width;
    for (int r = 0; r < heads * extent_.rows(); ++r)
      std::fill_n(dTable_.data + r * table.stride, numbers, 0.f);
    float* row = dTable_.data +
                 (static_cast<std::ptrdiff_t>(entry_.head) * extent_.capacity + entry_.row) * table.stride;
    if (!entry_.slopes.empty()) return static_cast<void>(std::ranges::copy(entry_.slopes, row));
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

  // The gradient of a recurrent row is complete when the positions behind it are done.
  Domain domain() const override { return dy_.value.recurrent ? Domain::Time : Domain::Rows; }

  void forward(const Work& work) override {
    eachRow(work.rowBegin, work.rowEnd, [&](std::ptrdiff_t row) {
      const Value &x = dx_.value, &y = dy_.value;
      std::copy_n(x.data + row * x.stride, x.width, y.data + row * y.stride);
    });
  }

  void backward() override { keep(0, extent_.rows()); }
  void backwardAt(int t) override { keep(t, t + 1); }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

 private:
  // Rows of the table, or, of a recurrent one, positions of every sequence.
  template <typename Visit>
  void eachRow(int begin, int end, Visit visit) const {
    const int sequences = dy_.value.recurrent ? extent_.sequences : 1;
    for (int b = 0; b < sequences; ++b)
      for (int r = begin; r < end; ++r) visit(static_cast<std::ptrdiff_t>(b) * extent_.capacity + r);
  }
  void keep(int begin, int end) {
    const Value &x = dx_.value, &y = dy_.value;
    const auto width = static_cast<std::size_t>(y.width);
    gradient_.resize(static_cast<std::size_t>(extent_.rows()) * width);
    eachRow(begin, end, [&](std::ptrdiff_t row) {
      const float* dy = dy_.data + row * y.stride;
      float* dx = dx_.data + row * x.stride;
      std::copy_n(dy, width, gradient_.data() + static_cast<std::size_t>(row) * width);
      if (dx_.accumulate)
        kernels().accumulate(dy, dx, y.width);
      else
        std::copy_n(dy, width, dx);
    });
  }

  std::vector<float>& gradient_;
  Gradient dx_, dy_;
};

}  // namespace

void differentiate(Tape& tape, const Value& table, const TableEntry& entry) {
  tape.add(std::make_unique<Differentiate>(tape.extent(table), table, entry));
}

Value keepGradient(Tape& tape, const Value& x, std::vector<float>& gradient) {
  Value y = tape.rows(x.width, x.stream);
  y.recurrent = x.recurrent;
  tape.add(std::make_unique<KeepGradient>(tape.extent(x), x, y, gradient));
  return y;
}

}  // namespace glassformer
