#include "core/tensor/operations/embedding.h"

#include <algorithm>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// y_r = table[index(r)]: the token's row, or the position's.
class Lookup final : public Operation {
 public:
  enum class By { Token, Position };
  Lookup(Tape& tape, By by, const Weight& table, Value y) : tape_(tape), by_(by), table_(table), dy_{y} {}

  void forward(const Work& work) override {
    const Value& y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r) {
      const float* from = table_.value + static_cast<std::ptrdiff_t>(index(r)) * y.width;
      std::copy(from, from + y.width, y.data + r * y.stride);
    }
  }

  void backward() override {
    if (!table_.gradient) return;
    const Value& y = dy_.value;
    for (int r = 0; r < tape_.extent().rows(); ++r)
      kernels().accumulate(dy_.data + r * y.stride,
                           table_.gradient + static_cast<std::ptrdiff_t>(index(r)) * y.width, y.width);
  }

  Gradient* result() override { return &dy_; }

 private:
  int index(int row) const {
    return by_ == By::Token ? tape_.tokens()[static_cast<std::size_t>(row)] : row % tape_.extent().capacity;
  }
  Tape& tape_;
  By by_;
  Weight table_;
  Gradient dy_;
};

}  // namespace

Value embedTokens(Tape& tape, const Weight& table) {
  const Value y = tape.rows(table.columns);
  tape.add(std::make_unique<Lookup>(tape, Lookup::By::Token, table, y));
  return y;
}

Value embedPositions(Tape& tape, const Weight& table) {
  const Value y = tape.rows(table.columns);
  tape.add(std::make_unique<Lookup>(tape, Lookup::By::Position, table, y));
  return y;
}

}  // namespace glassformer
