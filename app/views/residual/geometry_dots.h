#pragma once
#include <string>
#include <vector>

#include "app/views/residual/geometry_room.h"

namespace glassformer {

/// A row of tokens' vectors, and how its dots look.
struct DotKind {
  std::string tensor;
  const char* name;
  Stream stream;
  Rgba color;
  bool square, isOfHead, isOther = false;  ///< of the text that is compared with
  int place = -1;                          ///< of a path, whose place is shown

  TensorRef cell(int token, int component) const;
  /// All components of a token.
  TensorRef row(int token) const;
};

/// How much of its colour what is of the other text keeps.
inline constexpr float ofOtherText = 0.45f;

/// "“it”", "key of “it”"; of two texts each calls it what it says: "tired|wide" is "tired" here.
std::string wordsOf(const ResidualPicture& picture, const DotKind& kind, int token);

/// The dots in their room, with the ways that lead to them, and beside as many as have room what they are.
void addGeometryDots(ResidualPicture& picture, const std::vector<DotKind>& kinds, GeometryRoom& room,
                     const Box& frame);

}  // namespace glassformer
