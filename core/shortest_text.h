#pragma once
#include <charconv>
#include <string>

namespace glassformer {

/// The shortest text that reads back as the same number: "0.003".
inline std::string shortestText(float value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace glassformer
