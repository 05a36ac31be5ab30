#include "app/panels/training_panel.h"

#include <algorithm>
#include <cstdlib>

#include "app/document/model_commands.h"
#include "app/document/training_commands.h"
#include "app/document/training_presets.h"
#include "app/document/training_variants.h"
#include "app/document/view_commands.h"
#include "app/panels/action.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "core/model/choices.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr float trainingTitleHeight = 56, trainingRowHeight = 44, trainingHeadingHeight = 32,
                trainingListWidth = 264, trainingFootHeight = 56, trainingFieldHeight = 40, cycleWidth = 208;
constexpr const char* byRecipe = "as the recipe";
constexpr float mostSteps = 1e7f;

std::string durationOf(int seconds) {
  return seconds < 100 ? "about " + std::to_string(seconds) + " s"
                       : "about " + std::to_string((seconds + 30) / 60) + " min";
}

std::string valueOf(const ModelChanges& changes, const std::string& field) {
  const auto found = std::ranges::find(changes, field, &ModelChange::field);
  return found == changes.end() ? "" : found->value;
}

}  // namespace

void TrainingPanel::begin(TrainingPlan plan, const Training& training) {
  plan_ = std::move(plan);
  kept_.begin(training);
  Overlay::open();
}

void TrainingPanel::takeText(const fs::path& file) { plan_.task = textTaskName, plan_.file = file.string(); }

Box TrainingPanel::place(const Ui&, Point window) const {
  const float width = std::min(920.0f, window.x - 32), height = std::min(680.0f, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void TrainingPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(16, 8);
  const Box title = rest.takeTop(trainingTitleHeight);
  ui.drawText({title.x + 8, title.y + 20}, "Train a model", {FontFace::Strong, Theme::title, ui.theme.text});
  if (widgets::button(ui, "Close##training", {title.right() - 32, title.y + 4, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  presets(ui, {title.x + std::min(trainingListWidth, rest.width * 0.4f) + 24, title.y + 4,
               title.width - std::min(trainingListWidth, rest.width * 0.4f) - 24 - 48, Theme::control});
  foot(ui, rest.takeBottom(trainingFootHeight));
  tasks(ui, rest.takeLeft(std::min(trainingListWidth, rest.width * 0.4f)));
  rest.takeLeft(24);
  details(ui, rest);
}

void TrainingPanel::presets(Ui& ui, const Box& row) {
  std::vector<std::string> labels{"none"};
  for (const TrainingPreset& preset : trainingPresets()) labels.emplace_back(preset.label);
  const int before = presetOf(plan_) + 1;
  const int now = widgets::labelStepper(ui, "Prepared pair", row, labels, before,
                                        "two runs that are known to end differently, ready to start",
                                        std::min(336.0f, row.width));
  if (now == before) return;
  const std::uint64_t seed = plan_.seed;
  plan_ = now > 0 ? trainingPresets()[static_cast<std::size_t>(now - 1)].plan()
                  : TrainingPlan{.task = plan_.task, .seed = seed};
}

void TrainingPanel::tasks(Ui& ui, Box area) {
  const auto heading = [&](const char* words) {
    const Box line = area.takeTop(trainingHeadingHeight);
    widgets::heading(ui, {line.x + 12, line.center().y}, words);
  };
  heading("TASK");
  // The longest list there is leaves room for some runs.
  constexpr std::size_t mostRuns = 6;
  const auto count = static_cast<float>(trainingTasks().size() + 1),
             runs = static_cast<float>(std::min(kept_.count(), mostRuns));
  const float room = area.height - (runs > 0 ? trainingHeadingHeight + runs * KeptRuns::rowHeight : 0);
  const float height = std::clamp(room / count, 26.0f, trainingRowHeight);
  for (const TrainingTaskEntry& task : trainingTasks())
    taskRow(ui, area.takeTop(height), std::string(task.id), std::string(task.title),
            durationOf(task.seconds));
  taskRow(ui, area.takeTop(height), std::string(textTaskName), "A text of yours", "");
  if (kept_.count() == 0) return;
  heading("KEPT RUNS");
  if (const std::string run = kept_.show(ui, area); !run.empty()) {
    ui.emit(commands::setModel(run));
    ui.emit(commands::setView("training"));
    close();
  }
}

void TrainingPanel::taskRow(Ui& ui, const Box& box, const std::string& id, const std::string& title,
                            const std::string& about) {
  if (box.height < 24) return;
  if (widgets::listRow(ui, title + "##task " + id, box, plan_.task == id)) {
    plan_ = TrainingPlan{.task = id, .file = plan_.file, .characters = plan_.characters, .seed = plan_.seed};
  }
  ui.drawText({box.x + 12, box.center().y}, title, ui.theme.strong(), Align::Start, box.width - 120);
  ui.drawText({box.right() - 12, box.center().y}, about, {FontFace::Ui, Theme::small - 1, ui.theme.quiet},
              Align::End);
}

void TrainingPanel::details(Ui& ui, Box area) {
  const TrainingTaskEntry* task = findTrainingTask(plan_.task);
  const Box head = area.takeTop(trainingHeadingHeight);
  ui.drawText({head.x, head.center().y}, task ? std::string(task->title) : "A text of yours",
              ui.theme.heading());
  widgets::paragraph(ui, area,
                     task ? std::string(task->meaning)
                          : "Goes on with any text file: drop it onto the window, or write its path.",
                     ui.theme.note(), 16);
  if (!task) textFields(ui, area);
  numbers(ui, area);
  modelFields(ui, area);
  comparison(ui, area);
}

void TrainingPanel::textFields(Ui& ui, Box& rest) {
  widgets::textEntry(ui, "Text file", rest.takeTop(Theme::control), plan_.file);
  rest.takeTop(8);
  plan_.characters = cycle(ui, rest, "Tokens", {"characters", "byte pairs"}, plan_.characters ? 0 : 1,
                           "what the text is cut into; pairs are learned from it") == 0;
}

int TrainingPanel::cycle(Ui& ui, Box& rest, const char* name, const std::vector<std::string>& labels,
                         int chosen, const char* tip) {
  if (rest.height < Theme::control) return chosen;
  const Box row = rest.takeTop(trainingFieldHeight);
  return widgets::labelStepper(ui, name, {row.x, row.y, row.width, Theme::control}, labels, chosen, tip,
                               cycleWidth);
}

float TrainingPanel::number(Ui& ui, Box& rest, const char* name, float value,
                            widgets::NumberOptions options) {
  if (rest.height < Theme::control) return value;
  const Box row = rest.takeTop(trainingFieldHeight);
  options.width = cycleWidth;
  return widgets::numberField(ui, name, {row.x, row.y, row.width, Theme::control}, value, options);
}

void TrainingPanel::numbers(Ui& ui, Box& rest) {
  plan_.steps = static_cast<int>(
      number(ui, rest, "Steps", static_cast<float>(plan_.steps),
             {.low = 0, .high = mostSteps, .step = 200, .atLow = byRecipe, .tip = "how long it trains"}));
  plan_.seed = static_cast<std::uint64_t>(
      number(ui, rest, "Seed", static_cast<float>(plan_.seed),
             {.low = 1,
              .high = std::max(9999.0f, static_cast<float>(plan_.seed)),
              .tip = "everything random follows from it: weights, data, dropout"}));
  schedule(ui, rest);
  plan_.keepsModel =
      cycle(ui, rest, "Begins with", {"random weights", "the open model"}, plan_.keepsModel ? 1 : 0,
            "the open model learns on, where it reads the same tokens") == 1;
}

void TrainingPanel::schedule(Ui& ui, Box& rest) {
  std::vector<std::string> kinds{"", std::string(noWarmup), "constant", "cosine", "transformer2017"},
      labels{byRecipe, std::string(noWarmup), "constant", "half a cosine", "as in 2017"};
  if (const auto whole = Schedule::parse(plan_.schedule)) {
    kinds.push_back(plan_.schedule);
    labels.push_back("warm-up " + std::to_string(whole->warmup));
  }
  const auto found = std::ranges::find(kinds, plan_.schedule);
  const int before = found == kinds.end() ? 0 : static_cast<int>(found - kinds.begin());
  const int now = cycle(ui, rest, "Learning rate", labels, before,
                        "how η moves over the run; it can be dragged while it trains");
  if (now != before) plan_.schedule = kinds[static_cast<std::size_t>(now)];
}

void TrainingPanel::choose(Ui& ui, Box& rest, const char* name, const char* field,
                           std::span<const Option> options, const char* tip) {
  std::vector<std::string> labels{byRecipe};
  int chosen = 0;
  const std::string value = valueOf(plan_.changes, field);
  for (const Option& option : options) {
    labels.push_back(option.label);
    if (option.value == value) chosen = static_cast<int>(labels.size()) - 1;
  }
  const int now = cycle(ui, rest, name, labels, chosen, tip);
  if (now != chosen) setChange(field, now > 0 ? options[static_cast<std::size_t>(now - 1)].value : "");
}

void TrainingPanel::count(Ui& ui, Box& rest, const char* name, const char* field,
                          widgets::NumberOptions options) {
  const auto before = static_cast<float>(std::atof(valueOf(plan_.changes, field).c_str()));
  options.atLow = byRecipe;
  options.low = 0;
  options.high = std::max(before, options.high);
  const float now = number(ui, rest, name, before, options);
  if (now != before) setChange(field, now > 0 ? std::to_string(static_cast<int>(now)) : "");
}

void TrainingPanel::setChange(const char* field, const std::string& value) {
  std::erase_if(plan_.changes, [&](const ModelChange& change) { return change.field == field; });
  if (!value.empty()) plan_.changes.push_back({field, value});
}

void TrainingPanel::modelFields(Ui& ui, Box& rest) {
  count(ui, rest, "Blocks", "n_layer", {.high = 64, .tip = "L, one after the other"});
  count(ui, rest, "Heads", "n_head", {.high = 64, .tip = "H, side by side in a block"});
  count(ui, rest, "Width", "n_embd",
        {.high = 4096, .step = 32, .tip = "D, numbers per token in the residual stream"});
  for (const ConfigChoice& choice : configChoices()) {
    if (choice.id != "position_embedding_type" && choice.id != "norm_placement") continue;
    std::vector<Option> options;
    for (const ConfigOption& option : choice.options) options.push_back({option.id, option.name});
    choose(ui, rest, choice.name.c_str(), choice.id.c_str(), options, choice.meaning.c_str());
  }
}

void TrainingPanel::comparison(Ui& ui, Box& rest) {
  std::vector<std::string> labels;
  for (const TrainingVariant& variant : trainingVariants()) labels.push_back(variant.label);
  const int before = variantOf(plan_);
  const int now = cycle(ui, rest, "Beside it", labels, before,
                        "a second run from the same seed, on the same data, with one thing otherwise");
  if (now != before) setVariant(plan_, now);
  const int preset = presetOf(plan_);
  widgets::paragraph(ui, rest,
                     preset < 0 ? trainingVariants()[static_cast<std::size_t>(now)].meaning
                                : std::string(trainingPresets()[static_cast<std::size_t>(preset)].meaning),
                     {FontFace::Ui, Theme::small - 1, ui.theme.quiet});
}

void TrainingPanel::foot(Ui& ui, Box box) {
  Box row{box.x, box.y + 16, box.width, 32};
  const bool ready = plan_.task != textTaskName || !plan_.file.empty();
  if (widgets::button(ui, "Start##training", row.takeRight(112),
                      {.look = widgets::Look::Primary,
                       .enabled = ready,
                       .tip = ready ? "trains in the background; every view follows   Enter"
                                    : "which text? drop a file onto the window"}) ||
      (ready && !ui.usesEnter && !ui.typesNumber && ImGui::IsKeyPressed(ImGuiKey_Enter, false)))
    return start(ui);
  row.takeRight(16);
  const std::string problem = ui.training ? ui.training->problem() : "";
  ui.drawText({row.x + 8, row.center().y}, problem, {FontFace::Ui, Theme::small, ui.theme.broken},
              Align::Start, row.width - 8);
}

void TrainingPanel::start(Ui& ui) {
  plan_.from.clear();
  ui.emit(commands::setPlan(plan_));
  ui.ask(Request::StartTraining);
  close();
}

}  // namespace glassformer
