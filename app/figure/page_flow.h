#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/figure/pages.h"
#include "app/lesson/manual_pages.h"

namespace glassformer {

/// A sheet of A4 in pixels of its layout.
struct Paper {
  static constexpr Point size{794, 1123};
  static constexpr float millimetres = 210, margin = 56, text = 14, width = size.x - 2 * margin,
                         end = size.y - margin - 40;
};

/// The light theme on white paper.
Theme paperTheme();

/// Words and pictures from top to bottom, and where they may be cut and continue on another page.
struct Strip {
  std::vector<Shape> shapes;
  std::vector<float> cuts;
  float height = 0;
  std::vector<LaidPage::Picture> pictures = {};

  void append(Strip more, float gap = 0);
  /// The last cut so that no more than `room` lies before it; what cannot be cut is put whole.
  float cutAfter(float from, float room) const;
  /// Puts what lies between two cuts onto a page.
  void put(Page& page, float from, float to, Point at) const;
};

/// Pages of paper that fill from top to bottom, each with its number.
class PaperFlow {
 public:
  void beginPage();
  /// A new page, unless there is room for so much.
  void makeRoom(float height);
  /// Down the page, and on others.
  void flow(const Strip& strip, float x = Paper::margin);

  Page& page() { return pages_.back(); }
  float y() const { return y_; }
  void skip(float height) { y_ += height; }
  std::string pdf(const std::string& title, const std::string& subject, const FigureFonts& fonts) const;

 private:
  std::vector<Page> pages_;
  float y_ = Paper::margin;  // down to where the page is full
};

/// A line of text by its left end and the middle of its height.
Text lineOfText(Point at, const std::string& words, FontFace face, float size, Rgba color);

}  // namespace glassformer
