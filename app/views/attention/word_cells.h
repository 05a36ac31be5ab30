#pragma once
#include <cstddef>

#include "app/views/attention/word_table.h"

namespace glassformer {

/// The numbers of a row, spelled, or as bars and colours where they are vectors, and what the pointer finds
/// on them.
void addWordCells(const WordTable& table, std::size_t row);
/// What the pointer is on, and what it is made of, among the first `shown` rows.
void addWordLights(const WordTable& table, std::size_t shown);
/// Of the selected head, for a region of that name.
HitRegion wordHit(const WordTable& table, const Box& box, std::string name);

}  // namespace glassformer
