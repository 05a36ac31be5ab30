#include "core/tensor/operations/embedding.h"

#include <algorithm>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// y_r = factor · table[index(r)]: the token's row, the position's, or that of the text it is in.
class Lookup final : public Operation {
 public:
  enum class By { Token, Position, Type };
  /// `separator`: By::Type only. The last `empty` columns of y are 0.
  Lookup(Tape& tape, By by, const Weight& table, float factor, Value y, int separator = -1, int empty = 0)
      : Operation(tape.extent(y)),
        tokens_(tape.tokens(y.stream)),
        by_(by),
        table_(table),
        factor_(factor),
        separator_(separator),
        columns_(y.width - empty),
        dy_{y} {}

  void forward(const Work& work) override {
    const Value& y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r) {
      float* to = y.data + r * y.stride;
      std::copy_n(table_.cell(index(r), 0), columns_, to);
      if (factor_ != 1)
        for (int j = 0; j < columns_; ++j) to[j] *= factor_;
      std::fill(to + columns_, to + y.width, 0.f);
    }
  }

  void backward() override {
    if (!table_.gradient) return;
    const Value& y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r) {
      const float* dy = dy_.data + r * y.stride;
      float* to = table_.gradient + static_cast<std::ptrdiff_t>(index(r)) * y.width;
      if (factor_ == 1)
        kernels().accumulate(dy, to, columns_);
      else
        for (int j = 0; j < columns_; ++j) to[j] += factor_ * dy[j];
    }
  }

  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    if (j >= columns_) return {};
    return {.terms = {{table_.cell(index(r), j), nullptr, factor_}}};
  }
  std::string equation(Cell cell, const OperandNames& names) const override {
    if (placeOf(dy_.value, cell).column >= columns_) return "0: this column is the position's";
    const char* by = by_ == By::Token ? "[token]" : by_ == By::Position ? "[t]" : "[type]";
    return (factor_ == 1 ? "" : "√D · ") + names.of(table_.value) + by;
  }

 private:
  int index(int row) const {
    switch (by_) {
      case By::Token:
        return tokens_[static_cast<std::size_t>(row)];
      case By::Position:
        return row % extent_.capacity;
      case By::Type:
        return typeOf(row);
    }
    return 0;
  }
  // How many texts have ended before it.
  int typeOf(int row) const {
    const auto here = tokens_.begin() + row;
    const auto ended = std::count(here - row % extent_.capacity, here, separator_);
    return static_cast<int>(std::min<std::ptrdiff_t>(ended, table_.rows - 1));
  }
  const std::vector<int>& tokens_;
  By by_;
  Weight table_;
  float factor_;
  int separator_, columns_;
  Gradient dy_;
};

}  // namespace

Value embedTokens(Tape& tape, const Weight& table, Stream stream, float factor, int empty) {
  const Value y = tape.rows(table.columns, stream);
  tape.add(std::make_unique<Lookup>(tape, Lookup::By::Token, table, factor, y, -1, empty));
  return y;
}

Value embedPositions(Tape& tape, const Weight& table, Stream stream) {
  const Value y = tape.rows(table.columns, stream);
  tape.add(std::make_unique<Lookup>(tape, Lookup::By::Position, table, 1.f, y));
  return y;
}

Value embedTypes(Tape& tape, const Weight& table, int separator, Stream stream) {
  const Value y = tape.rows(table.columns, stream);
  tape.add(std::make_unique<Lookup>(tape, Lookup::By::Type, table, 1.f, y, separator));
  return y;
}

}  // namespace glassformer
