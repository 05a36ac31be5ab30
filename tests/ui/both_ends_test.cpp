// The gradient at the vectors of tokens from both ends, in the real interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("both ends of E are seen in every look, and say their angle on hover") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options{.width = width, .height = height};
    commands::setModel("translate").apply(options.workspace);
    options.workspace.text = "Anna sagt, dass er das Fenster";
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    options.workspace.view = "tokens", options.workspace.settings.pictures["tokens"] = "both ends";
    options.loader = [library = ModelLibrary(SOURCE_FOLDER "/build")](const std::string& name,
                                                                      const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    UiDriver ui(options);
    CHECK_THAT(ui.texts(), ContainsSubstring("their sum, at E"));
    ui.hover("ends of ·dass");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("° between its two gradients"));
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("both_ends_" + std::to_string(width) + (dark ? "_dark" : "_light"));
  }
}
