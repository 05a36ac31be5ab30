// The keys and values that decoding keeps, in the window.
#include <catch2/catch_test_macros.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("the cache is stepped through, in every size and theme") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options{.width = width, .height = height, .loader = storiesModel};
    options.workspace.text = "Once there was a girl called Lily.";
    options.workspace.view = "cost", options.workspace.settings.pictures["cost"] = "cache";
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    options.workspace.decoding.depth = 10;
    UiDriver ui(options);
    const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    const int prompt = static_cast<int>(ui.snapshot().pass->tokens.size());
    const std::string first = "cache step " + std::to_string(prompt - 1),
                      later = "cache step " + std::to_string(prompt + 3);
    REQUIRE(ui.exists(later));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("cache" + look);
    ui.click(later);
    CHECK(ui.workspace().settings.chosen("cost.step") == std::to_string(prompt + 3));
    CHECK(ui.texts().find(std::to_string(prompt + 3) + " rows read again, 1 computed") != std::string::npos);
    ui.click("Values");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("cache_values" + look);
    ui.click(first);
    CHECK(ui.texts().find("0 rows read again, " + std::to_string(prompt) + " computed") != std::string::npos);
  }
}
