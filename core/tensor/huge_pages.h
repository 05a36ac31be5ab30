#pragma once
#include <cstddef>

namespace glassformer {

/// Asks the system to back memory that nobody has touched yet by large pages, where it has such: its first
/// touch and reading through it cost less then. Changes no value; does nothing elsewhere.
void preferHugePages(void* memory, std::size_t bytes);

}  // namespace glassformer
