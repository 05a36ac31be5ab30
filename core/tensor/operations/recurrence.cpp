#include "core/tensor/operations/recurrence.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/kernels.h"

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

class Carried final : public RecurrentStep {
 public:
  Carried(const Extent& extent, Value h, const Weight& weight, Value r)
      : RecurrentStep(extent), h_(h), weight_(weight), dr_{r} {}

  void forward(const Work& work) override {
    const Value& r = dr_.value;
    const int D = r.width;
    for (int t = work.rowBegin; t < work.rowEnd; ++t)
      if (t == 0)
        eachRow(t, [&](std::ptrdiff_t row) { std::fill_n(r.data + row * r.stride, D, 0.f); });
      else
        kernels().multiply({extent_.sequences, D, D, at(h_.data, h_, t - 1), apart(h_), 1, weight_.value, D,
                            1, at(r.data, r, t), apart(r)});
  }

  // dW += Σ_t h_{t−1}ᵀ · dr_t. What dr means for h is in the state's own gradient already: see Advance.
  void backward() override {
    const Value& r = dr_.value;
    const int D = r.width, T = extent_.positions;
    if (!weight_.gradient || T < 2) return;
    eachRow(0, [&](std::ptrdiff_t row) {
      kernels().multiply({D, D, T - 1, h_.data + row * h_.stride, 1, h_.stride,
                          dr_.data + (row + 1) * r.stride, r.stride, 1, weight_.gradient, D, 1, true});
    });
  }

  Gradient* result() override { return &dr_; }

 private:
  Value h_;
  Weight weight_;
  Gradient dr_;
};

class Advance final : public RecurrentStep {
 public:
  Advance(const Extent& extent, Value u, Value r, const Weight& weight, Value h)
      : RecurrentStep(extent), weight_(weight), du_{u}, dr_{r}, dh_{h} {}

  void forward(const Work& work) override {
    const Value &u = du_.value, &r = dr_.value, &h = dh_.value;
    for (int t = work.rowBegin; t < work.rowEnd; ++t)
      eachRow(t, [&](std::ptrdiff_t row) {
        float* state = h.data + row * h.stride;
        kernels().add(u.data + row * u.stride, r.data + row * r.stride, state, h.width);
        kernels().tanh(state, state, h.width);
      });
  }

  // du_t = dr_t = (1 − h_t²) ⊙ (dh_t + dr_{t+1} · Wᵀ), from the last position to the first.
  void backward() override {
    const Value &u = du_.value, &r = dr_.value, &h = dh_.value;
    assert(!dr_.accumulate);
    const int D = h.width, T = extent_.positions;
    transpose();
    for (int t = T - 1; t >= 0; --t) {
      if (t + 1 < T)
        kernels().multiply({extent_.sequences, D, D, at(dr_.data, r, t + 1), apart(r), 1, transposed_.data(),
                            D, 1, at(dh_.data, h, t), apart(h), 1, true});
      eachRow(t, [&](std::ptrdiff_t row) {
        float* dr = dr_.data + row * r.stride;
        kernels().tanhBackward(h.data + row * h.stride, dh_.data + row * h.stride, dr, D);
        float* du = du_.data + row * u.stride;
        if (du_.accumulate)
          kernels().accumulate(dr, du, D);
        else
          std::copy_n(dr, D, du);
      });
    }
  }

  std::vector<Gradient*> operands() override { return {&du_, &dr_}; }
  Gradient* result() override { return &dh_; }

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
  Gradient du_, dr_, dh_;
};

}  // namespace

Value stateRows(Tape& tape, int width, Stream stream) {
  Value h = tape.rows(width, stream);
  h.recurrent = true;
  return h;
}

Value carried(Tape& tape, const Value& state, const Weight& weight) {
  assert(weight.rows == state.width && weight.columns == state.width);
  Value r = tape.rows(state.width, state.stream);
  r.recurrent = true;
  tape.add(std::make_unique<Carried>(tape.extent(state), state, weight, r));
  return r;
}

void advance(Tape& tape, const Value& u, const Value& r, const Weight& weight, const Value& state) {
  assert(u.width == state.width && r.width == state.width && state.recurrent);
  tape.add(std::make_unique<Advance>(tape.extent(state), u, r, weight, state));
}

}  // namespace glassformer
