// Speculative decoding, in the window.
#include <catch2/catch_test_macros.hpp>

#include "app/document/draft_settings.h"
#include "app/engine/drafted_text.h"
#include "app/engine/model_library.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

// Any model that ships, by its name: the draft, too.
Result<LoadedModel> shipped(const std::string& name, const ProgressCallback& watch) {
  return ModelLibrary(SOURCE_FOLDER "/build").load(name, watch);
}

}  // namespace

TEST_CASE("what a draft proposes is looked at token by token, in every size and theme") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver::Options options{.width = width, .height = height, .loader = shipped};
    options.workspace.text = "The dog went to";
    options.workspace.view = "next_token", options.workspace.settings.pictures["next_token"] = "draft";
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    options.workspace.decoding.strategy = DecodingStrategy::Sampling, options.workspace.decoding.depth = 16;
    UiDriver ui(options);
    const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    REQUIRE(ui.exists("drafted 0"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("draft" + look);
    ui.click("drafted 0");
    CHECK(ui.workspace().settings.chosen(draftedChoice) == "0");
    CHECK(ui.texts().find("β = Σ min(p, q)") != std::string::npos);
    ui.click("First half");
    CHECK(ui.workspace().settings.chosen(draftedChoice).empty());
    ui.click("8");
    ui.settle();
    REQUIRE(ui.exists("drafted 0"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("draft_half" + look);
  }
}
