#pragma once
#include <cstddef>

namespace glassformer {

/// How many of `count` cells, `stride` floats apart, are at least so strong, whatever their sign. Many at a
/// time, for it is asked of millions of cells in every frame.
std::size_t strongCells(float least, const float* cells, int count, std::ptrdiff_t stride);

}  // namespace glassformer
