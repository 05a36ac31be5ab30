#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

/// GPT-2's table between bytes and visible characters. Its vocabulary files are JSON, which cannot hold
/// arbitrary bytes, so each byte is written as one printable character: "!" to "~", "¡" to "¬" and "®" to "ÿ"
/// as themselves, the other 68 bytes in order as U+0100 and up. A space becomes "Ġ", a newline "Ċ".

/// The bytes in the order of GPT-2's ids 0 to 255: first those that stand for themselves, then the others.
std::array<int, 256> byteOrder();

std::string symbolsFromBytes(std::string_view bytes);

/// Nothing when a character of `symbols` is not in the table.
std::optional<std::string> bytesFromSymbols(std::string_view symbols);

}  // namespace glassformer
