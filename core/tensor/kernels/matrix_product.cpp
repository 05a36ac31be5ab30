#include "core/tensor/kernels/matrix_product.h"

namespace glassformer::GLASSFORMER_LEVEL {
namespace {

// Of few rows a product reads B where it lies.
bool isOfFewRows(const MatrixProduct& p) {
  if (liesInColumns(p)) return p.rows <= mostAlongColumns;
  return p.rows <= tileRows && p.depth > 0 && !p.columnSums;
}

}  // namespace

int rowsPerCopy(const MatrixProduct& p) { return isOfFewRows(p) ? 0 : rowBlock; }

void multiply(const MatrixProduct& p) { isOfFewRows(p) ? multiplyFewRows(p) : multiplyManyRows(p); }

}  // namespace glassformer::GLASSFORMER_LEVEL
