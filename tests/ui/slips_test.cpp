// Formulas as they are often printed, beside what is meant.
#include <catch2/catch_test_macros.hpp>

#include "app/engine/model_library.h"
#include "app/views/steps/slips_picture.h"
#include "core/lens/slips.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("every slip is a click away and fits") {
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = width == 1280;
    options.loader = [](const std::string& model, const ProgressCallback&) {
      return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load(model);
    };
    options.workspace.view = "step", options.workspace.settings.pictures["step"] = "slips";
    UiDriver ui(options);
    for (const Slip& slip : slips()) {
      if (&slip != &slips().front()) ui.click(slip.label);
      INFO(slip.id << " " << width);
      CHECK(ui.texts().find(slip.printed) != std::string::npos);
      CHECK(ui.texts().find(slip.right) != std::string::npos);
      CHECK((&slip == &slips().front() || ui.workspace().settings.chosen(slipChoice) == slip.id));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("slip_" + std::string(slip.id) + "_" + std::to_string(width));
    }
  }
}
