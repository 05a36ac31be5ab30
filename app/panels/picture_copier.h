#pragma once
#include <future>

#include "app/panels/figure_preview.h"
#include "core/result.h"

namespace glassformer {

/// Puts a picture, as a PNG file holds it, on the system's clipboard. GLFW knows texts alone, so xclip does
/// it, or wl-copy on Wayland: an error names the one that is missing.
Status putOnClipboard(const std::string& png);

/// Copies the open view as a figure, as the settings of the export say, on another thread.
class PictureCopier {
 public:
  void ask() { asked_ = true; }
  /// Once a frame: begins what was asked for, and says how it ended.
  void goOn(Ui& ui);

 private:
  bool asked_ = false;
  FigurePreview preview_;
  std::future<Status> copying_;
};

}  // namespace glassformer
