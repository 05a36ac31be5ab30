#include <glad/gl.h>
// glad first: GLFW would bring the system's OpenGL header
#include <GLFW/glfw3.h>

#include <algorithm>
#include <set>
#include <span>

#include "app/shell/surface.h"
#include "app/shell/window_place.h"
#include "imgui.h"
#include "imgui_impl_glfw.h"

namespace glassformer {

namespace {

std::string lastGlfwError() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description ? description : "no reason given";
}

// With a context of its own, current, that says so when it is lost; not yet to be seen.
Result<GLFWwindow*> windowWithContext(int width, int height, const std::string& title, int scaleToMonitor) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, scaleToMonitor);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  glfwWindowHint(GLFW_VISIBLE, GLFW_TRUE);
  if (!window)
    return Error{"no OpenGL 3.3 here: " + lastGlfwError(), "graphics driver",
                 "update the graphics driver, or install Mesa's software renderer (libgl1-mesa-dri)"};
  glfwSetWindowSizeLimits(window, 720, 480, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window);
  if (!gladLoadGL(glfwGetProcAddress)) {
    glfwDestroyWindow(window);
    return Error{"the graphics driver's functions cannot be loaded", "graphics driver",
                 "update the graphics driver"};
  }
  glfwSwapInterval(1);
  return window;
}

// In the middle of the monitor, and no larger than there is room.
WindowPlace placeIn(GLFWmonitor* monitor, GLFWwindow* window) {
  WindowPlace room;
  WindowFrame frame;
  int width = 0, height = 0;
  glfwGetMonitorWorkarea(monitor, &room.left, &room.top, &room.width, &room.height);
  glfwGetWindowFrameSize(window, &frame.left, &frame.top, &frame.right, &frame.bottom);
  glfwGetWindowSize(window, &width, &height);
  return placedIn(room, width, height, frame);
}

void moveTo(const WindowPlace& place, GLFWwindow* window) {
  glfwSetWindowSize(window, place.width, place.height);
  glfwSetWindowPos(window, place.left, place.top);
}

// Where the system puts a new window, unless the monitor has no room for all of it.
void showWhole(GLFWwindow* window) {
  int width = 0, height = 0;
  glfwGetWindowSize(window, &width, &height);
  if (GLFWmonitor* const primary = glfwGetPrimaryMonitor()) {
    const WindowPlace place = placeIn(primary, window);
    if (place.width < width || place.height < height) moveTo(place, window);
  }
  glfwShowWindow(window);
}

// Wherever the keyboard's layout has its "+", with Ctrl it enlarges: Dear ImGui goes by where the key lies.
void passKey(GLFWwindow* window, int key, int code, int action, int modifiers) {
  const char* const sign = glfwGetKeyName(key, code);
  const bool isPlus = sign && sign == std::string_view("+");
  ImGui_ImplGlfw_KeyCallback(window, isPlus ? GLFW_KEY_KP_ADD : key, code, action, modifiers);
}

class WindowSurface : public Surface {
 public:
  explicit WindowSurface(GLFWwindow* window, bool isBeside = false) : isBeside_(isBeside) { take(window); }
  ~WindowSurface() override {
    open_.erase(window_);
    glfwDestroyWindow(window_);
    if (open_.empty()) glfwTerminate();
  }

  void makeCurrent() override { glfwMakeContextCurrent(window_); }
  Result<std::unique_ptr<Surface>> openBeside(int width, int height, const std::string& title) override {
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, window_);
    if (!window)
      return Error{"no second window can be opened: " + lastGlfwError(), "display", "continue without it"};
    // In full screen on one monitor, it stays when the other one gets the keyboard.
    glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    placeOnOtherMonitor(window);
    auto beside = std::make_unique<WindowSurface>(window, true);
    beside->makeCurrent();
    glfwSwapInterval(0);  // one of the two windows waits for its monitor
    makeCurrent();
    return std::unique_ptr<Surface>(std::move(beside));
  }

  void attach() override {
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    glfwSetKeyCallback(window_, passKey);
    glfwSetMonitorCallback(leaveUnplugged);  // in place of Dear ImGui's, which does nothing
  }
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
  bool isLost() const override {
    return GLAD_GL_ARB_robustness && glGetGraphicsResetStatusARB() != GL_NO_ERROR;
  }
  // A context belongs to its window for as long as that lives, and so there is another window.
  Status renew() override {
    GLFWmonitor* const filled = glfwGetWindowMonitor(window_);
    int place[4] = {};
    glfwGetWindowPos(window_, &place[0], &place[1]), glfwGetWindowSize(window_, &place[2], &place[3]);
    const auto window = windowWithContext(place[2], place[3], glfwGetWindowTitle(window_), GLFW_FALSE);
    if (!window) return window.error();
    open_.erase(window_);
    glfwDestroyWindow(window_);
    take(*window);
    glfwSetWindowPos(window_, place[0], place[1]);
    glfwShowWindow(window_);
    if (filled) glfwSetWindowMonitor(window_, filled, 0, 0, place[2], place[3], GLFW_DONT_CARE);
    return success();
  }
  void loseMonitor() override { lostMonitor_ = true, close(); }
  bool lostMonitor() const override { return lostMonitor_; }
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
    GLFWmonitor* monitor = monitorUnder(window_);
    if (!monitor) monitor = glfwGetPrimaryMonitor();
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
  void take(GLFWwindow* window) {
    window_ = window;
    open_.insert(window);
    glfwSetWindowUserPointer(window, this);
    glfwSetDropCallback(window, [](GLFWwindow* on, int count, const char** paths) {
      auto& self = *static_cast<WindowSurface*>(glfwGetWindowUserPointer(on));
      for (int i = 0; i < count; ++i) self.dropped_.emplace_back(paths[i]);
    });
  }

  static std::span<GLFWmonitor* const> monitors() {
    int count = 0;
    GLFWmonitor** all = glfwGetMonitors(&count);
    return {all, static_cast<std::size_t>(count)};
  }

  // The monitor that a window fills, or that its middle is on; null where it is on none.
  static GLFWmonitor* monitorUnder(GLFWwindow* window) {
    if (GLFWmonitor* filled = glfwGetWindowMonitor(window)) return filled;
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetWindowPos(window, &x, &y), glfwGetWindowSize(window, &width, &height);
    x += width / 2, y += height / 2;
    for (GLFWmonitor* monitor : monitors()) {
      int left = 0, top = 0;
      glfwGetMonitorPos(monitor, &left, &top);
      const GLFWvidmode* mode = glfwGetVideoMode(monitor);
      if (mode && x >= left && x < left + mode->width && y >= top && y < top + mode->height) return monitor;
    }
    return nullptr;
  }

  // On a monitor that this window is not on; where there is none, where the system puts it.
  void placeOnOtherMonitor(GLFWwindow* window) const {
    for (GLFWmonitor* monitor : monitors())
      if (monitor != monitorUnder(window_)) return moveTo(placeIn(monitor, window), window);
  }

  // The window comes back from a monitor that was unplugged to one that is there; what was beside it on
  // another monitor is not for the eyes of those who look at this one, and closes.
  static void leaveUnplugged(GLFWmonitor* /*changed*/, int /*event*/) {
    GLFWmonitor* primary = glfwGetPrimaryMonitor();
    for (GLFWwindow* window : open_) {
      if (!primary || monitorUnder(window)) continue;
      auto& self = *static_cast<WindowSurface*>(glfwGetWindowUserPointer(window));
      if (self.isBeside_)
        self.loseMonitor();
      else
        moveTo(placeIn(primary, window), window);
    }
  }

  static inline std::set<GLFWwindow*> open_;
  GLFWwindow* window_ = nullptr;
  bool isBeside_, lostMonitor_ = false;
  int place_[4] = {};  // before full screen: position and size
  std::vector<std::filesystem::path> dropped_;
};

}  // namespace

Result<std::unique_ptr<Surface>> openWindow(int width, int height, const std::string& title) {
  if (!glfwInit())
    return Error{"no window can be opened: " + lastGlfwError(), "display",
                 "is there a display, and is DISPLAY or WAYLAND_DISPLAY set?"};
  const auto window = windowWithContext(width, height, title, GLFW_TRUE);
  if (!window) {
    glfwTerminate();
    return window.error();
  }
  showWhole(*window);
  return std::unique_ptr<Surface>(new WindowSurface(*window));
}

void wakeWindow() { glfwPostEmptyEvent(); }

}  // namespace glassformer
