#include "core/text/piece_symbols.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("pieces are written as text with a sign for the space, bytes by their numbers") {
  CHECK(piecesFromBytes(" the cat") == "▁the▁cat");
  CHECK(bytesFromPieces("▁the▁cat") == " the cat");
  CHECK(bytesFromPieces(piecesFromBytes("größer  \n")) == "größer  \n");
  CHECK(byteOfPiece("<0x0A>") == 0x0A);
  CHECK(byteOfPiece(pieceOfByte(0xFF)) == 0xFF);
  CHECK(pieceOfByte(10) == "<0x0A>");
  for (const char* text : {"<0x0A", "<0xG0>", "<0x-1>", "0x0A", "<s>", "", "<0x0A>>"})
    CHECK_FALSE(byteOfPiece(text));
}
