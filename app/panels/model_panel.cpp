#include "app/panels/model_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/comparison_commands.h"
#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/panels/action.h"
#include "app/panels/number_field.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "core/model/memory_need.h"
#include "core/model/model_size.h"
#include "core/model/painted_mask.h"

namespace glassformer {

namespace {

constexpr float modelTitleHeight = 56, modelPartWidth = 124, modelPartHeight = 32, modelRowHeight = 28,
                modelListWidth = 296, optionHeight = 64, memoryHeight = 40, summaryHeight = 96 + memoryHeight;

const ConfigChoice* choiceOf(const std::string& id) {
  for (const ConfigChoice& choice : configChoices())
    if (choice.id == id) return &choice;
  return nullptr;
}

std::string paintedWords(const ModelConfig& config) {
  const std::size_t cells = config.mask.painted.size();
  return std::to_string(cells) + (cells == 1 ? " cell" : " cells");
}

}  // namespace

Box ModelPanel::place(const Ui&, Point window) const {
  const float width = std::min(1040.0f, window.x - 32), height = std::min(728.0f, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

std::vector<ModelPanel::Field> ModelPanel::fields(const Snapshot& snapshot, const ModelChanges& changes) {
  const ModelConfig& config = *snapshot.model->config;
  const ModelConfig& loaded = snapshot.model->loadedConfig ? *snapshot.model->loadedConfig : config;
  const std::string weights = weightsOf(changes);
  const auto known = weightsToTry();
  const auto kind = std::ranges::find(known, weights, &Option::value);
  std::vector<Field> all{{"Weights", weightsField, "Weights", "Trained or random initial weights.", weights,
                          kind == known.end() ? weights : kind->name, weights != trainedWeights}};
  for (const ConfigChoice& choice : configChoices())
    if (choice.matters(config))
      all.push_back({nameOf(choice.section), choice.id, choice.name, choice.meaning, valueOf(choice, config),
                     choice.options[static_cast<std::size_t>(choice.get(config))].name,
                     choice.get(config) != choice.get(loaded)});
  for (const ConfigNumber& number : configNumbers())
    if (number.matters(config))
      all.push_back({nameOf(number.section), number.id, number.name, number.meaning, valueOf(number, config),
                     valueOf(number, config), number.get(config) != number.get(loaded)});
  if (!config.mask.painted.empty())
    all.push_back({nameOf(ConfigSection::Attention), paintedMaskField, "Edited mask",
                   "Cells of the mask that are edited by hand.", toText(config.mask.painted),
                   paintedWords(config), config.mask.painted != loaded.mask.painted});
  // As a pass meets the parts, and in each the choices before the numbers.
  const auto place = [](const Field& field) {
    for (int section = 0; section <= static_cast<int>(ConfigSection::Sizes); ++section)
      if (field.section == nameOf(static_cast<ConfigSection>(section))) return section;
    return -1;
  };
  std::ranges::stable_sort(all, {}, place);
  return all;
}

std::vector<ModelPanel::Option> ModelPanel::weightsToTry() {
  return {{trainedWeights, "Trained", "The loaded weights, where their shapes fit", ""},
          {"random", "Random", "Random initial weights", "W ~ N(0, 1/in)"},
          {"random 2", "Random, seed 2", "Other random initial weights", ""},
          {"random 3", "Random, seed 3", "More random initial weights", ""}};
}

std::vector<ModelPanel::Option> ModelPanel::options(const Field& field, const ModelConfig& config) {
  if (field.id == weightsField) return weightsToTry();
  std::vector<Option> all;
  if (const ConfigChoice* choice = choiceOf(field.id)) {
    for (const ConfigOption& o : choice->options) all.push_back({o.id, o.name, o.meaning, o.equation});
    return all;
  }
  if (field.id == paintedMaskField)
    return {{field.value, paintedWords(config), "P in Attention edits the mask.", ""},
            {"", "No edits", "Every cell follows the attention mask.", ""}};
  for (const ConfigNumber& number : configNumbers())
    if (number.id == field.id)
      for (const std::string& value : valuesToTry(number, config))
        all.push_back({value, number.letter.empty() ? value : number.letter + " = " + value, "", ""});
  return all;
}

void ModelPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(16, 8);
  title(ui, rest.takeTop(modelTitleHeight));
  if (!ui.snapshot.model->config) {
    ui.drawText(rest.center(), "Open a model to see its architecture.",
                {FontFace::Ui, Theme::body, ui.theme.quiet}, Align::Middle);
    return;
  }
  const std::vector<Field> all = fields(ui.snapshot, ui.workspace().changes);
  summary(ui, rest.takeBottom(summaryHeight));
  const auto found = std::ranges::find(all, chosen_, &Field::id);
  const Field& chosen = found == all.end() ? all.front() : *found;
  parts(ui, rest.takeLeft(modelPartWidth), all);
  rest.takeLeft(8);
  list(ui, rest.takeLeft(std::min(modelListWidth, rest.width * 0.4f)), all, chosen.section);
  rest.takeLeft(16);
  details(ui, rest, chosen);
}

// What the fields are about; of each section how many were changed.
void ModelPanel::parts(Ui& ui, Box area, const std::vector<Field>& all) {
  const auto chosen = std::ranges::find(all, chosen_, &Field::id);
  for (auto first = all.begin(); first != all.end();) {
    const std::string_view section = first->section;
    const auto end =
        std::ranges::find_if(first, all.end(), [&](const Field& f) { return f.section != section; });
    const Box row = area.takeTop(modelPartHeight);
    const bool isOpen = (chosen == all.end() ? all.begin() : chosen)->section == section;
    if (widgets::listRow(ui, std::string(section) + "##section", row, isOpen) && !isOpen) chosen_ = first->id;
    ui.drawText({row.x + 8, row.center().y}, std::string(section),
                {isOpen ? FontFace::Strong : FontFace::Ui, Theme::small, ui.theme.text}, Align::Start,
                row.width - 32);
    const auto changed = std::count_if(first, end, [](const Field& f) { return f.changed; });
    if (changed > 0)
      ui.drawText({row.right() - 8, row.center().y}, std::to_string(changed),
                  {FontFace::Strong, Theme::small, ui.theme.accent}, Align::End);
    first = end;
  }
}

void ModelPanel::title(Ui& ui, Box area) {
  const Theme& theme = ui.theme;
  ui.drawText({area.x + 8, area.y + 20}, "Architecture", {FontFace::Strong, Theme::title, theme.text});
  const float named = ui.metrics().width("Architecture", FontFace::Strong, Theme::title) + 24;
  if (widgets::button(ui, "Models…##model",
                      {area.x + named, area.y + 4, widgets::buttonWidth(ui, "Models…##model"), 32},
                      {.look = widgets::Look::Raised,
                       .tip = "Open another model   " + keyText(actionOf("open-model"))})) {
    close();
    ui.ask(Request::Library);
  }
  Box right = {area.right() - 32, area.y + 4, 32, 32};
  if (widgets::button(ui, "Close##model", right, {.icon = "✕", .tip = "close   Esc"})) close();
  if (ui.workspace().changes.empty()) return;
  const float width = widgets::buttonWidth(ui, "Reset model##model");
  right = {right.x - width - 8, area.y + 4, width, 32};
  if (widgets::button(ui, "Reset model##model", right,
                      {.look = widgets::Look::Raised, .tip = "Undo all changes of the model"}))
    ui.emit(commands::resetModel());
  const bool on = ui.workspace().comparison.with == Comparison::asLoaded;
  const float compare = widgets::buttonWidth(ui, "Compare##model");
  right = {right.x - compare - 8, area.y + 4, compare, 32};
  if (widgets::button(
          ui, "Compare##model", right,
          {.look = widgets::Look::Raised, .on = on, .tip = "Compare with the model as it was loaded"}))
    ui.emit(commands::compareWith(on ? Comparison::off : Comparison::asLoaded));
}

void ModelPanel::list(Ui& ui, Box area, const std::vector<Field>& all, std::string_view section) {
  const Theme& theme = ui.theme;
  const int was = static_cast<int>(std::ranges::find(all, chosen_, &Field::id) - all.begin());
  // Beyond the last of a section the next one begins.
  if (const int now = widgets::chosenByKeys(was, static_cast<int>(all.size())); now != was)
    chosen_ = all[static_cast<std::size_t>(now)].id;
  for (const Field& field : all) {
    if (field.section != section) continue;
    const Box row = area.takeTop(modelRowHeight);
    if (widgets::listRow(ui, field.name + "##field" + field.id, row, field.id == chosen_)) chosen_ = field.id;
    const TextStyle value{field.changed ? FontFace::Strong : FontFace::Ui, Theme::small,
                          field.changed ? theme.accent : theme.quiet};
    ui.drawText({row.x + 8, row.center().y}, field.name, theme.plain(), Align::Start, row.width * 0.56f);
    ui.drawText({row.right() - 8, row.center().y}, field.shown, value, Align::End, row.width * 0.38f);
  }
}

void ModelPanel::details(Ui& ui, Box area, const Field& field) const {
  const Theme& theme = ui.theme;
  const Box head = area.takeTop(56);
  ui.drawText({head.x + 12, head.y + 12}, field.name, theme.heading(), Align::Start, head.width - 24);
  ui.drawText({head.x + 12, head.y + 34}, field.meaning, theme.note(), Align::Start, head.width - 24);
  const auto all = options(field, *ui.snapshot.model->config);
  const bool plain = std::ranges::all_of(all, [](const Option& o) { return o.meaning.empty(); });
  const auto& numbers = configNumbers();
  const auto number = std::ranges::find(numbers, field.id, &ConfigNumber::id);
  const bool any = number != numbers.end() && number->whole;
  constexpr float anyHeight = 48;
  const float height =
      std::min(plain ? 36.0f : optionHeight, (area.height - (any ? anyHeight : 0)) /
                                                 static_cast<float>(std::max<std::size_t>(1, all.size())));
  for (const Option& each : all) option(ui, area.takeTop(height).inset(0, 2), field, each);
  if (any) anyNumber(ui, area.takeTop(anyHeight), *number);
}

// Those above are worth trying; any other that the model can have is set here.
void ModelPanel::anyNumber(Ui& ui, const Box& box, const ConfigNumber& number) const {
  constexpr double most = 1 << 16;
  constexpr float width = 112, left = 12;
  const std::string name = "Any other##" + number.id;
  const auto before = static_cast<float>(number.get(*ui.snapshot.model->config));
  const float after =
      widgets::numberField(ui, name.c_str(), {box.x + left, box.y + 8, 88 + width, Theme::control}, before,
                           {.low = static_cast<float>(number.least),
                            .high = std::max(before, static_cast<float>(std::min(number.most, most))),
                            .tip = "click to type, drag or turn the wheel",
                            .width = width});
  if (after == before) return;
  const ModelConfig& loaded = *ui.snapshot.model->loadedConfig;
  const ModelChanges changes =
      withChange(ui.workspace().changes, loaded, number.id, std::to_string(static_cast<int>(after)));
  if (const Result<ModelConfig> config = changedConfig(loaded, changes); !config)
    return widgets::refuse(ui, name.c_str(),
                           "not " + std::to_string(static_cast<int>(after)) + ": " + config.error().what);
  ui.emit(commands::setModelChanges(changes, "number " + std::to_string(ui.numbers.gesture)));
}

void ModelPanel::option(Ui& ui, const Box& box, const Field& field, const Option& option) const {
  const Theme& theme = ui.theme;
  const ModelConfig& loaded = *ui.snapshot.model->loadedConfig;
  const ModelChanges changes = withChange(ui.workspace().changes, loaded, field.id, option.value);
  const Result<ModelConfig> config = changedConfig(loaded, changes);
  const bool chosen = option.value == field.value;
  if (widgets::listRow(ui, option.name + "##" + field.id + option.value, box, chosen) && config && !chosen)
    ui.emit(commands::setModelChanges(changes));
  const float left = box.x + 12, width = box.width - 24;
  const bool lines = box.height > 48;
  const float y = lines ? box.y + 18 : box.center().y;
  ui.drawText({left, y}, option.name, {FontFace::Strong, Theme::small, config ? theme.text : theme.quiet},
              Align::Start, width * 0.4f);
  if (!option.equation.empty())
    ui.drawText({box.right() - 12, y}, option.equation, {FontFace::Mono, Theme::small - 1, theme.quiet},
                Align::End, width * 0.58f);
  const std::string below = config ? option.meaning : "not here: " + config.error().what;
  if (lines)
    ui.drawText({left, box.y + 41}, below, theme.note(), Align::Start, width);
  else if (!config)
    ui.drawText({box.right() - 12, y}, below, theme.note(), Align::End, width * 0.58f);
}

void ModelPanel::summary(Ui& ui, Box area) const {
  const Theme& theme = ui.theme;
  const Snapshot& snapshot = ui.snapshot;
  ui.draw(Rect{{area.x, area.y + 4, area.width, 1}, theme.line, {0, 0, 0, 0}, 0, 1});
  memory(ui, area.takeBottom(memoryHeight));
  const int T = static_cast<int>(snapshot.pass->tokens.size());
  const std::int64_t parameters = parameterCount(*snapshot.model->config);
  const std::string size = formattedCount(parameters) + " parameters, " +
                           formattedCount(multiplyAdds(*snapshot.model->config, std::max(T, 1), T)) +
                           " multiply-adds for " + countWords(T, "token");
  ui.drawText({area.x + 8, area.y + 28}, size, {FontFace::Ui, Theme::body, theme.text}, Align::Start,
              area.width - 16);
  std::string kept = snapshot.model->hasHead ? "Original model." : noHeadWords;
  if (!ui.workspace().changes.empty()) {
    kept = snapshot.model->freshValues == 0
               ? "The weights stay. They were not trained for this architecture, so predictions differ."
               : formattedCount(snapshot.model->freshValues) + " weights are random again (" +
                     snapshot.model->freshWeights.front() +
                     (snapshot.model->freshWeights.size() > 1
                          ? " and " + std::to_string(snapshot.model->freshWeights.size() - 1) + " more"
                          : "") +
                     "); it needs training.";
  }
  ui.drawText({area.x + 8, area.y + 56}, kept, theme.note(), Align::Start, area.width - 16);
  if (!snapshot.standing.error.empty())
    ui.drawText({area.x + 8, area.y + 78}, snapshot.standing.error, theme.plain(), Align::Start,
                area.width - 16);
}

// What the passes take, and what one of them may take.
void ModelPanel::memory(Ui& ui, Box row) const {
  static constexpr std::array rungs{0.1f, 0.2f, 0.5f, 1.0f, 2.0f, 4.0f, 8.0f, 16.0f, 32.0f, 64.0f};
  constexpr float nameWidth = 168, width = 112;
  const float before = static_cast<float>(ui.workspace().machine.passLimit() / 1e9);
  const float after = widgets::numberField(
      ui, memoryField, {row.x + 8, row.y + 4, nameWidth + width, Theme::control}, before,
      {.low = Machine::leastMemory,
       .high = Machine::mostMemory,
       .step = 0.1f,
       .decimals = 1,
       .rungs = rungs,
       .tip = "Memory limit of one pass. Over it, scores and patterns are recomputed when viewed.",
       .width = width});
  if (after != before) ui.emit(commands::setMemory(after));
  row.takeLeft(nameWidth + width + 24);
  ui.drawText({row.x, row.y + 4 + Theme::control / 2}, memoryWords(ui.snapshot.memory), ui.theme.note(),
              Align::Start, row.width - 8);
}

std::string memoryWords(const PassMemory& memory) {
  return "Passes take " + byteWords(memory.taken) +
         (memory.dropsSquares ? "; scores and patterns are recomputed." : "; all activations are kept.");
}

}  // namespace glassformer
