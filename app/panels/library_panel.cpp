#include "app/panels/library_panel.h"

#include <algorithm>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/document/prepared_texts.h"
#include "app/drawing/place_names.h"
#include "app/panels/action.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "core/io/model_directory.h"
#include "core/model/choices.h"
#include "core/model/model_size.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

constexpr float libraryTitleHeight = 44, libraryRowHeight = 36, libraryHeadingHeight = 32,
                libraryListWidth = 280, libraryFootHeight = 56, factHeight = 24;

std::string nameOfChoice(const ModelConfig& config, std::string_view id) {
  for (const ConfigChoice& choice : configChoices())
    if (choice.id == id) return choice.options[static_cast<std::size_t>(choice.get(config))].name;
  return "";
}

std::string summaryOf(const ModelInfo& model) {
  if (!model.config) return "cannot be opened";
  return nameOfChoice(*model.config, "stack") + ", " + formattedCount(parameterCount(*model.config)) +
         " parameters";
}

std::vector<std::pair<std::string, std::string>> factsOf(const ModelInfo& model) {
  const ModelConfig& c = *model.config;
  return {{"Model type", nameOfChoice(c, "stack")},
          {"Blocks", depthWords(c)},
          c.hasAttention()
              ? std::pair<std::string, std::string>{"Heads", std::to_string(c.heads) + " per block"}
              : std::pair<std::string, std::string>{"Token mixer", nameOfChoice(c, "mixing")},
          {"Model dim", std::to_string(c.width)},
          {"Vocabulary", std::to_string(c.vocabulary)},
          {"Context", std::to_string(c.context) + " tokens"},
          {"Positions", nameOfChoice(c, "position_embedding_type")},
          {"Parameters", formattedCount(parameterCount(c))},
          {"File", formattedCount(static_cast<std::int64_t>(model.size)) + "B" +
                       (model.types.empty() ? "" : ", " + model.types)}};
}

// "name        value", the name in as many lines as it needs.
void factRow(Ui& ui, Box& rest, const std::string& name, const std::string& value, FontFace face) {
  if (rest.height < factHeight) return;
  constexpr float gap = 16;
  const float width = std::min(rest.width * 0.7f, ui.metrics().width(value, face, Theme::small) + 1);
  const Box row{rest.x, rest.y, rest.width, factHeight};
  ui.drawText({row.right(), row.center().y}, value, {face, Theme::small, ui.theme.text}, Align::End, width);
  Box words{rest.x, rest.y + 2, rest.width - width - gap, rest.height - 2};
  widgets::paragraph(ui, words, name, ui.theme.note(), 2);
  rest.takeTop(std::max(factHeight, words.y - rest.y));
}

}  // namespace

void LibraryPanel::begin(const std::vector<ModelLibrary::Entry>& builtIn, const Training* training,
                         const std::vector<fs::path>& recent, const std::string& open) {
  models_.clear();
  for (const ModelLibrary::Entry& entry : builtIn)
    models_.emplace_back(modelInfo(entry.name, entry.folder)).name = entry.name;
  builtIn_ = models_.size();
  for (const std::string& run : training ? training->kept() : std::vector<std::string>{})
    if (const fs::path folder = training->modelOf(run); isModelDirectory(folder))
      models_.emplace_back(modelInfo(run, folder)).name = run.substr(runPrefix.size());
  trained_ = models_.size() - builtIn_;
  std::vector<fs::path> others = recent;
  if (std::ranges::find(models_, open, &ModelInfo::model) == models_.end())
    others.insert(others.begin(), open);
  for (const fs::path& path : others) {
    const bool known = std::ranges::find(models_, path, &ModelInfo::folder) != models_.end();
    if (!known && isModelDirectory(path)) models_.push_back(modelInfo(path.string(), path));
  }
  const auto at = std::ranges::find(models_, open, &ModelInfo::model);
  chosen_ = at == models_.end() ? 0 : static_cast<std::size_t>(at - models_.begin());
  first_ = 0;
  Overlay::open();
}

Box LibraryPanel::place(const Ui&, Point window) const {
  const float width = std::min(1000.0f, window.x - 32), height = std::min(800.0f, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void LibraryPanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  Box rest = area.inset(16, 8);
  const Box title = rest.takeTop(libraryTitleHeight);
  ui.drawText({title.x + 8, title.y + 20}, "Models", {FontFace::Strong, Theme::title, theme.text});
  if (widgets::button(ui, "Close##library", {title.right() - 32, title.y + 4, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  list(ui, rest.takeLeft(std::min(libraryListWidth, rest.width * 0.4f)));
  rest.takeLeft(16);
  if (chosen_ < models_.size())
    details(ui, rest, models_[chosen_]);
  else
    ui.drawText(rest.center(), "No models found next to the program. Open a model folder.",
                {FontFace::Ui, Theme::body, theme.quiet}, Align::Middle, rest.width);
}

void LibraryPanel::list(Ui& ui, Box area) {
  const Box foot = area.takeBottom(libraryFootHeight);
  int headings = 0;
  for (std::size_t i = 0; i < models_.size(); ++i) headings += *headingAt(i) != 0;
  const int count = static_cast<int>(models_.size()),
            rows = std::max(
                1, static_cast<int>((area.height - headings * libraryHeadingHeight) / libraryRowHeight));
  const int was = static_cast<int>(chosen_), now = widgets::chosenByKeys(was, count);
  if (now != was) first_ = std::clamp(first_, now - rows + 1, now);
  chosen_ = static_cast<std::size_t>(now);
  if (area.contains(ui.pointer())) first_ -= static_cast<int>(std::lround(ImGui::GetIO().MouseWheel));
  first_ = std::clamp(first_, 0, std::max(0, count - rows));
  for (int shown = first_; shown < std::min(count, first_ + rows); ++shown) {
    const auto i = static_cast<std::size_t>(shown);
    std::size_t group = i;  // the first one of it, for the list's first row says whose it is
    while (shown == first_ && group > 0 && !*headingAt(group)) --group;
    if (*headingAt(group)) {
      const Box heading = area.takeTop(libraryHeadingHeight);
      widgets::heading(ui, {heading.x + 12, heading.center().y}, headingAt(group));
    }
    row(ui, area.takeTop(libraryRowHeight), i);
  }
  if (const int more = count - first_ - rows; more > 0)
    ui.drawText({foot.right() - 12, foot.y + 3}, "▾ " + std::to_string(more) + " more",
                {FontFace::Ui, Theme::small - 1, ui.theme.quiet}, Align::End);
  if (widgets::button(ui, "Open a folder …##library",
                      {foot.x, foot.y + 12, widgets::buttonWidth(ui, "Open a folder …##library"), 32},
                      {.look = widgets::Look::Raised,
                       .tip = "Folder with a model   " + keyText(actionOf("open-file"))})) {
    close();
    ui.ask(Request::OpenFile);
  }
  const float open = widgets::buttonWidth(ui, "Open a folder …##library");
  if (widgets::button(
          ui, "Check …##library",
          {foot.x + open + 8, foot.y + 12, widgets::buttonWidth(ui, "Check …##library"), 32},
          {.look = widgets::Look::Raised,
           .tip =
               "Compare the open model with activations of another implementation (.safetensors, .npz)"})) {
    close();
    ui.ask(Request::OpenFile);
  }
}

// What stands above a model that is the first of its group; else nothing.
const char* LibraryPanel::headingAt(std::size_t i) const {
  if (i == builtIn_ + trained_) return "RECENT";
  if (i == builtIn_) return "TRAINED HERE";
  return i == 0 ? "BUILT-IN" : "";
}

// A click shows what it is; another opens it.
void LibraryPanel::row(Ui& ui, const Box& box, std::size_t i) {
  const ModelInfo& model = models_[i];
  const bool open = model.model == ui.workspace().model;
  if (widgets::listRow(ui, model.name + "##model " + model.model, box, i == chosen_)) {
    if (i == chosen_ && model.config) return openModel(ui, model, false);
    chosen_ = i;
  }
  ui.drawText({box.x + 12, box.y + 10}, model.name, ui.theme.strong(), Align::Start, box.width - 72);
  if (open)
    ui.drawText({box.right() - 12, box.y + 10}, "open", {FontFace::Ui, Theme::small - 1, ui.theme.accent},
                Align::End);
  ui.drawText({box.x + 12, box.y + 26}, summaryOf(model), {FontFace::Ui, Theme::small - 1, ui.theme.quiet},
              Align::Start, box.width - 24);
}

void LibraryPanel::details(Ui& ui, Box area, const ModelInfo& model) {
  const Theme& theme = ui.theme;
  buttons(ui, area.takeBottom(libraryFootHeight), model);
  Box rest = area.inset(12, 0);
  const Box head = rest.takeTop(libraryHeadingHeight);
  ui.drawText({head.x, head.center().y}, model.name, theme.heading(), Align::Start, head.width);
  if (!model.config)
    return widgets::paragraph(ui, rest, model.error, {FontFace::Ui, Theme::small, theme.broken});
  if (!model.purpose.empty()) widgets::paragraph(ui, rest, model.purpose, theme.note(), 16);
  facts(ui, rest, model);
}

// What it is made of on the left, what it reached on the right.
void LibraryPanel::facts(Ui& ui, Box& rest, const ModelInfo& model) const {
  Box right = rest;
  Box left = right.takeLeft(model.measured.empty() ? rest.width : rest.width * 0.42f);
  for (const auto& [name, value] : factsOf(model)) factRow(ui, left, name, value, FontFace::Ui);
  right.takeLeft(32);
  for (const auto& [name, value] : model.measured) factRow(ui, right, name, value, FontFace::Mono);
}

void LibraryPanel::buttons(Ui& ui, Box box, const ModelInfo& model) {
  Box row{box.x, box.y + 12, box.width, 32};
  const bool can = model.config.has_value();
  const float open = widgets::buttonWidth(ui, "Open##library") + 24;
  if (widgets::button(
          ui, "Open##library", row.takeRight(open),
          {.look = widgets::Look::Primary, .enabled = can, .tip = "Open with its trained weights"}))
    return openModel(ui, model, false);
  if (can && !ui.usesEnter && ImGui::IsKeyPressed(ImGuiKey_Enter, false)) return openModel(ui, model, false);
  row.takeRight(8);
  const char* untrained = "Open untrained##library";
  if (widgets::button(
          ui, untrained, row.takeRight(widgets::buttonWidth(ui, untrained)),
          {.look = widgets::Look::Raised, .enabled = can, .tip = "Open with random initial weights"}))
    openModel(ui, model, true);
  for (const PreparedText& text : preparedTexts()) {
    const std::string label = std::string(text.label) + "##library";
    const float width = widgets::buttonWidth(ui, label.c_str());
    if (text.model != model.model || row.width < width + 8) continue;
    row.takeRight(8);
    if (!widgets::button(ui, label.c_str(), row.takeRight(width),
                         {.look = widgets::Look::Raised, .enabled = can, .tip = std::string(text.meaning)}))
      continue;
    ui.emit(commands::openPrepared(text));
    close();
  }
}

void LibraryPanel::openModel(Ui& ui, const ModelInfo& model, bool random) {
  const ModelChanges changes = random ? ModelChanges{{weightsField, "random"}} : ModelChanges{};
  if (model.model != ui.workspace().model)
    ui.emit(commands::setModel(model.model, changes));
  else if (changes != ui.workspace().changes)
    ui.emit(commands::setModelChanges(changes));
  close();
}

}  // namespace glassformer
