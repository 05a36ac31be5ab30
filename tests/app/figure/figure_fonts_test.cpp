#include "app/figure/figure_fonts.h"

#include <cairo.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

namespace {

using Ink = std::vector<unsigned char>;

Ink drawn(FontFace face, float size) {
  constexpr int width = 96, height = 32;
  Ink ink(std::size_t{width} * height);
  cairo_surface_t* surface =
      cairo_image_surface_create_for_data(ink.data(), CAIRO_FORMAT_A8, width, height, width);
  cairo_t* cairo = cairo_create(surface);
  cairo_translate(cairo, 4, 24);
  FigureFonts().draw(cairo, "Query", face, size);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return ink;
}

}  // namespace

TEST_CASE("fonts that come and go never stand in for each other") {
  constexpr std::array faces{FontFace::Ui, FontFace::Strong, FontFace::Mono};
  std::array<Ink, 3> first;
  for (std::size_t i = 0; i < 3; ++i) first[i] = drawn(faces[i], 16);
  CHECK(first[0] != first[1]);
  CHECK(first[0] != first[2]);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<FigureFonts>> between;  // moves what comes next to other addresses
    for (int i = 0; i < round % 3; ++i) between.push_back(std::make_unique<FigureFonts>());
    for (std::size_t i = 0; i < 3; ++i) CHECK(drawn(faces[i], 16) == first[i]);
  }
}

TEST_CASE("the first letter of Hebrew is drawn right of its last, Arabic letters joined") {
  const auto inked = [](const char* words) {
    constexpr int width = 96, height = 32;
    Ink ink(std::size_t{width} * height);
    cairo_surface_t* surface =
        cairo_image_surface_create_for_data(ink.data(), CAIRO_FORMAT_A8, width, height, width);
    cairo_t* cairo = cairo_create(surface);
    cairo_translate(cairo, 4, 24);
    FigureFonts().draw(cairo, words, FontFace::Ui, 16);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return ink;
  };
  CHECK(inked("אב") == inked("\u202Dבא"));  // as if its letters were set from left to right
  CHECK(inked("בב") != inked("בא"));
  CHECK(inked("بب") == inked("\u202D\uFE90\uFE91"));  // as the final and the initial form side by side
  CHECK(inked("بب") != inked("\u202D\uFE8F\uFE8F"));  // and not as two isolated ones
}
