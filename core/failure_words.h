#pragma once
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace glassformer {

/// What to tell people of an exception at the border of a piece of work, where no Result said it better.
inline std::string failureWords(const std::exception& failure) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&failure) ||
                      dynamic_cast<const std::length_error*>(&failure);  // a vector longer than any can be
  return memory ? "there is not enough memory for it" : failure.what();
}

}  // namespace glassformer
