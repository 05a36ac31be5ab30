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
  /// `closes`: Esc closes it, for it lies above all others.
  void show(Ui& ui, Point window, bool closes = true);

 protected:
  /// Where it lies in a window of this size.
  virtual Box place(const Ui& ui, Point window) const = 0;
  /// A smaller window shows the panel smaller, so that all of it is in sight at any zoom.
  virtual Point leastWindow() const { return {}; }
  /// How much smaller that is in this frame: 1, or less.
  float shrunk() const { return shrunk_; }
  /// Whether what lies below is dimmed.
  virtual bool veils() const { return true; }
  /// Forgets what an earlier use left.
  virtual void reset() {}
  /// True in the first frame after it was opened: where a text field takes the keyboard.
  bool justOpened() const { return frames_ == 0; }
  Rgba background(const Theme& theme) const override { return theme.panel; }

 private:
  void drawShrunk(Ui& ui, Point window);

  bool open_ = false;
  float shrunk_ = 1;
  int frames_ = 0;  // drawn since it was opened
};

}  // namespace glassformer
