#include "core/text/piece_symbols.h"

#include <charconv>
#include <cstdio>

namespace glassformer {
namespace {

constexpr std::string_view writtenSpace = "▁";

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool isHere = text.substr(at).starts_with(what);
    result += isHere ? by : text.substr(at, 1);
    at += isHere ? what.size() : 1;
  }
  return result;
}

}  // namespace

std::string piecesFromBytes(std::string_view bytes) { return replaced(bytes, " ", writtenSpace); }
std::string bytesFromPieces(std::string_view pieces) { return replaced(pieces, writtenSpace, " "); }

std::optional<unsigned char> byteOfPiece(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || !piece.ends_with('>')) return std::nullopt;
  unsigned char byte = 0;
  const char *first = piece.data() + 3, *last = first + 2;
  const auto [end, error] = std::from_chars(first, last, byte, 16);
  if (error != std::errc() || end != last) return std::nullopt;
  return byte;
}

std::string pieceOfByte(unsigned char byte) {
  char text[8];
  std::snprintf(text, sizeof text, "<0x%02X>", byte);
  return text;
}

}  // namespace glassformer
