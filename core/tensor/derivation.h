#pragma once
#include <vector>

namespace glassformer {

/// Where a number lies: in a value on a tape, or among the weights.
using Cell = const float*;

/// One summand of what made a number: coefficient · factor · other.
struct Term {
  Cell factor = nullptr;  ///< null: 1
  Cell other = nullptr;   ///< null: 1
  float coefficient = 1;

  double value() const {
    return static_cast<double>(coefficient) * (factor ? *factor : 1) * (other ? *other : 1);
  }
};

/// How terms make a number.
enum class Form {
  Sum,       ///< Σ x
  Function,  ///< f(Σ x)
  Softmax,   ///< exp(x_chosen) / Σ exp(x); 0 where every x is -inf
  Share,     ///< x_chosen / Σ x; 0 where the sum is 0
  Quotient,  ///< x_0 / x_1
  Largest,   ///< 1 where x_chosen is the first of the largest, else 0
  Masked,    ///< `constant`, whatever the terms of the sum that stood there before
  Spread,  ///< σ = √(mean((x − μ)²) + ε), with ε = `constant` and μ = mean(x), or 0 unless `centred`
  Normalized,  ///< γ (x_chosen − μ) / σ + β
  Gate,        ///< f(x_0) · x_1
  Capped,      ///< c tanh(Σ x / c), with c = `constant`
  Product,     ///< Π x
  Count,       ///< how many x there are
};

/// In files: "sum".
const char* nameOf(Form form);

/// What made one number of a value: cells of the operands, weights included, and how they give it. It points
/// into the tape's memory, so it is true for as long as the tape does not run again.
struct Derivation {
  Form form = Form::Sum;
  std::vector<Term> terms;
  std::size_t chosen = 0;  ///< Softmax, Share, Largest, Normalized: the term at the number's own place
  float constant = 0;
  bool centred = true;                   ///< Spread, Normalized
  Cell gamma = nullptr, beta = nullptr;  ///< Normalized; a null β is 0
  double (*function)(double) = nullptr;  ///< Function, Gate
  const char* functionName = "";         ///< "tanh"
  const char* over = "keys";             ///< Softmax: what each term belongs to

  double sum() const;     ///< Σ x
  double mean() const;    ///< μ
  double spread() const;  ///< σ
  /// The number that the terms give, computed anew.
  double value() const;
};

}  // namespace glassformer
