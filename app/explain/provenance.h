#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/engine/snapshot.h"
#include "app/scene/target.h"

namespace glassformer {

/// What made a number: of the forward pass from the operation itself.
struct Provenance {
  /// Its terms the largest first; where one of them stands at the number's own place (softmax, norm), that
  /// one before all others.
  Derivation derivation;
  bool firstIsOwn = false;

  /// What all terms from here on come to.
  double sumFrom(std::size_t first) const;
};

/// Whether the sum of some of the terms says something: of a softmax's scores it does not.
bool addsUp(Form form);

/// A number that another is made of.
struct Operand {
  TensorRef cell;  ///< of a trace point or of a weight; empty where the pass gave it no name
  float value = 0;
};
Operand operandOf(const TensorSources& sources, Cell cell);
/// The one or two factors of a term.
std::vector<Operand> operandsOf(const TensorSources& sources, const Term& term);

/// The terms in the order in which they are shown.
Provenance inOrder(Derivation derivation);
/// Nothing for weights, and for what does not say what made it.
std::optional<Provenance> provenanceOf(const TensorSources& sources, const TensorRef& cell);

/// The number and its tensor: of the pass, of what is measured on it, or of the model's weights.
struct NamedNumber {
  const TracePoint* point = nullptr;
  float value = 0;
  bool isWeight = false;
};
std::optional<NamedNumber> namedNumber(const Snapshot& snapshot, const TensorRef& cell);

/// The target that lights up a number where it stands: its block, head, positions and dimension.
Target targetOf(const Snapshot& snapshot, const TensorRef& cell);

/// "[3, 1, 31]"
std::string indexWords(const TracePoint& point, const TensorRef& cell);

}  // namespace glassformer
