#pragma once
#include "core/tensor/kernels.h"

// The files of this folder are compiled once per CPU level with GLASSFORMER_LEVEL naming it and Eigen's
// namespace renamed with it, so that the linker cannot mix inline functions of different levels.
namespace glassformer::GLASSFORMER_LEVEL {
void multiply(const MatrixProduct& product);
int rowsPerCopy(const MatrixProduct& product);
extern const Kernels table;
}  // namespace glassformer::GLASSFORMER_LEVEL
