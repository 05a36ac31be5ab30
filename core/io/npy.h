#pragma once
#include <filesystem>
#include <string>

#include "core/result.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// NumPy's array file, version 1.0: a header that says '<f4' and the shape, then the values as float32,
/// little-endian, the last dimension fastest. `numpy.load` reads it. The format is described in
/// numpy/lib/format.py.
std::string npyBytes(const TensorView& values);
Status writeNpy(const std::filesystem::path& file, const TensorView& values);

}  // namespace glassformer
