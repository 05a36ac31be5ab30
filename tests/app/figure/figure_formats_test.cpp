// Opens the files that people get with the programs that others read them with.
#include "app/figure/figure_formats.h"

#include <algorithm>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/view_commands.h"
#include "app/views/views.h"
#include "core/io/files.h"
#include "tests/app/figure/figure_cases.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/small_model.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

void write(const Figure& figure, const char* format, const fs::path& file, float scale = 1) {
  const FigureFonts fonts;
  const auto written = writeFigure(figure, *findFigureFormat(format), file, scale, false, fonts);
  REQUIRE(written);
}

// Every view, in this look and the other by turns.
void forEachFigure(const FigureSize& size, FigureLook look,
                   const std::function<void(const std::string& name, Figure& figure)>& check) {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  for (const View& view : views()) {
    workspace.view = view.id;
    workspace.figure.look = look;
    Figure figure = makeFigure(workspace, *snapshot, size, fonts);
    check(std::string(view.id) + (look == FigureLook::Dark ? " dark" : " light"), figure);
    look = look == FigureLook::Dark ? FigureLook::Light : FigureLook::Dark;
  }
}

std::string quotedFile(const fs::path& file) { return "'" + file.string() + "'"; }

}  // namespace

namespace {

struct Apart {
  double svg, pdf;  // from the window's picture, as differingShare says
};
Apart openedByOthers(const Figure& figure, const TemporaryFolder& folder) {
  const fs::path svg = folder / "f.svg", pdf = folder / "f.pdf", opened = folder / "opened.png";
  const FigureFonts fonts;
  const FigurePixels large = figurePixels(figure, 3, fonts), expected = reduced(large);
  const std::string width = std::to_string(large.width), height = std::to_string(large.height);
  Apart apart;
  write(figure, "svg", svg);
  outputOf("rsvg-convert -w " + width + " -h " + height + " -o " + quotedFile(opened) + " " +
           quotedFile(svg));
  apart.svg = differingShare(reduced(readPng(opened)), expected);
  write(figure, "pdf", pdf);
  outputOf("pdftoppm -singlefile -scale-to-x " + width + " -scale-to-y " + height + " " + quotedFile(pdf) +
           " " + quotedFile(folder / "opened"));
  apart.pdf = differingShare(reduced(readPpm(folder / "opened.ppm")), expected);
  return apart;
}

}  // namespace

TEST_CASE("no figure of any picture asks anybody to click") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  for (const View& view : views())
    for (const Picture& picture : view.pictures) {
      INFO(view.id << ": " << picture.id);
      commands::choosePicture(view.id, std::string(picture.id)).apply(workspace);
      const Figure figure = makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts);
      std::string words = figure.caption;
      for (const Shape& shape : figure.picture().shapes)
        if (const Text* text = std::get_if<Text>(&shape)) words += "\n" + text->text;
      for (const char* never : {"click", "Click", "press ", "Press "})
        CHECK_THAT(words, !Catch::Matchers::ContainsSubstring(never));
    }
}

// Kerning that librsvg does not leave out moves letters by fractions of a pixel; everything else lies where
// it does in the window.
TEST_CASE("an SVG and a PDF, opened by others, are the picture of the window", "[others]") {
  const TemporaryFolder folder;
  forEachFigure(*findFigureSize("slide"), FigureLook::Light,
                [&](const std::string& name, const Figure& figure) {
                  const Apart apart = openedByOthers(figure, folder);
                  INFO(name);
                  CHECK(apart.svg < 0.0015);
                  CHECK(apart.pdf < 0.0015);
                });
  forEachFigure(*findFigureSize("column"), FigureLook::Dark, [&](const std::string& name, Figure& figure) {
    std::erase_if(figure.scenes.front().picture.shapes,
                  [](const Shape& s) { return std::holds_alternative<Text>(s); });
    figure.foot.shapes.clear();
    const Apart apart = openedByOthers(figure, folder);
    INFO(name << " without text");
    CHECK(apart.svg < 0.0005);
    CHECK(apart.pdf < 0.0005);
  });
}

TEST_CASE("other scripts in SVG and PDF are the picture of the window, and can be searched") {
  const TemporaryFolder folder;
  Workspace workspace = initialWorkspace();
  const FigureFonts fonts;
  Figure figure = makeFigure(workspace, *storiesSnapshot(workspace), *findFigureSize("slide"), fonts);
  figure.scenes.front().picture.shapes.clear();
  figure.foot.shapes.clear();
  float y = 0;
  for (const char* words : {"שלום עולם, שלום!", "السلام عليكم ورحمة الله", "नमस्ते क्षत्रिय", "สวัสดีชาวโลก",
                            "中文こんにちは안녕하세요", "😀🚀🐈", "Block 1 reads שלום 12 and السلام."})
    for (const FontFace face : {FontFace::Ui, FontFace::Mono}) {
      y += 36;
      for (const Align align : {Align::Start, Align::Middle, Align::End}) {
        Text text;
        text.at = {align == Align::Start ? 20.0f : align == Align::Middle ? 480.0f : 940.0f, y};
        text.text = words, text.horizontal = align, text.style = {face, 20, figure.theme.text};
        figure.scenes.front().picture.add(text);
      }
    }
  const Apart apart = openedByOthers(figure, folder);
  CHECK(apart.svg < 0.0015);
  CHECK(apart.pdf < 0.0015);
  const std::string words = outputOf("pdftotext " + quotedFile(folder / "f.pdf") + " -");
  for (const char* found : {"שלום עולם", "中文こんにちは안녕하세요", "😀🚀🐈"})
    CHECK_THAT(words, ContainsSubstring(found));
  const std::string elements = *readTextFile(folder / "f.svg");
  CHECK_THAT(elements, ContainsSubstring(">السلام عليكم ورحمة الله</text>"));
}

TEST_CASE("a loss landscape in SVG and PDF is the picture of the window, and its numbers go into a table") {
  const TemporaryFolder folder;
  Workspace workspace = initialWorkspace();
  workspace.view = "landscape";
  workspace.settings.landscape.side = 9;
  Engine engine([](const std::string& name,
                   const ProgressCallback&) -> Result<LoadedModel> { return makeSmallModel(name); },
                [] {}, neededFor);
  engine.request(workspace, 1);
  engine.finish();
  const auto snapshot = engine.latest();
  REQUIRE(snapshot->kept.measured);
  const FigureFonts fonts;
  for (const char* picture : {"surface", "map"}) {
    workspace.settings.pictures["landscape"] = picture;
    Figure figure = makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts);
    const Apart apart = openedByOthers(figure, folder);
    INFO(picture);
    CHECK(apart.svg < 0.0015);
    CHECK(apart.pdf < 0.0015);
    write(figure, "csv", folder / "f.csv");
    const std::string numbers = *readTextFile(folder / "f.csv");
    CHECK_THAT(numbers, ContainsSubstring("-0.75") || ContainsSubstring("−0.75"));
    CHECK(std::ranges::count(numbers, '\n') >= 10);
  }
}

TEST_CASE("a picture that shows something else is told apart") {
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const auto pixels = [&] {
    return reduced(figurePixels(makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts), 3, fonts));
  };
  const FigurePixels one = pixels();
  workspace.selection.layer = 2;
  CHECK(differingShare(one, one) == 0);
  CHECK(differingShare(one, pixels()) > 0.02);
}

TEST_CASE("text is text: the labels, the heading and the caption can be found, and every font is embedded") {
  const TemporaryFolder folder;
  const fs::path svg = folder / "f.svg", pdf = folder / "f.pdf";
  Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *snapshot, figureSizes().front(), fonts);
  write(figure, "svg", svg);
  write(figure, "pdf", pdf);
  const std::string elements = *readTextFile(svg);
  const std::string words = outputOf("pdftotext -raw " + quotedFile(pdf) + " -");
  for (const TokenPiece& token : snapshot->pass->tokens) {
    INFO(token.label);
    CHECK_THAT(elements, ContainsSubstring(">" + token.label + "</text>"));
    CHECK_THAT(words, ContainsSubstring(token.label));
  }
  CHECK_THAT(elements, ContainsSubstring(">Block 0, head 0</text>"));
  CHECK_THAT(words, ContainsSubstring("Block 0, head 0"));
  CHECK_THAT(words, ContainsSubstring("reading “The animal didn't cross the street"));
  CHECK_THAT(elements, ContainsSubstring("@font-face{font-family:'JetBrains Mono'"));

  const std::string embedded = outputOf("pdffonts " + quotedFile(pdf));
  CHECK_THAT(embedded, ContainsSubstring("Inter-SemiBold") && ContainsSubstring("JetBrainsMono-Regular"));
  std::size_t lines = 0;
  for (std::size_t at = embedded.find('\n', embedded.find("----")); at + 1 < embedded.size(); ++lines) {
    const std::size_t end = embedded.find('\n', at + 1);
    CHECK_THAT(embedded.substr(at, end - at),
               ContainsSubstring(" yes yes yes "));  // embedded, subset, Unicode
    at = end;
  }
  CHECK(lines >= 3);
}

TEST_CASE("files have the printed size of their preset") {
  const TemporaryFolder folder;
  const fs::path svg = folder / "f.svg", pdf = folder / "f.pdf";
  const Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const auto at = [&](const char* id) {
    const Figure figure = makeFigure(workspace, *snapshot, *findFigureSize(id), fonts);
    write(figure, "svg", svg);
    write(figure, "pdf", pdf);
  };
  at("slide");
  CHECK_THAT(outputOf("pdfinfo " + quotedFile(pdf)), ContainsSubstring("960 x 540 pts"));
  CHECK_THAT(*readTextFile(svg), ContainsSubstring("width=\"338.67mm\" height=\"190.50mm\""));
  at("column");
  CHECK_THAT(outputOf("pdfinfo " + quotedFile(pdf)), ContainsSubstring("252.283 x"));  // 89 mm
  CHECK_THAT(*readTextFile(svg), ContainsSubstring("width=\"89.00mm\""));
  at("double-column");
  CHECK_THAT(outputOf("pdfinfo " + quotedFile(pdf)), ContainsSubstring("518.74 x"));  // 183 mm
}

TEST_CASE("a heatmap of 512 × 512 cells is a small file with sharp cells") {
  const TemporaryFolder folder;
  const auto set = std::make_shared<TensorSet>();
  Tensor values({512, 512});
  for (int i = 0; i < 512; ++i)  // a chessboard: the hardest to keep sharp, every cell beside its opposite
    for (int j = 0; j < 512; ++j) values(i, j) = static_cast<float>((i + j) % 2);
  set->add({"board", "TS", "", ""}, std::move(values));
  Figure figure;
  figure.size = pixelSize({512, 512});
  figure.theme = lightTheme();
  figure.scenes.resize(1);
  Scene& picture = figure.scenes.front().picture;
  picture.size = {512, 512};
  picture.sources = {set};
  Matrix matrix;
  matrix.box = {0, 0, 512, 512};
  matrix.values = {"board", {}, 0, 1, -1, -1};
  picture.add(matrix);
  const FigureFonts fonts;
  const FigurePixels expected = figurePixels(figure, 5, fonts);
  write(figure, "svg", folder / "f.svg");
  write(figure, "pdf", folder / "f.pdf");
  CHECK(fs::file_size(folder / "f.svg") < 600'000);
  CHECK(fs::file_size(folder / "f.pdf") < 600'000);
  outputOf("rsvg-convert -w 2560 -h 2560 -o " + quotedFile(folder / "svg.png") + " " +
           quotedFile(folder / "f.svg"));
  outputOf("pdftoppm -png -singlefile -scale-to 2560 " + quotedFile(folder / "f.pdf") + " " +
           quotedFile(folder / "pdf"));
  for (const char* name : {"svg.png", "pdf.png"}) {
    const FigurePixels opened = readPng(folder / name);
    int wrong = 0;
    for (int i = 0; i < 512; ++i)  // the middle of every cell has the cell's own colour
      for (int j = 0; j < 512; ++j) {
        const auto at = static_cast<std::size_t>(((5 * i + 2) * 2560 + 5 * j + 2) * 4);
        wrong += std::abs(opened.rgba[at] - expected.rgba[at]) > 8;
      }
    INFO(name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a real head over 512 tokens stays small") {
  Workspace workspace = initialWorkspace();
  workspace.text.clear();
  for (int i = 0; i < 120; ++i) workspace.text += "The animal didn't cross the street. ";
  const auto load = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 2, 4, 512);
  };
  Engine engine(
      load, [] {}, neededFor);
  engine.request(workspace, 1);
  engine.finish();
  REQUIRE(engine.latest()->pass->trace->tokenCount() == 512);
  const TemporaryFolder folder;
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *engine.latest(), figureSizes().front(), fonts);
  for (const char* format : {"svg", "pdf"}) {
    write(figure, format, folder / format);
    INFO(format << " " << fs::file_size(folder / format));
    CHECK(fs::file_size(folder / format) < 3'000'000);
  }
}

TEST_CASE("a PNG has as many pixels as its scale says, and refuses more than a picture can have") {
  const TemporaryFolder folder;
  const Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts);
  for (const float scale : {0.25f, 1.0f, 2.5f}) {
    write(figure, "png", folder / "f.png", scale);
    const FigurePixels opened = readPng(folder / "f.png");
    CHECK(opened.width == static_cast<int>(960 * scale));
    CHECK(opened.height == static_cast<int>(540 * scale));
    CHECK(opened.rgba == figurePixels(figure, scale, fonts).rgba);
  }
  const auto refused = writeFigure(figure, *findFigureFormat("png"), folder / "g.png", 40, false, fonts);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().what, ContainsSubstring("38400 × 21600"));
  CHECK_FALSE(fs::exists(folder / "g.png"));
}

TEST_CASE("numbers go to one file, or each tensor to its own; what is wrong with a place is said") {
  const TemporaryFolder folder;
  const Workspace workspace = initialWorkspace();
  const auto snapshot = storiesSnapshot(workspace);
  const FigureFonts fonts;
  const Figure figure = makeFigure(workspace, *snapshot, *findFigureSize("slide"), fonts);
  const FigureFormat& csv = *findFigureFormat("csv");
  const auto main = writeFigure(figure, csv, folder / "a.csv", 1, false, fonts);
  REQUIRE(main);
  CHECK(main->size() == 1);
  CHECK(main->front().tensor == "blocks.0.attn.hook_pattern.H0");
  CHECK_THAT(*readTextFile(folder / "a.csv"),
             Catch::Matchers::StartsWith("# model: stories\n") &&
                 Catch::Matchers::ContainsSubstring("}}\nT\\S,The,·animal,·didn,'t,"));
  const auto all = writeFigure(figure, csv, folder / "a.csv", 1, true, fonts);
  REQUIRE(all);
  CHECK(all->size() == 16);
  CHECK(fs::exists(folder / "a.blocks.3.attn.hook_pattern.H2.csv"));

  REQUIRE(writeFile(folder / "file", ""));
  const auto errorOf = [&](const fs::path& file) {
    const auto refused = writeFigure(figure, csv, file, 1, false, fonts);
    REQUIRE_FALSE(refused);
    return refused.error().message();
  };
  CHECK_THAT(errorOf(folder / "nowhere" / "a.csv"),
             ContainsSubstring("no such folder") && ContainsSubstring("nowhere"));
  CHECK_THAT(errorOf(folder / "file" / "a.csv"), ContainsSubstring("file"));
  CHECK_THAT(errorOf(folder.path()), ContainsSubstring("is a folder"));
  CHECK_THAT(errorOf("/proc/a.csv"), ContainsSubstring("/proc/a.csv: cannot be written"));
}

TEST_CASE("a free file is the wanted one or the next number") {
  const TemporaryFolder folder;
  CHECK(freeFile(folder / "a.b.svg") == folder / "a.b.svg");
  REQUIRE(writeFile(folder / "a.b.svg", ""));
  CHECK(freeFile(folder / "a.b.svg") == folder / "a.b-2.svg");
  REQUIRE(writeFile(folder / "a.b-2.svg", ""));
  CHECK(freeFile(folder / "a.b.svg") == folder / "a.b-3.svg");
}

TEST_CASE("ids of formats and sizes are unique, and each format is a picture or numbers") {
  for (const FigureFormat& format : figureFormats()) {
    CHECK(findFigureFormat(format.id) == &format);
    CHECK((format.picture == nullptr) == format.isNumbers());
  }
  for (const FigureSize& size : figureSizes()) CHECK(findFigureSize(size.id) == &size);
  CHECK(findFigureFormat("bmp") == nullptr);
  CHECK(findFigureSize("window") == nullptr);
}
