#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace glassformer {

/// The bytes of a file that was built into the program ("shaders/heatmap.frag", "fonts/Inter-Regular.otf";
/// the list is in app/CMakeLists.txt), so that nothing has to be found on disk at run time. Empty when there
/// is none of that name.
std::span<const std::byte> embeddedFile(std::string_view name);

/// The same as text.
inline std::string_view embeddedText(std::string_view name) {
  const auto bytes = embeddedFile(name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace glassformer
