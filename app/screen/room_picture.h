#pragma once
#include <array>

#include "app/scene/geometry.h"
#include "app/screen/gl.h"

namespace glassformer {

/// The picture that a room is shown, as a texture: so that a speaker sees it in another window, and so that
/// the room can be left with a still one. Needs the room's context current, but for the texture.
class RoomPicture {
 public:
  RoomPicture() = default;
  ~RoomPicture();
  RoomPicture(const RoomPicture&) = delete;
  RoomPicture& operator=(const RoomPicture&) = delete;

  /// Lets go of all that it has on the graphics card. What was still is forgotten.
  void release();
  /// The framebuffer to draw the next frame into.
  unsigned begin(Point pixels);
  /// Shows the room that frame, or, frozen, the last one before it was frozen.
  void show(unsigned framebuffer, bool frozen);
  /// What is going on, whatever the room sees; bottom row first.
  unsigned texture() const { return frames_[now].texture.name(); }
  Point pixels() const { return pixels_; }

 private:
  static constexpr std::size_t now = 0, still = 1;
  struct Frame {
    Texture texture;
    GLuint framebuffer = 0;
  };
  void copy(unsigned from, unsigned to) const;

  std::array<Frame, 2> frames_;
  Point pixels_;
  bool isNew_ = false;  ///< of this size: there is no still picture yet
};

}  // namespace glassformer
