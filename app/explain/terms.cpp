#include "app/explain/terms.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {
namespace {

constexpr std::size_t shownTerms = 3;

std::string number(double value) { return formatted(static_cast<float>(value)); }
// As it stands behind an operator: in brackets where it is negative.
std::string operand(double value) { return value < 0 ? "(" + number(value) + ")" : number(value); }

// "0.31 · 1.20"; a factor of the whole sum is written once, behind it.
std::string wordsOf(const Term& term, float common, bool isFirst) {
  const auto first = [&](double value) { return isFirst ? number(value) : operand(value); };
  const double coefficient = static_cast<double>(term.coefficient) / common;
  if (!term.factor) return first(coefficient);
  const std::string scaled = coefficient == 1 ? "" : " · " + operand(coefficient);
  return first(*term.factor) + (term.other ? " · " + operand(*term.other) : "") + scaled;
}

// The largest terms, and how many more there are.
std::string sumOf(std::vector<Term> terms, float common) {
  if (terms.empty()) return "0";
  const bool all = terms.size() <= shownTerms;
  if (!all)
    std::ranges::partial_sort(terms, terms.begin() + shownTerms, std::ranges::greater(),
                              [](const Term& term) { return std::abs(term.value()); });
  std::string text;
  for (std::size_t i = 0; i < std::min(shownTerms, terms.size()); ++i) {
    const bool isSubtracted = i > 0 && terms[i].coefficient == -common;
    if (isSubtracted) terms[i].coefficient = common;
    text += (i == 0 ? "" : isSubtracted ? " − " : " + ") + wordsOf(terms[i], common, i == 0);
  }
  if (all) return text;
  return text + " + … " + countWords(static_cast<std::int64_t>(terms.size() - shownTerms), "smaller one");
}

// "2 · 30 · 64"
std::string productOf(const std::vector<Term>& factors) {
  std::string text;
  for (const Term& factor : factors) text += (text.empty() ? "" : " · ") + operand(factor.value());
  return text;
}

// " / √8" for a factor of that kind.
std::string factorWords(float factor) {
  const double root = std::round(1 / (static_cast<double>(factor) * factor));
  const bool isRoot = factor > 0 && root > 1 && std::abs(root * factor * factor - 1) < 1e-5;
  return isRoot ? " / √" + std::to_string(static_cast<long>(root)) : " · " + operand(factor);
}

// Products that are scaled together, such as q · k / √K, and what little is added to them; else a plain sum.
Explanation sumExplained(const Derivation& d) {
  std::vector<Term> scaled, rest;
  for (const Term& term : d.terms) (term.other && term.coefficient != 1 ? scaled : rest).push_back(term);
  if (scaled.empty() || rest.size() > shownTerms) {
    const bool isCopy = d.terms.size() == 1 && !d.terms[0].other && d.terms[0].coefficient == 1;
    return {{isCopy ? "unchanged: " + number(d.sum()) : "= " + sumOf(d.terms, 1)}, {}, false};
  }
  const float common = scaled.front().coefficient;
  double products = 0;
  for (const Term& term : scaled) products += term.value() / common;
  std::string added;
  for (const Term& term : rest) added += " + " + wordsOf(term, 1, false);
  return {{"(" + sumOf(std::move(scaled), common) + ")" + factorWords(common) + added,
           "= " + number(products) + factorWords(common) + added},
          {},
          false};
}

Explanation normalizedExplained(const Derivation& d) {
  const double x = d.terms[d.chosen].value();
  const std::string centred = d.centred ? "(" + number(x) + " − " + operand(d.mean()) + ")" : number(x);
  const std::string shift = d.beta ? " + " + operand(*d.beta) : "";
  return {{"= " + number(*d.gamma) + " · " + centred + " / " + number(d.spread()) + shift}, {}, false};
}

// exp(x_i) / Σ exp(x), shifted by the maximum where the numbers would be too large to write.
Explanation softmax(const std::vector<float>& values, std::size_t chosen, const std::string& over) {
  const float most = *std::max_element(values.begin(), values.end());
  const float shift = most > 8 || most < -8 ? most : 0;
  double total = 0;
  int count = 0;
  for (const float v : values)
    if (v > -INFINITY) total += std::exp(static_cast<double>(v) - shift), ++count;
  const auto part = static_cast<float>(std::exp(static_cast<double>(values[chosen]) - shift));
  const std::string exponent =
      shift == 0 ? formatted(values[chosen]) : formatted(values[chosen]) + " − " + operand(shift);
  return {{"= exp(" + exponent + ") / Σ over " + std::to_string(count) + " " + over,
           "= " + formatted(part) + " / " + formatted(static_cast<float>(total))},
          part / static_cast<float>(total),
          false};
}

Explanation softmaxExplained(const Derivation& d) {
  std::vector<float> scores;
  for (const Term& term : d.terms) scores.push_back(static_cast<float>(term.value()));
  if (std::isinf(scores[d.chosen])) return {{"masked"}, {}, false};
  return softmax(scores, d.chosen, d.over);
}

Explanation functionExplained(const Derivation& d) {
  return {{std::string("= ") + d.functionName + "(" + sumOf(d.terms, 1) + ")"}, {}, false};
}

Explanation gateExplained(const Derivation& d) {
  const double u = d.terms[0].value(), w = d.terms[1].value();
  return {{std::string("= ") + d.functionName + "(" + number(u) + ") · " + operand(w),
           "= " + number(d.function(u)) + " · " + operand(w)},
          {},
          false};
}

// The sum, and what the cap makes of it.
Explanation cappedExplained(const Derivation& d) {
  Explanation explanation = sumExplained(d);
  const std::string c = number(static_cast<double>(d.constant));
  explanation.lines.push_back("= " + c + " · tanh(" + number(d.sum()) + " / " + c + ")");
  return explanation;
}

Explanation withoutResult(const Derivation& d) {
  switch (d.form) {
    case Form::Sum:
      return sumExplained(d);
    case Form::Function:
      return functionExplained(d);
    case Form::Softmax:
      return softmaxExplained(d);
    case Form::Share:
      if (d.sum() == 0)
        return {{"0 / 0: every weight that the mask leaves is 0", "the row is left at 0"}, {}, false};
      return {{"= " + number(d.terms[d.chosen].value()) + " / " + number(d.sum())}, {}, false};
    case Form::Quotient:
      return {{"= " + number(d.terms[0].value()) + " / " + operand(d.terms[1].value())}, {}, false};
    case Form::Largest:
      return {{d.value() > 0 ? "the largest score of its row" : "another score is larger"}, {}, false};
    case Form::Masked:
      return {{"masked: this token is not seen"}, {}, false};
    case Form::Spread: {
      const double variance = d.spread() * d.spread() - static_cast<double>(d.constant);
      return {{"= √(" + number(variance) + " + " + formatted(d.constant) + ")"}, {}, false};
    }
    case Form::Normalized:
      return normalizedExplained(d);
    case Form::Capped:
      return cappedExplained(d);
    case Form::Product:
      return {{"= " + productOf(d.terms)}, {}, false};
    case Form::Count:
      return {{"count"}, {}, false};
    case Form::Gate:
      break;
  }
  return gateExplained(d);
}

}  // namespace

Explanation explained(const Derivation& derivation) {
  Explanation explanation = withoutResult(derivation);
  explanation.result = static_cast<float>(derivation.value());
  return explanation;
}

}  // namespace glassformer
