#include "core/tensor/operations/normalization.h"

#include <cassert>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// How much `width` numbers of row r spread, from column `first` on, and number j of them once that is divided
// by.
Derivation spreadOf(const Value& x, int r, int first, int width, float epsilon) {
  Derivation d{.form = Form::Spread, .constant = epsilon};
  for (int i = 0; i < width; ++i) d.terms.push_back({cellOf(x, r, first + i)});
  return d;
}
Derivation normalizedOf(const Value& x, int r, int first, int width, int j, float epsilon) {
  Derivation d = spreadOf(x, r, first, width, epsilon);
  d.form = Form::Normalized, d.chosen = static_cast<std::size_t>(j);
  return d;
}

class LayerNorm final : public Operation {
 public:
  LayerNorm(const Extent& extent, Value x, const Weight& gamma, const Weight& beta, float epsilon,
            Value sigma, Value y)
      : Operation(extent), gamma_(gamma), beta_(beta), epsilon_(epsilon), sigma_(sigma), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      sigma_.data[r] = kernels().layerNorm(x.data + r * x.stride, gamma_.value, beta_.value, epsilon_,
                                           y.data + r * y.stride, x.width);
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      kernels().layerNormBackward(x.data + r * x.stride, gamma_.value, sigma_.data[r],
                                  dy_.data + r * y.stride, dx_.data + r * x.stride, dx_.accumulate,
                                  gamma_.gradient, beta_.gradient, x.width);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(sigma_, cell) || holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const bool isScale = holds(sigma_, cell);
    const auto [head, r, j] = placeOf(isScale ? sigma_ : dy_.value, cell);
    const Value& x = dx_.value;
    Derivation d =
        isScale ? spreadOf(x, r, 0, x.width, epsilon_) : normalizedOf(x, r, 0, x.width, j, epsilon_);
    if (!isScale) d.gamma = gamma_.cell(0, j), d.beta = beta_.cell(0, j);
    return d;
  }
  std::string equation(Cell cell, const OperandNames& names) const override {
    const std::string x = names.of(dx_.value.data);
    if (holds(sigma_, cell)) return "√(var(" + x + ") + ε)";
    return names.of(gamma_.value) + " ⊙ (" + x + " − mean(" + x + ")) / " + names.of(sigma_.data) + " + " +
           names.of(beta_.value);
  }

 private:
  Weight gamma_, beta_;
  float epsilon_;
  Value sigma_;
  Gradient dx_, dy_;
};

class RmsNorm final : public Operation {
 public:
  RmsNorm(const Extent& extent, Value x, const Weight& gamma, float epsilon, Value rho, Value y)
      : Operation(extent), gamma_(gamma), epsilon_(epsilon), rho_(rho), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      for (int g = 0; g < stretches(); ++g)
        rho_.data[r * rho_.stride + g] =
            kernels().rmsNorm(x.data + r * x.stride + g * width(), gamma_.value, epsilon_,
                              y.data + r * y.stride + g * width(), width());
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      for (int g = 0; g < stretches(); ++g)
        kernels().rmsNormBackward(x.data + r * x.stride + g * width(), gamma_.value,
                                  rho_.data[r * rho_.stride + g], dy_.data + r * y.stride + g * width(),
                                  dx_.data + r * x.stride + g * width(), dx_.accumulate, gamma_.gradient,
                                  width());
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(rho_, cell) || holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const bool isScale = holds(rho_, cell);
    const auto [head, r, j] = placeOf(isScale ? rho_ : dy_.value, cell);
    const int first = isScale ? j * width() : j / width() * width();
    Derivation d = isScale ? spreadOf(dx_.value, r, first, width(), epsilon_)
                           : normalizedOf(dx_.value, r, first, width(), j - first, epsilon_);
    d.centred = false;
    if (!isScale) d.gamma = gamma_.cell(0, j - first);
    return d;
  }
  std::string equation(Cell cell, const OperandNames& names) const override {
    const std::string x = names.of(dx_.value.data);
    if (holds(rho_, cell)) return "√(mean(" + x + "²) + ε)";
    return names.of(gamma_.value) + " ⊙ " + x + " / " + names.of(rho_.data);
  }

 private:
  int width() const { return gamma_.columns; }
  int stretches() const { return dx_.value.width / width(); }

  Weight gamma_;
  float epsilon_;
  Value rho_;
  Gradient dx_, dy_;
};

}  // namespace

Normalized layerNorm(Tape& tape, const Value& x, const Weight& gamma, const Weight& beta, float epsilon) {
  const Value sigma = tape.rows(1, x.stream), y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<LayerNorm>(tape.extent(x), x, gamma, beta, epsilon, sigma, y));
  return {sigma, y};
}

Normalized rmsNorm(Tape& tape, const Value& x, const Weight& gamma, float epsilon) {
  assert(x.width % gamma.columns == 0);
  const Value rho = tape.rows(x.width / gamma.columns, x.stream), y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<RmsNorm>(tape.extent(x), x, gamma, epsilon, rho, y));
  return {rho, y};
}

}  // namespace glassformer
