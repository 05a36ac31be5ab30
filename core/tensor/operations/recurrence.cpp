#include "core/tensor/operations/recurrence.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/kernels.h"
#include "core/tensor/operations/nonlinearity.h"

namespace glassformer {
namespace {

// A step of a recurrence: one position of all sequences at a time.
class RecurrentStep : public Operation {
 public:
  using Operation::Operation;
  Domain domain() const override { return Domain::Time; }

 protected:
  // The rows at t of all sequences as one matrix: where it begins, and from one sequence to the next.
  static float* at(float* data, const Value& table, int t) { return data + t * table.stride; }
  std::ptrdiff_t apart(const Value& table) const { return extent_.capacity * table.stride; }

  // Visits the row of each sequence at t.
  template <typename Visit>
  void eachRow(int t, Visit visit) const {
    for (int b = 0; b < extent_.sequences; ++b) visit(static_cast<std::ptrdiff_t>(b) * extent_.capacity + t);
  }
};

}  // namespace

class CarriedState::Step final : public RecurrentStep {
 public:
  Step(const Extent& extent, const Weight& weight, Value r)
      : RecurrentStep(extent), weight_(weight), dr_{r} {}

  void close(const Value& h) { dh_.value = h; }

  void forward(const Work& work) override {
    const Value &h = dh_.value, &r = dr_.value;
    const int D = r.width;
    for (int t = work.rowBegin; t < work.rowEnd; ++t)
      if (t == 0)
        eachRow(t, [&](std::ptrdiff_t row) { std::fill_n(r.data + row * r.stride, D, 0.f); });
      else
        kernels().multiply({extent_.sequences, D, D, at(h.data, h, t - 1), apart(h), 1, weight_.value, D, 1,
                            at(r.data, r, t), apart(r)});
  }

  // dh_{t−1} += dr_t · Wᵀ; and at the end, at t = 0, dW += Σ_t h_{t−1}ᵀ · dr_t.
  void backwardAt(int t) override {
    const Value &h = dh_.value, &r = dr_.value;
    const int D = r.width, T = extent_.positions;
    assert(dh_.accumulate);  // whoever reads the state has added his share
    if (t == T - 1) transpose();
    if (t > 0)
      kernels().multiply({extent_.sequences, D, D, at(dr_.data, r, t), apart(r), 1, transposed_.data(), D, 1,
                          at(dh_.data, h, t - 1), apart(h), 1, true});
    else if (weight_.gradient && T > 1)
      eachRow(0, [&](std::ptrdiff_t row) {
        kernels().multiply({D, D, T - 1, h.data + row * h.stride, 1, h.stride,
                            dr_.data + (row + 1) * r.stride, r.stride, 1, weight_.gradient, D, 1, true});
      });
  }

  double multiplyAdds() const override {
    const double states = extent_.sequences * (extent_.positions - 1);  // before the first there is none
    return states * weight_.rows * weight_.columns;
  }
  std::vector<Gradient*> operands() override { return {&dh_}; }
  Gradient* result() override { return &dr_; }

  bool makes(Cell cell) const override { return holds(dr_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dr_.value, cell);
    Derivation d;
    for (int i = 0; r % extent_.capacity > 0 && i < dh_.value.width; ++i)
      d.terms.push_back({cellOf(dh_.value, r - 1, i), weight_.cell(i, j)});
    return d;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return names.of(dh_.value.data) + "[t − 1] · " + names.of(weight_.value);
  }

 private:
  // Wᵀ, laid out so that the product of every position reads it in order.
  void transpose() {
    const auto D = static_cast<std::size_t>(weight_.rows);
    transposed_.resize(D * D);
    for (std::size_t i = 0; i < D; ++i)
      for (std::size_t j = 0; j < D; ++j) transposed_[j * D + i] = weight_.value[i * D + j];
  }

  Weight weight_;
  AlignedVector transposed_;
  Gradient dh_, dr_;
};

namespace {

class Advance final : public RecurrentStep {
 public:
  Advance(const Extent& extent, Value u, Value r, Value h) : RecurrentStep(extent), du_{u}, dr_{r}, dh_{h} {}

  void forward(const Work& work) override {
    const Value &u = du_.value, &r = dr_.value, &h = dh_.value;
    for (int t = work.rowBegin; t < work.rowEnd; ++t)
      eachRow(t, [&](std::ptrdiff_t row) {
        float* state = h.data + row * h.stride;
        kernels().add(u.data + row * u.stride, r.data + row * r.stride, state, h.width);
        kernels().tanh(state, state, h.width);
      });
  }

  // du_t (+)= dr_t = (1 − h_t²) ⊙ dh_t.
  void backwardAt(int t) override {
    const Value &u = du_.value, &r = dr_.value, &h = dh_.value;
    assert(!dr_.accumulate);
    eachRow(t, [&](std::ptrdiff_t row) {
      float *dr = dr_.data + row * r.stride, *du = du_.data + row * u.stride;
      kernels().tanhBackward(h.data + row * h.stride, dh_.data + row * h.stride, dr, h.width);
      if (du_.accumulate)
        kernels().accumulate(dr, du, h.width);
      else
        std::copy_n(dr, h.width, du);
    });
  }

  std::vector<Gradient*> operands() override { return {&du_, &dr_}; }
  Gradient* result() override { return &dh_; }

  bool makes(Cell cell) const override { return holds(dh_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dh_.value, cell);
    return {.form = Form::Function,
            .terms = {{cellOf(du_.value, r, j)}, {cellOf(dr_.value, r, j)}},
            .function = functionOfStates().function,
            .functionName = functionOfStates().name};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    return "tanh(" + names.of(du_.value.data) + " + " + names.of(dr_.value.data) + ")";
  }

 private:
  Gradient du_, dr_, dh_;
};

Value recurrentRows(Tape& tape, int width, Stream stream) {
  Value rows = tape.rows(width, stream);
  rows.recurrent = true;
  return rows;
}

}  // namespace

CarriedState::CarriedState(Tape& tape, const Weight& weight, Stream stream)
    : r_(recurrentRows(tape, weight.columns, stream)) {
  assert(weight.rows == weight.columns);
  step_ = &tape.add(std::make_unique<Step>(tape.extent(r_), weight, r_));
}

void CarriedState::close(const Value& state) {
  assert(state.recurrent && state.width == r_.width);
  step_->close(state);
}

Value advance(Tape& tape, const Value& u, const Value& r) {
  assert(u.width == r.width);
  const Value h = recurrentRows(tape, u.width, u.stream);
  tape.add(std::make_unique<Advance>(tape.extent(u), u, r, h));
  return h;
}

}  // namespace glassformer
