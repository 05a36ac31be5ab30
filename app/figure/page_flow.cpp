#include "app/figure/page_flow.h"

#include <utility>

namespace glassformer {

namespace {

float middleOf(const Shape& shape) {
  if (const auto* text = std::get_if<Text>(&shape)) return text->at.y;
  const auto* rect = std::get_if<Rect>(&shape);
  return rect ? rect->box.center().y : 0;
}
Shape lowered(Shape shape, Point by) {
  if (auto* text = std::get_if<Text>(&shape)) text->at.x += by.x, text->at.y += by.y;
  if (auto* rect = std::get_if<Rect>(&shape)) rect->box.x += by.x, rect->box.y += by.y;
  return shape;
}

}  // namespace

Theme paperTheme() {
  Theme white = lightTheme();
  white.ground = rgb(0xFFFFFF);
  return white;
}

Text lineOfText(Point at, const std::string& words, FontFace face, float size, Rgba color) {
  Text text;
  text.at = at, text.text = words, text.style = {face, size, color};
  return text;
}

void Strip::append(Strip more, float gap) {
  if (more.height <= 0) return;
  height += gap;
  for (Shape& shape : more.shapes) shapes.push_back(lowered(std::move(shape), {0, height}));
  for (const float cut : more.cuts) cuts.push_back(height + cut);
  height += more.height;
}

float Strip::cutAfter(float from, float room) const {
  float last = -1;
  for (const float cut : cuts)
    if (cut > from && (last < 0 || cut <= from + room)) last = cut;
  return last < 0 || height <= from + room ? height : last;
}

void Strip::put(Page& page, float from, float to, Point at) const {
  for (const Shape& shape : shapes)
    if (const float y = middleOf(shape); y >= from && y < to)
      page.words.shapes.push_back(lowered(shape, {at.x, at.y - from}));
  for (LaidPage::Picture placed : pictures)
    if (placed.box.y >= from && placed.box.y < to) {
      placed.box.x += at.x, placed.box.y += at.y - from;
      page.pictures.push_back(std::move(placed));
    }
}

void PaperFlow::beginPage() {
  pages_.emplace_back();
  y_ = Paper::margin;
  page()
      .words
      .add(lineOfText({Paper::size.x - Paper::margin, Paper::size.y - Paper::margin + 16},
                      std::to_string(pages_.size()), FontFace::Ui, 12, paperTheme().quiet))
      .horizontal = Align::End;
}

void PaperFlow::makeRoom(float height) {
  if (y_ + height > Paper::end) beginPage();
}

void PaperFlow::flow(const Strip& strip, float x) {
  for (float from = 0; from < strip.height;) {
    float to = strip.cutAfter(from, Paper::end - y_);
    if (y_ + to - from > Paper::end && y_ > Paper::margin) {
      beginPage();
      to = strip.cutAfter(from, Paper::end - y_);
    }
    strip.put(page(), from, to, {x, y_});
    y_ += to - from, from = to;
    if (from < strip.height) beginPage();
  }
}

std::string PaperFlow::pdf(const std::string& title, const std::string& subject,
                           const FigureFonts& fonts) const {
  return pdfOfPages(pages_, {"", "", "", Paper::size, Paper::millimetres}, title, subject, paperTheme(),
                    fonts);
}

}  // namespace glassformer
