#include "app/screen/gl.h"

#include <stdexcept>
#include <vector>

namespace glassformer {

namespace {

class BoundTexture {  // binds for a scope, and puts back what the renderer had bound
 public:
  explicit BoundTexture(GLuint name) {
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before_);
    glBindTexture(GL_TEXTURE_2D, name);
  }
  ~BoundTexture() { glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before_)); }

 private:
  GLint before_ = 0;
};

GLuint compiled(GLenum stage, std::string_view source) {
  const GLuint shader = glCreateShader(stage);
  const char* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader, 1, &text, &length);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  std::vector<char> log(2000);
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  throw std::runtime_error("the graphics driver refuses a shader: " + std::string(log.data()));
}

}  // namespace

Texture::Texture(int width, int height, GLint internalFormat, GLenum format, GLenum type, bool smooth)
    : width_(width), height_(height), format_(format), type_(type) {
  glGenTextures(1, &name_);
  const BoundTexture bound(name_);
  glTexImage2D(GL_TEXTURE_2D, 0, internalFormat, width, height, 0, format, type, nullptr);
  const GLint filter = smooth ? GL_LINEAR : GL_NEAREST;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

Texture::~Texture() {
  if (name_) glDeleteTextures(1, &name_);
}

void Texture::upload(int x, int y, int width, int height, const void* texels, int rowLength) {
  const BoundTexture bound(name_);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, rowLength);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, format_, type_, texels);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

Program::Program(std::string_view vertexSource, std::string_view fragmentSource,
                 std::initializer_list<std::pair<const char*, GLuint>> attributes)
    : name_(glCreateProgram()) {
  const GLuint vertex = compiled(GL_VERTEX_SHADER, vertexSource),
               fragment = compiled(GL_FRAGMENT_SHADER, fragmentSource);
  glAttachShader(name_, vertex);
  glAttachShader(name_, fragment);
  for (const auto& [attribute, slot] : attributes) glBindAttribLocation(name_, slot, attribute);
  glLinkProgram(name_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint ok = 0;
  glGetProgramiv(name_, GL_LINK_STATUS, &ok);
  if (!ok) throw std::runtime_error("the graphics driver cannot link a shader program");
}

Program::~Program() {
  if (name_) glDeleteProgram(name_);
}

}  // namespace glassformer
