#include "app/figure/pdf_figure.h"

#include "app/figure/pages.h"

namespace glassformer {

std::string pdfFigure(const Figure& figure, const FigureFonts& fonts) {
  const Page page{{{figure, {0, 0}}}, {}};
  return pdfOfPages({&page, 1}, figure.size, figure.picture().title, figure.caption, figure.theme, fonts);
}

}  // namespace glassformer
