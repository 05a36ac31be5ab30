#include "app/panels/kept_runs.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

std::string nameOf(const std::string& run) { return run.substr(runPrefix.size()); }

std::string sizeOf(std::uintmax_t bytes) {
  constexpr std::uintmax_t mebibyte = 1 << 20;
  return std::to_string(std::max<std::uintmax_t>(1, (bytes + mebibyte / 2) / mebibyte)) + " MiB";
}

std::string wordsOf(const KeptSize& kept) {
  return countWords(kept.weights, "step") + ", " + sizeOf(kept.bytes);
}

std::string otherwiseIn(const TrainingPlan& plan) {
  const std::string words = planInWords(plan);
  return words.empty() ? "Task defaults." : "Changed from the task defaults: " + words + ".";
}

// A list broken behind its commas.
std::vector<std::string> inLines(std::string_view list) {
  constexpr std::size_t enough = 44;
  std::vector<std::string> lines;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ", enough);
    const std::size_t end = comma == std::string_view::npos ? list.size() : comma + 1;
    lines.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return lines;
}

// What is not as the recipe has it, and what there is of the run.
void explain(Ui& ui, const KeptSize& kept, const std::string& otherwise) {
  const TextStyle style = ui.theme.plain();
  std::vector<std::pair<std::string, TextStyle>> lines;
  for (const std::string& line : inLines(otherwise)) lines.push_back({line, style});
  for (const std::string& line : {"On the disk: the weights of " + countWords(kept.weights, "step") + ",",
                                  "the optimizer's moments of " + std::to_string(kept.moments) + " of them,",
                                  std::string("and the last checkpoint.")})
    lines.push_back({line, style});
  widgets::tooltip(ui, lines);
}

}  // namespace

void KeptRuns::begin(const Training& training) {
  runs_.clear(), asked_.clear(), first_ = 0;
  for (const std::string& run : training.kept()) {
    const auto plan = training.planOf(run);
    runs_.push_back({run, training.sizeOf(run), plan ? otherwiseIn(*plan) : plan.error().message()});
  }
  std::ranges::reverse(runs_);
}

std::string KeptRuns::show(Ui& ui, Box area) {
  const auto rows = static_cast<std::size_t>(std::max(0.0f, area.height / rowHeight + 0.01f));
  const bool paged = runs_.size() > rows;
  const std::size_t page = paged ? std::max<std::size_t>(rows, 2) - 1 : runs_.size();
  if (!paged || first_ >= runs_.size()) first_ = 0;
  const std::size_t end = std::min(first_ + page, runs_.size());
  std::string opened;
  for (std::size_t i = first_; i < end; ++i) {
    const Box row = area.takeTop(rowHeight);
    if (runs_[i].name == asked_)
      askToDelete(ui, row, runs_[i]);
    else if (showRun(ui, row, runs_[i]))
      opened = runs_[i].name;
  }
  if (paged) showPaging(ui, area.takeTop(rowHeight), end);
  std::erase_if(runs_, [&](const Run& run) { return run.name == deleted_; });
  return opened;
}

void KeptRuns::showPaging(Ui& ui, const Box& row, std::size_t end) {
  const std::size_t earlier = runs_.size() - end;
  const std::string words = earlier > 0 ? std::to_string(earlier) + " earlier" : "Show the newest";
  if (widgets::listRow(ui, "more##run", row, false)) first_ = earlier > 0 ? end : 0;
  ui.drawText({row.x + 12, row.center().y}, words, ui.theme.note());
}

bool KeptRuns::showRun(Ui& ui, Box row, const Run& run) {
  const bool open = run.name == ui.workspace().model;
  const std::string name = nameOf(run.name);
  if (widgets::button(ui, ("Delete " + name + "##run").c_str(), row.takeRight(rowHeight),
                      {.enabled = !open,
                       .icon = "✕",
                       .tip = open ? "This run is open" : "Delete this run from the disk"}))
    asked_ = run.name;
  const bool clicked = widgets::listRow(ui, name + "##run", row, open);
  if (ImGui::IsItemHovered()) explain(ui, run.size, run.otherwise);
  const float words = ui.metrics().width(wordsOf(run.size), FontFace::Ui, Theme::small - 1) + 4;
  ui.drawText({row.x + 12, row.center().y}, name, ui.theme.plain(), Align::Start, row.width - words - 24);
  ui.drawText({row.right() - 12, row.center().y}, wordsOf(run.size),
              {FontFace::Ui, Theme::small - 1, ui.theme.quiet}, Align::End, words);
  return clicked;
}

void KeptRuns::askToDelete(Ui& ui, Box row, const Run& run) {
  row.takeRight(4);
  if (widgets::button(ui, "Keep##run", row.takeRight(widgets::buttonWidth(ui, "Keep##run")),
                      {.look = widgets::Look::Raised}))
    asked_.clear();
  row.takeRight(4);
  if (widgets::button(ui, "Delete##run", row.takeRight(widgets::buttonWidth(ui, "Delete##run")),
                      {.look = widgets::Look::Primary, .tip = "Delete permanently"}))
    deleted_ = run.name;
  ui.drawText({row.x + 12, row.center().y}, nameOf(run.name), ui.theme.plain(), Align::Start, row.width - 16);
}

}  // namespace glassformer
