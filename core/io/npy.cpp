#include "core/io/npy.h"

#include <bit>
#include <cstdint>

#include "core/io/files.h"

namespace glassformer {

namespace {

void appendLittleEndian(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

// As a Python tuple: "()", "(5,)", "(5, 7)".
std::string shapeText(const TensorView& values) {
  std::string shape = "(";
  for (int d = 0; d < values.rank; ++d)
    shape += (d ? ", " : "") + std::to_string(values.extent[static_cast<std::size_t>(d)]);
  return shape + (values.rank == 1 ? ",)" : ")");
}

// The header ends with a line break and fills magic, version and length up to a multiple of 64 bytes.
std::string headerOf(const TensorView& values) {
  constexpr std::size_t before = 10, alignment = 64;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shapeText(values) + ", }";
  header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
  return header + "\n";
}

}  // namespace

std::string npyBytes(const TensorView& values) {
  const std::string header = headerOf(values);
  std::string bytes("\x93NUMPY\x01\x00", 8);
  appendLittleEndian(bytes, static_cast<std::uint32_t>(header.size()), 2);
  bytes += header;
  bytes.reserve(bytes.size() + 4 * static_cast<std::size_t>(values.size()));
  values.forEach(
      [&](const auto&, float value) { appendLittleEndian(bytes, std::bit_cast<std::uint32_t>(value), 4); });
  return bytes;
}

Status writeNpy(const std::filesystem::path& file, const TensorView& values) {
  return writeFile(file, npyBytes(values));
}

}  // namespace glassformer
