#pragma once
#include <cairo.h>

#include <string>

namespace glassformer {

/// A cairo_write_func_t: what cairo writes goes behind the std::string at `bytes`.
inline cairo_status_t appendBytes(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace glassformer
