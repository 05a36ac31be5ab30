#pragma once
#include <memory>

#include "app/figure/figure.h"
#include "app/panels/ui.h"
#include "app/screen/gl.h"

namespace glassformer {

/// What a figure of the open view is drawn on, as the settings say: as large as in the window, or a preset.
/// `scale` is the window's.
FigureSize figureSheet(const Ui& ui, const FigureSettings& settings, float scale);

/// The figure that would be saved, drawn by the same code as its file, as large as its box allows. Laid out
/// and drawn anew only when what it shows changed.
class FigurePreview {
 public:
  /// Brings the figure up to date.
  void update(const Ui& ui, const FigureSize& size);
  void show(Ui& ui, const Box& where);
  /// The newest figure; also good for another thread.
  std::shared_ptr<const Figure> figure() const { return figure_; }

 private:
  struct Shown {  // what the figure was made of
    std::uint64_t workspace = 0, snapshot = 0;
    std::shared_ptr<const void> trace, beam, other, difference;
    Point layout;
    bool operator==(const Shown&) const = default;
  };

  FigureFonts fonts_;
  std::shared_ptr<const Figure> figure_;
  Shown shown_;
  Texture picture_;
  float pictureScale_ = 0;  // 0: not drawn yet
};

}  // namespace glassformer
