#pragma once
#include <vector>

#include "app/panels/panel.h"

namespace glassformer {

/// What a lecturer does in front of the picture: a spotlight that follows the pointer, a pen whose strokes
/// are never saved into anything, a black screen, or a still one, behind which one goes on. All of it ends
/// with the presentation.
class PresenterTools {
 public:
  enum class Tool { Spotlight, Pen, Black, Freeze };

  void toggle(Tool tool);
  /// Esc takes the last one back; false where there was none.
  bool takeBack();
  void end() { *this = {}; }
  /// What the room sees instead of the picture: nothing, or the one before it was frozen.
  bool isBlack() const { return black_; }
  bool isFrozen() const { return frozen_; }
  /// Over everything else, as large as the window.
  void show(Ui& ui, Point window);

 private:
  void draw(Ui& ui, Point window);

  bool spotlight_ = false, pen_ = false, black_ = false, frozen_ = false;
  std::vector<std::vector<Point>> strokes_;
};

}  // namespace glassformer
