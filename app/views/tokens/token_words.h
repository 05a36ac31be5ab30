#pragma once
#include <string>
#include <string_view>

#include "app/engine/snapshot.h"

namespace glassformer {

/// Bytes in hexadecimal, "F0 9F 98 80".
std::string hexOf(std::string_view bytes);

/// A word as it is read: control characters and bytes that are none shown, and letters that are written from
/// right to left in that order, since our outputs draw from left to right. Characters beyond the basic plane,
/// such as emoji, have no shape in our fonts and are written as their number.
std::string readable(std::string_view word);
/// One character, or byte that is none, with a sign: "é", "·", "<U+1F600>", "<FF>".
std::string characterLabel(std::string_view character);

/// Of which character a token is only a part: "bytes 3 to 4 of “é” (U+00E9)"; empty where tokens and
/// characters end together.
std::string partOfCharacter(std::string_view text, const TokenPiece& token);

/// The word that holds this byte of the text, or of the source; nullptr where words are not there.
const WordMerges* wordAt(const Snapshot& snapshot, std::size_t byte, Stream stream = Stream::Text);

}  // namespace glassformer
