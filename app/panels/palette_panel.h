#pragma once
#include <array>

#include "app/panels/overlay.h"
#include "app/panels/palette_entries.h"

namespace glassformer {

/// The command palette: everything that can be done and every place to go to, found by typing a part of its
/// name. Up and down choose, Enter does it.
class PalettePanel : public Overlay {
 public:
  PalettePanel() : Overlay("Palette") {}
  /// Opens with the parts of the model alone.
  void beginSwitchingOff();

 protected:
  Box place(const Ui& ui, Point window) const override;
  void content(Ui& ui, const Box& area) override;
  void reset() override;

 private:
  void showField(Ui& ui, const Box& box);
  void showEntry(Ui& ui, const PaletteEntry& entry, const Box& row, int index);
  void takeAhead();
  void handleKeys(int count, int rows);

  std::array<char, 128> typed_{};
  int answers_ = 0;             // of the last frame
  int chosen_ = 0, first_ = 0;  // of the entries that answer; the first one shown
  bool run_ = false;            // Enter was pressed
  bool isAhead_ = false;        // something was typed before the field had the keyboard
  bool switchesOff_ = false;    // nothing else is listed
};

}  // namespace glassformer
