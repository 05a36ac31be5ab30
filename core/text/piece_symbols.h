#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

/// How SentencePiece's vocabularies write tokens (Kudo and Richardson 2018): as text, a space as "▁", a byte
/// that is no character by itself as "<0x0A>".

std::string piecesFromBytes(std::string_view bytes);
std::string bytesFromPieces(std::string_view pieces);
/// The byte that such a token stands for; nothing where it stands for text.
std::optional<unsigned char> byteOfPiece(std::string_view piece);
std::string pieceOfByte(unsigned char byte);

}  // namespace glassformer
