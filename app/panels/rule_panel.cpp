#include "app/panels/rule_panel.h"

#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/rule_settings.h"
#include "app/document/switches.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/rule_findings.h"
#include "app/panels/action.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "core/lens/rule_fit.h"

namespace glassformer {

namespace {

constexpr float ruleWidth = 460, ruleMargin = 16, ruleRow = 28, ruleLabel = 128;

// Σ_s min(A, P), on average over the rows that have a choice.
float overlapOf(const AttentionRule& rule, const Trace& trace, HeadId head, const ShownModel& model) {
  const RuleContext over = lookedOver(*wordingOf(model.tokenizer), model.config->ofLayer(head.layer),
                                      head.site, trace.tokens(), trace.source());
  const TensorView patterns = trace[attentionPoint(head.layer, head.site, "hook_pattern")];
  return agreementOn(over, patterns[head.head], rule.pattern(over).view()).agreement;
}

}  // namespace

Box RulePanel::place(const Ui& ui, Point window) const {
  const auto rows = static_cast<float>(benchRules().size() + 1);
  const float height = 150 + rows * ruleRow + 2 * ruleMargin;
  const float bottom = window.y - ui.workspace().look.bottomHeight - 8;
  return {std::max(8.0f, window.x - ruleWidth - 8), std::max(8.0f, bottom - height), ruleWidth,
          std::min(height, window.y - 16)};
}

void RulePanel::content(Ui& ui, const Box& area) {
  if (!isAvailable(actionOf("attention-rule"), ui)) return close();
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(ruleMargin);
  measure(ui);
  const Box title = rest.takeTop(28);
  ui.drawText({title.x, title.y + 8}, "Attention rules for " + nameOf(head_), ui.theme.heading());
  Box words = rest.takeTop(36);
  const Intervention* const now = patternReplacement(ui.workspace().interventions, head_);
  widgets::paragraph(ui, words,
                     now ? "The head attends by this rule: " + now->ruleText
                         : "Overlap of each rule with the head's attention on this text.",
                     ui.theme.note());
  showActions(ui, rest.takeBottom(Theme::control));
  rest.takeBottom(8);
  showElsewhere(ui, rest.takeBottom(Theme::control));
  for (const Row& row : rows_)
    if (rest.height >= ruleRow) showRow(ui, row, rest.takeTop(ruleRow));
}

// A text is measured once, not in every frame.
void RulePanel::measure(const Ui& ui) {
  const HeadId head = selectedHead(ui.workspace(), *ui.snapshot.model->config);
  const auto pairs = pairsOf(ui.workspace().rule);
  const std::string drawn = pairs.empty() ? "" : ui.workspace().rule;
  if (ui.snapshot.pass->trace == trace_ && head_ == head && drawn_ == drawn) return;
  trace_ = ui.snapshot.pass->trace, head_ = head, drawn_ = drawn;
  rows_.clear();
  const auto add = [&](std::string id, std::string meaning) {
    const float overlap = overlapOf(*AttentionRule::read(id), *trace_, head_, *ui.snapshot.model);
    rows_.push_back({std::move(id), std::move(meaning), overlap});
  };
  for (const BenchRule& each : benchRules()) add(each.id, each.meaning);
  if (!drawn.empty()) add(drawn, "Attends as drawn on the matrix.");
}

void RulePanel::showRow(Ui& ui, const Row& row, const Box& box) {
  const Theme& theme = ui.theme;
  const bool clicked = widgets::listRow(ui, "hypothesis " + row.id, box, row.id == ruleAsked(ui.workspace()));
  if (ImGui::IsItemHovered()) widgets::tooltip(ui, row.meaning);
  ui.drawText({box.x + 10, box.center().y}, nameOfRule(row.id), theme.plain(), Align::Start, ruleLabel);
  const Box track{box.x + 16 + ruleLabel, box.center().y - 3, box.width - ruleLabel - 96, 6};
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
  if (clicked) ui.emit(commands::sayRule(row.id, "attention rule"));
}

// Where else a rule is made and tried.
void RulePanel::showElsewhere(Ui& ui, Box row) {
  const Box many = row.takeLeft(widgets::buttonWidth(ui, "Over a dataset"));
  if (widgets::button(
          ui, "Over a dataset", many,
          {.look = widgets::Look::Raised, .tip = "Head detector: overlap of every head over a dataset"})) {
    ui.emit(commands::testRule(ruleAsked(ui.workspace())));
    close();
  }
  row.takeLeft(8);
  const Box paint = row.takeLeft(widgets::buttonWidth(ui, "Draw it"));
  if (widgets::button(
          ui, "Draw it", paint,
          {.look = widgets::Look::Raised, .tip = "Draw the rule on the cells of the matrix   Shift+P"})) {
    ui.emit(commands::paintRule(true));
    close();
  }
}

void RulePanel::showActions(Ui& ui, Box row) {
  const Box done = row.takeRight(widgets::buttonWidth(ui, "Done"));
  if (widgets::button(ui, "Done", done, {.look = widgets::Look::Raised, .tip = "Esc"})) close();
  row.takeRight(8);
  const Intervention* const now = patternReplacement(ui.workspace().interventions, head_);
  const Box back = row.takeRight(widgets::buttonWidth(ui, "Remove"));
  if (widgets::button(ui, "Remove", back,
                      {.look = widgets::Look::Raised,
                       .enabled = now != nullptr,
                       .tip = now ? "Restore the head's pattern" : "The head uses its own pattern"}))
    ui.emit(commands::lookBy(head_, ""));
  row.takeRight(8);
  const std::string asked = ruleAsked(ui.workspace());
  const bool isNew = !(now && now->ruleText == asked);
  const Box put = row.takeRight(widgets::buttonWidth(ui, "Apply"));
  if (widgets::button(
          ui, "Apply", put,
          {.look = widgets::Look::Primary,
           .enabled = isNew,
           .tip = isNew ? "Replace the head's pattern by " + asked : "Select another rule first"}))
    ui.emit(commands::lookBy(head_, asked));
}

}  // namespace glassformer
