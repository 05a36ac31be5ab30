#ifdef GLASSFORMER_EGL
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/shell/surface.h"
#include "imgui.h"

namespace glassformer {

#ifdef GLASSFORMER_EGL

namespace {

class HeadlessSurface : public Surface {
 public:
  HeadlessSurface(EGLDisplay display, EGLConfig config, EGLContext context, int width, int height)
      : display_(display), config_(config), context_(context) {
    makeFramebuffer(width, height);
  }
  ~HeadlessSurface() override {
    makeCurrent();
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }

  void makeCurrent() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }
  Result<std::unique_ptr<Surface>> openBeside(int width, int height, const std::string&) override;
  void attach() override {}
  void detach() override {}
  void newFrame() override {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DeltaTime = 1.0f / 60;
  }
  void wait(double seconds) override {
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(std::min(seconds, 0.01)));
  }
  void present() override {}
  bool closing() const override { return closing_; }
  void close() override { closing_ = true; }
  void keepOpen() override { closing_ = false; }
  void loseMonitor() override { closing_ = lostMonitor_ = true; }
  bool lostMonitor() const override { return lostMonitor_; }
  bool isLost() const override { return false; }
  Status renew() override;
  void setTitle(const std::string&) override {}
  void setFullScreen(bool) override {}
  void resize(int width, int height) override {
    width_ = width, height_ = height;
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  }
  std::vector<std::filesystem::path> takeDropped() override { return {}; }
  Point pixels() const override { return {static_cast<float>(width_), static_cast<float>(height_)}; }
  float displayScale() const override { return 1; }
  unsigned framebuffer() const override { return framebuffer_; }

 private:
  // A surfaceless context has none by itself.
  void makeFramebuffer(int width, int height) {
    glGenRenderbuffers(1, &color_);
    HeadlessSurface::resize(width, height);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
  }

  EGLDisplay display_;
  EGLConfig config_;
  EGLContext context_;
  GLuint color_ = 0, framebuffer_ = 0;
  int width_ = 0, height_ = 0;
  bool closing_ = false, lostMonitor_ = false;
};

Error noHeadless(const std::string& what) {
  return {what, "headless graphics", "install Mesa's EGL (libegl1 and libgl1-mesa-dri)"};
}

EGLDisplay surfacelessDisplay() {
  const auto get =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  return get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : EGL_NO_DISPLAY;
}

// Of OpenGL 3.3; `shared`: whose textures it sees.
EGLContext contextFor(EGLDisplay display, EGLConfig config, EGLContext shared) {
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  return eglCreateContext(display, config, shared, version);
}

Status HeadlessSurface::renew() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  context_ = contextFor(display_, config_, EGL_NO_CONTEXT);
  if (context_ == EGL_NO_CONTEXT) return noHeadless("no further OpenGL context");
  makeCurrent();
  makeFramebuffer(width_, height_);
  return success();
}

Result<std::unique_ptr<Surface>> HeadlessSurface::openBeside(int width, int height, const std::string&) {
  const EGLContext beside = contextFor(display_, config_, context_);
  if (beside == EGL_NO_CONTEXT) return noHeadless("no second OpenGL context");
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, beside);
  auto surface = std::make_unique<HeadlessSurface>(display_, config_, beside, width, height);
  makeCurrent();
  return std::unique_ptr<Surface>(std::move(surface));
}

}  // namespace

Result<std::unique_ptr<Surface>> openHeadless(int width, int height) {
  const EGLDisplay display = surfacelessDisplay();
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
    return noHeadless("EGL without a display is not available");
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config{};
  EGLint count = 0;
  eglChooseConfig(display, wanted, &config, 1, &count);
  const EGLContext context = count ? contextFor(display, config, EGL_NO_CONTEXT) : EGL_NO_CONTEXT;
  if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return noHeadless("no OpenGL 3.3 context");
  if (!gladLoadGL([](const char* name) { return reinterpret_cast<GLADapiproc>(eglGetProcAddress(name)); }))
    return noHeadless("OpenGL's functions cannot be loaded");
  return std::unique_ptr<Surface>(new HeadlessSurface(display, config, context, width, height));
}

#else

Result<std::unique_ptr<Surface>> openHeadless(int, int) {
  return Error{"this build has no headless graphics", "", "build where EGL is installed"};
}

#endif

}  // namespace glassformer
