#include "app/explain/provenance.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/scene_input.h"
#include "app/scene/format.h"
#include "core/model/point_names.h"

namespace glassformer {

namespace {

// Of a softmax the greatest scores count most, of a norm what is farthest from the mean.
double weightOf(const Derivation& derivation, const Term& term) {
  switch (derivation.form) {
    case Form::Softmax:
    case Form::Share:
    case Form::Largest:
      return term.value();
    case Form::Normalized:
    case Form::Spread:
      return std::abs(term.value() - (derivation.centred ? derivation.mean() : 0));
    default:
      return std::abs(term.value());
  }
}

// Whether it matters which term comes first: what is divided, or let through a gate.
bool isInOrder(Form form) { return form == Form::Quotient || form == Form::Gate || form == Form::Product; }

bool hasOwnPlace(Form form) {
  return form == Form::Softmax || form == Form::Share || form == Form::Largest || form == Form::Normalized;
}

}  // namespace

bool addsUp(Form form) { return form == Form::Sum || form == Form::Function || form == Form::Capped; }

double Provenance::sumFrom(std::size_t first) const {
  double sum = 0;
  for (std::size_t i = first; i < derivation.terms.size(); ++i) sum += derivation.terms[i].value();
  return sum;
}

Operand operandOf(const TensorSources& sources, Cell cell) { return {sources.locate(cell), *cell}; }

std::vector<Operand> operandsOf(const TensorSources& sources, const Term& term) {
  std::vector<Operand> operands;
  for (const Cell cell : {term.factor, term.other})
    if (cell) operands.push_back(operandOf(sources, cell));
  return operands;
}

Provenance inOrder(Derivation derivation) {
  if (isInOrder(derivation.form)) return {std::move(derivation), false};
  std::vector<Term>& terms = derivation.terms;
  const bool hasOwn = hasOwnPlace(derivation.form) && derivation.chosen < terms.size();
  std::vector<std::pair<double, Term>> order;
  for (std::size_t i = 0; i < terms.size(); ++i)
    order.push_back({hasOwn && i == derivation.chosen ? INFINITY : weightOf(derivation, terms[i]), terms[i]});
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<double, Term>::first);
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = order[i].second;
  if (hasOwn) derivation.chosen = 0;
  return {std::move(derivation), hasOwn};
}

std::optional<Provenance> provenanceOf(const TensorSources& sources, const TensorRef& cell) {
  auto derivation = sources.derive(cell);
  return derivation ? std::optional(inOrder(*std::move(derivation))) : std::nullopt;
}

std::optional<NamedNumber> namedNumber(const Snapshot& snapshot, const TensorRef& cell) {
  const TensorSources sources = sourcesOf(snapshot);
  const TracePoint* point = sources.point(cell.tensor);
  const auto value = point ? valueOf(sources, cell) : std::nullopt;
  if (!value) return std::nullopt;
  const bool isWeight = snapshot.pass->trace && snapshot.pass->trace->weights() &&
                        snapshot.pass->trace->weights()->contains(cell.tensor);
  return NamedNumber{point, *value, isWeight};
}

Target targetOf(const Snapshot& snapshot, const TensorRef& cell) {
  Target target;
  target.cell = cell;
  const TracePoint* point = sourcesOf(snapshot).point(cell.tensor);
  if (!point) return target;
  target.layer = placeOfPoint(cell.tensor).layer;
  const bool isPair = point->letters.find('S') != std::string::npos;
  for (std::size_t d = 0; d < point->letters.size(); ++d) {
    const int i = cell.index[d];
    switch (point->letters[d]) {
      case 'T':
        if (isPair)
          target.query = i, target.queries = point->rows;
        else
          target.token = i, target.tokens = point->rows;
        break;
      case 'S':
        target.key = i, target.keys = point->keys;
        break;
      case 'H':
        target.head = i;
        break;
      case 'D':
      case 'K':
      case 'F':
        target.dimension = i;
        break;
      case 'V':
        target.entry = i;
        break;
      default:
        break;
    }
  }
  return target;
}

std::string indexWords(const TracePoint& point, const TensorRef& cell) {
  return formattedIndex(cell.index.data(), static_cast<int>(point.letters.size()));
}

}  // namespace glassformer
