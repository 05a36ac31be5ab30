#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// One field of a message in the wire format of protocol buffers: a key, which is its number and its kind,
/// and its value.
struct WireField {
  std::uint64_t field = 0;   ///< its number
  std::uint64_t number = 0;  ///< of a varint, or the bits of four or eight bytes
  std::string_view bytes;    ///< of a text, or of a message inside
  std::size_t at = 0;        ///< where its value begins in the file
};

/// The fields of a message in their order, which may repeat. `begin`: where the message begins in the file
/// `name`. Refuses, with file and byte, what leaves the message, numbers of more than 64 bits, and the kinds
/// of fields that nobody writes any more (groups).
Result<std::vector<WireField>> wireFields(std::string_view message, std::string_view name,
                                          std::size_t begin = 0);

}  // namespace glassformer
