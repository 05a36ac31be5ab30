#include "app/panels/input_panel.h"

#include <filesystem>

#include "app/document/comparison_commands.h"
#include "app/document/intervention_list.h"
#include "app/document/switches.h"
#include "app/document/text_commands.h"
#include "app/document/text_edit.h"
#include "app/document/trace_file.h"
#include "app/document/view_commands.h"
#include "app/engine/compared_interventions.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/action.h"
#include "app/panels/number_field.h"
#include "app/panels/widgets.h"
#include "app/views/caption.h"
#include "app/views/model_map/model_map_scene.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

constexpr float inputMargin = 16, inputHeading = 24;
constexpr std::size_t mostInTip = 200;  // characters of another text

// Of a text alone, in a column that has so much left.
float fieldHeight(float left) { return TextField::wholeLines(std::clamp(left * 0.22f, 100.0f, 212.0f)); }

// What comes after what is compared with, around the end.
Compared nextToCompare(const Workspace& w) {
  const std::vector<Compared> all = comparables(w);
  const auto now = std::ranges::find(all, w.comparison.with);
  return now == all.end() || now + 1 == all.end() ? all.front() : *(now + 1);
}

std::string nameCompared(const Workspace& w) {
  const Comparison& comparison = w.comparison;
  if (comparison.with == Comparison::recordedTrace)
    return displayable(std::filesystem::path(w.recordedTrace).filename().string());
  if (comparison.with == Comparison::asLoaded) return "as loaded";
  if (comparison.with == Comparison::otherRun) return "other run";
  const auto tab = comparison.otherTab();
  return tab ? "with " + std::to_string(*tab + 1) : "without";
}

// Whole rows are changed where a head looks, and nowhere else.
bool suits(InterventionKind kind, const Intervention& intervention) {
  return !described(kind).applyToRow ||
         (intervention.point.ends_with("hook_pattern") && intervention.index[2] == Intervention::every);
}

// Its text; of a trace from elsewhere, the file.
std::string wordsOfTab(const Workspace& w, int i) {
  if (isTraceFile(w.model))
    return displayable(std::filesystem::path(traceInTab(w.model, w.textOfTab(i))).filename().string());
  const std::string& text = w.sourceOfTab(i).empty() ? w.textOfTab(i) : w.sourceOfTab(i);
  return text.empty() ? "empty" : displayable(text);
}

Intervention inTheNextWay(Intervention intervention) {
  do {
    const auto next = (static_cast<std::size_t>(intervention.kind) + 1) % interventionKinds().size();
    intervention.kind = static_cast<InterventionKind>(next);
  } while (!suits(intervention.kind, intervention));
  intervention.value = described(intervention.kind).usual;
  return intervention;
}

}  // namespace

std::string InputPanel::status(const Ui& ui, Stream stream) const {
  const Snapshot& snapshot = ui.snapshot;
  if (!snapshot.model->config || coveredNow(ui.lesson.get(), ui.workspace()).tokens) return "";
  const auto count = snapshot.pass->tokensOf(stream).size();
  std::string text = std::to_string(count) + (count == 1 ? " token" : " tokens");
  if (snapshot.model->hasNoWeights()) text += ", recorded";
  return text;
}

// How much of a text the model has no room for; nothing while it reads all of it.
void InputPanel::showBeyond(Ui& ui, Stream stream, Box& rest) const {
  const Snapshot& snapshot = ui.snapshot;
  if (!snapshot.model->config) return;
  const int context = snapshot.model->config->context;
  const int beyond = static_cast<int>(snapshot.pass->tokensOf(stream).size()) - context;
  if (beyond <= 0) return;
  rest.takeTop(4);
  widgets::paragraph(ui, rest,
                     std::to_string(beyond) + (beyond == 1 ? " token" : " tokens") +
                         " beyond the context of " + std::to_string(context) +
                         (beyond == 1 ? " is" : " are") + " not read",
                     {FontFace::Ui, Theme::small, ui.theme.broken}, 0);
}

// A tab per text, named after how it begins and ends: the ones furthest from the open one go where room is
// short.
void InputPanel::showTabs(Ui& ui, Box row) {
  const Workspace& w = ui.workspace();
  constexpr float least = 64;
  const int shown = std::min(w.tabCount(), std::max(1, static_cast<int>(row.width / least)));
  const int first = std::clamp(w.tab - shown / 2, 0, w.tabCount() - shown);
  const float width = (row.width - static_cast<float>(shown - 1) * 4) / static_cast<float>(shown);
  for (int i = first; i < first + shown; ++i) {
    Box box = row.takeLeft(width);
    row.takeLeft(4);
    const std::string words = wordsOfTab(w, i);
    const bool open = i == w.tab;
    const Box closeBox = open ? box.takeRight(24) : Box{};
    const std::string name =
        fittedInMiddle(ui.metrics(), std::to_string(i + 1) + "  " + words,
                       open ? FontFace::Strong : FontFace::Ui, Theme::small, box.width - 8) +
        "##tab" + std::to_string(i);
    if (widgets::button(ui, name.c_str(), box,
                        {.on = open, .tip = open ? std::string() : shortened(words, mostInTip)}))
      ui.emit(commands::openTab(i));
    if (open && widgets::button(ui, "Close tab", closeBox,
                                {.icon = "✕", .tip = "Close this tab   " + keyText(actionOf("close-tab"))}))
      ui.emit(commands::closeTab(i));
  }
}

// Whether, with which other text, and how.
void InputPanel::showComparison(Ui& ui, Box row) {
  const Workspace& w = ui.workspace();
  const Comparison& comparison = w.comparison;
  const Action& compare = actionOf("compare");
  if (widgets::button(ui, "Compare", row.takeLeft(widgets::buttonWidth(ui, "Compare")),
                      {.look = widgets::Look::Raised,
                       .on = comparison.isOn(),
                       .tip = "Compare two texts   " + keyText(compare)}))
    compare.run(ui);
  if (!comparison.isOn()) return;
  row.takeLeft(8);
  const Action& difference = actionOf("difference");
  const bool isThere = isAvailable(difference, ui);
  if (widgets::button(ui, "Difference", row.takeRight(widgets::buttonWidth(ui, "Difference")),
                      {.look = widgets::Look::Raised,
                       .enabled = isThere,
                       .on = showsDifference(w, ui.snapshot),
                       .tip = isThere ? "This text minus the other, token by token   " + keyText(difference)
                                      : "Not defined as a difference. Side by side shows both."}))
    difference.run(ui);
  row.takeRight(8);
  if (widgets::button(ui, (nameCompared(w) + "##with").c_str(), row,
                      {.enabled = comparables(w).size() > 1, .tip = "Compare with the next one"}))
    ui.emit(commands::compareWith(nextToCompare(w)));
}

// What is overridden in the model, to be paused, changed or taken back; where there are many the newest, and
// page by page those before.
void InputPanel::showInterventions(Ui& ui, Box& rest) {
  constexpr std::size_t most = 3;
  const std::vector<ListedIntervention> all = listedInterventions(ui.workspace());
  if (all.size() != listed_) listed_ = all.size(), newer_ = 0;
  if (all.empty()) return;
  rest.takeTop(8);
  const std::size_t end = all.size() - newer_, first = end > most ? end - most : 0;
  for (std::size_t i = first; i < end; ++i) showIntervention(ui, i, all[i], rest);
  if (all.size() > most) showPaging(ui, first, rest.takeTop(24));
}

void InputPanel::showPaging(Ui& ui, std::size_t earlier, const Box& row) {
  const std::string words = earlier > 0 ? std::to_string(earlier) + " earlier" : "Show the newest";
  if (widgets::listRow(ui, "more##intervention", row, false)) newer_ = earlier > 0 ? listed_ - earlier : 0;
  ui.drawText({row.x + 24, row.center().y}, words, ui.theme.note());
}

// Whether it acts, which a press on its mark changes.
void InputPanel::showSwitch(Ui& ui, std::size_t i, bool acts, const Box& box) {
  const char* const tip = acts ? "Disable (stays in the list)" : "Enable";
  const std::string label = std::string(acts ? "Disable##" : "Enable##") + std::to_string(i);
  if (widgets::button(ui, label.c_str(), box, {.icon = "", .tip = tip}))
    ui.emit(commands::pauseIntervention(i));
  const Box mark{box.center().x - 4, box.center().y - 4, 8, 8};
  if (acts)
    ui.draw(Rect{mark, ui.theme.broken, {0, 0, 0, 0}, 4, 1});
  else
    ui.draw(Rect{mark, {0, 0, 0, 0}, ui.theme.quiet, 4, 1});
}

// Where it acts and how, which a press turns into another way; below it by how much.
void InputPanel::showIntervention(Ui& ui, std::size_t i, const ListedIntervention& listed, Box& rest) {
  constexpr float rowHeight = 28, switchWidth = 20;
  const Intervention& now = *listed.intervention;
  const InterventionDescription& kind = described(now.kind);
  const std::string own = "##" + std::to_string(i);
  Box row = rest.takeTop(rowHeight);
  showSwitch(ui, i, listed.acts, row.takeLeft(switchWidth));
  if (widgets::button(ui, ("Remove" + own).c_str(), row.takeRight(rowHeight),
                      {.icon = "✕", .tip = "Remove this intervention"}))
    ui.emit(commands::removeIntervention(i));
  row.takeRight(4);
  const bool isByRule = now.isByRule();  // changed where it was said
  if (!isByRule && widgets::button(ui, (kind.sign + own).c_str(),
                                   row.takeRight(std::max(widgets::buttonWidth(ui, "off"),
                                                          widgets::buttonWidth(ui, kind.sign))),
                                   {.look = widgets::Look::Raised,
                                    .enabled = !now.tensor,
                                    .tip = std::string(kind.meaning) + "; click to change it"}))
    ui.emit(commands::changeIntervention(i, inTheNextWay(now)));
  ui.drawText({row.x + 4, row.center().y}, placeWords(now), listed.acts ? ui.theme.plain() : ui.theme.note(),
              Align::Start, row.width - 12);
  if (kind.takesNumber && !now.tensor && !isByRule) showNumber(ui, i, now, rest.takeTop(rowHeight));
  if (now.tensor && !now.origin.empty()) {
    Box from = rest.takeTop(rowHeight);
    from.takeLeft(switchWidth + 4);
    ui.drawText({from.x, from.center().y}, now.origin, ui.theme.note(), Align::Start, from.width);
  }
  if (ui.snapshot.pass->trace && isOfOpenText(ui.workspace(), now, *ui.snapshot.pass->trace)) {
    Box alone = rest.takeTop(rowHeight);
    alone.takeLeft(switchWidth + 4);
    ui.drawText({alone.x, alone.center().y}, "in this text alone, not in the other", ui.theme.note(),
                Align::Start, alone.width);
  }
  rest.takeTop(4);
}

void InputPanel::showNumber(Ui& ui, std::size_t i, Intervention changed, Box row) {
  const InterventionDescription& kind = described(changed.kind);
  const std::string field = std::string(kind.number) + "##" + std::to_string(i);
  row.takeLeft(24);
  const float before = changed.value;
  changed.value = widgets::numberField(
      ui, field.c_str(), row, before,
      {.low = kind.least, .high = kind.most, .step = kind.step, .decimals = 2, .tip = kind.meaning});
  if (changed.value == before) return;
  const std::string gesture = field + "." + std::to_string(ui.numbers.gesture);
  ui.emit(commands::changeIntervention(i, changed, gesture));
}

// The text; or the source, and below it what is written from it.
void InputPanel::showTexts(Ui& ui, Box& rest) {
  const bool reads = ui.snapshot.model->config && ui.snapshot.model->config->isEncoderDecoder();
  const Box title = rest.takeTop(inputHeading);
  widgets::heading(ui, {title.x, title.y + 8}, reads ? "SOURCE" : "TEXT");
  const Box add{title.right() - 24, title.y - 4, 24, 24};
  if (widgets::button(ui, "New tab", add,
                      {.icon = "+", .tip = "Another text in a new tab   " + keyText(actionOf("new-tab"))}))
    actionOf("new-tab").run(ui);
  ui.drawText({add.x - 8, title.y + 8}, status(ui, reads ? Stream::Source : Stream::Text), ui.theme.note(),
              Align::End);
  if (ui.workspace().tabCount() > 1) {
    showTabs(ui, rest.takeTop(Theme::control));
    rest.takeTop(8);
  }
  if (!reads) {
    field_.show(ui, rest.takeTop(fieldHeight(rest.height)));
    return showBeyond(ui, Stream::Text, rest);
  }
  const float height = TextField::wholeLines(std::clamp(rest.height * 0.14f, 72.0f, 128.0f));
  source_.show(ui, rest.takeTop(height));
  showBeyond(ui, Stream::Source, rest);
  rest.takeTop(12);
  const Box below = rest.takeTop(20);
  widgets::heading(ui, {below.x, below.y + 6}, "TARGET");
  ui.drawText({below.right(), below.y + 6}, status(ui, Stream::Text), ui.theme.note(), Align::End);
  target_.show(ui, rest.takeTop(height));
  showBeyond(ui, Stream::Text, rest);
}

void InputPanel::showModelButtons(Ui& ui, Box model) {
  const auto button = [&](const char* label, bool on, const char* tip) {
    const Box box = model.takeRight(widgets::buttonWidth(ui, label));
    model.takeRight(4);
    constexpr float headingWidth = 56;  // a narrow column has no room for both
    return model.width > headingWidth &&
           widgets::button(ui, label, {box.x, box.y - 4, box.width, 24}, {.on = on, .tip = tip});
  };
  if (button("All controls", ui.workspace().look.allControls, "Show all controls or only the common ones"))
    actionOf("all-controls").run(ui);
  if (ui.workspace().offersAll() && button("Ablate", false, "Ablate a head, attention layer or MLP   X"))
    ui.ask(Request::SwitchOff);
}

void InputPanel::content(Ui& ui, const Box& area) {
  Box rest = area.inset(16, inputMargin);
  showTexts(ui, rest);
  mapBox_ = area;
  texts_ = mapBox_.takeTop(rest.y + 8 - area.y);
  constexpr float leastWithModel = 300;  // in less, as over a presentation while one types: the text alone
  if (area.height < leastWithModel) return;
  if (isAvailable(actionOf("compare"), ui)) {
    rest.takeTop(8);
    showComparison(ui, rest.takeTop(Theme::control));
  }
  showInterventions(ui, rest);
  rest.takeTop(20);
  mapBox_.takeTop(rest.y - 12 - mapBox_.y);
  Box model = rest.takeTop(24);
  widgets::heading(ui, {model.x, model.y + 8}, "MODEL");
  showModelButtons(ui, model);
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  map_.show(ui, modelMapScene(input, made_), rest);
  ui.draw(Rect{{area.right() - 1, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

}  // namespace glassformer
