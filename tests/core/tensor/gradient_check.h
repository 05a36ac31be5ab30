#pragma once
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "core/random.h"
#include "core/tensor/operations/embedding.h"
#include "core/tensor/tape.h"

namespace glassformer::testing {

/// Holds an operation's backward against finite differences of its forward.
///
/// The operation reads a table of rows (a "parameter" with one row per token, so that its gradient is the
/// gradient with respect to the operation's input) and weights of its own. The scalar that is differentiated
/// is Σ c ⊙ result with fixed random c.
class GradientCheck {
 public:
  GradientCheck(int sequences, int positions, int width)
      : tape_(sequences, positions), rows_(sequences * positions) {
    for (int r = 0; r < rows_; ++r) tape_.tokens()[static_cast<std::size_t>(r)] = r;
    input_ = embedTokens(tape_, weight(rows_, width));
  }

  Tape& tape() { return tape_; }
  const Value& input() const { return input_; }

  Weight weight(int rows, int columns) {
    auto& p = parameters_.emplace_back(std::make_unique<Parameter>());
    for (int i = 0; i < rows * columns; ++i) p->values.push_back(static_cast<float>(random_.normal()));
    p->gradients.resize(p->values.size());
    return {p->values.data(), p->gradients.data(), rows, columns};
  }

  /// Checks every weight, the input included; and that the terms of every number of the first sequence give
  /// it.
  void check(const Value& result, double tolerance = 2e-3, double step = 1e-2) {
    auto probe = std::make_unique<Probe>(tape_.extent(result), result);
    Probe& sum = *probe;
    tape_.add(std::move(probe));
    tape_.planBackward();
    tape_.forward();
    tape_.backward();
    checkTerms(result);
    for (auto& p : parameters_)
      for (std::size_t i = 0; i < p->values.size(); i += 1 + p->values.size() / 40) {
        const float value = p->values[i];
        const auto at = [&](double x) {
          p->values[i] = static_cast<float>(x);
          tape_.forward();
          return sum.value();
        };
        const double above = at(value + step), below = at(value - step);
        p->values[i] = value;
        const double expected = (above - below) / (2 * step);
        INFO("element " << i << ": finite difference " << expected << ", backward " << p->gradients[i]);
        CHECK(std::abs(expected - p->gradients[i]) < tolerance * (1 + std::abs(expected)));
      }
  }

 private:
  void checkTerms(const Value& result) const {
    for (int t = 0; t < tape_.extent(result).positions; ++t)
      for (int j = 0; j < result.width; ++j) {
        const Cell cell = cellOf(result, t, j);
        const auto derivation = tape_.derive(cell);
        REQUIRE(derivation);
        INFO("row " << t << ", column " << j << ": " << *cell << ", by its terms " << derivation->value());
        CHECK(std::abs(derivation->value() - static_cast<double>(*cell)) < 1e-4 * (1 + std::abs(*cell)));
      }
  }
  struct Parameter {
    std::vector<float> values, gradients;
  };
  // Σ c ⊙ x over a table, in double.
  class Probe final : public Operation {
   public:
    Probe(const Extent& extent, Value x) : Operation(extent), dx_{x} {
      Random random(99);
      for (int i = 0; i < extent.rows() * x.width; ++i) c_.push_back(static_cast<float>(random.normal()));
    }
    void forward(const Work&) override {}
    double value() const {
      double sum = 0;
      each([&](std::size_t i, std::ptrdiff_t at) { sum += static_cast<double>(c_[i]) * dx_.value.data[at]; });
      return sum;
    }
    void backward() override {
      each([&](std::size_t i, std::ptrdiff_t at) { dx_.data[at] = c_[i]; });
    }
    std::vector<Gradient*> operands() override { return {&dx_}; }

   private:
    template <typename Visit>
    void each(Visit visit) const {
      std::size_t i = 0;
      for (int r = 0; r < extent_.rows(); ++r)
        for (int j = 0; j < dx_.value.width; ++j) visit(i++, r * dx_.value.stride + j);
    }
    std::vector<float> c_;
    Gradient dx_;
  };

  Tape tape_;
  int rows_;
  Random random_{5};
  std::vector<std::unique_ptr<Parameter>> parameters_;
  Value input_;
};

}  // namespace glassformer::testing
