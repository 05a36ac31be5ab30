#pragma once
#include <vector>

#include "app/panels/panel.h"

namespace glassformer {

/// What a lecturer does in front of the picture: a spotlight that follows the pointer, a pen whose strokes
/// are never saved into anything, a black screen. All of it ends with the presentation.
class PresenterTools {
 public:
  enum class Tool { Spotlight, Pen, Black };

  void toggle(Tool tool);
  /// Esc takes the last one back; false where there was none.
  bool takeBack();
  void end() { *this = {}; }
  /// Over everything else, as large as the window.
  void show(Ui& ui, Point window);

 private:
  void draw(Ui& ui, Point window);

  bool spotlight_ = false, pen_ = false, black_ = false;
  std::vector<std::vector<Point>> strokes_;
};

}  // namespace glassformer
