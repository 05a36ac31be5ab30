#pragma once
#include <cstdio>
#include <string>

namespace glassformer {

/// "0.031", as reasons have it.
inline std::string threeDecimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace glassformer
