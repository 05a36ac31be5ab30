#include "tests/app/figure/opened_pictures.h"

#include <cairo.h>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <memory>

namespace glassformer {

FigurePixels readPng(const std::filesystem::path& file) {
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create_from_png(file.string().c_str()), cairo_surface_destroy);
  REQUIRE(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS);
  FigurePixels pixels{
      cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      const unsigned char* p = data + y * stride + x * 4;
      pixels.rgba.insert(pixels.rgba.end(), {p[2], p[1], p[0], 255});
    }
  return pixels;
}

FigurePixels readPpm(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string kind;
  int most = 0;
  FigurePixels pixels{};
  in >> kind >> pixels.width >> pixels.height >> most;
  in.get();
  REQUIRE(kind == "P6");
  REQUIRE(most == 255);
  const auto count = static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height);
  std::vector<char> rgb(3 * count);
  REQUIRE(in.read(rgb.data(), static_cast<std::streamsize>(rgb.size())));
  pixels.rgba.assign(4 * count, 255);
  for (std::size_t i = 0; i < count; ++i) std::copy_n(&rgb[3 * i], 3, &pixels.rgba[4 * i]);
  return pixels;
}

FigurePixels reduced(const FigurePixels& large) {
  constexpr int by = 6;
  FigurePixels small{large.width / by, large.height / by, {}};
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x)
      for (int c = 0; c < 4; ++c) {
        int sum = 0;
        for (int j = 0; j < by; ++j)
          for (int i = 0; i < by; ++i)
            sum += large.rgba[static_cast<std::size_t>(((y * by + j) * large.width + x * by + i) * 4 + c)];
        small.rgba.push_back(static_cast<unsigned char>(sum / (by * by)));
      }
  return small;
}

double differingShare(const FigurePixels& a, const FigurePixels& b) {
  REQUIRE(a.width == b.width);
  REQUIRE(a.height == b.height);
  const auto near = [](const FigurePixels& p, int x, int y, const FigurePixels& q) {
    const auto at = [](const FigurePixels& f, int i, int j) {
      return &f.rgba[static_cast<std::size_t>((j * f.width + i) * 4)];
    };
    for (int j = std::max(0, y - 1); j <= std::min(q.height - 1, y + 1); ++j)
      for (int i = std::max(0, x - 1); i <= std::min(q.width - 1, x + 1); ++i) {
        int worst = 0;
        for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(at(p, x, y)[c] - at(q, i, j)[c]));
        if (worst <= 64) return true;
      }
    return false;
  };
  std::size_t differing = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) differing += !near(a, x, y, b) || !near(b, x, y, a);
  return static_cast<double>(differing) / (static_cast<double>(a.width) * a.height);
}

}  // namespace glassformer
