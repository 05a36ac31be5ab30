// The loss landscape in the real interface: turned, seen from above, measured otherwise, compared.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <thread>

#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options openedLandscape(int width = 1280, int height = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.look.dark = dark;
  options.workspace.view = "landscape";
  options.workspace.settings.landscape.side = 13;
  return options;
}

const LandscapeSettings& landscapeSettings(const UiDriver& ui) { return ui.workspace().settings.landscape; }

void look(UiDriver& ui, const std::string& name) {
  ui.hover("Stage view", 0.01f, 0.01f);
  ui.screenshot("landscape_" + name);
  INFO(name);
  CHECK(ui.layoutFaults().substr(0, 400) == "");
}

}  // namespace

TEST_CASE("the landscape in two sizes and both themes: surface, map, logarithmic") {
  UiDriver ui(openedLandscape());
  const auto lookAt = [&](const std::string& what) {
    ui.inEveryLook([&](const std::string& seen) { look(ui, what + "_" + seen); });
  };
  lookAt("surface");
  ui.click("Logarithmic");
  lookAt("logarithmic");
  ui.click("Stage/Contour map");
  lookAt("map");
}

TEST_CASE("dragging and the arrow keys turn the surface, a double click turns it back") {
  UiDriver ui(openedLandscape());
  const LandscapeSettings first = landscapeSettings(ui);
  ui.drag("loss surface", 120, 0);
  CHECK(landscapeSettings(ui).angle.yaw > first.angle.yaw + 20);  // the front follows the pointer
  CHECK(landscapeSettings(ui).angle.pitch == Approx(first.angle.pitch).margin(1));
  ui.drag("loss surface", 0, 60);
  CHECK(landscapeSettings(ui).angle.pitch > first.angle.pitch + 5);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("landscape_turned");
  const float yaw = landscapeSettings(ui).angle.yaw;
  const std::string step = ui.workspace().step;
  ui.hover("loss surface");
  ui.press(ImGuiKey_RightArrow);
  CHECK(landscapeSettings(ui).angle.yaw != yaw);
  ui.press(ImGuiKey_DownArrow);
  CHECK(ui.workspace().step == step);
  CHECK(ui.workspace().view == "landscape");
  ui.doubleClick("loss surface", 0.3f, 0.4f);  // not where the drags began: their clicks count
  CHECK(landscapeSettings(ui).angle.yaw == Approx(first.angle.yaw));
  CHECK(landscapeSettings(ui).angle.pitch == Approx(first.angle.pitch));
}

TEST_CASE("nothing that is written lies on something else, whichever way it is turned") {
  UiDriver::Options options = openedLandscape();
  options.workspace.settings.landscape.side = 5;
  UiDriver ui(options);
  ui.hover("loss surface", 0.02f, 0.02f);
  for (int down = 0; down < 2; ++down) {
    for (int turn = 0; turn < 36; ++turn) {
      ui.press(ImGuiKey_RightArrow);
      INFO(landscapeSettings(ui).angle.yaw << " " << landscapeSettings(ui).angle.pitch);
      CHECK(ui.layoutFaults().substr(0, 300) == "");
    }
    for (int i = 0; i < 20; ++i) ui.press(down == 0 ? ImGuiKey_UpArrow : ImGuiKey_DownArrow);
  }
  CHECK(landscapeSettings(ui).angle.pitch == SurfaceAngle::mostPitch);
}

TEST_CASE("the cell under the pointer is the one that is seen there") {
  UiDriver ui(openedLandscape());
  ui.hover("loss surface", 0.5f, 0.55f);
  const TensorRef cell = ui.app().hover().cell;
  CHECK(cell.tensor == "landscape.loss");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("a = "));
  ui.screenshot("landscape_pointed");
  ui.hover("loss surface", 0.5f, 0.75f);
  CHECK(ui.app().hover().cell != cell);
  ui.click("Stage/Contour map");
  ui.hover("loss map", 0.01f, 0.01f);
  CHECK(ui.app().hover().cell.index == std::array<int, maxRank>{0, 0, 0, 0});
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("a = −1, b = 1"));
}

TEST_CASE("what is measured is chosen: reach, points, directions") {
  UiDriver ui(openedLandscape());
  const auto losses = [&] { return (*ui.snapshot().kept.measured)["landscape.loss"].copy(); };
  const auto first = losses();
  ui.click("Other directions");
  ui.settle();
  CHECK(landscapeSettings(ui).seed == 2);
  CHECK(losses() != first);
  ui.click("± 2");
  ui.settle();
  CHECK((*ui.snapshot().kept.measured)["landscape.a"](0) == -2);
  ui.click("25²");
  ui.settle();
  CHECK((*ui.snapshot().kept.measured)["landscape.loss"].extent[0] == 25);
}

TEST_CASE("without residual connections and with them: side by side on one scale, turned together") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options = openedLandscape(1920, 1080, dark);
    options.workspace.changes = {{"residual", "no"}};
    options.workspace.comparison.with = Comparison::asLoaded;
    UiDriver ui(options);
    REQUIRE(ui.snapshot().other);
    look(ui, std::string("compared_1920_") + (dark ? "dark" : "light"));
    ui.drag("Stage view", 100, 0);
    CHECK(landscapeSettings(ui).angle.yaw != SurfaceAngle{}.yaw);
    look(ui, std::string("compared_turned_") + (dark ? "dark" : "light"));
  }
  UiDriver::Options options = openedLandscape();
  options.workspace.changes = {{"weights", "random 3"}};
  options.workspace.comparison = {Comparison::asLoaded, ComparisonMode::Difference};
  UiDriver ui(options);
  REQUIRE(ui.snapshot().difference);
  CHECK(ui.exists("loss map"));
  look(ui, "difference_1280_dark");
}

TEST_CASE("a model whose data nobody knows says what to do") {
  UiDriver::Options options = openedLandscape();
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    LoadedModel model = makeSmallModel(name);
    model.task = nullptr;
    return model;
  };
  UiDriver ui(options);
  look(ui, "no_data");
}

TEST_CASE("while the landscape is measured its controls can be used: the note stands below the picture") {
  UiDriver::Options options = openedLandscape();
  options.loader = [](const std::string& name, const ProgressCallback&) {
    return makeSmallModel(name, 32, 4, 256);
  };
  UiDriver ui(options);
  ui.waitForEngine(false);
  ui.click("51²");
  for (int i = 0; i < 500 && !ui.exists("Progress/Cancel"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ui.frames(1);
  }
  const float top = ui.find("Progress/Cancel").min.y;
  for (const char* control : {"Other directions", "± 1", "51²", "Stage view"})
    CHECK(ui.find(control).max.y <= top);
  ui.press(ImGuiKey_Escape);
  ui.waitForEngine(true);
}
