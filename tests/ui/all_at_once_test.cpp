// One token at a time and all at once: decoding against one pass, and what training compares at every place.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <tuple>

#include "app/document/model_commands.h"
#include "app/engine/model_library.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options showing(const char* view, const char* picture, int width, bool dark, const char* model) {
  UiDriver::Options options{.width = width, .height = width == 1280 ? 720 : 1080};
  commands::setModel(model).apply(options.workspace);
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  options.workspace.view = view, options.workspace.settings.pictures[view] = picture;
  if (options.workspace.model == "translate") options.workspace.text = "Anna sagt, dass er das Fenster";
  options.loader = [library = ModelLibrary(SOURCE_FOLDER "/build")](const std::string& name,
                                                                    const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  return options;
}

}  // namespace

TEST_CASE("one token at a time against all at once, and the text shifted by one, in every look") {
  for (const auto& [model, width, dark] :
       {std::tuple{"stories", 1280, true}, {"translate", 1280, false}, {"translate", 1920, true}}) {
    const std::string look = std::string(model) + "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    INFO(look);
    {
      UiDriver ui(showing("cost", "one by one", width, dark, model));
      ui.hover("largest difference");
      CHECK_THAT(ui.tooltip(), ContainsSubstring("against one pass"));
      ui.hover("Stage view", 0.02f, 0.98f);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("one_by_one_" + look);
    }
    UiDriver ui(showing("next_token", "shifted", width, dark, model));
    ui.hover("Stage/place 2");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("target"));
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("shifted_" + look);
    ui.click("Stage/place 2");
    CHECK(ui.workspace().selection.query == 2);
  }
}
