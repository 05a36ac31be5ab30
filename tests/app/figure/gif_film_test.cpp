#include <gif_lib.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>

#include "app/document/figure_recipe.h"
#include "core/io/files.h"
#include "tests/app/figure/figure_cases.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

// A film as libgif reads it: its frames whole, and how long each is seen.
struct ReadFilm {
  std::vector<FigurePixels> frames;
  std::vector<int> hundredths;
  bool repeats = false;
};
ReadFilm readGif(const std::filesystem::path& file) {
  int error = 0;
  const std::unique_ptr<GifFileType, void (*)(GifFileType*)> gif(DGifOpenFileName(file.c_str(), &error),
                                                                 [](GifFileType* open) {
                                                                   int ignored = 0;
                                                                   DGifCloseFile(open, &ignored);
                                                                 });
  REQUIRE(gif);
  REQUIRE(DGifSlurp(gif.get()) == GIF_OK);
  ReadFilm film;
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& image = gif->SavedImages[i];
    REQUIRE(image.ImageDesc.Width == gif->SWidth);
    FigurePixels& pixels = film.frames.emplace_back(FigurePixels{gif->SWidth, gif->SHeight, {}});
    for (int at = 0; at < gif->SWidth * gif->SHeight; ++at) {
      const GifColorType& color = image.ImageDesc.ColorMap->Colors[image.RasterBits[at]];
      pixels.rgba.insert(pixels.rgba.end(), {color.Red, color.Green, color.Blue, 255});
    }
    GraphicsControlBlock control{};
    REQUIRE(DGifSavedExtensionToGCB(gif.get(), i, &control) == GIF_OK);
    film.hundredths.push_back(control.DelayTime);
    for (int e = 0; e < image.ExtensionBlockCount; ++e) {
      const ExtensionBlock& block = image.ExtensionBlocks[e];
      film.repeats |= block.ByteCount == 11 && std::memcmp(block.Bytes, "NETSCAPE2.0", 11) == 0;
    }
  }
  return film;
}

// The share of pixels that are visibly another colour than they should be, and how far the worst is off.
struct Off {
  double share = 0;
  int most = 0;
};
Off offBetween(const FigurePixels& a, const FigurePixels& b) {
  REQUIRE(a.rgba.size() == b.rgba.size());
  Off off;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int most = 0;
    for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a.rgba[i + c] - b.rgba[i + c]));
    off.share += most > 8, off.most = std::max(off.most, most);
  }
  off.share *= 4.0 / static_cast<double>(a.rgba.size());
  return off;
}

Figure attentionFigure(int query) {
  Workspace workspace = initialWorkspace();
  workspace.selection.query = query;
  const FigureFonts fonts;
  return makeFigure(workspace, *storiesSnapshot(workspace), pixelSize({640, 400}), fonts);
}

}  // namespace

TEST_CASE("a GIF shows every frame as it would be alone, each for its time, again and again") {
  const TemporaryFolder folder;
  const FigureFonts fonts;
  const auto film = gifFilm(1.5f, 0.7, fonts);
  const std::vector<Figure> figures{attentionFigure(3), attentionFigure(7)};
  for (const Figure& figure : figures) film->add(figure);
  REQUIRE(writeFilm(*film, figures[0], folder / "a.gif"));
  const ReadFilm read = readGif(folder / "a.gif");
  REQUIRE(read.frames.size() == 2);
  CHECK(read.hundredths == std::vector<int>{70, 70});
  CHECK(read.repeats);
  for (std::size_t i = 0; i < 2; ++i) {
    const Off off = offBetween(read.frames[i], figurePixels(figures[i], 1.5f, fonts));
    CHECK(off.share < 0.02);  // edges of letters
    CHECK(off.most < 32);
  }
  CHECK(offBetween(read.frames[0], read.frames[1]).share > 0.001);
  const auto recipe = recipeIn(folder / "a.gif");
  REQUIRE(recipe);
  CHECK(recipe->workspace.selection.query == 3);
}

TEST_CASE("a reader that has nothing in common with our writer sees the same GIF, pixel by pixel",
          "[others]") {
  const TemporaryFolder folder;
  const FigureFonts fonts;
  const Figure figure = attentionFigure(3);
  const auto film = gifFilm(1, 0.7, fonts);
  film->add(figure);
  REQUIRE(writeFilm(*film, figure, folder / "a.gif"));
  const FigurePixels ours = readGif(folder / "a.gif").frames.at(0);
  const std::string size =
      " width=\"" + std::to_string(ours.width) + "\" height=\"" + std::to_string(ours.height) + "\"";
  REQUIRE(writeFile(folder / "a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"" + size + "><image" + size +
                                          " href=\"a.gif\"/></svg>"));
  outputOf("rsvg-convert -o '" + (folder / "a.png").string() + "' '" + (folder / "a.svg").string() + "'");
  CHECK(offBetween(readPng(folder / "a.png"), ours).most == 0);
}

TEST_CASE("where a figure has no more colours than a GIF, all of them are exact") {
  const TemporaryFolder folder;
  const FigureFonts fonts;
  Figure figure = attentionFigure(0);
  Scene few;
  few.size = {640, 400};
  for (int i = 0; i < 200; ++i)
    few.add(Rect{
        {static_cast<float>(i * 3), 10, 3, 100}, {static_cast<std::uint8_t>(i), 80, 220, 255}, {}, 0, 0});
  figure.scenes = {{few, {}, 1}}, figure.foot = {}, figure.titles = {};
  REQUIRE(writeFigure(figure, *findFigureFormat("gif"), folder / "a.gif", 1, false, fonts));
  CHECK(offBetween(readGif(folder / "a.gif").frames.at(0), figurePixels(figure, 1, fonts)).most == 0);
}
