#pragma once
#include "app/panels/panel.h"

namespace glassformer {

/// A panel above the others: takes pointer and keyboard until it is closed by Esc, by a click beside it or by
/// what it does itself.
class Overlay : public Panel {
 public:
  using Panel::Panel;

  void open();
  void close() { open_ = false; }
  bool isOpen() const { return open_; }
  /// Draws itself, where it is open, over a veil that covers the window.
  void show(Ui& ui, Point window);

 protected:
  /// Where it lies in a window of this size.
  virtual Box place(const Ui& ui, Point window) const = 0;
  /// Whether what lies below is dimmed.
  virtual bool veils() const { return true; }
  /// Forgets what an earlier use left.
  virtual void reset() {}
  /// True in the first frame after it was opened: where a text field takes the keyboard.
  bool justOpened() const { return frames_ == 0; }
  Rgba background(const Theme& theme) const override { return theme.panel; }

 private:
  bool open_ = false;
  int frames_ = 0;  // drawn since it was opened
};

}  // namespace glassformer
