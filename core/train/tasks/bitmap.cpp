#include "core/train/tasks/bitmap.h"

#include <array>

namespace glassformer {
namespace {

// A length of `least` to `most` pixels, and where it begins so that it fits.
struct Span {
  int begin, length;
};
Span anySpan(Random& random, int least, int most) {
  const int length = least + random.below(most - least + 1);
  return {random.below(Bitmap::side - length + 1), length};
}

void lyingBar(Bitmap& picture, Random& random) {
  const Span x = anySpan(random, 6, 8);
  const int y = random.below(Bitmap::side);
  for (int i = 0; i < x.length; ++i) picture.draw(x.begin + i, y);
}

void standingBar(Bitmap& picture, Random& random) {
  const Span y = anySpan(random, 6, 8);
  const int x = random.below(Bitmap::side);
  for (int i = 0; i < y.length; ++i) picture.draw(x, y.begin + i);
}

// Crosses have a middle, so that their sides are of odd length: 5 or 7.
struct Middle {
  int x, y, arm;
};
Middle anyMiddle(Random& random) {
  const int arm = 2 + random.below(2), room = Bitmap::side - 2 * arm;
  return {arm + random.below(room), arm + random.below(room), arm};
}

void uprightCross(Bitmap& picture, Random& random) {
  const Middle middle = anyMiddle(random);
  for (int i = -middle.arm; i <= middle.arm; ++i)
    picture.draw(middle.x + i, middle.y), picture.draw(middle.x, middle.y + i);
}

void slantedCross(Bitmap& picture, Random& random) {
  const Middle middle = anyMiddle(random);
  for (int i = -middle.arm; i <= middle.arm; ++i)
    picture.draw(middle.x + i, middle.y + i), picture.draw(middle.x + i, middle.y - i);
}

void frame(Bitmap& picture, Random& random) {
  const Span x = anySpan(random, 4, 8), y = anySpan(random, 4, 8);
  for (int i = 0; i < x.length; ++i)
    picture.draw(x.begin + i, y.begin), picture.draw(x.begin + i, y.begin + y.length - 1);
  for (int i = 0; i < y.length; ++i)
    picture.draw(x.begin, y.begin + i), picture.draw(x.begin + x.length - 1, y.begin + i);
}

std::size_t patchAt(const Bitmap& picture, int column, int row) {
  std::size_t bits = 0;
  for (int i = 0; i < Bitmap::patch * Bitmap::patch; ++i)
    if (picture.at(column * Bitmap::patch + i % Bitmap::patch, row * Bitmap::patch + i / Bitmap::patch))
      bits |= std::size_t{1} << i;
  return bits;
}

}  // namespace

std::string Bitmap::text() const {
  std::string written;
  for (int row = 0; row < patches; ++row) {
    for (int column = 0; column < patches; ++column)
      written += patchCharacters()[patchAt(*this, column, row)];
    written += '\n';
  }
  return written;
}

std::span<const std::string_view> patchCharacters() {
  static constexpr std::array<std::string_view, 16> characters{"·", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
                                                               "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
  return characters;
}

std::span<const BitmapShape> bitmapShapes() {
  static constexpr std::array shapes{BitmapShape{'-', lyingBar}, BitmapShape{'|', standingBar},
                                     BitmapShape{'+', uprightCross}, BitmapShape{'x', slantedCross},
                                     BitmapShape{'o', frame}};
  return shapes;
}

}  // namespace glassformer
