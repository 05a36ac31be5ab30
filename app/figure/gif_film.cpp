#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/figure/film.h"
#include "app/figure/png_figure.h"

namespace glassformer {

namespace {

using Color = std::array<unsigned char, 3>;

constexpr int mostColors = 256;

int differenceOf(const Color& a, const Color& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::uint32_t keyOf(const Color& c) { return static_cast<std::uint32_t>(c[0] << 16 | c[1] << 8 | c[2]); }

// The colours of a frame, all of them exactly where 256 are enough; else the most frequent ones that are no
// nearer to one another than they must. Grounds, lines and scales stay as they are, and what changes by a
// hair are the edges of letters. (libgif's own choice rounds every colour to five bits: white becomes grey.)
class Palette {
 public:
  explicit Palette(const FigurePixels& pixels) {
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < pixels.rgba.size(); i += 4) ++counts[keyOf(colorAt(pixels, i))];
    std::vector<std::pair<std::size_t, std::uint32_t>> sorted;
    for (const auto& [key, count] : counts) sorted.emplace_back(count, key);
    std::ranges::sort(sorted, std::greater());
    for (int apart = 1; !choose(sorted, apart);) ++apart;
  }

  std::size_t size() const { return colors_.size(); }
  const Color& operator[](std::size_t i) const { return colors_[i]; }
  static Color colorAt(const FigurePixels& pixels, std::size_t i) {
    return {pixels.rgba[i], pixels.rgba[i + 1], pixels.rgba[i + 2]};
  }
  GifPixelType nearest(const Color& color) {
    const auto [known, isNew] = nearest_.try_emplace(keyOf(color), GifPixelType{0});
    if (isNew)
      known->second = static_cast<GifPixelType>(
          std::ranges::min_element(colors_, {},
                                   [&](const Color& other) { return differenceOf(color, other); }) -
          colors_.begin());
    return known->second;
  }

 private:
  // Whether there is room for all that are at least so far from every other.
  bool choose(std::span<const std::pair<std::size_t, std::uint32_t>> sorted, int apart) {
    colors_.clear();
    for (const auto& [count, key] : sorted) {
      const Color color{static_cast<unsigned char>(key >> 16), static_cast<unsigned char>(key >> 8),
                        static_cast<unsigned char>(key)};
      const bool isNear = std::ranges::any_of(
          colors_, [&](const Color& other) { return differenceOf(color, other) < apart; });
      if (isNear) continue;
      if (colors_.size() == mostColors) return false;
      colors_.push_back(color);
    }
    return true;
  }

  std::vector<Color> colors_;
  std::unordered_map<std::uint32_t, GifPixelType> nearest_;
};

class GifFilm final : public Film {
 public:
  GifFilm(float scale, double seconds, const FigureFonts& fonts)
      : scale_(scale), hundredths_(static_cast<int>(std::lround(seconds * 100))), fonts_(fonts) {}

  void add(const Figure& frame) override {
    const FigurePixels pixels = figurePixels(frame, scale_, fonts_);
    if (!gif_) begin(pixels);
    Palette palette(pixels);
    int size = 2;  // a power of two
    while (size < static_cast<int>(palette.size())) size *= 2;
    const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(GifMakeMapObject(size, nullptr),
                                                                         GifFreeMapObject);
    for (std::size_t i = 0; i < palette.size(); ++i)
      map->Colors[i] = {palette[i][0], palette[i][1], palette[i][2]};
    putDelay();
    EGifPutImageDesc(gif_.get(), 0, 0, pixels.width, pixels.height, false, map.get());
    std::vector<GifPixelType> row(static_cast<std::size_t>(pixels.width));
    for (std::size_t at = 0; at < pixels.rgba.size(); at += row.size() * 4) {
      for (std::size_t x = 0; x < row.size(); ++x)
        row[x] = palette.nearest(Palette::colorAt(pixels, at + x * 4));
      EGifPutLine(gif_.get(), row.data(), pixels.width);
    }
  }

  std::string end() override {
    int error = 0;
    if (gif_) EGifCloseFile(gif_.release(), &error);
    return std::move(file_);
  }

 private:
  struct Close {
    void operator()(GifFileType* gif) const {
      int error = 0;
      EGifCloseFile(gif, &error);
    }
  };

  static int write(GifFileType* gif, const GifByteType* bytes, int count) {
    static_cast<GifFilm*>(gif->UserData)
        ->file_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return count;
  }

  void begin(const FigurePixels& pixels) {
    int error = 0;
    gif_.reset(EGifOpen(this, write, &error));
    EGifSetGifVersion(gif_.get(), true);
    EGifPutScreenDesc(gif_.get(), pixels.width, pixels.height, 8, 0, nullptr);
    // Again and again, as all programs have understood it since Netscape 2.
    constexpr unsigned char forever[] = {1, 0, 0};
    EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE);
    EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0");
    EGifPutExtensionBlock(gif_.get(), sizeof forever, forever);
    EGifPutExtensionTrailer(gif_.get());
  }

  void putDelay() {
    GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths_, NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()), bytes.data());
  }

  float scale_;
  int hundredths_;
  const FigureFonts& fonts_;
  std::string file_;
  std::unique_ptr<GifFileType, Close> gif_;  // null: no frame yet
};

}  // namespace

std::unique_ptr<Film> gifFilm(float scale, double seconds, const FigureFonts& fonts) {
  return std::make_unique<GifFilm>(scale, seconds, fonts);
}

std::string gifFigure(const Figure& figure, float scale, const FigureFonts& fonts) {
  GifFilm film(scale, 0, fonts);
  film.add(figure);
  return film.end();
}

}  // namespace glassformer
