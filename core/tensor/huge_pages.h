#pragma once
#include <cstddef>
#include <memory>

#include "core/tensor/aligned_vector.h"

namespace glassformer {

/// Asks the system to back memory that nobody has touched yet by large pages, where it has such: its first
/// touch and reading through it cost less then. Changes no value; does nothing elsewhere.
void preferHugePages(void* memory, std::size_t bytes);

/// So many numbers, touched and on such pages: for what is read and written whole, again and again.
AlignedVector inHugePages(std::size_t floats, float fill = 0);

/// So many zeros, on a cache line, that the system has memory for only where they are touched, page by small
/// page. Elsewhere than on Linux they are touched.
std::shared_ptr<float> untouchedZeros(std::size_t floats);

/// Gives the pages that lie wholly in there back to the system: what was in them is gone, and they read as
/// zeros until they are written again. Does nothing elsewhere.
void giveBackPages(void* memory, std::size_t bytes);

}  // namespace glassformer
