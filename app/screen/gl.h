#pragma once
#include <glad/gl.h>

#include <string>
#include <string_view>
#include <utility>

namespace glassformer {

/// OpenGL objects that delete themselves. All need the context current.

class Texture {
 public:
  Texture() = default;
  /// Storage without content; nearest filtering unless `smooth`.
  Texture(int width, int height, GLint internalFormat, GLenum format, GLenum type, bool smooth);
  ~Texture();
  Texture(Texture&& other) noexcept { swap(other); }
  Texture& operator=(Texture&& other) noexcept {
    swap(other);
    return *this;
  }

  /// `rowLength`: distance between rows in texels, 0 for packed.
  void upload(int x, int y, int width, int height, const void* texels, int rowLength = 0);
  GLuint name() const { return name_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  void swap(Texture& other) noexcept {
    std::swap(name_, other.name_), std::swap(width_, other.width_), std::swap(height_, other.height_);
    std::swap(format_, other.format_), std::swap(type_, other.type_);
  }
  GLuint name_ = 0;
  int width_ = 0, height_ = 0;
  GLenum format_ = 0, type_ = 0;
};

class Program {
 public:
  Program() = default;
  /// Compiles and links shaders that are part of the program; a failure is a bug and ends with the compiler's
  /// words. `attributes[i]` gets slot i.
  Program(std::string_view vertexSource, std::string_view fragmentSource,
          std::initializer_list<std::pair<const char*, GLuint>> attributes);
  ~Program();
  Program(Program&& other) noexcept { std::swap(name_, other.name_); }
  Program& operator=(Program&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }

  GLuint name() const { return name_; }
  GLint uniform(const char* uniform) const { return glGetUniformLocation(name_, uniform); }

 private:
  GLuint name_ = 0;
};

}  // namespace glassformer
