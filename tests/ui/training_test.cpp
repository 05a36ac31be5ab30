// A model is trained in the real interface, and every view follows it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>

#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/views/views.h"
#include "core/lens/contributions.h"
#include "core/train/tasks/training_tasks.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/training_window.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
using State = RunReport::State;

TEST_CASE("a run is set up, started, paused, taken up and followed to its end") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  CHECK(ui.exists("Training bar/New run"));
  ui.screenshot("training_nothing");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.screenshot("training_setup");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Copy##task copy");
  setNumberOf(ui, "Training steps", "200");
  setNumberOf(ui, "Layers", "1");
  setNumberOf(ui, "Model dim", "32");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().training->run->step > 4; });
  CHECK(ui.workspace().model == "run:copy-1");
  CHECK(ui.workspace().text == "hello>");
  CHECK(ui.snapshot().model->config->width == 32);
  CHECK(ui.snapshot().training->run->state == State::Running);
  ui.click("Training bar/Pause");
  waitFor(ui, [&] { return ui.snapshot().training->run->state == State::Paused; });
  ui.settle();
  const int paused = ui.snapshot().training->run->step;
  ui.screenshot("training_paused");
  CHECK(ui.layoutFaults() == "");
  ui.click("Training bar/One step");
  waitFor(ui, [&] { return ui.snapshot().training->run->step == paused + 1; });
  ui.settle();
  CHECK(ui.snapshot().training->step == paused + 1);
  ui.press(ImGuiKey_Space, ImGuiMod_Ctrl);
  waitFor(ui, [&] { return ui.snapshot().training->run->state == State::Finished; });
  ui.settle();
  CHECK(ui.snapshot().training->run->step == 200);
  CHECK(ui.snapshot().training->step == 200);
}

TEST_CASE("a model of pictures says what it is shown, and attention lies on the picture") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), {.task = "pictures", .steps = 120});
  commands::setView("attention").apply(options.workspace);
  commands::choosePicture("attention", "sentence").apply(options.workspace);
  UiDriver ui(options);
  ui.settle();
  const Snapshot& snapshot = ui.snapshot();
  REQUIRE(snapshot.pass->trace);
  CHECK(ui.workspace().text == findTrainingTask("pictures")->prompt);
  CHECK(snapshot.pass->trace->tokenCount() == 21);
  CHECK(snapshot.model->entryLabel(likeliestEntry(*snapshot.pass->trace, 20)) == "o");  // a frame
  const auto corner = [&](const char* name) { return ui.find(name).min; };
  CHECK(corner("key 5").y > corner("key 4").y);  // the second row of patches
  CHECK(corner("key 5").x == corner("key 0").x);
  CHECK(corner("query 0").x > corner("key 4").x);  // who looks here stands beside where it looks
  ui.screenshot("training_pictures");
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("the landscapes of two runs stand side by side on one scale, one action and Start away") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path());
  options.workspace.settings.landscape.side = 5;
  UiDriver ui(options);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("loss surface with and without");
  ui.frames();
  ui.press(ImGuiKey_Enter);
  ui.frames();
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().training->run->step > 1; });
  CHECK(ui.workspace().view == "landscape");
  CHECK(ui.workspace().comparison.with == Comparison::otherRun);
  ui.press(ImGuiKey_Space, ImGuiMod_Ctrl);  // a run that stands still is measured
  const auto isMeasured = [&](const Snapshot* side) {
    return side && side->kept.measured && side->kept.measured->contains("landscape.loss");
  };
  waitFor(ui, [&] { return isMeasured(&ui.snapshot()) && isMeasured(ui.snapshot().other.get()); });
  CHECK(ui.snapshot().model->config->residual);
  CHECK_FALSE(ui.snapshot().other->model->config->residual);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("landscapes_of_residuals");
}

TEST_CASE("every picture of a run can be read, in both themes and any usual size") {
  const TemporaryFolder folder;
  TrainingPlan plan = quickPlan();
  plan.two = true, plan.otherChanges = {{"norm_placement", "post"}};
  UiDriver ui(onFinishedRun(folder.path(), plan));
  ui.inEveryLook([&](const std::string& look) {
    for (const char* layout : {"Learning curves", "Gradient norms", "Optimizer", "Held-out answers"}) {
      ui.click(std::string("Stage/") + layout);
      const std::string name = std::string("training_") + layout + "_" + look;
      INFO(name);
      ui.screenshot(name);
      CHECK(ui.layoutFaults() == "");
    }
  });
}

TEST_CASE("the slider shows every view as it was, and the keys go through what is kept") {
  const TemporaryFolder folder;
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  REQUIRE(ui.snapshot().training->step == 60);
  const float last = (*ui.snapshot().pass->trace)["logits"](0, 40);
  ui.click("history of the run", 0.25f);
  ui.settle();
  CHECK(ui.workspace().settings.training.at == 15);
  CHECK(ui.snapshot().training->step == 15);
  CHECK((*ui.snapshot().pass->trace)["logits"](0, 40) != last);
  ui.press(ImGuiKey_LeftArrow, ImGuiMod_Ctrl);
  ui.settle();
  CHECK(ui.snapshot().training->step == 14);
  ui.press(ImGuiKey_RightArrow, ImGuiMod_Ctrl);
  ui.settle();
  CHECK(ui.snapshot().training->step == 15);
  const ItemRecord strip = ui.find("history of the run");
  ui.drag(strip, (strip.max.x - strip.min.x) * 0.2f, 0);  // from its middle
  ui.settle();
  const int dragged = ui.snapshot().training->step;
  CHECK(dragged > 40);
  CHECK(dragged < 45);
  for (const View& view : views()) {
    ui.press(keyOfView(static_cast<int>(&view - views().data())));
    ui.settle();
    INFO(view.title);
    CHECK(ui.snapshot().training->step == dragged);
    CHECK(ui.layoutFaults() == "");
  }
  ui.click("Training bar/Latest");
  ui.settle();
  CHECK(ui.snapshot().training->step == 60);
  CHECK((*ui.snapshot().pass->trace)["logits"](0, 40) == last);
}

TEST_CASE("a run goes on from a step of its past, and the optimizer shows what it had then") {
  const TemporaryFolder folder;
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  CHECK(!ui.exists("Training bar/Branch here"));
  ui.click("history of the run", 0.25f);
  ui.settle();
  REQUIRE(ui.snapshot().training->step == 15);
  ui.click("Stage/Optimizer");
  ui.settle();
  REQUIRE(ui.snapshot().training->optimizer);
  CHECK(ui.snapshot().training->optimizerStep == 15);
  CHECK(!ui.snapshot().training->optimizer->contains("training.gradient"));
  const float moment = (*ui.snapshot().training->optimizer)["training.first_moment"](3, 4);
  for (const bool dark : {true, false}) {
    if (!dark) ui.press(ImGuiKey_T);
    ui.settle();
    ui.screenshot(std::string("training_past_") + (dark ? "dark" : "light"));
    CHECK(ui.layoutFaults() == "");
  }
  ui.click("Stage/Held-out answers");
  waitFor(ui, [&] { return ui.snapshot().training->answers != nullptr; });
  ui.settle();
  CHECK(ui.snapshot().training->answers->size() == ui.snapshot().training->side->answers.size());
  CHECK(ui.snapshot().training->answers->front().example.prompt ==
        ui.snapshot().training->side->answers.front().example.prompt);
  CHECK(ui.snapshot().training->answers->front().given !=
        ui.snapshot().training->side->answers.front().given);
  ui.screenshot("training_past_answers");
  CHECK(ui.layoutFaults() == "");
  ui.click("Stage/Optimizer");
  ui.click("Training bar/Branch here");
  waitFor(ui, [&] {
    return ui.workspace().model == "run:copy-2" && ui.snapshot().training->run->name == "run:copy-2";
  });
  ui.settle();
  CHECK(ui.snapshot().training->run->state == State::Paused);
  CHECK(ui.snapshot().training->run->step == 15);
  CHECK(ui.workspace().settings.training.at == TrainingSettings::newest);
  CHECK((*ui.snapshot().training->optimizer)["training.first_moment"](3, 4) == moment);
  ui.screenshot("training_branch");
  CHECK(ui.layoutFaults() == "");
  ui.click("Training bar/Train");
  waitFor(ui, [&] { return ui.snapshot().training->run->state == State::Finished; });
}

TEST_CASE("a run that is being prepared is cancelled with a key, and what was open stays") {
  const TemporaryFolder folder;
  std::promise<void> pressed;
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Stories##task stories");
  // Else it may be prepared before the key is pressed: it stands still as soon as it is begun.
  const auto isPressed = pressed.get_future().share();
  ui.training().tell([isPressed, drawing = std::this_thread::get_id()] {
    if (std::this_thread::get_id() != drawing) isPressed.wait_for(std::chrono::minutes(2));
  });
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.exists("Preparing stories"); });
  ui.press(ImGuiKey_Escape);
  pressed.set_value();
  ui.training().finish();
  ui.settle();
  CHECK(ui.app().message().empty());
  CHECK(ui.workspace().model == "run:copy-1");
  CHECK(ui.training().kept() == std::vector<std::string>{"run:copy-1"});
}

TEST_CASE("measuring what a run reached says how far it is, is cancelled and taken up again") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path());
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin({.task = "stories", .steps = 1})).apply(options.workspace);
    while (!training.progress() || training.progress()->done == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }  // closed before it was measured
  UiDriver ui(options);
  REQUIRE(ui.snapshot().training->run);
  CHECK(!ui.snapshot().training->run->measured);
  const auto mayMeasure = [&] { return ui.canClick(ui.find("Training bar/Evaluate")); };
  waitFor(ui, mayMeasure);  // the run is opened
  ui.screenshot("training_unmeasured");
  ui.click("Training bar/Evaluate");
  waitFor(ui, [&] { return ui.exists("Measuring on held-out data"); });
  ui.screenshot("training_measuring");
  CHECK(ui.layoutFaults() == "");
  ui.click("Cancel");
  ui.training().finish();
  ui.settle();
  CHECK(!ui.snapshot().training->run->measured);
  waitFor(ui, mayMeasure);
  ui.click("Training bar/Evaluate");
  ui.training().finish();
  ui.settle();
  CHECK(ui.snapshot().training->run->measured);
  CHECK(!ui.exists("Training bar/Evaluate"));
}

TEST_CASE("two runs are compared side by side and as a difference, at the same step") {
  const TemporaryFolder folder;
  TrainingPlan plan = quickPlan();
  plan.two = true, plan.otherSchedule = noWarmup;
  UiDriver ui(onFinishedRun(folder.path(), plan, 1920, 1080));
  ui.press(ImGuiKey_C);
  ui.settle();
  CHECK(ui.workspace().comparison.with == Comparison::otherRun);
  REQUIRE(ui.snapshot().other);
  CHECK(ui.snapshot().other->training->side.get() == &*ui.snapshot().training->run->other);
  ui.screenshot("training_two");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_1);
  ui.settle();
  ui.click("history of the run", 0.5f);
  ui.settle();
  ui.screenshot("training_two_attention");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_D);
  ui.settle();
  REQUIRE(ui.snapshot().difference);
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("heads that begin equal stay so, with noise beside it they part, and curves say it") {
  const TemporaryFolder folder;
  TrainingPlan plan = quickPlan(120);
  plan.numbers = {{"equal-heads", "1"}};
  plan.two = true, plan.otherNumbers = {{"equal-heads", "0.999"}};
  UiDriver ui(onFinishedRun(folder.path(), plan));
  const TensorSet& curves = *ui.snapshot().training->run->side.curves;
  const TensorSet& other = *ui.snapshot().training->run->other->curves;
  const TensorView apart = curves["training.heads_apart"], noisy = other["training.heads_apart"];
  for (int i = 0; i < apart.extent[0]; ++i) CHECK(apart(i) == 0);
  CHECK(noisy(0) > 0);
  CHECK(noisy(noisy.extent[0] - 1) > noisy(0));
  CHECK_THAT(ui.texts(), ContainsSubstring("Largest difference between heads"));
  ui.hover("heads apart", 0.6f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "training.heads_apart");
  const auto look = [&](const std::string& what) {
    ui.inEveryLook([&](const std::string& usual) {
      ui.hover("Stage view", 0.01f, 0.99f);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("training_" + what + "_" + usual);
    });
  };
  look("equal_heads");
  ui.click("LR schedule");
  CHECK_THAT(ui.texts(), ContainsSubstring("this run") && ContainsSubstring("512 : 4000"));
  ui.click("This run's");
  CHECK(ui.workspace().settings.chosen("training.schedule_steps") == "120");
  look("schedule");
}

TEST_CASE("the validation loss is measured against the size of the data") {
  const TemporaryFolder folder;
  UiDriver ui(onFinishedRun(folder.path(), quickPlan(160)));
  ui.settle();
  ui.click("Data scaling");
  waitFor(ui, [&] {
    const auto& measured = ui.snapshot().kept.measured;
    return measured && measured->contains("training.data_held_out") &&
           std::isfinite(measured->operator[]("training.data_held_out")(4));
  });
  ui.settle();
  const TensorSet& set = *ui.snapshot().kept.measured;
  const TensorView sequences = set["training.data_sequences"], heldOut = set["training.data_held_out"],
                   own = set["training.data_own"];
  const int batch = ui.snapshot().training->run->side.recipe.options.sequences;
  for (int cut = 0; cut < 5; ++cut) {
    CHECK(sequences(cut) == static_cast<float>(160 / (16 >> cut) * batch));
    CHECK(own(cut) < heldOut(cut) + 0.05f);
  }
  // What is lost on new data beside what was trained on: the more data, the less.
  INFO(heldOut(0) << " " << own(0) << " " << heldOut(4) << " " << own(4));
  CHECK(heldOut(4) - own(4) < heldOut(0) - own(0));
  ui.hover("data, 8", 0.5f, 0.5f);
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("validation loss"));
  ui.hover("Stage view", 0.01f, 0.99f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("training_data_1280");
}
