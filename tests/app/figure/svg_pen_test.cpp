#include "app/figure/svg_pen.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("markup and what XML cannot hold are replaced in text") {
  CHECK(xmlText("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d");
  CHECK(xmlText("größer ∞") == "größer ∞");
  CHECK(xmlText(std::string("a\x01\n", 3)) == "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("shapes become elements with short numbers") {
  const FigureFonts fonts;
  SvgPen pen(fonts);
  pen.rectangle({1, 2.5f, 3.14159f, 4}, 8, rgb(0x102030).faded(0.5f));
  CHECK(pen.body() ==
        "<rect x=\"1\" y=\"2.5\" width=\"3.14\" height=\"4\" rx=\"1.57\" fill=\"#102030\" "
        "fill-opacity=\"0.5\"/>\n");
  SvgPen line(fonts);
  const std::array<Point, 2> points{{{-0.001f, 1}, {2, 3}}};
  line.polyline(points, rgb(0xFFFFFF), 1.5f);
  CHECK_THAT(line.body(), ContainsSubstring("points=\"0,1 2,3\"") && ContainsSubstring("stroke=\"#ffffff\""));
}

TEST_CASE("text keeps its anchor and its families; upright text is turned") {
  const FigureFonts fonts;
  SvgPen pen(fonts);
  pen.text({{10, 20}, "it’s", {FontFace::Strong, 13, rgb(0)}, Align::Middle, false});
  CHECK_THAT(pen.body(), ContainsSubstring("x=\"10\" y=\"20\"") &&
                             ContainsSubstring("text-anchor=\"middle\"") &&
                             ContainsSubstring("font-weight=\"600\"") && ContainsSubstring(">it’s</text>"));
  pen.text({{1, 2}, "up", {FontFace::Mono, 13, rgb(0)}, Align::Start, true});
  CHECK_THAT(pen.body(),
             ContainsSubstring("translate(1 2) rotate(-90)") && ContainsSubstring("JetBrains Mono"));
  CHECK_THAT(pen.fontFaces(), ContainsSubstring("font-weight:600") && !ContainsSubstring("DejaVu"));
  pen.text({{1, 2}, "♞", {FontFace::Ui, 13, rgb(0)}, Align::Start, false});
  CHECK_THAT(pen.fontFaces(), ContainsSubstring("font-family:'DejaVu Sans'"));
}

TEST_CASE("text from right to left is one string that starts at its right end") {
  const FigureFonts fonts;
  const auto written = [&](const char* words, Align anchor) {
    SvgPen pen(fonts);
    pen.text({{0, 0}, words, {FontFace::Ui, 13, rgb(0)}, anchor, false});
    return pen.body();
  };
  const std::string line = "שלום עולם, זה משפט אחד שאינו קצר כל כך -> סוף";
  CHECK_THAT(written(line.c_str(), Align::Start),
             ContainsSubstring("direction=\"rtl\" text-anchor=\"end\"") &&
                 ContainsSubstring(">שלום עולם, זה") && !ContainsSubstring("<tspan"));
  CHECK_THAT(written("שלום", Align::End),
             ContainsSubstring("direction=\"rtl\"") && !ContainsSubstring("text-anchor"));
  CHECK_THAT(written("שלום", Align::Middle), ContainsSubstring("text-anchor=\"middle\""));
  CHECK_THAT(written("of שלום", Align::Start), !ContainsSubstring("direction"));
}

TEST_CASE("a font of the system's is embedded where only it has a character, with what joins its letters") {
  const FigureFonts fonts;
  SvgPen pen(fonts);
  pen.text({{0, 0}, "नमस्ते", {FontFace::Ui, 13, rgb(0)}, Align::Start, false});
  CHECK_THAT(pen.body(), ContainsSubstring("'Noto Sans Devanagari UI', sans-serif"));
  CHECK_THAT(pen.fontFaces(), ContainsSubstring("font-family:'Noto Sans Devanagari UI'"));
}

TEST_CASE("signs that fonts would join are kept apart") {
  const FigureFonts fonts;
  const auto written = [&](const char* words) {
    SvgPen pen(fonts);
    pen.text({{0, 0}, words, {FontFace::Mono, 13, rgb(0)}, Align::Start, false});
    const std::string body = pen.body();
    return body.substr(body.find('>') + 1);
  };
  CHECK(written("<|end|>") == "&lt;<tspan>|</tspan>end|<tspan>&gt;</tspan></text>\n");
  CHECK(written("===") == "=<tspan>=</tspan><tspan>=</tspan></text>\n");
  CHECK(written("a-b. c") == "a-b. c</text>\n");
}

TEST_CASE("every word of a long line stands where the window has it, a label stays whole") {
  const FigureFonts fonts;
  const std::string line = "one letter of this face is sixty hundredths wide";
  const auto written = [&](const std::string& words, Align anchor) {
    SvgPen pen(fonts);
    pen.text({{5, 0}, words, {FontFace::Mono, 10, rgb(0)}, anchor, false});
    return pen.body();
  };
  const std::string placed = written(line, Align::Start);
  for (std::size_t i = 0; (i = line.find(' ', i)) != std::string::npos;)
    CHECK_THAT(placed, ContainsSubstring("<tspan x=\"" + std::to_string(5 + 6 * ++i) + "\">"));
  CHECK_THAT(written(line, Align::End), ContainsSubstring(">" + line + "</text>"));
  CHECK_THAT(written("a few words", Align::Start), ContainsSubstring(">a few words</text>"));
}

TEST_CASE("groups are closed as often as they are opened") {
  const FigureFonts fonts;
  SvgPen pen(fonts);
  pen.pushPlacement({1, 2}, 0.5f);
  pen.pushClip({0, 0, 5, 5});
  pen.pop();
  pen.pop();
  CHECK_THAT(pen.body(),
             ContainsSubstring("translate(1 2) scale(0.5") && ContainsSubstring("clip-path=\"url(#"));
  std::size_t opened = 0, closed = 0;
  for (std::size_t at = 0; (at = pen.body().find("<g ", at)) != std::string::npos; ++at) ++opened;
  for (std::size_t at = 0; (at = pen.body().find("</g>", at)) != std::string::npos; ++at) ++closed;
  CHECK(opened == 2);
  CHECK(closed == 2);
}

TEST_CASE("few opaque cells are rectangles, many or translucent ones an image") {
  const FigureFonts fonts;
  const auto drawn = [&](int side, Rgba color) {
    SvgPen pen(fonts);
    const auto cells = static_cast<std::size_t>(side * side);
    CellColors colors{side, side, std::vector<Rgba>(cells, color)};
    colors.colors.back() = rgb(0xFF0000);
    pen.cells({0, 0, 100, 100}, colors);
    return pen.body();
  };
  CHECK_THAT(drawn(8, rgb(0)), ContainsSubstring("<rect") && !ContainsSubstring("<image"));
  CHECK_THAT(drawn(100, rgb(0)),
             ContainsSubstring("<image") && ContainsSubstring("image-rendering:pixelated"));
  CHECK_THAT(drawn(8, rgb(0).faded(0.5f)), ContainsSubstring("<image"));
}
