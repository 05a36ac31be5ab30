#include "app/panels/hypothesis_panel.h"

#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/hypothesis_settings.h"
#include "app/document/switches.h"
#include "app/engine/hypothesis_findings.h"
#include "app/engine/pattern_rules.h"
#include "app/panels/action.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "core/lens/hypothesis_fit.h"

namespace glassformer {

namespace {

constexpr float hypothesisWidth = 460, hypothesisMargin = 16, hypothesisRow = 28, hypothesisLabel = 128;

}  // namespace

void HypothesisPanel::begin(const Workspace& workspace, const Snapshot& snapshot) {
  const Intervention* const now =
      patternReplacement(workspace.interventions, selectedHead(workspace, *snapshot.model->config));
  type(now ? now->hypothesis : workspace.hypothesis);
  open();
}

Box HypothesisPanel::place(const Ui& ui, Point window) const {
  const auto rows = static_cast<float>(namedHypotheses().size());
  const float height = 272 + rows * hypothesisRow + 2 * hypothesisMargin;
  const float bottom = window.y - ui.workspace().look.bottomHeight - 8;
  return {std::max(8.0f, window.x - hypothesisWidth - 8), std::max(8.0f, bottom - height), hypothesisWidth,
          std::min(height, window.y - 16)};
}

HeadId HypothesisPanel::head(const Ui& ui) const {
  return selectedHead(ui.workspace(), *ui.snapshot.model->config);
}

void HypothesisPanel::content(Ui& ui, const Box& area) {
  if (!isAvailable(actionOf("attention-rule"), ui)) return close();
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(hypothesisMargin);
  const Box title = rest.takeTop(28);
  ui.drawText({title.x, title.y + 8}, "Attention rule for " + nameOf(head(ui)) + "", ui.theme.heading());
  look(ui);
  showActions(ui, rest.takeBottom(Theme::control));
  rest.takeBottom(8);
  showElsewhere(ui, rest.takeBottom(Theme::control));
  showField(ui, rest);
  showStock(ui, rest);
}

void HypothesisPanel::type(std::string text) {
  typed_ = std::move(text), read_.reset(), problem_.clear();
  if (typed_.empty()) return;
  if (auto read = AttentionRule::read(typed_))
    read_ = std::move(*read);
  else
    problem_ = read.error().message();
}

// What can be read is said; what is wrong stays here until it is right.
void HypothesisPanel::say(Ui& ui, std::string text) {
  type(std::move(text));
  if (problem_.empty()) ui.emit(commands::sayHypothesis(typed_, "hypothesis"));
}

void HypothesisPanel::showField(Ui& ui, Box& rest) {
  widgets::paragraph(ui, rest,
                     "Keys that each query attends to: key = query - 1, token[key] = token[query], latest "
                     "text[key] in {cat, dog}, 3 * previous + any",
                     ui.theme.note(), 4);
  if (justOpened()) ImGui::SetKeyboardFocusHere();
  std::string now = typed_;
  if (widgets::textEntry(ui, "Hypothesis", rest.takeTop(Theme::control), now)) say(ui, now);
  rest.takeTop(6);
  Box line = rest.takeTop(40);
  if (!problem_.empty())
    return widgets::paragraph(ui, line, problem_, {FontFace::Ui, Theme::small, ui.theme.feedForward});
  const bool stands = patternReplacement(ui.workspace().interventions, head(ui)) != nullptr;
  const std::string words = stands                   ? "The head uses this rule instead of its pattern."
                            : !read_                 ? ""
                            : std::isnan(agreement_) ? "The rule names no key in this text."
                                                     : "Overlap: " + formattedPercent(agreement_) +
                                                           " of the attention on this text.";
  widgets::paragraph(ui, line, words, ui.theme.note());
}

// A text is measured once, not in every frame.
void HypothesisPanel::look(const Ui& ui) {
  const HeadId asked = head(ui);
  if (ui.snapshot.pass->trace == trace_ && measured_ == asked && measuredText_ == typed_) return;
  trace_ = ui.snapshot.pass->trace, measured_ = asked, measuredText_ = typed_;
  agreement_ = read_ ? agreementOf(*read_, ui) : 0;
  stock_.clear();
  const auto add = [&](std::string id, std::string meaning) {
    const auto hypothesis = AttentionRule::read(id);
    if (hypothesis) stock_.push_back({std::move(id), std::move(meaning), agreementOf(*hypothesis, ui)});
  };
  for (const NamedHypothesis& each : namedHypotheses()) add(each.id, each.meaning);
}

// Σ_s min(A, P), on average over the rows that have a choice.
float HypothesisPanel::agreementOf(const AttentionRule& hypothesis, const Ui& ui) const {
  const RuleContext over = lookedOver(*wordingOf(ui.snapshot.model->tokenizer),
                                      ui.snapshot.model->config->ofLayer(measured_.layer), measured_.site,
                                      trace_->tokens(), trace_->source());
  const TensorView patterns = (*trace_)[attentionPoint(measured_.layer, measured_.site, "hook_pattern")];
  return agreementOn(over, patterns[measured_.head], hypothesis.pattern(over).view()).agreement;
}

void HypothesisPanel::showStock(Ui& ui, Box& rest) {
  const Box words = rest.takeTop(28);
  widgets::heading(ui, {words.x, words.center().y}, "COMMON RULES");
  for (const Row& row : stock_)
    if (rest.height >= hypothesisRow) showRow(ui, row, rest.takeTop(hypothesisRow));
}

void HypothesisPanel::showRow(Ui& ui, const Row& row, const Box& box) {
  const Theme& theme = ui.theme;
  const bool clicked = widgets::listRow(ui, "hypothesis " + row.id, box, row.id == typed_);
  if (ImGui::IsItemHovered()) widgets::tooltip(ui, row.meaning);
  ui.drawText({box.x + 10, box.center().y}, row.id, theme.mono(), Align::Start, hypothesisLabel);
  const Box track{box.x + 16 + hypothesisLabel, box.center().y - 3, box.width - hypothesisLabel - 96, 6};
  const bool says = !std::isnan(row.agreement);
  if (says) ui.draw(Rect{track, theme.raised, {0, 0, 0, 0}, 2, 1});
  if (says)
    ui.draw(Rect{{track.x, track.y, track.width * std::min(row.agreement, 1.0f), track.height},
                 colorAt(ColorMap::Sequential, 0.7f, theme.dark),
                 {0, 0, 0, 0},
                 2,
                 1});
  ui.drawText({box.right() - 10, box.center().y}, says ? formattedPercent(row.agreement) : "names no key",
              says ? theme.mono() : theme.note(), Align::End);
  if (clicked) say(ui, row.id);
}

// Where else a hypothesis is made and tried.
void HypothesisPanel::showElsewhere(Ui& ui, Box row) {
  const Box many = row.takeLeft(widgets::buttonWidth(ui, "Over a dataset"));
  if (widgets::button(ui, "Over a dataset", many,
                      {.look = widgets::Look::Raised,
                       .enabled = problem_.empty(),
                       .tip = "Head detector: overlap of every head over a dataset"})) {
    ui.emit(commands::testHypothesis(typed_));
    close();
  }
  row.takeLeft(8);
  const Box paint = row.takeLeft(widgets::buttonWidth(ui, "Draw it"));
  if (widgets::button(
          ui, "Draw it", paint,
          {.look = widgets::Look::Raised, .tip = "Draw the rule on the cells of the matrix   Shift+P"})) {
    ui.emit(commands::paintHypothesis(true));
    close();
  }
}

void HypothesisPanel::showActions(Ui& ui, Box row) {
  const Box done = row.takeRight(widgets::buttonWidth(ui, "Done"));
  if (widgets::button(ui, "Done", done, {.look = widgets::Look::Raised, .tip = "Esc"})) close();
  row.takeRight(8);
  const Intervention* const now = patternReplacement(ui.workspace().interventions, head(ui));
  const Box back = row.takeRight(widgets::buttonWidth(ui, "Remove"));
  if (widgets::button(ui, "Remove", back,
                      {.look = widgets::Look::Raised,
                       .enabled = now != nullptr,
                       .tip = now ? "Restore the head's pattern" : "The head uses its own pattern"}))
    ui.emit(commands::lookBy(head(ui), ""));
  row.takeRight(8);
  const bool isNew = read_ && !(now && now->hypothesis == typed_);
  const Box put = row.takeRight(widgets::buttonWidth(ui, "Apply"));
  if (widgets::button(
          ui, "Apply", put,
          {.look = widgets::Look::Primary,
           .enabled = isNew,
           .tip = isNew ? "Replace the head's pattern by this rule" : "Write another rule first"}))
    ui.emit(commands::lookBy(head(ui), typed_));
}

}  // namespace glassformer
