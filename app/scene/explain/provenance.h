#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/engine/snapshot.h"
#include "app/scene/target.h"

namespace glassformer {

/// A number that another is made of.
struct Operand {
  TensorRef cell;  ///< of a trace point or of a weight; empty where the pass gave it no name
  float value = 0;
};

/// One of the terms that make a number: coefficient · operands.
struct Summand {
  double value = 0;
  float coefficient = 1;
  std::vector<Operand> operands;  ///< at most two
};

/// What made a number of the forward pass, from the operation itself: see core/tensor/derivation.h.
struct Provenance {
  Form form = Form::Sum;
  /// Largest first; where one of them stands at the number's own place (softmax, norm), that one is first.
  std::vector<Summand> summands;
  bool firstIsOwn = false;
  std::vector<Operand> scaling;  ///< of a norm: γ and β
  double rebuilt = 0;            ///< the number, computed anew from these

  /// What all summands from here on come to.
  double sumFrom(std::size_t first) const;
};

/// Nothing for what no operation of the pass made: weights, and what is measured on it.
std::optional<Provenance> provenanceOf(const Trace& trace, const TensorRef& cell);

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
