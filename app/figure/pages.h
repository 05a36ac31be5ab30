#pragma once
#include <span>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/lesson/manual_pages.h"

namespace glassformer {

/// A page of several figures and pictures, with words between them.
struct Page {
  struct Placed {
    Figure figure;
    Point at;
  };
  std::vector<Placed> figures;
  std::vector<LaidPage::Picture> pictures;
  Scene words;  ///< over all of it
};

/// Pages of one size as a PDF. `title` is what readers show as its name.
std::string pdfOfPages(std::span<const Page> pages, const FigureSize& size, const std::string& title,
                       const std::string& subject, const Theme& theme, const FigureFonts& fonts);

}  // namespace glassformer
