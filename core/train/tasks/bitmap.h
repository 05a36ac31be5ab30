#pragma once
#include <bitset>
#include <span>
#include <string>
#include <string_view>

#include "core/random.h"

namespace glassformer {

/// A picture of 8 × 8 black and white pixels, which a transformer reads as a text: cut into patches of 2 × 2,
/// as ViT cuts photographs (Dosovitskiy et al. 2021), row by row. There are only 16 such patches, so each is
/// a token of its own, and Unicode has a character that looks like it. Behind each row of patches stands a
/// line break, as in Fuyu (Bavishi et al. 2023): so the text looks like the picture.
class Bitmap {
 public:
  static constexpr int side = 8, patch = 2, patches = side / patch;

  bool at(int x, int y) const { return pixels_[index(x, y)]; }
  void draw(int x, int y) { pixels_.set(index(x, y)); }
  void flip(int x, int y) { pixels_.flip(index(x, y)); }
  int count() const { return static_cast<int>(pixels_.count()); }
  /// "▛▀▀▜\n▌··▐\n..."
  std::string text() const;
  bool operator==(const Bitmap&) const = default;

 private:
  static std::size_t index(int x, int y) { return static_cast<std::size_t>(y * side + x); }
  std::bitset<side * side> pixels_;
};

/// The character of each patch: pixels left to right and top to bottom are the bits from the lowest on.
std::span<const std::string_view> patchCharacters();

/// What a picture can show, and the one character that names it.
struct BitmapShape {
  char name;
  void (*draw)(Bitmap&, Random&);  ///< somewhere in the picture, in one of its sizes
};
/// Lying and standing bars, crosses upright and aslant, frames.
std::span<const BitmapShape> bitmapShapes();

}  // namespace glassformer
