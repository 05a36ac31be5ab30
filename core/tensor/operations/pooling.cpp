#include "core/tensor/operations/pooling.h"

#include <algorithm>

namespace glassformer {
namespace {

class MeanOfRows final : public Operation {
 public:
  MeanOfRows(const Extent& extent, Value x, bool whole, Value y)
      : Operation(extent), whole_(whole), dx_{x}, dy_{y} {}

  Domain domain() const override { return Domain::Time; }

  // Added up anew for every row, so that its bits do not depend on where a pass starts.
  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    eachSequence([&](int b, std::ptrdiff_t first) {
      for (int t = work.rowBegin; t < work.rowEnd; ++t) {
        float* mean = y.data + (first + t) * y.stride;
        const int n = read(t, b);
        std::fill_n(mean, x.width, 0.f);
        for (int s = 0; s < n; ++s)
          for (int d = 0; d < x.width; ++d) mean[d] += x.data[(first + s) * x.stride + d];
        for (int d = 0; d < x.width; ++d) mean[d] /= static_cast<float>(n);
      }
    });
  }

  // dx[s] (+)= Σ_t dy[t] / n(t), over the rows t that have read s.
  void backwardAt(int s) override {
    const Value &x = dx_.value, &y = dy_.value;
    eachSequence([&](int b, std::ptrdiff_t first) {
      float* dx = dx_.data + (first + s) * x.stride;
      if (!dx_.accumulate) std::fill_n(dx, x.width, 0.f);
      for (int t = 0; t < extent_.positions; ++t) {
        if (s >= read(t, b)) continue;
        const float share = 1.f / static_cast<float>(read(t, b));
        for (int d = 0; d < x.width; ++d) dx[d] += share * dy_.data[(first + t) * y.stride + d];
      }
    });
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, d] = placeOf(dy_.value, cell);
    const int b = r / extent_.capacity, n = read(r % extent_.capacity, b);
    Derivation mean;
    for (int s = 0; s < n; ++s)
      mean.terms.push_back({cellOf(dx_.value, std::ptrdiff_t{b} * extent_.capacity + s, d), nullptr,
                            1.f / static_cast<float>(n)});
    return mean;
  }
  std::string equation(Cell, const OperandNames& names) const override {
    const std::string x = names.of(dx_.value.data);
    return whole_ ? "Σ_s " + x + "[s] / T" : "Σ_(s ≤ t) " + x + "[s] / (t + 1)";
  }

 private:
  // How many rows row t has read: those up to itself, or all.
  int read(int t, int sequence) const { return whole_ ? std::max(1, extent_.length(sequence)) : t + 1; }
  template <typename Visit>
  void eachSequence(Visit visit) const {
    for (int b = 0; b < extent_.sequences; ++b) visit(b, static_cast<std::ptrdiff_t>(b) * extent_.capacity);
  }

  bool whole_;
  Gradient dx_, dy_;
};

}  // namespace

Value meanOfRows(Tape& tape, const Value& x, bool whole) {
  const Value y = tape.rows(x.width, x.stream);
  tape.add(std::make_unique<MeanOfRows>(tape.extent(x), x, whole, y));
  return y;
}

}  // namespace glassformer
