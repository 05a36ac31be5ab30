#pragma once
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "app/document/model_commands.h"
#include "core/train/training_numbers.h"
#include "tests/ui/ui_driver.h"

namespace glassformer {

inline UiDriver::Options optionsIn(const std::filesystem::path& runs, int width = 1280, int height = 720) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.runs = runs;
  options.workspace.view = "training";
  return options;
}

// A plan that is through in a moment, and is over its worst by then.
inline TrainingPlan quickPlan(int steps = 60) {
  TrainingPlan plan{.task = "copy", .steps = steps};
  plan.changes = {{"n_layer", "1"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  return plan;
}

// The window on a run that is over.
inline UiDriver::Options onFinishedRun(const std::filesystem::path& runs, TrainingPlan plan, int width = 1280,
                                       int height = 720) {
  UiDriver::Options options = optionsIn(runs, width, height);
  options.workspace.plan = plan;
  Training training({.folder = runs, .threads = 1});
  commands::setModel(training.begin(plan)).apply(options.workspace);
  training.finish();
  return options;
}

inline void setNumberOf(UiDriver& ui, const std::string& field, const char* number) {
  ui.click("Train a model/number##" + field);
  ui.type(number);
  ui.press(ImGuiKey_Tab);
}

// A minute at least, for other work may have the processors.
inline void waitFor(UiDriver& ui, const std::function<bool()>& there) {
  for (int i = 0; i < 12000 && !there(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ui.frames(1);
  }
  const auto run = ui.snapshot().training->run;
  INFO("message: " << ui.app().message() << ", problem: " << ui.training().problem()
                   << ", run: " << (run ? run->name + " at " + std::to_string(run->step) : "none"));
  REQUIRE(there());
}

// What is clicked to change a number, or a choice among names.
inline std::string fieldOf(const TrainingNumber& number) {
  return (number.names.empty() ? "number##" : "more##") + number.name;
}

}  // namespace glassformer
