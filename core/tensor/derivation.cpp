#include "core/tensor/derivation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassformer {
namespace {

double largestOf(const std::vector<Term>& terms) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Term& term : terms) most = std::max(most, term.value());
  return most;
}

// Shifted by the largest, so that no exponential is too large.
double softmaxOf(const Derivation& d) {
  const double most = largestOf(d.terms);
  if (std::isinf(most)) return 0;
  double total = 0;
  for (const Term& term : d.terms) total += std::exp(term.value() - most);
  return std::exp(d.terms[d.chosen].value() - most) / total;
}

bool isFirstOfLargest(const Derivation& d) {
  const double most = largestOf(d.terms);
  if (std::isinf(most)) return false;
  const auto first = std::ranges::find_if(d.terms, [&](const Term& term) { return term.value() == most; });
  return first - d.terms.begin() == static_cast<std::ptrdiff_t>(d.chosen);
}

}  // namespace

const char* nameOf(Form form) {
  switch (form) {
    case Form::Sum:
      return "sum";
    case Form::Function:
      return "function";
    case Form::Softmax:
      return "softmax";
    case Form::Share:
      return "share";
    case Form::Quotient:
      return "quotient";
    case Form::Largest:
      return "largest";
    case Form::Masked:
      return "masked";
    case Form::Spread:
      return "spread";
    case Form::Normalized:
      return "normalized";
    case Form::Gate:
      return "gate";
    case Form::Capped:
      return "capped";
    case Form::Product:
      return "product";
    case Form::Count:
      return "count";
  }
  return "";
}

double Derivation::sum() const {
  double total = 0;
  for (const Term& term : terms) total += term.value();
  return total;
}

double Derivation::mean() const {
  return centred && !terms.empty() ? sum() / static_cast<double>(terms.size()) : 0;
}

double Derivation::spread() const {
  const double about = mean();
  double squares = 0;
  for (const Term& term : terms) squares += (term.value() - about) * (term.value() - about);
  return std::sqrt(squares / static_cast<double>(terms.size()) + static_cast<double>(constant));
}

double Derivation::value() const {
  switch (form) {
    case Form::Sum:
      return sum();
    case Form::Function:
      return function(sum());
    case Form::Softmax:
      return softmaxOf(*this);
    case Form::Share: {
      const double total = sum();
      return total != 0 ? terms[chosen].value() / total : 0;
    }
    case Form::Quotient:
      return terms[0].value() / terms[1].value();
    case Form::Largest:
      return isFirstOfLargest(*this) ? 1 : 0;
    case Form::Masked:
      return static_cast<double>(constant);
    case Form::Spread:
      return spread();
    case Form::Normalized:
      return static_cast<double>(*gamma) * (terms[chosen].value() - mean()) / spread() +
             (beta ? static_cast<double>(*beta) : 0);
    case Form::Gate:
      return function(terms[0].value()) * terms[1].value();
    case Form::Capped:
      return static_cast<double>(constant) * std::tanh(sum() / static_cast<double>(constant));
    case Form::Product: {
      double product = 1;
      for (const Term& term : terms) product *= term.value();
      return product;
    }
    case Form::Count:
      return static_cast<double>(terms.size());
  }
  return 0;
}

}  // namespace glassformer
