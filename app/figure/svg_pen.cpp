#include "app/figure/svg_pen.h"

#include <array>
#include <charconv>
#include <cmath>

#include "app/figure/cell_image.h"
#include "app/figure/font_subset.h"
#include "core/text/base64.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// To a hundredth of a pixel, without trailing zeros.
std::string number(float value) {
  std::array<char, 32> digits;
  const double rounded = std::round(static_cast<double>(value) * 100) / 100;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rounded + 0.0,
                                 std::chars_format::fixed, rounded == std::round(rounded) ? 0 : 2);
  std::string text(digits.data(), end.ptr);
  if (text.find('.') != std::string::npos && text.back() == '0') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}
std::string attribute(const char* name, float value) { return attribute(name, number(value)); }

std::string place(const Box& box) {
  return attribute("x", box.x) + attribute("y", box.y) + attribute("width", box.width) +
         attribute("height", box.height);
}

// `what` is "fill", "stroke" or "stop": its colour, and its opacity where it is not opaque.
std::string paint(const std::string& what, Rgba c) {
  constexpr char hex[] = "0123456789abcdef";
  std::string color = "#";
  for (const int v : {c.r, c.g, c.b}) color += {hex[v >> 4], hex[v & 15]};
  std::string text = attribute((what == "stop" ? "stop-color" : what).c_str(), color);
  if (c.a < 255) text += attribute((what + "-opacity").c_str(), c.a / 255.0f);
  return text;
}

std::string stroked(Rgba color, float width) {
  return attribute("fill", "none") + paint("stroke", color) + attribute("stroke-width", width);
}

std::string list(std::span<const Point> points) {
  std::string text;
  for (const Point& p : points) text += (text.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
  return text;
}

std::string rounding(const Box& box, float radius) {
  const float r = std::min({radius, box.width / 2, box.height / 2});
  return r > 0 ? attribute("rx", r) : "";
}

// A family's name between CSS's quotes.
std::string quoted(std::string family) {
  std::erase_if(family, [](char c) { return c == '\'' || c == '\\' || c == '<' || c == '\n'; });
  return "'" + family + "'";
}

// The families a text asks for, in order: the ones built in, then those of the system that it is drawn with,
// then whatever the reader's system has.
std::string familiesOf(FontFace face, const ShapedText& text) {
  const bool mono = face == FontFace::Mono;
  std::string families = mono ? "'JetBrains Mono', 'DejaVu Sans Mono'" : "Inter, 'DejaVu Sans'";
  for (const ShapedRun& run : text.runs)
    if (families.find(run.font->family()) == std::string::npos) families += ", " + quoted(run.font->family());
  return xmlText(families + (mono ? ", monospace" : ", sans-serif"));
}

const char* weightOf(const Font& font) { return font.name() == "fonts/strong" ? "600" : "400"; }

// "OTTO" begins a file with PostScript outlines.
const char* typeOf(std::string_view file) { return file.starts_with("OTTO") ? "otf" : "ttf"; }

// Fonts for code and interfaces draw "<|" and "->" as one sign. Where such characters meet, the second one
// stands in a span of its own: nobody joins letters across spans. (The embedded subsets cannot, but viewers
// that know only installed fonts would, and few of them obey font-variant-ligatures.)
std::string unjoined(std::string_view text) {
  const auto joins = [](char c) {
    return std::string_view("-<>=|!:~*+/#&.?^$%@\\{}[]_;").find(c) != std::string_view::npos;
  };
  std::string elements;
  std::size_t from = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (!joins(text[i]) || !joins(text[i - 1])) continue;
    elements += xmlText(text.substr(from, i - from)) + "<tspan>" + xmlText(text.substr(i, 1)) + "</tspan>";
    from = i + 1;
  }
  return elements + xmlText(text.substr(from));
}

// Each word of a long line has its own place: viewers that kern although font-kerning says none would else
// push its end some pixels aside. Labels stay whole, they are easier to edit.
std::string placedWords(const PlacedText& text, const FigureFonts& fonts) {
  constexpr std::size_t label = 40;  // bytes
  if (text.anchor != Align::Start || text.text.size() <= label) return unjoined(text.text);
  const std::string_view line = text.text;
  const float start = text.upright ? 0 : text.at.x;
  std::string elements;
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t to = std::min(line.find_first_not_of(' ', line.find(' ', from)), line.size());
    const std::string characters = unjoined(line.substr(from, to - from));
    const float x = start + fonts.width(line.substr(0, from), text.style.face, text.style.size);
    elements += from ? "<tspan" + attribute("x", x) + ">" + characters + "</tspan>" : characters;
    from = to;
  }
  return elements;
}

// Text that runs from right to left starts at its right end.
std::string anchored(Align anchor, bool rightToLeft) {
  const std::string direction = rightToLeft ? attribute("direction", "rtl") : "";
  if (anchor == Align::Middle) return direction + attribute("text-anchor", "middle");
  return direction + ((anchor == Align::Start) == rightToLeft ? attribute("text-anchor", "end") : "");
}

}  // namespace

std::string xmlText(std::string_view text) {
  std::string quoted;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = codePointAt(text, i);
    const std::string_view bytes = text.substr(i, static_cast<std::size_t>(c.bytes));
    i += static_cast<std::size_t>(c.bytes);
    if (c.value < 32 || c.value == 0xFFFE || c.value == 0xFFFF)
      quoted += "\xEF\xBF\xBD";
    else if (c.value == '&')
      quoted += "&amp;";
    else if (c.value == '<')
      quoted += "&lt;";
    else if (c.value == '>')
      quoted += "&gt;";
    else if (c.value == '"')
      quoted += "&quot;";
    else
      quoted += bytes;
  }
  return quoted;
}

void SvgPen::rectangle(const Box& box, float radius, Rgba fill) {
  body_ += "<rect" + place(box) + rounding(box, radius) + paint("fill", fill) + "/>\n";
}

void SvgPen::frame(const Box& box, float radius, Rgba color, float width) {
  body_ += "<rect" + place(box) + rounding(box, radius) + stroked(color, width) + "/>\n";
}

void SvgPen::polyline(std::span<const Point> points, Rgba color, float width) {
  if (points.size() < 2 || !color.a) return;
  body_ += "<polyline" + attribute("points", list(points)) + stroked(color, width) +
           attribute("stroke-linejoin", "round") + "/>\n";
}

void SvgPen::polygon(std::span<const Point> points, Rgba fill) {
  body_ += "<polygon" + attribute("points", list(points)) + paint("fill", fill) + "/>\n";
}

// Reaches a quarter of a pixel under what is drawn next.
void SvgPen::facet(std::span<const Point> points, Rgba fill) {
  body_ += "<polygon" + attribute("points", list(points)) + paint("fill", fill) + paint("stroke", fill) +
           attribute("stroke-width", 0.5f) + attribute("stroke-linejoin", "round") + "/>\n";
}

void SvgPen::bezier(const std::array<Point, 4>& p, Rgba color, float width) {
  body_ += "<path" + attribute("d", "M" + list(std::span(p).first(1)) + " C" + list(std::span(p).last(3))) +
           stroked(color, width) + "/>\n";
}

void SvgPen::gradient(const Box& box, bool vertical, std::span<const Rgba> colors) {
  const std::string name = "gradient" + std::to_string(++names_) + idEnd;
  body_ += "<linearGradient" + attribute("id", name) +
           (vertical ? " x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">" : " x1=\"0\" y1=\"0\" x2=\"1\" y2=\"0\">");
  for (std::size_t i = 0; i < colors.size(); ++i)
    body_ += "<stop" +
             attribute("offset",
                       number(100 * static_cast<float>(i) / static_cast<float>(colors.size() - 1)) + "%") +
             paint("stop", colors[i]) + "/>";
  body_ += "</linearGradient>\n<rect" + place(box) + attribute("fill", "url(#" + name + ")") + "/>\n";
}

void SvgPen::cells(const Box& box, const CellColors& colors) {
  if (!asRectangles(colors)) return image(box, colors);
  body_ += "<g" + attribute("shape-rendering", "crispEdges") + ">\n";
  forEachRun(box, colors, [&](const Box& run, Rgba fill) { rectangle(run, 0, fill); });
  body_ += "</g>\n";
}

// Enlarged besides being marked as pixelated: not every viewer heeds the mark.
void SvgPen::image(const Box& box, const CellColors& colors) {
  const CairoSurface cells = cellImage(colors, enlargementOf(box, colors));
  body_ += "<image" + place(box) + attribute("preserveAspectRatio", "none") +
           attribute("style", "image-rendering:optimizeSpeed;image-rendering:pixelated") +
           attribute("xlink:href", "data:image/png;base64," + base64(pngBytesOf(cells.get()))) + "/>\n";
}

void SvgPen::use(const ShapedRun& run, std::string_view text) {
  UsedFont& used = used_[run.font->name()];
  used.font = run.font->shared_from_this();
  used.shaped |= needsShaping(text.substr(run.begin, run.end - run.begin));
  for (std::size_t i = run.begin; i < run.end;) {
    const CodePoint c = codePointAt(text, i);
    i += static_cast<std::size_t>(c.bytes);
    used.characters.insert(c.value);
  }
}

void SvgPen::text(const PlacedText& text) {
  const ShapedText laid = fonts_.lettering().laidOut(text.text, text.style.face);
  for (const ShapedRun& run : laid.runs) use(run, text.text);
  body_ += "<text";
  if (text.upright)
    body_ +=
        attribute("transform", "translate(" + number(text.at.x) + " " + number(text.at.y) + ") rotate(-90)");
  else
    body_ += attribute("x", text.at.x) + attribute("y", text.at.y);
  body_ +=
      attribute("font-family", familiesOf(text.style.face, laid)) + attribute("font-size", text.style.size);
  if (text.style.face == FontFace::Strong) body_ += attribute("font-weight", "600");
  body_ += anchored(text.anchor, laid.rightToLeft) + paint("fill", text.style.color);
  if (needsShaping(text.text))
    body_ += attribute("style", "font-kerning:auto;font-variant-ligatures:normal") + ">" + xmlText(text.text);
  else
    body_ += ">" + placedWords(text, fonts_);
  body_ += "</text>\n";
}

void SvgPen::pushClip(const Box& box) {
  const std::string name = "clip" + std::to_string(++names_) + idEnd;
  body_ += "<clipPath" + attribute("id", name) + "><rect" + place(box) + "/></clipPath>\n<g" +
           attribute("clip-path", "url(#" + name + ")") + ">\n";
}

void SvgPen::pushPlacement(Point origin, float scale) {
  std::string transform = "translate(" + number(origin.x) + " " + number(origin.y) + ")";
  if (scale != 1) transform += " scale(" + std::to_string(scale) + ")";
  body_ += "<g" + attribute("transform", transform) + ">\n";
}

void SvgPen::pop() { body_ += "</g>\n"; }

std::string SvgPen::fontFaces() const {
  std::string rules;
  for (const auto& [name, used] : used_) {
    const std::string file = subsetFont(used.font->file(), used.characters, used.font->index(), used.shaped);
    if (file.empty()) continue;
    rules += "@font-face{font-family:" + quoted(used.font->family()) +
             ";font-weight:" + weightOf(*used.font) + ";src:url(data:font/" + typeOf(file) + ";base64," +
             base64(file) + ")}\n";
  }
  return rules;
}

}  // namespace glassformer
