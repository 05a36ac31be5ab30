#include "core/io/checksum.h"

#include <zlib.h>

#include <cstdio>

namespace glassformer {

namespace {

uLong crcOf(uLong before, const void* bytes, std::size_t size) {
  return crc32_z(before, static_cast<const Bytef*>(bytes), size);
}

}  // namespace

std::uint32_t crc32Of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crcOf(0, bytes.data(), bytes.size()));
}

std::string digitsOf(std::uint32_t checksum) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", checksum);
  return digits;
}

std::string checksumOf(const Parameters& parameters) {
  uLong crc = 0;
  for (int i = 0; i < parameters.count(); ++i) {
    const TensorView values = parameters.view(i);  // contiguous, as all parameters are
    crc = crcOf(crc, values.data, static_cast<std::size_t>(values.size()) * sizeof(float));
  }
  return digitsOf(static_cast<std::uint32_t>(crc));
}

std::string checksumOf(const Trace& trace) {
  uLong crc = 0;
  for (const std::vector<int>* ids : {&trace.tokens(), &trace.source()})
    crc = crcOf(crc, ids->data(), ids->size() * sizeof(int));
  for (int i = 0; i < trace.count(); ++i) {
    const std::string& name = trace.point(i).name;
    const std::vector<float> values = trace.tensor(i).copy();
    crc = crcOf(crcOf(crc, name.data(), name.size()), values.data(), values.size() * sizeof(float));
  }
  return digitsOf(static_cast<std::uint32_t>(crc));
}

}  // namespace glassformer
