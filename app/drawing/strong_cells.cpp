#include "app/drawing/strong_cells.h"

#include <cmath>

namespace glassformer {

std::size_t strongCells(float least, const float* cells, int count, std::ptrdiff_t stride) {
  unsigned found = 0;
  if (stride == 1)
    for (int i = 0; i < count; ++i) found += std::abs(cells[i]) >= least ? 1U : 0U;
  else
    for (int i = 0; i < count; ++i) found += std::abs(cells[i * stride]) >= least ? 1U : 0U;
  return found;
}

}  // namespace glassformer
