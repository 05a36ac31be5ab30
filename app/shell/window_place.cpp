#include "app/shell/window_place.h"

#include <algorithm>

namespace glassformer {

WindowPlace placedIn(const WindowPlace& room, int width, int height, const WindowFrame& frame) {
  const int across = std::max(1, room.width - frame.left - frame.right);
  const int down = std::max(1, room.height - frame.top - frame.bottom);
  width = std::min(width, across), height = std::min(height, down);
  return {room.left + frame.left + (across - width) / 2, room.top + frame.top + (down - height) / 2, width,
          height};
}

}  // namespace glassformer
