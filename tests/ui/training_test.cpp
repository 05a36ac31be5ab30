// A model is trained in the real interface, and every view follows it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <fstream>
#include <set>
#include <thread>

#include "app/document/model_commands.h"
#include "app/document/training_presets.h"
#include "app/document/view_commands.h"
#include "app/views/views.h"
#include "core/lens/contributions.h"
#include "core/train/tasks/training_tasks.h"
#include "core/train/training_numbers.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
using State = RunReport::State;

namespace {

UiDriver::Options optionsIn(const std::filesystem::path& runs, int width = 1280, int height = 720) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.runs = runs;
  options.workspace.view = "training";
  return options;
}

// A plan that is through in a moment, and is over its worst by then.
TrainingPlan quickPlan(int steps = 60) {
  TrainingPlan plan{.task = "copy", .steps = steps};
  plan.changes = {{"n_layer", "1"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  return plan;
}

// The window on a run that is over.
UiDriver::Options onFinishedRun(const std::filesystem::path& runs, TrainingPlan plan, int width = 1280,
                                int height = 720) {
  UiDriver::Options options = optionsIn(runs, width, height);
  options.workspace.plan = plan;
  Training training({.folder = runs, .threads = 1});
  commands::setModel(training.begin(plan)).apply(options.workspace);
  training.finish();
  return options;
}

void setNumberOf(UiDriver& ui, const std::string& field, const char* number) {
  ui.click("Train a model/number##" + field);
  ui.type(number);
  ui.press(ImGuiKey_Tab);
}

void waitFor(UiDriver& ui, const std::function<bool()>& there) {
  for (int i = 0; i < 2000 && !there(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ui.frames(1);
  }
  const auto run = ui.snapshot().training->run;
  INFO("message: " << ui.app().message() << ", problem: " << ui.training().problem()
                   << ", run: " << (run ? run->name + " at " + std::to_string(run->step) : "none"));
  REQUIRE(there());
}

// What is clicked to change a number, or a choice among names.
std::string fieldOf(const TrainingNumber& number) {
  return (number.names.empty() ? "number##" : "more##") + number.name;
}

}  // namespace

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
  setNumberOf(ui, "Steps", "200");
  setNumberOf(ui, "Layers", "1");
  setNumberOf(ui, "Width", "32");
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

TEST_CASE("a prepared pair sets everything up and starts as it is said") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/more##Prepared pair");
  ui.frames();
  ui.screenshot("training_prepared");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().training->run->step > 1; });
  CHECK(ui.workspace().plan == trainingPresets()[0].plan());
  REQUIRE(ui.training().report()->other);
  CHECK(ui.training().report()->side.config.layers == 12);
  CHECK(ui.training().report()->other->schedule.warmup == 0);
}

TEST_CASE("every number of a run is shown as it will be, typed or stepped, marked and put back") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/Copy##task copy");
  const Recipe usual = findTrainingTask("copy")->recipe(1, 0);
  for (const TrainingNumber& number : trainingNumbers()) {
    INFO(number.id);
    CHECK(ui.exists("Train a model/" + fieldOf(number)) == number.matters(usual));
    CHECK_FALSE(ui.exists("Train a model/As the recipe##" + number.name));
  }
  setNumberOf(ui, "Heads", "3");
  ui.frames();
  CHECK_THAT(ui.texts(), ContainsSubstring("not divisible"));
  CHECK_FALSE(ui.canClick(ui.find("Train a model/Start")));
  for (const auto& [field, number] : {std::pair{"Layers", "5"},
                                      {"Width", "48"},
                                      {"ε", "1e-6"},
                                      {"β₂", "0.999"},
                                      {"Batch size", "12"},
                                      {"Dropout", "0.1"},
                                      {"Clipping", "0.5"},
                                      {"Warm-up", "20"},
                                      {"Steps", "60"},
                                      {"Seed", "7"}})
    setNumberOf(ui, field, number);
  ui.click("Train a model/more##Peak rate");       // from 0.003
  ui.wheel("Train a model/number##Peak rate", 1);  // and on to 0.01
  ui.click("Train a model/less##Batch size");      // the power of two below 12
  ui.click("Train a model/As the recipe##Clipping");
  CHECK_FALSE(ui.exists("Train a model/As the recipe##Clipping"));
  CHECK(ui.exists("Train a model/As the recipe##Dropout"));
  ui.screenshot("training_numbers");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().model->config; });
  const Recipe& recipe = ui.snapshot().training->side->recipe;
  CHECK(recipe.config.layers == 5);
  CHECK(recipe.config.heads == 3);
  CHECK(recipe.config.width == 48);
  CHECK(recipe.config.dropout == 0.1f);
  CHECK(recipe.options.epsilon == 1e-6f);
  CHECK(recipe.options.beta2 == 0.999f);
  CHECK(recipe.options.sequences == 8);
  CHECK(recipe.options.clip == 1);
  CHECK(recipe.options.schedule.warmup == 20);
  CHECK(recipe.options.schedule.peak == 0.01f);
  CHECK(recipe.steps == 60);
  CHECK(recipe.seed == 7);
}

TEST_CASE("each change of a set-up is a step of undo with a name, and what was set up is still there later") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  const int before = ui.app().history().state();
  ui.click("Train a model/Copy##task copy");
  setNumberOf(ui, "Steps", "200");
  setNumberOf(ui, "Width", "32");
  ui.click("Train a model/more##Beside it");  // its own numbers
  ui.frames();
  setNumberOf(ui, "Layers", "1");
  const History& history = ui.app().history();
  std::vector<std::string> names;
  for (int i = before + 1; i <= history.state(); ++i) names.push_back(history.stateName(i));
  CHECK(names == std::vector<std::string>{"setting up a run: task", "setting up a run: steps",
                                          "setting up a run: width", "setting up a run: a second run",
                                          "setting up a run: layers of the second run"});
  const auto setUp = [&] { return ui.workspace().setUp.value_or(TrainingPlan{}); };
  CHECK(setUp().otherChanges == ModelChanges{{"n_layer", "1"}});
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(setUp().otherChanges.empty());
  CHECK(setUp().two);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK_FALSE(setUp().two);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(setUp().changes.empty());
  CHECK(setUp().steps == 200);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(setUp().changes == ModelChanges{{"n_embd", "32"}});
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  CHECK(ui.exists("Train a model/As the recipe##Width"));
  while (ui.app().history().state() > before) ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK_FALSE(ui.workspace().setUp);
  CHECK_FALSE(ui.exists("Train a model/As the recipe##Width"));
}

TEST_CASE("every number has room on a small screen, for a text of one's own too") {
  const TemporaryFolder folder;
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1024, 640}}) {
    UiDriver ui(optionsIn(folder.path(), width, height));
    ui.press(ImGuiKey_T);  // light
    ui.press(ImGuiKey_T, ImGuiMod_Shift);
    ui.click("Train a model/A text of yours##task text");
    ui.frames();
    Recipe recipe = findTrainingTask("copy")->recipe(1, 0);
    const auto hasRoom = [&](const std::string& what) {
      for (const TrainingNumber& number : trainingNumbers())
        if (number.matters(recipe)) CHECK(ui.canClick(ui.find("Train a model/" + fieldOf(number))));
      CHECK(ui.canClick(ui.find("Train a model/more##Norms stand"), 0.5f, 0.9f));
      CHECK(ui.exists("Train a model/Text file"));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("training_" + what + "_" + std::to_string(width));
    };
    hasRoom("text");
    ui.click("Train a model/less##Blocks");
    ui.frames();
    recipe.config = withBlock(recipe.config, *findNamedBlock("convnext"));
    hasRoom("convnext");
  }
}

TEST_CASE("the run beside the first has any number of its own, marked where it differs") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path(), 1280, 720));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/Copy##task copy");
  setNumberOf(ui, "Steps", "20");
  setNumberOf(ui, "Heads", "2");
  CHECK_FALSE(ui.exists("Train a model/Beside it##side"));
  ui.click("Train a model/more##Beside it");  // its own numbers
  ui.frames();
  CHECK_THAT(ui.texts(), ContainsSubstring("the second run is like the first"));
  CHECK_FALSE(ui.canClick(ui.find("Train a model/Start")));
  CHECK_FALSE(ui.exists("Train a model/As the recipe##Heads"));  // as the first run has it
  CHECK_FALSE(ui.exists("Train a model/number##Seed"));          // is the same in both
  setNumberOf(ui, "Layers", "1");
  setNumberOf(ui, "Batch size", "4");
  setNumberOf(ui, "Peak rate", "0.01");
  CHECK(ui.exists("Train a model/As the recipe##Layers"));
  ui.screenshot("training_beside");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/First run##side");
  ui.frames();
  CHECK_FALSE(ui.exists("Train a model/As the recipe##Layers"));
  CHECK(ui.exists("Train a model/As the recipe##Heads"));
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().training->run->other; });
  const Recipe &first = ui.snapshot().training->side->recipe,
               &other = ui.snapshot().training->run->other->recipe;
  CHECK(first.config.heads == 2);
  CHECK(other.config.heads == 2);
  CHECK(first.config.layers != 1);
  CHECK(other.config.layers == 1);
  CHECK(other.options.sequences == 4);
  CHECK(other.options.schedule.peak == 0.01f);
  CHECK(other.seed == first.seed);
  ui.press(ImGuiKey_C);
  ui.settle();
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("the blocks of a ResNet and a ConvNeXt are chosen in the set-up, with their taps, and trained") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/Letters##task letters");
  ui.click("Train a model/less##Blocks");
  ui.click("Train a model/less##Blocks");
  CHECK_THAT(ui.texts(), ContainsSubstring("ResNet"));
  ui.click("Train a model/more##Blocks");
  setNumberOf(ui, "Kernel width", "9");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().model->config; });
  CHECK(namedBlockOf(*ui.snapshot().model->config) == findNamedBlock("convnext"));
  CHECK(ui.snapshot().training->side->recipe.config.kernelWidth == 9);
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

TEST_CASE("a prepared pair is found in the palette, set up and ready to start") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  for (const TrainingPreset& preset : trainingPresets()) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("train two " + std::string(preset.label));
    ui.frames();
    ui.press(ImGuiKey_Enter);
    ui.frames();
    REQUIRE(ui.exists("Train a model/Start"));
    CHECK(ui.workspace().plan == preset.plan());
    ui.screenshot("training_pair_from_palette");
    ui.press(ImGuiKey_Escape);
    ui.frames();
  }
}

TEST_CASE("every picture of a run can be read, in both themes and any usual size") {
  const TemporaryFolder folder;
  TrainingPlan plan = quickPlan();
  plan.two = true, plan.otherChanges = {{"norm_placement", "post"}};
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    UiDriver ui(onFinishedRun(folder.path(), plan, width, height));
    for (const bool dark : {true, false}) {
      if (!dark) ui.press(ImGuiKey_T);
      for (const char* layout : {"Curves", "Parts", "Optimizer", "Answers"}) {
        ui.click(std::string("Stage/") + layout);
        ui.settle();
        const std::string name =
            std::string("training_") + layout + "_" + std::to_string(width) + (dark ? "_dark" : "_light");
        INFO(name);
        ui.screenshot(name);
        CHECK(ui.layoutFaults() == "");
      }
    }
  }
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
  ui.click("Training bar/Newest");
  ui.settle();
  CHECK(ui.snapshot().training->step == 60);
  CHECK((*ui.snapshot().pass->trace)["logits"](0, 40) == last);
}

TEST_CASE("a run goes on from a step of its past, and the optimizer shows what it had then") {
  const TemporaryFolder folder;
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  CHECK(!ui.exists("Training bar/Go on from here"));
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
  ui.click("Stage/Answers");
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
  ui.click("Training bar/Go on from here");
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
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Stories##task stories");  // whose tokens take a second to learn
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.exists("Preparing stories"); });
  ui.press(ImGuiKey_Escape);
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
  const auto mayMeasure = [&] { return ui.canClick(ui.find("Training bar/Measure")); };
  waitFor(ui, mayMeasure);  // the run is opened
  ui.screenshot("training_unmeasured");
  ui.click("Training bar/Measure");
  waitFor(ui, [&] { return ui.exists("Measuring on held-out data"); });
  ui.screenshot("training_measuring");
  CHECK(ui.layoutFaults() == "");
  ui.click("Cancel");
  ui.training().finish();
  ui.settle();
  CHECK(!ui.snapshot().training->run->measured);
  waitFor(ui, mayMeasure);
  ui.click("Training bar/Measure");
  ui.training().finish();
  ui.settle();
  CHECK(ui.snapshot().training->run->measured);
  CHECK(!ui.exists("Training bar/Measure"));
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

TEST_CASE("the schedule of the steps that come is chosen and dragged, and that can be undone") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path(), 1920, 1080);
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin(quickPlan(400))).apply(options.workspace);
    training.pause();
    training.finish();
  }
  UiDriver ui(options);
  const Schedule before = ui.snapshot().training->run->side.schedule;
  const auto schedule = [&] {
    ui.training().finish();
    ui.settle();
    return ui.snapshot().training->run->side.schedule;
  };
  ui.click("Stage/Constant");
  CHECK(schedule().kind == ScheduleKind::Constant);
  CHECK(schedule().warmup == before.warmup);
  ui.drag("warm-up", 60, 20);
  const Schedule dragged = schedule();
  CHECK(dragged.warmup > before.warmup);
  CHECK(dragged.peak < before.peak);
  ui.screenshot("training_schedule");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(schedule().peak == before.peak);
  CHECK(schedule().kind == ScheduleKind::Constant);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(schedule() == before);
}

TEST_CASE("a schedule that was changed can be undone after another run was open") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path(), 1920, 1080);
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin(quickPlan(400))).apply(options.workspace);
    training.pause();
    training.begin(quickPlan(400));
    training.pause();
    training.finish();
  }
  UiDriver ui(options);
  const auto shown = [&] {
    ui.training().finish();
    ui.settle();
    return ui.snapshot().training->run;
  };
  const Schedule before = shown()->side.schedule;
  ui.click("Stage/Constant");
  REQUIRE(shown()->side.schedule.kind == ScheduleKind::Constant);
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/copy-2##run");
  REQUIRE(shown()->name == "run:copy-2");
  CHECK(shown()->side.schedule == before);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(shown()->name == "run:copy-1");
  CHECK(shown()->side.schedule.kind == ScheduleKind::Constant);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(shown()->side.schedule == before);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(shown()->side.schedule.kind == ScheduleKind::Constant);
}

TEST_CASE("two runs with schedules of their own keep them apart, and the keyboard moves them as well") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path(), 1920, 1080);
  TrainingPlan plan = quickPlan(400);
  plan.two = true, plan.otherSchedule = noWarmup;
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin(plan)).apply(options.workspace);
    training.pause();
    training.finish();
  }
  UiDriver ui(options);
  const Schedule first = ui.snapshot().training->run->side.schedule,
                 second = ui.snapshot().training->run->other->schedule;
  REQUIRE(first.warmup == 100);
  REQUIRE(second.warmup == 0);
  ui.drag(ui.find("warm-up of the other"), 180, 0);
  ui.training().finish();
  ui.settle();
  CHECK(ui.snapshot().training->run->side.schedule == first);
  CHECK(ui.snapshot().training->run->other->schedule.warmup > 50);
  ui.screenshot("training_two_schedules");
  CHECK(ui.layoutFaults() == "");
  for (int i = 0; i < 100 && ui.app().focus().name() != "Stage/warm-up"; ++i) ui.press(ImGuiKey_Tab);
  ui.press(ImGuiKey_RightArrow);
  ui.training().finish();
  ui.settle();
  CHECK(ui.snapshot().training->run->side.schedule.warmup == 104);
  CHECK(ui.snapshot().training->run->side.schedule.peak == first.peak);
}

TEST_CASE("kept runs are opened with a click and deleted with two, but for the open one") {
  const TemporaryFolder folder;
  onFinishedRun(folder.path(), quickPlan());
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  REQUIRE(ui.workspace().model == "run:copy-2");
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.screenshot("training_kept");
  CHECK(ui.layoutFaults() == "");
  CHECK(ui.find("Train a model/Delete copy-2##run").disabled);
  ui.click("Train a model/Delete copy-1##run");
  ui.frames();
  ui.screenshot("training_delete");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Keep##run");
  CHECK(ui.training().kept().size() == 2);
  ui.click("Train a model/copy-1##run");
  ui.training().finish();
  ui.settle();
  CHECK(ui.workspace().model == "run:copy-1");
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Delete copy-2##run");
  ui.click("Train a model/Delete##run");
  ui.training().finish();
  ui.frames();
  CHECK(ui.training().kept() == std::vector<std::string>{"run:copy-1"});
  CHECK(!std::filesystem::exists(folder / "copy-2"));
  CHECK(!ui.exists("Train a model/copy-2##run"));
}

TEST_CASE("of many kept runs every one can be reached") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), quickPlan(2));
  for (int i = 2; i <= 9; ++i)
    std::filesystem::copy(folder / "copy-1", folder / ("copy-" + std::to_string(i)),
                          std::filesystem::copy_options::recursive);
  UiDriver ui(options);
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.screenshot("training_kept_many");
  CHECK(ui.layoutFaults() == "");
  std::set<int> seen;
  int pages = 0;
  do {
    const std::size_t before = seen.size();
    for (int i = 1; i <= 9; ++i)
      if (ui.exists("Train a model/copy-" + std::to_string(i) + "##run")) CHECK(seen.insert(i).second);
    CHECK(seen.size() > before);
    CHECK(ui.layoutFaults() == "");
    ui.click("Train a model/more##run");
    ui.frames();
  } while (++pages < 9 && !ui.exists("Train a model/copy-9##run"));
  CHECK(pages > 1);
  CHECK(seen.size() == 9);
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_T);
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    ui.app().resize(width, height);
    ui.press(ImGuiKey_T, ImGuiMod_Shift);
    ui.frames();
    ui.screenshot("training_kept_light_" + std::to_string(width));
    CHECK(ui.layoutFaults() == "");
    ui.press(ImGuiKey_Escape);
  }
}

TEST_CASE("any text can be learned; what is none is refused by name") {
  const TemporaryFolder folder;
  const auto binary = folder / "picture.bin";
  std::ofstream(binary, std::ios::binary).write("a\0b\xff", 4);
  UiDriver ui(optionsIn(folder / "runs"));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/A text of yours##task text");
  ui.click("Train a model/Text file");
  ui.type(binary.string());
  ui.screenshot("training_text");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Start");
  ui.training().finish();
  ui.settle();
  CHECK_THAT(ui.training().problem(), ContainsSubstring("picture.bin"));
  CHECK_THAT(ui.app().message(), ContainsSubstring("picture.bin"));
  CHECK(ui.workspace().model == "stories");

  const auto song = folder / "song.txt";
  {
    std::ofstream out(song);
    for (int i = 0; i < 400; ++i) out << "The bear went over the mountain, " << i << " times.\n";
  }
  ui.app().open(song);  // as a file that is dropped
  ui.frames();
  ui.click("Train a model/more##Steps");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().training->run->step > 0; });
  CHECK(ui.workspace().model == "run:text-1");
  CHECK(ui.workspace().plan.file == song.string());
  CHECK(ui.app().history().current().tabCount() == 1);
}

TEST_CASE("a run stands still while its session is packed") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Copy##task copy");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.training().isRunning(); });
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("pack the session");
  ui.press(ImGuiKey_Enter);
  waitFor(ui, [&] { return !ui.training().isRunning(); });
  CHECK(ui.exists("Save##path"));
}

TEST_CASE("closing the window asks while a model is trained") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  CHECK(ui.app().mayClose());
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Copy##task copy");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.training().isRunning(); });
  CHECK(!ui.app().mayClose());
  ui.frames(3);
  ui.screenshot("training_closing");
  CHECK(ui.layoutFaults() == "");
  ui.click("Keep training");
  CHECK(ui.training().isRunning());
  CHECK(!ui.app().mayClose());
  ui.frames(3);
  ui.click("Pause and close");
  CHECK(ui.app().mayClose());
}

TEST_CASE("a run that is through is in the library, and opens from there") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), quickPlan());
  options.workspace.model = "small";
  UiDriver ui(options);
  ui.press(ImGuiKey_O, ImGuiMod_Shift);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("library_trained_here");
  ui.click("copy-1##model run:copy-1");
  ui.click("Open##library");
  ui.settle();
  CHECK(ui.workspace().model == "run:copy-1");
  CHECK(ui.snapshot().training->run->state == State::Finished);
}

TEST_CASE("how a head came about stands on its page, and a click shows every view as it was then") {
  for (const int width : {1280, 1920}) {
    const TemporaryFolder folder;
    UiDriver::Options options = onFinishedRun(folder.path(), quickPlan(30), width, width * 9 / 16);
    options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "biography";
    UiDriver ui(options);
    CHECK_THAT(ui.texts(), ContainsSubstring("How it came about, step by step"));
    ui.screenshot("biography_of_training_" + std::to_string(width));
    CHECK_FALSE(ui.scrolls());
    CHECK(ui.layoutFaults() == "");
    ui.click("its past", 0.5f, 0.1f);
    CHECK(ui.snapshot().training->step < 30);
    CHECK(ui.snapshot().training->step > 0);
    CHECK_THAT(ui.texts(), ContainsSubstring("How it came about, step by step"));
  }
}

TEST_CASE("heads that begin equal stay so, with noise beside it they part, and curves say it") {
  for (const bool dark : {true, false}) {
    const TemporaryFolder folder;
    TrainingPlan plan = quickPlan(120);
    plan.numbers = {{"equal-heads", "1"}};
    plan.two = true, plan.otherNumbers = {{"equal-heads", "0.999"}};
    UiDriver::Options options = onFinishedRun(folder.path(), plan, dark ? 1280 : 1920, dark ? 720 : 1080);
    options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
    UiDriver ui(options);
    ui.settle();
    const TensorSet& curves = *ui.snapshot().training->run->side.curves;
    const TensorSet& other = *ui.snapshot().training->run->other->curves;
    const TensorView apart = curves["training.heads_apart"], noisy = other["training.heads_apart"];
    for (int i = 0; i < apart.extent[0]; ++i) CHECK(apart(i) == 0);
    CHECK(noisy(0) > 0);
    CHECK(noisy(noisy.extent[0] - 1) > noisy(0));
    CHECK_THAT(ui.texts(), ContainsSubstring("Largest difference between heads"));
    ui.hover("heads apart", 0.6f, 0.5f);
    CHECK(ui.app().hover().cell.tensor == "training.heads_apart");
    ui.hover("Stage view", 0.01f, 0.99f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("training_equal_heads_") + (dark ? "dark" : "light"));
    ui.click("Schedule");
    CHECK_THAT(ui.texts(), ContainsSubstring("this run") && ContainsSubstring("512 : 4000"));
    ui.click("This run's");
    CHECK(ui.workspace().settings.chosen("training.schedule_steps") == "120");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("training_schedule_") + (dark ? "dark" : "light"));
  }
}

TEST_CASE("SGD and a batch that grows are chosen in the set-up, and the optimizer's picture says so") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/Copy##task copy");
  setNumberOf(ui, "Steps", "30");
  setNumberOf(ui, "Layers", "1");
  setNumberOf(ui, "Width", "32");
  ui.click("Train a model/more##Optimizer");
  ui.frames();
  CHECK_FALSE(ui.exists("Train a model/number##β₂"));
  setNumberOf(ui, "Momentum", "0.8");
  ui.click("Train a model/more##Batch grows");
  ui.frames();
  setNumberOf(ui, "Grows behind step", "10");
  ui.screenshot("training_sgd_setup");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Start");
  waitFor(ui, [&] {
    return ui.snapshot().training->run && ui.snapshot().training->run->state == State::Finished;
  });
  const TrainingOptions& options = ui.snapshot().training->run->side.recipe.options;
  CHECK(options.optimizer == OptimizerKind::Sgd);
  CHECK(options.momentum == 0.8f);
  CHECK(options.sequencesAt(11) == 2 * options.sequences);
  CHECK(options.sequencesAt(10) == options.sequences);
  ui.click("Optimizer");
  CHECK_THAT(ui.texts(), ContainsSubstring("SGD has none"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("training_sgd_optimizer");
}

TEST_CASE("the validation loss is measured against the size of the data") {
  const TemporaryFolder folder;
  UiDriver ui(onFinishedRun(folder.path(), quickPlan(300)));
  ui.settle();
  ui.click("Data");
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
    CHECK(sequences(cut) == static_cast<float>(300 / (16 >> cut) * batch));
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
