#include "core/trace/trace.h"

namespace glassformer {

std::optional<Derivation> Trace::derive(const std::string& name,
                                        const std::array<int, maxRank>& index) const {
  const int i = find(name);
  return i >= 0 && tape_ ? derive(&tensor(i).at(index)) : std::nullopt;
}

std::optional<Derivation> Trace::derive(Cell cell) const {
  auto derivation = tape_->derive(cell);
  if (derivation)
    for (const Term& term : derivation->terms) materialize(term.factor), materialize(term.other);
  const bool adds = derivation && (derivation->form == Form::Sum || derivation->form == Form::Masked ||
                                   derivation->form == Form::Capped);
  if (!adds) return derivation;
  std::vector<Term> terms;
  for (const Term& term : derivation->terms) {
    // Products are of what has a name, or of what is no sum.
    const bool isPlain = term.factor && !term.other && !isNamed(term.factor);
    const auto inner = isPlain ? derive(term.factor) : std::nullopt;
    if (!inner || inner->form != Form::Sum) {
      terms.push_back(term);
      continue;
    }
    for (Term part : inner->terms) {
      part.coefficient *= term.coefficient;
      terms.push_back(part);
    }
  }
  derivation->terms = std::move(terms);
  return derivation;
}

}  // namespace glassformer
