#include "core/train/tasks/bitmap.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/text/utf8.h"

using namespace glassformer;

namespace {

// What a text shows, read by the shapes of its characters: the quarters of a block element, as Unicode
// describes them (upper left, upper right, lower left, lower right).
Bitmap readPatches(std::string_view text) {
  static const std::pair<std::string_view, const char*> quarters[] = {
      {"·", "    "}, {"▘", "#   "}, {"▝", " #  "}, {"▀", "##  "}, {"▖", "  # "}, {"▌", "# # "},
      {"▞", " ## "}, {"▛", "### "}, {"▗", "   #"}, {"▚", "#  #"}, {"▐", " # #"}, {"▜", "## #"},
      {"▄", "  ##"}, {"▙", "# ##"}, {"▟", " ###"}, {"█", "####"}};
  Bitmap picture;
  int column = 0, row = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, nextCharacter(text, at) - at);
    at += character.size();
    if (character == "\n") {
      column = 0, ++row;
      continue;
    }
    const auto* found =
        std::ranges::find(quarters, character, &std::pair<std::string_view, const char*>::first);
    REQUIRE(found != std::end(quarters));
    for (int i = 0; i < 4; ++i)
      if (found->second[i] == '#') picture.draw(2 * column + i % 2, 2 * row + i / 2);
    ++column;
  }
  return picture;
}

Bitmap anyOf(const BitmapShape& shape, std::uint64_t seed) {
  Random random(mix(seed));
  Bitmap picture;
  shape.draw(picture, random);
  return picture;
}

// How many pixels two pictures differ in.
int distance(const Bitmap& one, const Bitmap& other) {
  int differ = 0;
  for (int y = 0; y < Bitmap::side; ++y)
    for (int x = 0; x < Bitmap::side; ++x) differ += one.at(x, y) != other.at(x, y);
  return differ;
}

}  // namespace

TEST_CASE("a bitmap is written in characters that look like its patches") {
  Bitmap picture;
  CHECK(picture.text() == "····\n····\n····\n····\n");
  picture.draw(0, 0), picture.draw(3, 1), picture.draw(6, 7), picture.draw(7, 7);
  CHECK(picture.text() == "▘▗··\n····\n····\n···▄\n");
  picture.flip(0, 0), picture.flip(0, 7);
  CHECK(picture.text() == "·▗··\n····\n····\n▖··▄\n");
  CHECK(picture.count() == 4);
  for (const BitmapShape& shape : bitmapShapes())
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      REQUIRE(readPatches(anyOf(shape, seed).text()) == anyOf(shape, seed));
}

// With 2 of its pixels flipped a picture still shows one shape alone.
TEST_CASE("shapes come at many places and in many sizes and differ in more than 4 pixels") {
  std::map<char, std::vector<Bitmap>> all;
  for (const BitmapShape& shape : bitmapShapes()) {
    std::set<std::string> texts;
    std::set<int> sizes;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const Bitmap picture = anyOf(shape, seed);
      sizes.insert(picture.count());
      if (texts.insert(picture.text()).second) all[shape.name].push_back(picture);
    }
    INFO(shape.name);
    CHECK(texts.size() >= 20);
    CHECK(sizes.size() >= 2);
  }
  REQUIRE(all.size() == 5);
  for (const auto& [name, pictures] : all)
    for (const auto& [other, others] : all)
      if (name < other)
        for (const Bitmap& picture : pictures)
          for (const Bitmap& another : others) REQUIRE(distance(picture, another) > 4);
}
