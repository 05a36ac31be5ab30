#include "core/tensor/operations/elementwise.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/random.h"
#include "core/tensor/kernels.h"
#include "core/tensor/operations/nonlinearity.h"

namespace glassformer {
namespace {

class Add final : public Operation {
 public:
  Add(const Extent& extent, Value a, Value b, Value y) : Operation(extent), da_{a}, db_{b}, dy_{y} {}

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

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    return {.terms = {{cellOf(da_.value, r, j)}, {cellOf(db_.value, r, j)}}};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(da_.value.data) + " + " + names.of(db_.value.data);
  }

 private:
  Gradient da_, db_, dy_;
};

class Copy final : public Operation {
 public:
  Copy(const Extent& extent, Value x, Value y) : Operation(extent), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      std::copy_n(x.data + r * x.stride, x.width, y.data + r * y.stride);
  }

  void backward() override {
    for (int r = 0; r < extent_.rows(); ++r) {
      const float* dy = dy_.data + r * dy_.value.stride;
      float* dx = dx_.data + r * dx_.value.stride;
      if (dx_.accumulate)
        kernels().accumulate(dy, dx, dy_.value.width);
      else
        std::copy_n(dy, dy_.value.width, dx);
    }
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    return {.terms = {{cellOf(dx_.value, r, j)}}};
  }
  std::string equation(Cell, const OperandNames& names) const override { return names.of(dx_.value.data); }

 private:
  Gradient dx_, dy_;
};

class DivideByRoot final : public Operation {
 public:
  DivideByRoot(const Extent& extent, Value x, Value y)
      : Operation(extent), factor_(1 / std::sqrt(static_cast<float>(x.width))), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      for (int j = 0; j < x.width; ++j) y.data[r * y.stride + j] = factor_ * x.data[r * x.stride + j];
  }
  void backward() override {
    for (int r = 0; r < extent_.rows(); ++r) {
      const float* dy = dy_.data + r * dy_.value.stride;
      float* dx = dx_.data + r * dx_.value.stride;
      for (int j = 0; j < dy_.value.width; ++j) dx[j] = (dx_.accumulate ? dx[j] : 0) + factor_ * dy[j];
    }
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    return {.terms = {{cellOf(dx_.value, r, j), nullptr, factor_}}};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dx_.value.data) + " / √D";
  }

 private:
  float factor_;
  Gradient dx_, dy_;
};

class SumOfHeads final : public Operation {
 public:
  SumOfHeads(const Extent& extent, Value x, int heads, char letter, const Weight& bias, Value y)
      : Operation(extent), heads_(heads), letter_(letter), bias_(bias), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r) {
      float* row = y.data + r * y.stride;
      if (bias_.value)
        std::copy_n(bias_.value, y.width, row);
      else
        std::fill_n(row, y.width, 0.0f);
      for (int h = 0; h < heads_; ++h)
        kernels().accumulate(x.data + r * x.stride + h * y.width, row, y.width);
    }
  }

  void backward() override {
    assert(!dx_.accumulate);
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r) {
      const float* dy = dy_.data + r * y.stride;
      if (bias_.gradient) kernels().accumulate(dy, bias_.gradient, y.width);
      for (int h = 0; h < heads_; ++h) std::copy_n(dy, y.width, dx_.data + r * x.stride + h * y.width);
    }
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    Derivation d;
    for (int h = 0; h < heads_; ++h) d.terms.push_back({cellOf(dx_.value, r, h * dy_.value.width + j)});
    if (bias_.value) d.terms.push_back({bias_.value + j});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    const std::string sum = std::string("Σ_") + letter_ + " " + names.of(dx_.value.data);
    return bias_.value ? sum + " + " + names.of(bias_.value) : sum;
  }

 private:
  int heads_;
  char letter_;
  Weight bias_;
  Gradient dx_, dy_;
};

void eluPlusOne(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] + 1 : std::exp(x[i]);
}
void eluPlusOneBackward(const float* x, const float* dy, float* dx, bool accumulate, int n) {
  for (int i = 0; i < n; ++i) dx[i] = (accumulate ? dx[i] : 0) + dy[i] * (x[i] > 0 ? 1 : std::exp(x[i]));
}

void silu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1 + std::exp(-x[i]));
}
// silu' = p (1 + x (1 − p)) with p = 1 / (1 + e⁻ˣ).
void siluBackward(const float* x, const float* dy, float* dx, bool accumulate, int n) {
  for (int i = 0; i < n; ++i) {
    const float p = 1 / (1 + std::exp(-x[i]));
    dx[i] = (accumulate ? dx[i] : 0) + dy[i] * p * (1 + x[i] * (1 - p));
  }
}

using Forward = void (*)(const float* x, float* y, int n);
using Backward = void (*)(const float* x, const float* dy, float* dx, bool accumulate, int n);

Forward forwardKernel(Nonlinearity nonlinearity) {
  const Kernels& k = kernels();
  switch (nonlinearity) {
    case Nonlinearity::GeluTanh:
      return k.geluTanh;
    case Nonlinearity::Gelu:
      return k.gelu;
    case Nonlinearity::Relu:
      return k.relu;
    case Nonlinearity::Silu:
      return silu;
    case Nonlinearity::EluPlusOne:
      break;
  }
  return eluPlusOne;
}
Backward backwardKernel(Nonlinearity nonlinearity) {
  const Kernels& k = kernels();
  switch (nonlinearity) {
    case Nonlinearity::GeluTanh:
      return k.geluTanhBackward;
    case Nonlinearity::Gelu:
      return k.geluBackward;
    case Nonlinearity::Relu:
      return k.reluBackward;
    case Nonlinearity::Silu:
      return siluBackward;
    case Nonlinearity::EluPlusOne:
      break;
  }
  return eluPlusOneBackward;
}

}  // namespace

void activate(Nonlinearity nonlinearity, std::span<const float> x, std::span<float> y) {
  forwardKernel(nonlinearity)(x.data(), y.data(), static_cast<int>(x.size()));
}

namespace {

class Activate final : public Operation {
 public:
  Activate(const Extent& extent, Value x, Nonlinearity nonlinearity, Value y)
      : Operation(extent), nonlinearity_(nonlinearity), dx_{x}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    const Forward function = forwardKernel(nonlinearity_);
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      function(x.data + r * x.stride, y.data + r * y.stride, x.width);
  }

  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    const Backward function = backwardKernel(nonlinearity_);
    for (int r = 0; r < extent_.rows(); ++r)
      function(x.data + r * x.stride, dy_.data + r * y.stride, dx_.data + r * x.stride, dx_.accumulate,
               x.width);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    const NamedFunction f = functionOf(nonlinearity_);
    return {.form = Form::Function,
            .terms = {{cellOf(dx_.value, r, j)}},
            .function = f.function,
            .functionName = f.name};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return functionOf(nonlinearity_).name + ("(" + names.of(dx_.value.data) + ")");
  }

 private:
  Nonlinearity nonlinearity_;
  Gradient dx_, dy_;
};

class Gate final : public Operation {
 public:
  Gate(const Extent& extent, Value x, Value u, Nonlinearity gate, Value y)
      : Operation(extent), gate_(gate), dx_{x}, du_{u}, dy_{y} {}

  void forward(const Work& work) override {
    const Value &x = dx_.value, &u = du_.value, &y = dy_.value;
    const Forward function = forwardKernel(gate_);
    for (int r = work.rowBegin; r < work.rowEnd; ++r) {
      float* const out = y.data + r * y.stride;
      const float *const in = x.data + r * x.stride, *const through = u.data + r * u.stride;
      if (gate_ == Nonlinearity::Silu) {
        kernels().siluGate(in, through, out, y.width);
        continue;
      }
      function(in, out, y.width);
      for (int j = 0; j < y.width; ++j) out[j] *= through[j];
    }
  }

  // dx = dy ⊙ u ⊙ f'(x), du = dy ⊙ f(x).
  void backward() override {
    const Value &x = dx_.value, &u = du_.value, &y = dy_.value;
    std::vector<float> opened(static_cast<std::size_t>(y.width)), passed(opened.size());
    for (int r = 0; r < extent_.rows(); ++r) {
      const float *const in = x.data + r * x.stride, *const through = u.data + r * u.stride,
                         *const dy = dy_.data + r * y.stride;
      float *const dx = dx_.data + r * x.stride, *const du = du_.data + r * u.stride;
      if (gate_ == Nonlinearity::Silu) {
        kernels().siluGateBackward(in, through, dy, dx, du, dx_.accumulate, du_.accumulate, y.width);
        continue;
      }
      forwardKernel(gate_)(in, opened.data(), y.width);
      for (int j = 0; j < y.width; ++j) {
        const auto i = static_cast<std::size_t>(j);
        passed[i] = dy[j] * through[j];
        du[j] = (du_.accumulate ? du[j] : 0) + dy[j] * opened[i];
      }
      backwardKernel(gate_)(in, passed.data(), dx, dx_.accumulate, y.width);
    }
  }

  std::vector<Gradient*> operands() override { return {&dx_, &du_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    const NamedFunction f = functionOf(gate_);
    return {.form = Form::Gate,
            .terms = {{cellOf(dx_.value, r, j)}, {cellOf(du_.value, r, j)}},
            .function = f.function,
            .functionName = f.name};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return functionOf(gate_).name + ("(" + names.of(dx_.value.data) + ") ⊙ " + names.of(du_.value.data));
  }

 private:
  Nonlinearity gate_;
  Gradient dx_, du_, dy_;
};

class Dropout final : public Operation {
 public:
  Dropout(const Extent& extent, Value x, float probability, const DropoutSource& source, int index, Value y)
      : Operation(extent), probability_(probability), source_(source), index_(index), dx_{x}, dy_{y} {}

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

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, column] = placeOf(dy_.value, cell);
    Derivation d{.terms = {{cellOf(dx_.value, r, column)}}};
    eachFactor(r, [&](int j, float factor) {
      if (j == column) d.terms[0].coefficient = factor;
    });
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dx_.value.data) + " ⊙ m / (1 − p)";
  }

 private:
  // Visits 0 or 1 / (1 - p) for every column of a row; four 16-bit draws per hash.
  template <typename Visit>
  void eachFactor(int row, Visit visit) const {
    if (!source_.active) {
      for (int j = 0; j < dx_.value.width; ++j) visit(j, 1.f);
      return;
    }
    const auto threshold = static_cast<std::uint32_t>(probability_ * 65536);
    const float keep = 1 / (1 - probability_);
    const std::uint64_t stream =
        mix(source_.seed + mix(static_cast<std::uint64_t>(index_) << 32 |
                               static_cast<std::uint32_t>(source_.shard * extent_.rows() + row)));
    for (int j = 0; j < dx_.value.width; j += 4) {
      std::uint64_t bits = mix(stream + static_cast<std::uint64_t>(j) * 0x9E3779B97F4A7C15u);
      for (int i = j; i < std::min(j + 4, dx_.value.width); ++i, bits >>= 16)
        visit(i, (bits & 0xFFFF) < threshold ? 0 : keep);
    }
  }

  float probability_;
  const DropoutSource& source_;
  int index_;
  Gradient dx_, dy_;
};

}  // namespace

Value add(Tape& tape, const Value& a, const Value& b) {
  assert(a.width == b.width);
  const Value y = tape.rows(a.width, a.stream);
  tape.add(std::make_unique<Add>(tape.extent(a), a, b, y));
  return y;
}

Value copy(Tape& tape, const Value& x) {
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<Copy>(tape.extent(x), x, y));
  return y;
}

Value dividedByRoot(Tape& tape, const Value& x) {
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<DivideByRoot>(tape.extent(x), x, y));
  return y;
}

Value sumOfHeads(Tape& tape, const Value& x, int heads, char letter, const Weight& bias) {
  const Value y = tape.rows(x.width / heads, x.stream);
  assert(!bias.value || bias.columns == y.width);
  tape.add(std::make_unique<SumOfHeads>(tape.extent(x), x, heads, letter, bias, y));
  return y;
}

Value gated(Tape& tape, const Value& x, const Value& u, Nonlinearity gate) {
  assert(x.width == u.width);
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<Gate>(tape.extent(x), x, u, gate, y));
  return y;
}

Value activate(Tape& tape, const Value& x, Nonlinearity nonlinearity) {
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<Activate>(tape.extent(x), x, nonlinearity, y));
  return y;
}

Value dropout(Tape& tape, const Value& x, float probability, const DropoutSource& source) {
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<Dropout>(tape.extent(x), x, probability, source, tape.operationCount(), y));
  return y;
}

}  // namespace glassformer
