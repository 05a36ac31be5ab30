#include "app/screen/room_picture.h"

namespace glassformer {

RoomPicture::~RoomPicture() { release(); }

void RoomPicture::release() {
  for (Frame& frame : frames_) {
    if (frame.framebuffer) glDeleteFramebuffers(1, &frame.framebuffer);
    frame.framebuffer = 0, frame.texture = Texture();
  }
  pixels_ = {};
}

unsigned RoomPicture::begin(Point pixels) {
  if (pixels != pixels_) {
    pixels_ = pixels, isNew_ = true;
    for (Frame& frame : frames_) {
      frame.texture = Texture(static_cast<int>(pixels.x), static_cast<int>(pixels.y), GL_RGBA8, GL_RGBA,
                              GL_UNSIGNED_BYTE, true);
      if (!frame.framebuffer) glGenFramebuffers(1, &frame.framebuffer);
      glBindFramebuffer(GL_FRAMEBUFFER, frame.framebuffer);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, frame.texture.name(), 0);
    }
  }
  return frames_[now].framebuffer;
}

void RoomPicture::show(unsigned framebuffer, bool frozen) {
  if (!frozen || isNew_) copy(frames_[now].framebuffer, frames_[still].framebuffer);
  isNew_ = false;
  copy(frames_[still].framebuffer, framebuffer);
  glFlush();  // the other window's context reads it
}

void RoomPicture::copy(unsigned from, unsigned to) const {
  const auto width = static_cast<int>(pixels_.x), height = static_cast<int>(pixels_.y);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace glassformer
