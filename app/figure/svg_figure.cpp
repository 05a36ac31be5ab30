#include "app/figure/svg_figure.h"

#include <cstdio>
#include <optional>
#include <vector>

#include "app/figure/film.h"
#include "app/figure/svg_pen.h"
#include "core/io/checksum.h"

namespace glassformer {

namespace {

// With ids that no other file of the same page has: url(#clip1) would find the first of them.
std::string withOwnIds(const std::string& file) {
  const std::string ending = "-" + digitsOf(crc32Of(file));
  std::string own;
  for (const char c : file) own += c == SvgPen::idEnd ? ending : std::string(1, c);
  return own;
}

// What is drawn, in a file of the figure's printed size.
std::string svgFile(const Figure& figure, const SvgPen& pen, const std::string& body) {
  const Point size = figure.size.layout;
  const float perPixel = figure.size.millimetres / size.x;
  char root[256];
  std::snprintf(root, sizeof root,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                "xml:space=\"preserve\" width=\"%.2fmm\" height=\"%.2fmm\" viewBox=\"0 0 %g %g\">\n",
                static_cast<double>(figure.size.millimetres), static_cast<double>(size.y * perPixel),
                static_cast<double>(size.x), static_cast<double>(size.y));
  // White space counts, and letters stand as the window sets them: without kerning and ligatures.
  return withOwnIds("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + std::string(root) + "<title>" +
                    xmlText(figure.picture().title) + "</title>\n<desc>" + xmlText(figure.caption) +
                    "</desc>\n<style>\n" + pen.fontFaces() +
                    "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}\n</style>\n" + body +
                    "</svg>\n");
}

// Every frame is a group, seen in its share of the time (SMIL, SVG 1.1, 19): who does not know that shows the
// first. Title and description are the first frame's.
class SvgFilm final : public Film {
 public:
  SvgFilm(double seconds, const FigureFonts& fonts) : seconds_(seconds), fonts_(fonts), pen_(fonts) {}

  void add(const Figure& frame) override {
    const std::size_t begin = pen_.body().size();
    paintFigure(pen_, frame, fonts_);
    frames_.push_back(pen_.body().substr(begin));
    if (!first_) first_ = frame;
  }

  std::string end() override {
    std::string body;
    for (std::size_t i = 0; i < frames_.size(); ++i)
      body += "<g visibility=\"" + std::string(i == 0 ? "visible" : "hidden") + "\">" + turnOf(i) +
              frames_[i] + "</g>\n";
    return svgFile(*first_, pen_, body);
  }

 private:
  std::string turnOf(std::size_t i) const {
    const auto count = static_cast<double>(frames_.size());
    std::string values = "visible", times = std::to_string(static_cast<double>(i) / count);
    if (i > 0) values = "hidden;" + values, times = "0;" + times;
    if (i + 1 < frames_.size())
      values += ";hidden", times += ";" + std::to_string(static_cast<double>(i + 1) / count);
    return "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"" +
           std::to_string(seconds_ * count) + "s\" repeatCount=\"indefinite\" values=\"" + values +
           "\" keyTimes=\"" + times + "\"/>\n";
  }

  double seconds_;
  const FigureFonts& fonts_;
  SvgPen pen_;
  std::vector<std::string> frames_;
  std::optional<Figure> first_;
};

}  // namespace

std::string svgFigure(const Figure& figure, const FigureFonts& fonts) {
  SvgPen pen(fonts);
  paintFigure(pen, figure, fonts);
  return svgFile(figure, pen, pen.body());
}

std::unique_ptr<Film> svgFilm(float, double seconds, const FigureFonts& fonts) {
  return std::make_unique<SvgFilm>(seconds, fonts);
}

}  // namespace glassformer
