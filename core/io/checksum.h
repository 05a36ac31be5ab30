#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/parameters.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The 32-bit checksum of PNG and zip (ISO 3309), as zlib computes it: it tells other bytes from these, not
/// who made them.
std::uint32_t crc32Of(std::string_view bytes);
/// As eight hexadecimal digits.
std::string digitsOf(std::uint32_t checksum);

/// Eight hexadecimal digits, of all weights in the order of the config: another model, or the same one after
/// another step of training, has others.
std::string checksumOf(const Parameters& parameters);
/// The same of a pass: its tokens, and the names and numbers of its points.
std::string checksumOf(const Trace& trace);

}  // namespace glassformer
