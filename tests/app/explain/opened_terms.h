#pragma once
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/drawing/scene_input.h"
#include "app/explain/leaf_reasons.h"
#include "app/explain/provenance.h"

namespace glassformer {

inline std::vector<Cell> operandCells(const Derivation& derivation) {
  std::vector<Cell> cells;
  for (const Cell scale : {derivation.gamma, derivation.beta})
    if (scale) cells.push_back(scale);
  for (const Term& term : derivation.terms)
    for (const Cell cell : {term.factor, term.other})
      if (cell) cells.push_back(cell);
  return cells;
}

/// Of all numbers of these that say so: they are made of named numbers, which give them, up to `apart` of
/// their size. Looks at each of them and, in turn, at all that they are made of.
inline void checkTerms(const Snapshot& snapshot, std::initializer_list<const char*> tensors,
                       double apart = 1e-5) {
  const TensorSources sources = sourcesOf(snapshot);
  for (const char* const tensor : tensors) {
    INFO(tensor);
    REQUIRE(sources.find(tensor));
    int known = 0;
    sources.find(tensor)->forEach([&](const auto& at, float value) {
      const auto made = std::isfinite(value) ? provenanceOf(sources, {tensor, at}) : std::nullopt;
      if (!made) return;
      ++known;
      INFO(at[0] << ", " << at[1]);
      CHECK(std::abs(made->derivation.value() - static_cast<double>(value)) <=
            apart * (1 + std::abs(static_cast<double>(value))));
      for (const Cell cell : operandCells(made->derivation))
        CHECK_FALSE(operandOf(sources, cell).cell.empty());
    });
    CHECK(known > 0);
  }
}

/// Whether a number leads, term by term, to weights and to what says of itself what it is; as deep as its
/// terms go, by the first and the last of each.
inline bool leadsDown(const Snapshot& snapshot, const TensorRef& cell, int depth = 0) {
  const auto number = namedNumber(snapshot, cell);
  if (depth > 100 || !number) return false;
  if (number->isWeight || !groundWords(cell.tensor).empty()) return true;
  const auto made = provenanceOf(sourcesOf(snapshot), cell);
  if (!made) return false;
  const std::vector<Cell> cells = operandCells(made->derivation);
  if (cells.empty()) return true;  // a plain number
  for (const Cell each : {cells.front(), cells.back()})
    if (!leadsDown(snapshot, operandOf(sourcesOf(snapshot), each).cell, depth + 1)) return false;
  return true;
}

}  // namespace glassformer
