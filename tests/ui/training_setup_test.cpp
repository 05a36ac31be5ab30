// What a run is to be is chosen in the real interface, before it begins.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/document/training_presets.h"
#include "core/train/tasks/training_tasks.h"
#include "core/train/training_numbers.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/training_window.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
using State = RunReport::State;

TEST_CASE("a prepared pair sets everything up and starts as it is said") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/more##Compare preset");
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
    CHECK_FALSE(ui.exists("Train a model/Default##" + number.name));
  }
  setNumberOf(ui, "Heads", "3");
  ui.frames();
  CHECK_THAT(ui.texts(), ContainsSubstring("not divisible"));
  CHECK_FALSE(ui.canClick(ui.find("Train a model/Start")));
  for (const auto& [field, number] : {std::pair{"Layers", "5"},
                                      {"Model dim", "48"},
                                      {"ε", "1e-6"},
                                      {"β₂", "0.999"},
                                      {"Batch size", "12"},
                                      {"Dropout", "0.1"},
                                      {"Gradient clipping", "0.5"},
                                      {"Warmup steps", "20"},
                                      {"Training steps", "60"},
                                      {"Seed", "7"}})
    setNumberOf(ui, field, number);
  ui.click("Train a model/more##Peak LR");       // from 0.003
  ui.wheel("Train a model/number##Peak LR", 1);  // and on to 0.01
  ui.click("Train a model/less##Batch size");    // the power of two below 12
  ui.click("Train a model/Default##Gradient clipping");
  CHECK_FALSE(ui.exists("Train a model/Default##Gradient clipping"));
  CHECK(ui.exists("Train a model/Default##Dropout"));
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
  setNumberOf(ui, "Training steps", "200");
  setNumberOf(ui, "Model dim", "32");
  ui.click("Train a model/more##Second run");  // its own numbers
  ui.frames();
  setNumberOf(ui, "Layers", "1");
  const History& history = ui.app().history();
  std::vector<std::string> names;
  for (int i = before + 1; i <= history.state(); ++i) names.push_back(history.stateName(i));
  CHECK(names == std::vector<std::string>{"setting up a run: task", "setting up a run: training steps",
                                          "setting up a run: model dim", "setting up a run: a second run",
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
  CHECK(ui.exists("Train a model/Default##Model dim"));
  while (ui.app().history().state() > before) ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK_FALSE(ui.workspace().setUp);
  CHECK_FALSE(ui.exists("Train a model/Default##Model dim"));
}

TEST_CASE("every number has room on a small screen, for a text of one's own too") {
  const TemporaryFolder folder;
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1024, 640}}) {
    UiDriver ui(optionsIn(folder.path(), width, height));
    ui.press(ImGuiKey_T);  // light
    ui.press(ImGuiKey_T, ImGuiMod_Shift);
    ui.click("Train a model/Your text##task text");
    ui.frames();
    Recipe recipe = findTrainingTask("copy")->recipe(1, 0);
    const auto hasRoom = [&](const std::string& what) {
      for (const TrainingNumber& number : trainingNumbers())
        if (number.matters(recipe)) CHECK(ui.canClick(ui.find("Train a model/" + fieldOf(number))));
      CHECK(ui.canClick(ui.find("Train a model/more##Norm placement"), 0.5f, 0.9f));
      CHECK(ui.exists("Train a model/Text file"));
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("training_" + what + "_" + std::to_string(width));
    };
    hasRoom("text");
    ui.click("Train a model/less##Block type");
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
  setNumberOf(ui, "Training steps", "20");
  setNumberOf(ui, "Heads", "2");
  CHECK_FALSE(ui.exists("Train a model/Second run##side"));
  ui.click("Train a model/more##Second run");  // its own numbers
  ui.frames();
  CHECK_THAT(ui.texts(), ContainsSubstring("The second run equals the first"));
  CHECK_FALSE(ui.canClick(ui.find("Train a model/Start")));
  CHECK_FALSE(ui.exists("Train a model/Default##Heads"));  // as the first run has it
  CHECK_FALSE(ui.exists("Train a model/number##Seed"));    // is the same in both
  setNumberOf(ui, "Layers", "1");
  setNumberOf(ui, "Batch size", "4");
  setNumberOf(ui, "Peak LR", "0.01");
  CHECK(ui.exists("Train a model/Default##Layers"));
  ui.screenshot("training_beside");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/First run##side");
  ui.frames();
  CHECK_FALSE(ui.exists("Train a model/Default##Layers"));
  CHECK(ui.exists("Train a model/Default##Heads"));
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
  ui.click("Train a model/less##Block type");
  ui.click("Train a model/less##Block type");
  CHECK_THAT(ui.texts(), ContainsSubstring("ResNet"));
  ui.click("Train a model/more##Block type");
  setNumberOf(ui, "Kernel size", "9");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().model->config; });
  CHECK(namedBlockOf(*ui.snapshot().model->config) == findNamedBlock("convnext"));
  CHECK(ui.snapshot().training->side->recipe.config.kernelWidth == 9);
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

TEST_CASE("any text can be learned; what is none is refused by name") {
  const TemporaryFolder folder;
  const auto binary = folder / "picture.bin";
  std::ofstream(binary, std::ios::binary).write("a\0b\xff", 4);
  UiDriver ui(optionsIn(folder / "runs"));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Your text##task text");
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
  ui.click("Train a model/more##Training steps");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.snapshot().training->run && ui.snapshot().training->run->step > 0; });
  CHECK(ui.workspace().model == "run:text-1");
  CHECK(ui.workspace().plan.file == song.string());
  CHECK(ui.app().history().current().tabCount() == 1);
}

TEST_CASE("SGD and a batch that grows are chosen in the set-up, and the optimizer's picture says so") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/Copy##task copy");
  setNumberOf(ui, "Training steps", "30");
  setNumberOf(ui, "Layers", "1");
  setNumberOf(ui, "Model dim", "32");
  ui.click("Train a model/more##Optimizer");
  ui.frames();
  CHECK_FALSE(ui.exists("Train a model/number##β₂"));
  setNumberOf(ui, "Momentum", "0.8");
  ui.click("Train a model/more##Batch growth");
  ui.frames();
  setNumberOf(ui, "Growth step", "10");
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
