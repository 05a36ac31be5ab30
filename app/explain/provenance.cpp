#include "app/explain/provenance.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/scene_input.h"
#include "app/scene/format.h"
#include "core/model/point_names.h"

namespace glassformer {

namespace {

TensorRef refOf(const TensorSet& set, const TensorSet::Located& at) {
  TensorRef ref;
  ref.tensor = set.point(at.tensor).name, ref.index = at.index;
  return ref;
}

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

bool hasOwnPlace(Form form) {
  return form == Form::Softmax || form == Form::Share || form == Form::Largest || form == Form::Normalized;
}

}  // namespace

double Provenance::sumFrom(std::size_t first) const {
  double sum = 0;
  for (std::size_t i = first; i < derivation.terms.size(); ++i) sum += derivation.terms[i].value();
  return sum;
}

Operand operandOf(const Trace& trace, Cell cell) {
  Operand operand;
  operand.value = *cell;
  if (const auto at = trace.locate(cell))
    operand.cell = refOf(trace, *at);
  else if (const auto weight = trace.weights()->locate(cell))
    operand.cell = refOf(*trace.weights(), *weight);
  return operand;
}

std::vector<Operand> operandsOf(const Trace& trace, const Term& term) {
  std::vector<Operand> operands;
  for (const Cell cell : {term.factor, term.other})
    if (cell) operands.push_back(operandOf(trace, cell));
  return operands;
}

std::optional<Provenance> provenanceOf(const Trace& trace, const TensorRef& cell) {
  auto derivation = trace.contains(cell.tensor) ? trace.derive(cell.tensor, cell.index) : std::nullopt;
  if (!derivation) return std::nullopt;
  std::vector<Term>& terms = derivation->terms;
  const bool hasOwn = hasOwnPlace(derivation->form) && derivation->chosen < terms.size();
  std::vector<std::pair<double, Term>> order;
  for (std::size_t i = 0; i < terms.size(); ++i)
    order.push_back(
        {hasOwn && i == derivation->chosen ? INFINITY : weightOf(*derivation, terms[i]), terms[i]});
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<double, Term>::first);
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = order[i].second;
  if (hasOwn) derivation->chosen = 0;
  return Provenance{*std::move(derivation), hasOwn};
}

std::optional<NamedNumber> namedNumber(const Snapshot& snapshot, const TensorRef& cell) {
  const auto in = [&](const TensorSources& sources, bool areWeights) -> std::optional<NamedNumber> {
    const TracePoint* point = sources.point(cell.tensor);
    const auto value = point ? valueOf(sources, cell) : std::nullopt;
    return value ? std::optional(NamedNumber{point, *value, areWeights}) : std::nullopt;
  };
  if (const auto computed = in(sourcesOf(snapshot), false)) return computed;
  if (!snapshot.hasTrace()) return std::nullopt;
  return in({std::shared_ptr<const TensorSet>(snapshot.trace, snapshot.trace->weights())}, true);
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
