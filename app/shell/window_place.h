#pragma once

namespace glassformer {

/// What of the screen a window covers without what the system draws around it, or a monitor's room for
/// windows; in the system's coordinates, y downwards.
struct WindowPlace {
  int left = 0, top = 0, width = 0, height = 0;
  bool operator==(const WindowPlace&) const = default;
};

/// How thick what the system draws around a window is: its title bar and borders.
struct WindowFrame {
  int left = 0, top = 0, right = 0, bottom = 0;
};

/// In the middle of `room`, frame included, as large as wished and no larger than there is room.
WindowPlace placedIn(const WindowPlace& room, int width, int height, const WindowFrame& frame);

}  // namespace glassformer
