// A head for classes beside the unembedding: built in, seen, and taken back.
#include <catch2/catch_test_macros.hpp>

#include "app/document/steps.h"
#include "app/engine/model_library.h"
#include "core/model/head.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("a model is given classes, and shows them in its map, its steps and beside the next token") {
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    UiDriver::Options options;
    options.width = width, options.height = height;
    options.workspace.look.dark = width == 1280;
    options.workspace.changes = {{"num_labels", "4"}, {"first_label_token", "300"}, {"pooling", "mean"}};
    options.workspace.view = "next_token", options.workspace.settings.pictures["next_token"] = "classes";
    UiDriver ui(options);
    CHECK(ui.texts().find("a head of their own reads the mean") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("classes_" + std::to_string(width));
    const auto& steps = stepsOf(*ui.snapshot().model->transformer);
    ui.click("map " + std::to_string(steps.size() - 2));
    CHECK(ui.workspace().step == "class_head.hook_pooled");
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("classes read off: the last token");
    ui.press(ImGuiKey_Enter);
    CHECK(ui.snapshot().model->config->pooling == Pooling::Last);
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("steps view");
    ui.press(ImGuiKey_Enter);
    ui.click("map " + std::to_string(steps.size() - 2));
    CHECK(ui.workspace().step == classLogits);
    CHECK(ui.texts().find("u_C = n · W_Cᵀ") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("classes_step_" + std::to_string(width));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl), ui.press(ImGuiKey_Z, ImGuiMod_Ctrl),
        ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.snapshot().model->config->pooling == Pooling::Mean);
  }
}
