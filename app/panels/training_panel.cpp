#include "app/panels/training_panel.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/document/model_commands.h"
#include "app/document/training_commands.h"
#include "app/document/training_presets.h"
#include "app/document/training_variants.h"
#include "app/document/view_commands.h"
#include "app/panels/action.h"
#include "app/panels/number_field.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "core/model/choices.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

namespace {

constexpr float trainingTitleHeight = 56, trainingRowHeight = 44, trainingHeadingHeight = 28,
                trainingListWidth = 248, trainingFootHeight = 56, trainingColumnGap = 36, cycleWidth = 184,
                putBackWidth = 32;
constexpr int longestColumn = 15;  // rows, under two headings

std::string durationOf(int seconds) {
  return seconds < 100 ? "about " + std::to_string(seconds) + " s"
                       : "about " + std::to_string((seconds + 30) / 60) + " min";
}

}  // namespace

TrainingPlan TrainingPanel::planOf(const Workspace& workspace) {
  return workspace.setUp ? *workspace.setUp : spelledOut(workspace.plan);
}

void TrainingPanel::begin(const Training& training) {
  isBeside_ = false;
  kept_.begin(training);
  Overlay::open();
}

Box TrainingPanel::place(const Ui&, Point window) const {
  const float width = std::min(1160.0f, window.x - 32), height = std::min(696.0f, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void TrainingPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  const TrainingPlan before = plan_ = planOf(ui.workspace());
  readRecipe(ui);
  Box rest = area.inset(16, 8);
  const float listWidth = std::min(trainingListWidth, rest.width * 0.3f);
  const Box title = rest.takeTop(trainingTitleHeight);
  ui.drawText({title.x + 8, title.y + 20}, "Train a model", {FontFace::Strong, Theme::title, ui.theme.text});
  if (widgets::button(ui, "Close##training", {title.right() - 32, title.y + 4, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  presets(ui, {title.x + listWidth + 24, title.y + 4, title.width - listWidth - 24 - 48, Theme::control});
  foot(ui, rest.takeBottom(trainingFootHeight));
  tasks(ui, rest.takeLeft(listWidth));
  rest.takeLeft(24);
  details(ui, rest);
  if (isOpen() && plan_ != before) ui.emit(commands::setUpRun(before, plan_));
}

void TrainingPanel::presets(Ui& ui, const Box& row) {
  std::vector<std::string> labels{"none"};
  for (const TrainingPreset& preset : trainingPresets()) labels.emplace_back(preset.label);
  const int before = presetOf(plan_) + 1;
  const int now =
      widgets::labelStepper(ui, "Compare preset", row, labels, before,
                            "Two runs with one setting changed, ready to start", std::min(336.0f, row.width));
  if (now == before) return;
  const std::uint64_t seed = plan_.seed;
  plan_ = now > 0 ? trainingPresets()[static_cast<std::size_t>(now - 1)].plan()
                  : TrainingPlan{.task = plan_.task, .seed = seed};
}

void TrainingPanel::tasks(Ui& ui, Box area) {
  const auto headingOf = [&](const char* words) {
    const Box line = area.takeTop(trainingHeadingHeight);
    widgets::heading(ui, {line.x + 12, line.center().y}, words);
  };
  headingOf("TASK");
  // The longest list there is leaves room for some runs.
  constexpr std::size_t mostRuns = 6;
  const auto count = static_cast<float>(trainingTasks().size() + 1),
             runs = static_cast<float>(std::min(kept_.count(), mostRuns));
  const float room = area.height - (runs > 0 ? trainingHeadingHeight + runs * KeptRuns::rowHeight : 0);
  const float height = std::clamp(room / count, 26.0f, trainingRowHeight);
  for (const TrainingTaskEntry& task : trainingTasks())
    taskRow(ui, area.takeTop(height), std::string(task.id), std::string(task.title),
            durationOf(task.seconds));
  taskRow(ui, area.takeTop(height), std::string(textTaskName), "Your text", "");
  if (kept_.count() == 0) return;
  headingOf("SAVED RUNS");
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

void TrainingPanel::readRecipe(const Ui& ui) {
  std::optional<Recipe> own = ownRecipe({.task = plan_.task}), begun = ownRecipe(plan_);
  if (!own) return;
  own_ = *std::move(own);
  if (plan_.keepsModel && ui.snapshot.model->config) own_.config = begun->config = *ui.snapshot.model->config;
  used_ = shownRecipe(*begun, changesOf(plan_));
  const auto used = changedRecipe(*std::move(begun), changesOf(plan_));
  const auto other = used && plan_.two ? changedRecipe(*used, otherChangesOf(plan_)) : used;
  refused_ = !used             ? used.error().message()
             : !other          ? other.error().message()
             : hasTwins(plan_) ? "The second run equals the first: change one of its settings"
                               : "";
  isBeside_ = isBeside_ && plan_.two;
  if (!isBeside_) return;
  own_ = used_;
  used_ = shownRecipe(own_, otherChangesOf(plan_));
}

void TrainingPanel::sides(Ui& ui, Box row) {
  if (!plan_.two) return;
  const Box beside = row.takeRight(104);
  row.takeRight(4);
  if (widgets::button(
          ui, "First run##side", row.takeRight(104),
          {.on = !isBeside_, .tip = "Settings of the first run that differ from the task defaults"}))
    isBeside_ = false;
  if (widgets::button(ui, "Second run##side", beside,
                      {.on = isBeside_, .tip = "Settings of the second run that differ from the first"}))
    isBeside_ = true;
}

void TrainingPanel::details(Ui& ui, Box area) {
  const TrainingTaskEntry* task = findTrainingTask(plan_.task);
  const Box head = area.takeTop(trainingHeadingHeight);
  sides(ui, head);
  ui.drawText({head.x, head.center().y}, task ? std::string(task->title) : "Your text", ui.theme.heading());
  widgets::paragraph(
      ui, area,
      task ? std::string(task->meaning) : "Learns any text file: drop it onto the window, or type its path.",
      ui.theme.note());
  if (!task) textFields(ui, area.takeTop(Theme::control));
  rowHeight_ = std::clamp((area.height - 2 * trainingHeadingHeight) / longestColumn, 24.0f, 38.0f);
  Box left = area.takeLeft((area.width - trainingColumnGap) / 2);
  area.takeLeft(trainingColumnGap);
  page_ = isBeside_ ? planBeside(plan_) : plan_;
  runColumn(ui, left);
  modelColumn(ui, area);
  if (isBeside_)
    setPlanBeside(plan_, page_);
  else
    plan_ = page_;
  comparison(ui, left);
}

void TrainingPanel::textFields(Ui& ui, Box row) {
  plan_.characters = widgets::labelStepper(ui, "Tokens", row.takeRight(cycleWidth + 64),
                                           {"characters", "BPE"}, plan_.characters ? 0 : 1,
                                           "Tokenizer of the text; BPE is trained on it", cycleWidth) == 0;
  row.takeRight(16);
  widgets::textEntry(ui, "Text file", row, plan_.file);
}

void TrainingPanel::runColumn(Ui& ui, Box& rest) {
  heading(ui, rest, nameOf(TrainingSection::Run));
  numbers(ui, rest, TrainingSection::Run);
  if (!isBeside_)
    page_.keepsModel =
        cycle(ui, rest.takeTop(rowHeight_), "Initial weights", {"Random", "Open model"},
              page_.keepsModel ? 1 : 0, 0, "Continue from the open model, if it has the same tokens") == 1;
  heading(ui, rest, nameOf(TrainingSection::LearningRate));
  schedule(ui, rest.takeTop(rowHeight_));
  numbers(ui, rest, TrainingSection::LearningRate);
}

void TrainingPanel::modelColumn(Ui& ui, Box rest) {
  heading(ui, rest, nameOf(TrainingSection::Optimizer));
  numbers(ui, rest, TrainingSection::Optimizer);
  heading(ui, rest, nameOf(TrainingSection::Model));
  numbers(ui, rest, TrainingSection::Model);
  blocks(ui, rest.takeTop(rowHeight_));
  for (const char* field : {"position_embedding_type", "norm_placement"})
    choice(ui, rest.takeTop(rowHeight_), field);
}

void TrainingPanel::heading(Ui& ui, Box& rest, std::string_view words) {
  const Box head = rest.takeTop(trainingHeadingHeight);
  std::string capitals(words);
  std::ranges::transform(capitals, capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  widgets::heading(ui, {head.x, head.center().y}, capitals);
}

void TrainingPanel::numbers(Ui& ui, Box& rest, TrainingSection section) {
  for (const TrainingNumber& each : trainingNumbers())
    if (each.section == section && each.matters(used_) && (each.set || !isBeside_))
      number(ui, rest.takeTop(rowHeight_), each);
}

void TrainingPanel::number(Ui& ui, Box row, const TrainingNumber& number) {
  const std::string said = asked(page_, number), own = valueOf(number, own_);
  const float before = number.get(used_);
  const std::string used = textOf(number, before);
  if (puttingBack(ui, row, number.name, used != own, own)) return ask(page_, number, said.empty() ? own : "");
  if (!number.names.empty()) {
    const int chosen = static_cast<int>(before),
              now = widgets::labelStepper(ui, number.name.c_str(), row, number.names, chosen, number.meaning,
                                          cycleWidth);
    const std::string text = textOf(number, static_cast<float>(now));
    if (now != chosen) ask(page_, number, text == own ? "" : text);
    return;
  }
  const widgets::NumberOptions options{.low = number.least,
                                       .high = std::max(number.most, before),
                                       .step = number.step,
                                       .decimals = number.decimals,
                                       .rungs = number.rungs,
                                       .atLow = number.atLeast.c_str(),
                                       .tip = number.meaning,
                                       .width = cycleWidth};
  const float now = widgets::numberField(ui, number.name.c_str(), row, before, options);
  if (now != before) ask(page_, number, textOf(number, now) == own ? "" : textOf(number, now));
}

void TrainingPanel::schedule(Ui& ui, Box row) {
  const std::vector<ScheduleKind> kinds{ScheduleKind::Constant, ScheduleKind::Cosine,
                                        ScheduleKind::InverseSqrt};
  const auto placeOf = [&](const Recipe& recipe) {
    return static_cast<int>(std::ranges::find(kinds, recipe.options.schedule.kind) - kinds.begin());
  };
  const int before = placeOf(used_), own = placeOf(own_);
  const int now = cycle(ui, row, "Schedule", {"Constant", "Cosine", "Inverse sqrt (2017)"}, before, own,
                        "Learning rate after warmup; drag it during training");
  if (now != before) page_.schedule = now == own ? "" : nameOf(kinds[static_cast<std::size_t>(now)]);
}

void TrainingPanel::blocks(Ui& ui, Box row) {
  const auto placeOf = [](const ModelConfig& config) {
    const NamedBlock* block = namedBlockOf(config);
    return static_cast<int>(block ? block - namedBlocks().data() : std::ssize(namedBlocks()));
  };
  std::vector<std::string> labels;
  for (const NamedBlock& block : namedBlocks()) labels.emplace_back(block.name);
  const int before = placeOf(used_.config), own = placeOf(own_.config);
  if (std::max(before, own) == std::ssize(namedBlocks())) labels.emplace_back("other");
  const int now =
      cycle(ui, row, "Block type", labels, before, own, "Blocks with attention, or with convolution");
  if (now != before && now < std::ssize(namedBlocks()))
    page_.changes = withBlock(page_.changes, own_.config, namedBlocks()[static_cast<std::size_t>(now)]);
}

void TrainingPanel::choice(Ui& ui, Box row, const std::string& field) {
  const ConfigChoice& choice = *std::ranges::find(configChoices(), field, &ConfigChoice::id);
  std::vector<std::string> labels;
  for (const ConfigOption& option : choice.options) labels.push_back(option.name);
  const int before = choice.get(used_.config);
  const int now = cycle(ui, row, choice.name, labels, before, choice.get(own_.config), choice.meaning);
  if (now == before) return;
  std::erase_if(page_.changes, [&](const ModelChange& change) { return change.field == field; });
  if (now != choice.get(own_.config))
    page_.changes.push_back({field, choice.options[static_cast<std::size_t>(now)].id});
}

int TrainingPanel::cycle(Ui& ui, Box row, const std::string& name, const std::vector<std::string>& labels,
                         int chosen, int own, const std::string& tip) {
  if (puttingBack(ui, row, name, chosen != own, labels[static_cast<std::size_t>(own)])) return own;
  return widgets::labelStepper(ui, name.c_str(), row, labels, chosen, tip, cycleWidth);
}

bool TrainingPanel::puttingBack(Ui& ui, Box& row, const std::string& name, bool changed,
                                const std::string& own) {
  constexpr float mark = 6, between = 4;
  row = {row.x, row.y + between / 2, row.width, row.height - between};
  const Box button = row.takeRight(putBackWidth);
  if (!changed) return false;
  ui.draw(Rect{
      {row.x - mark - 5, row.center().y - mark / 2, mark, mark}, ui.theme.accent, {0, 0, 0, 0}, mark / 2});
  return widgets::button(ui, ("Default##" + name).c_str(), button.inset(2, 0),
                         {.icon = "↺", .tip = "back to " + own});
}

void TrainingPanel::comparison(Ui& ui, Box rest) {
  heading(ui, rest, "A second run");
  std::vector<std::string> labels;
  for (const TrainingVariant& variant : trainingVariants()) labels.push_back(variant.label);
  const int before = variantOf(plan_);
  const int now = cycle(ui, rest.takeTop(rowHeight_), "Second run", labels, before, 0,
                        "Second run with the same seed and data, but different settings");
  if (now != before) {
    setVariant(plan_, now);
    isBeside_ = now == ownNumbersVariant;
  }
  const int preset = presetOf(plan_);
  widgets::paragraph(ui, rest,
                     preset < 0 ? trainingVariants()[static_cast<std::size_t>(now)].meaning
                                : std::string(trainingPresets()[static_cast<std::size_t>(preset)].meaning),
                     {FontFace::Ui, Theme::small - 1, ui.theme.quiet});
}

std::string TrainingPanel::problem() const {
  if (plan_.task == textTaskName && plan_.file.empty()) return "No text: drop a file onto the window";
  return refused_;
}

void TrainingPanel::foot(Ui& ui, Box box) {
  Box row{box.x, box.y + 16, box.width, 32};
  const std::string problem = this->problem();
  const bool ready = problem.empty();
  if (widgets::button(ui, "Start##training", row.takeRight(112),
                      {.look = widgets::Look::Primary,
                       .enabled = ready,
                       .tip = ready ? "Train in the background   Enter" : problem}) ||
      (ready && !ui.usesEnter && !ui.typesNumber && ImGui::IsKeyPressed(ImGuiKey_Enter, false)))
    return start(ui);
  row.takeRight(16);
  const std::string said = !refused_.empty() ? refused_ : ui.training ? ui.training->problem() : "";
  ui.drawText({row.x + 8, row.center().y}, said, {FontFace::Ui, Theme::small, ui.theme.broken}, Align::Start,
              row.width - 8);
}

void TrainingPanel::start(Ui& ui) {
  plan_.from.clear();
  ui.emit(commands::setPlan(plan_));
  ui.ask(Request::StartTraining);
  close();
}

}  // namespace glassformer
