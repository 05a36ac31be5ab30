#include "core/text/byte_symbols.h"

#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr bool standsForItself(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

constexpr std::array<char32_t, 256> makeSymbols() {
  std::array<char32_t, 256> symbols{};
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte)
    symbols[static_cast<std::size_t>(byte)] = standsForItself(byte) ? static_cast<char32_t>(byte) : next++;
  return symbols;
}

constexpr std::array<char32_t, 256> symbolOfByte = makeSymbols();

constexpr char32_t symbolEnd = 0x100 + 68;

constexpr std::array<int, symbolEnd> makeBytes() {
  std::array<int, symbolEnd> bytes{};
  bytes.fill(-1);
  for (int byte = 0; byte < 256; ++byte) bytes[symbolOfByte[static_cast<std::size_t>(byte)]] = byte;
  return bytes;
}

constexpr std::array<int, symbolEnd> byteOfSymbol = makeBytes();

}  // namespace

std::array<int, 256> byteOrder() {
  std::array<int, 256> order{};
  std::size_t next = 0;
  for (const bool first : {true, false})
    for (int byte = 0; byte < 256; ++byte)
      if (standsForItself(byte) == first) order[next++] = byte;
  return order;
}

std::string symbolsFromBytes(std::string_view bytes) {
  std::string symbols;
  for (char byte : bytes) symbols += encodeUtf8(symbolOfByte[static_cast<unsigned char>(byte)]);
  return symbols;
}

std::optional<std::string> bytesFromSymbols(std::string_view symbols) {
  std::string bytes;
  for (std::size_t at = 0; at < symbols.size();) {
    const CodePoint point = codePointAt(symbols, at);
    const int byte = point.valid && point.value < symbolEnd ? byteOfSymbol[point.value] : -1;
    if (byte < 0) return std::nullopt;
    bytes += static_cast<char>(byte);
    at += static_cast<std::size_t>(point.bytes);
  }
  return bytes;
}

}  // namespace glassformer
