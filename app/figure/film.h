#pragma once
#include <memory>
#include <string>

#include "app/figure/figure.h"

namespace glassformer {

/// One file that shows figures of the same size one after the other, again and again. Takes them one by one:
/// each may hold a model's whole trace.
class Film {
 public:
  virtual ~Film() = default;
  virtual void add(const Figure& frame) = 0;
  /// The whole file.
  virtual std::string end() = 0;
};

/// `seconds` is how long every frame is seen; `scale` counts where there are pixels.
std::unique_ptr<Film> svgFilm(float scale, double seconds, const FigureFonts& fonts);
std::unique_ptr<Film> gifFilm(float scale, double seconds, const FigureFonts& fonts);
/// A film of one frame.
std::string gifFigure(const Figure& figure, float scale, const FigureFonts& fonts);

}  // namespace glassformer
