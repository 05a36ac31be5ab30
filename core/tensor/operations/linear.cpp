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

// Every token's row of x with every column of y.
double productOf(const Extent& extent, const Value& x, const Value& y) {
  return static_cast<double>(extent.sequences) * extent.positions * x.width * y.width;
}

// Whether each of the workers would copy a large weight for fewer rows than one copy is good for.
bool sharesCopies(const MatrixProduct& product, int workers) {
  constexpr double large = 1 << 18;
  MatrixProduct own = product;
  own.rows /= workers;
  return static_cast<double>(product.columns) * product.depth >= large &&
         product.rows < kernels().rowsPerCopy(own) * workers;
}

// A bias from column j on; null without one.
const float* from(const Weight& bias, int j) { return bias.value ? bias.value + j : nullptr; }

// db += Σ_r dy[r]
void gatherBias(const Weight& bias, const Gradient& dy, int rows) {
  for (int r = 0; bias.value && r < rows; ++r)
    kernels().accumulate(dy.data + r * dy.value.stride, bias.gradient, dy.value.width);
}

// Σ_i x[r, i] w(i)
template <typename WeightOf>
Derivation products(const Value& x, int r, WeightOf w) {
  Derivation d;
  for (int i = 0; i < x.width; ++i) d.terms.push_back({cellOf(x, r, i), w(i)});
  return d;
}

// How far a weight's next column, and the next number of a column, lie in it.
struct Strides {
  int column, depth;
};

// What is to be done of y = x · W + b, where W lies as it is or, as the embedding, transposed.
MatrixProduct affineProduct(const Work& work, const Value& x, const Value& y, const Weight& weight,
                            Strides strides, const Weight& bias) {
  const auto [j0, j1] = columnShare(y.width, work);
  return {work.rowEnd - work.rowBegin,
          j1 - j0,
          x.width,
          x.data + work.rowBegin * x.stride,
          x.stride,
          1,
          weight.value + static_cast<std::ptrdiff_t>(j0) * strides.column,
          strides.depth,
          strides.column,
          y.data + work.rowBegin * y.stride + j0,
          y.stride,
          1,
          false,
          from(bias, j0)};
}

class Linear final : public Operation {
 public:
  Linear(const Extent& extent, Value x, const Weight& weight, const Weight& bias, Value y)
      : Operation(extent), weight_(weight), bias_(bias), dx_{x}, dy_{y} {}

  bool splitsColumns() const override { return true; }
  bool sharesColumns(int rows, int workers) const override {
    return sharesCopies(productFor({0, rows}), workers);
  }

  void forward(const Work& work) override { kernels().multiply(productFor(work)); }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const int R = extent_.rows(), in = x.width, out = y.width;
    if (dx_.data)  // dx (+)= dy · Wᵀ
      kernels().multiply(
          {R, in, out, dy_.data, y.stride, 1, weight_.value, 1, out, dx_.data, x.stride, 1, dx_.accumulate});
    if (!weight_.gradient) return;  // not trained
    // dW (+)= xᵀ · dy, db += Σ_r dy[r]
    MatrixProduct product{in,
                          out,
                          R,
                          x.data,
                          1,
                          x.stride,
                          dy_.data,
                          y.stride,
                          1,
                          weight_.gradient,
                          out,
                          1,
                          !weight_.startsGradient};
    product.columnSums = bias_.value ? bias_.gradient : nullptr;
    kernels().multiply(product);
  }

  double multiplyAdds() const override { return productOf(extent_, dx_.value, dy_.value); }
  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }
  Weight* weightOfAll() override { return &weight_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  // Σ_i x[r, i] W[i, j] + b[j]
  Derivation derive(Cell cell, const Before&) const override {
    const Place place = placeOf(dy_.value, cell);
    Derivation d = products(dx_.value, place.row, [&](int i) { return weight_.cell(i, place.column); });
    if (bias_.value) d.terms.push_back({bias_.cell(0, place.column)});
    return d;
  }
  std::string equation(Cell cell, const OperandNames& names) const override {
    const int j = placeOf(dy_.value, cell).column;
    return names.of(dx_.value.data) + " · " + names.of(weight_.cell(0, j)) +
           (bias_.value ? " + " + names.of(bias_.cell(0, j)) : "");
  }

 private:
  MatrixProduct productFor(const Work& work) const {
    return affineProduct(work, dx_.value, dy_.value, weight_, {1, dy_.value.width}, bias_);
  }

  Weight weight_, bias_;
  Gradient dx_, dy_;
};

class Unembed final : public Operation {
 public:
  Unembed(const Extent& extent, Value x, const Weight& embedding, const Weight& bias, Value y)
      : Operation(extent), embedding_(embedding), bias_(bias), dx_{x}, dy_{y} {}

  bool splitsColumns() const override { return true; }
  bool sharesColumns(int rows, int workers) const override {
    return sharesCopies(productFor({0, rows}), workers);
  }

  void forward(const Work& work) override { kernels().multiply(productFor(work)); }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const int R = extent_.rows(), D = x.width, V = y.width;
    // dx (+)= dy · E
    kernels().multiply(
        {R, D, V, dy_.data, y.stride, 1, embedding_.value, D, 1, dx_.data, x.stride, 1, dx_.accumulate});
    if (!embedding_.gradient) return;  // not trained
    // dE (+)= dyᵀ · x
    kernels().multiply({V, D, R, dy_.data, 1, y.stride, x.data, x.stride, 1, embedding_.gradient, D, 1,
                        !embedding_.startsGradient});
    gatherBias(bias_, dy_, R);
  }

  double multiplyAdds() const override { return productOf(extent_, dx_.value, dy_.value); }
  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }
  Weight* weightOfAll() override { return &embedding_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  // Σ_d x[r, d] E[token, d] + b[token]
  Derivation derive(Cell cell, const Before&) const override {
    const Place place = placeOf(dy_.value, cell);
    Derivation d = products(dx_.value, place.row, [&](int i) { return embedding_.cell(place.column, i); });
    if (bias_.value) d.terms.push_back({bias_.cell(0, place.column)});
    return d;
  }
  std::string equation(Cell cell, const OperandNames& names) const override {
    // A matrix that is called by its transpose already is turned back.
    const std::string table = names.of(embedding_.value);
    const bool turned = table.ends_with("ᵀ");
    return names.of(dx_.value.data) + " · " +
           (turned ? table.substr(0, table.size() - std::string_view("ᵀ").size()) : table + "ᵀ") +
           (bias_.value ? " + " + names.of(bias_.cell(0, placeOf(dy_.value, cell).column)) : "");
  }

 private:
  MatrixProduct productFor(const Work& work) const {
    return affineProduct(work, dx_.value, dy_.value, embedding_, {dx_.value.width, 1}, bias_);
  }

  Weight embedding_, bias_;
  Gradient dx_, dy_;
};

}  // namespace

Value linear(Tape& tape, const Value& x, const Weight& weight, const Weight& bias) {
  assert(weight.rows == x.width && (!bias.value || bias.columns == weight.columns));
  const Value y = tape.rows(weight.columns, x.stream);
  tape.add(std::make_unique<Linear>(tape.extent(x), x, weight, bias, y));
  return y;
}

Value unembed(Tape& tape, const Value& x, const Weight& embedding, const Weight& bias) {
  assert(embedding.columns == x.width && (!bias.value || bias.columns == embedding.rows));
  const Value y = tape.rows(embedding.rows, x.stream);
  tape.add(std::make_unique<Unembed>(tape.extent(x), x, embedding, bias, y));
  return y;
}

}  // namespace glassformer
