#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/geometry.h"
#include "core/result.h"

namespace glassformer {

/// Something to draw on: a window, or a picture in memory for tests and machines without a display. Both give
/// an OpenGL 3.3 core context, current on the thread that opened it, and feed Dear ImGui's input.
class Surface {
 public:
  virtual ~Surface() = default;

  /// OpenGL draws here from now on.
  virtual void makeCurrent() = 0;
  /// Another one, which sees the textures of this one: a window on another monitor, where there is one.
  virtual Result<std::unique_ptr<Surface>> openBeside(int width, int height, const std::string& title) = 0;

  /// Connects to the current Dear ImGui context; undone by the destructor of the surface.
  virtual void attach() = 0;
  virtual void detach() = 0;
  /// Tells Dear ImGui the size and the time since the last frame.
  virtual void newFrame() = 0;
  /// Sleeps until something happens, or for so many seconds (negative: without limit).
  virtual void wait(double seconds) = 0;
  virtual void present() = 0;
  virtual bool closing() const = 0;
  virtual void close() = 0;
  virtual void keepOpen() = 0;  ///< although it was asked to close
  /// Closes it, as its monitor was unplugged.
  virtual void loseMonitor() = 0;
  virtual bool lostMonitor() const = 0;
  virtual void setTitle(const std::string& title) = 0;
  virtual void setFullScreen(bool on) = 0;
  virtual void resize(int width, int height) = 0;  ///< in pixels
  /// Files and folders dropped onto the window since the last call.
  virtual std::vector<std::filesystem::path> takeDropped() = 0;

  /// Whether the graphics card has been reset, or was taken away: nothing that was on it is there any more.
  virtual bool isLost() const = 0;
  /// Another OpenGL context, current, in place of the one there was, which nobody uses any more, nor a second
  /// window beside this one.
  virtual Status renew() = 0;

  virtual Point pixels() const = 0;          ///< size to draw at
  virtual float displayScale() const = 0;    ///< what the system enlarges everything by
  virtual unsigned framebuffer() const = 0;  ///< OpenGL name; 0 is the window
};

/// `width` and `height` in pixels at 100 %, or as much of that as the monitor has room for. Fails where there
/// is no display or no OpenGL 3.3.
Result<std::unique_ptr<Surface>> openWindow(int width, int height, const std::string& title);
/// Needs EGL without a display (Mesa); input comes from whoever drives it, time passes 1/60 s per frame.
Result<std::unique_ptr<Surface>> openHeadless(int width, int height);

/// Lets a sleeping window draw again; from any thread.
void wakeWindow();

}  // namespace glassformer
