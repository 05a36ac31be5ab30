// The system's own window, on an X server of the test's.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "app/shell/surface.h"
#include "tests/app/shell/window_session.h"

using namespace glassformer;

namespace {

// From now on windows open there; false: there is no X server.
bool isShownOn(const Display& display) {
  ::setenv("DISPLAY", display.name().c_str(), 1);
  ::unsetenv("WAYLAND_DISPLAY");
  return display.name() != ":";
}

}  // namespace

TEST_CASE("a window with another context is where it was, as large, with its title", "[others]") {
  Display display;
  REQUIRE(isShownOn(display));
  auto opened = openWindow(800, 600, "Renewed");
  REQUIRE(opened);
  Surface& window = **opened;
  REQUIRE(display.awaitWindow("Renewed"));
  window.resize(900, 620);
  window.wait(0.2);
  const Point size = window.pixels();
  CHECK(size == Point{900, 620});
  CHECK_FALSE(window.isLost());
  REQUIRE(window.renew());
  window.wait(0.2);
  CHECK(window.pixels() == size);
  CHECK_FALSE(window.isLost());
  CHECK(display.awaitWindow("Renewed"));
  display.close();
  for (int i = 0; i < 50 && !window.closing(); ++i) window.wait(0.02);
  CHECK(window.closing());
}

TEST_CASE("a window is no larger than its monitor", "[others]") {
  Display display;  // of 1280 × 800
  REQUIRE(isShownOn(display));
  auto opened = openWindow(1600, 1000, "Bounded");
  REQUIRE(opened);
  REQUIRE(display.awaitWindow("Bounded"));
  (*opened)->wait(0.2);
  CHECK((*opened)->pixels() == Point{1280, 800});
}
