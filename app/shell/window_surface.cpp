#include <glad/gl.h>
// glad first: GLFW would bring the system's OpenGL header
#include <GLFW/glfw3.h>

#include "app/shell/surface.h"
#include "imgui.h"
#include "imgui_impl_glfw.h"

namespace glassformer {

namespace {

std::string lastGlfwError() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description ? description : "no reason given";
}

class WindowSurface : public Surface {
 public:
  explicit WindowSurface(GLFWwindow* window) : window_(window) {
    ++windows_;
    glfwSetWindowUserPointer(window, this);
    glfwSetDropCallback(window, [](GLFWwindow* on, int count, const char** paths) {
      auto& self = *static_cast<WindowSurface*>(glfwGetWindowUserPointer(on));
      for (int i = 0; i < count; ++i) self.dropped_.emplace_back(paths[i]);
    });
  }
  ~WindowSurface() override {
    glfwDestroyWindow(window_);
    if (--windows_ == 0) glfwTerminate();
  }

  void makeCurrent() override { glfwMakeContextCurrent(window_); }
  Result<std::unique_ptr<Surface>> openBeside(int width, int height, const std::string& title) override {
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, window_);
    if (!window)
      return Error{"no second window can be opened: " + lastGlfwError(), "display", "go on without it"};
    // In full screen on one monitor, it stays when the other one gets the keyboard.
    glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    placeOnOtherMonitor(window);
    auto beside = std::make_unique<WindowSurface>(window);
    beside->makeCurrent();
    glfwSwapInterval(0);  // one of the two windows waits for its monitor
    makeCurrent();
    return std::unique_ptr<Surface>(std::move(beside));
  }

  void attach() override { ImGui_ImplGlfw_InitForOpenGL(window_, true); }
  void detach() override { ImGui_ImplGlfw_Shutdown(); }
  void newFrame() override { ImGui_ImplGlfw_NewFrame(); }
  void wait(double seconds) override {
    if (seconds < 0)
      glfwWaitEvents();
    else if (seconds == 0)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(seconds);
  }
  void present() override { glfwSwapBuffers(window_); }
  bool closing() const override { return glfwWindowShouldClose(window_); }
  void close() override { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
  void keepOpen() override { glfwSetWindowShouldClose(window_, GLFW_FALSE); }
  void setTitle(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }
  void resize(int width, int height) override { glfwSetWindowSize(window_, width, height); }
  std::vector<std::filesystem::path> takeDropped() override { return std::exchange(dropped_, {}); }
  void setFullScreen(bool on) override {
    if (on == (glfwGetWindowMonitor(window_) != nullptr)) return;
    if (!on) return glfwSetWindowMonitor(window_, nullptr, place_[0], place_[1], place_[2], place_[3], 0);
    glfwGetWindowPos(window_, &place_[0], &place_[1]);
    glfwGetWindowSize(window_, &place_[2], &place_[3]);
    GLFWmonitor* monitor = monitorBelow();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (mode) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

  Point pixels() const override {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {static_cast<float>(width), static_cast<float>(height)};
  }
  // Where window coordinates are points instead of pixels, Dear ImGui's framebuffer scale already covers the
  // difference.
  float displayScale() const override {
    float scale = 1, ignored = 1;
    glfwGetWindowContentScale(window_, &scale, &ignored);
    int width = 0, ignoredHeight = 0;
    glfwGetWindowSize(window_, &width, &ignoredHeight);
    return width > 0 ? scale * static_cast<float>(width) / std::max(pixels().x, 1.0f) : scale;
  }
  unsigned framebuffer() const override { return 0; }

 private:
  // In the middle of a monitor that this window is not on; where there is none, where the system puts it.
  void placeOnOtherMonitor(GLFWwindow* window) const {
    const GLFWmonitor* own = glfwGetWindowMonitor(window_);
    int count = 0, width = 0, height = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    glfwGetWindowSize(window, &width, &height);
    for (int i = 0; i < count; ++i) {
      int left = 0, top = 0, across = 0, down = 0;
      if (monitors[i] == (own ? own : monitorBelow())) continue;
      glfwGetMonitorWorkarea(monitors[i], &left, &top, &across, &down);
      return glfwSetWindowPos(window, left + (across - width) / 2, top + (down - height) / 2);
    }
  }

  // The monitor that the middle of the window is on, or was before full screen.
  GLFWmonitor* monitorBelow() const {
    const int x = place_[0] + place_[2] / 2, y = place_[1] + place_[3] / 2;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
      int left = 0, top = 0;
      glfwGetMonitorPos(monitors[i], &left, &top);
      const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
      if (mode && x >= left && x < left + mode->width && y >= top && y < top + mode->height)
        return monitors[i];
    }
    return glfwGetPrimaryMonitor();
  }

  static inline int windows_ = 0;
  GLFWwindow* window_;
  int place_[4] = {};  // before full screen: position and size
  std::vector<std::filesystem::path> dropped_;
};

}  // namespace

Result<std::unique_ptr<Surface>> openWindow(int width, int height, const std::string& title) {
  if (!glfwInit())
    return Error{"no window can be opened: " + lastGlfwError(), "display",
                 "is there a display, and is DISPLAY or WAYLAND_DISPLAY set?"};
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window) {
    const Error error{"no OpenGL 3.3 here: " + lastGlfwError(), "graphics driver",
                      "update the graphics driver, or install Mesa's software renderer (libgl1-mesa-dri)"};
    glfwTerminate();
    return error;
  }
  glfwSetWindowSizeLimits(window, 720, 480, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window);
  if (!gladLoadGL(glfwGetProcAddress)) {
    glfwDestroyWindow(window);
    glfwTerminate();
    return Error{"the graphics driver's functions cannot be loaded", "graphics driver",
                 "update the graphics driver"};
  }
  glfwSwapInterval(1);
  return std::unique_ptr<Surface>(new WindowSurface(window));
}

void wakeWindow() { glfwPostEmptyEvent(); }

}  // namespace glassformer
