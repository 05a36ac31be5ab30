#include "app/panels/constraint_panel.h"

#include <algorithm>
#include <cmath>

#include "app/document/decoding_commands.h"
#include "app/engine/decoder.h"
#include "app/panels/candidate_row.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "core/text/expression.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float constraintWidth = 420, constraintMargin = 16, constraintRow = 26,
                bannedHeight = 28 + Theme::control + 4;
constexpr int likeliestShown = 4, fittingShown = 5;

std::string tail(const std::string& text) {
  constexpr std::size_t most = 24;
  return text.size() <= most ? text : "…" + text.substr(nextCharacter(text, text.size() - most));
}

}  // namespace

void ConstraintPanel::begin(const Workspace& workspace) {
  typed_ = workspace.decoding.constraint.pattern;
  problem_.clear();
  open();
}

Box ConstraintPanel::place(const Ui& ui, Point window) const {
  const float height =
      212 + (likeliestShown + fittingShown) * constraintRow + bannedHeight + 2 * constraintMargin;
  const float bottom = window.y - ui.workspace().look.bottomHeight - 8;
  return {std::max(8.0f, (window.x - constraintWidth) / 2), std::max(8.0f, bottom - height), constraintWidth,
          std::min(height, window.y - 16)};
}

void ConstraintPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(constraintMargin);
  const Box title = rest.takeTop(28);
  ui.drawText({title.x, title.y + 8}, "Constraints", ui.theme.heading());
  look(ui);
  showPattern(ui, rest);
  showActions(ui, rest.takeBottom(Theme::control));
  showRows(ui, rest);
}

void ConstraintPanel::showPattern(Ui& ui, Box& rest) {
  const Constraint& constraint = ui.workspace().decoding.constraint;
  const std::string& text = ui.workspace().text;
  const bool goesOn = !constraint.pattern.empty() && text.starts_with(constraint.behind);
  const std::string& behind = goesOn ? constraint.behind : text;
  widgets::paragraph(ui, rest, "Regular expression that the continuation must match, such as red|green:",
                     ui.theme.note(), 4);
  if (justOpened()) ImGui::SetKeyboardFocusHere();
  const std::string before = typed_;
  const bool changed = widgets::textEntry(ui, "Pattern", rest.takeTop(Theme::control), typed_);
  if (changed &&
      ImGui::IsKeyPressed(ImGuiKey_Escape)) {  // the field would go back to what stood there at first
    typed_ = before;
  } else if (changed) {
    const auto expression = Expression::compile(typed_);
    problem_ = expression ? "" : expression.error().what;
    if (expression) set(ui, typed_, behind);
  }
  rest.takeTop(6);
  Box line = rest.takeTop(Theme::control);
  if (!problem_.empty()) {
    ui.drawText({line.x, line.center().y}, problem_, {FontFace::Ui, Theme::small, ui.theme.feedForward},
                Align::Start, line.width);
    return;
  }
  if (goesOn && behind != text) {
    const Box box = line.takeRight(widgets::buttonWidth(ui, "Anchor here"));
    if (widgets::button(ui, "Anchor here", box,
                        {.look = widgets::Look::Raised, .tip = "Match from the end of the text"}))
      set(ui, constraint.pattern, text);
    line.takeRight(8);
  }
  const Decoded& decoded = *ui.snapshot.decoded;
  if (ui.snapshot.isDecoded() && decoded.deadEnd) return showDeadEnd(ui, line, *decoded.deadEnd);
  const std::string after = "after “" + tail(behind) + "”";
  Box room{line.x, line.y - 4, line.width, line.height + 8};
  widgets::paragraph(ui, room,
                     standing_ ? "Matched against the text " + after + ": " + describe(*standing_)
                               : "Matched against the text " + after,
                     ui.theme.note());
}

// In place of where it stands: that it can lead no further.
void ConstraintPanel::showDeadEnd(Ui& ui, const Box& line, const DeadEnd& end) {
  Box room{line.x, line.y - 4, line.width, line.height + 8};
  widgets::paragraph(ui, room, "Dead end, no token " + std::to_string(end.step) + ": " + describe(end),
                     {FontFace::Ui, Theme::small, ui.theme.feedForward});
}

void ConstraintPanel::set(Ui& ui, std::string pattern, std::string behind) {
  Decoding decoding = ui.workspace().decoding;
  if (pattern.empty()) behind.clear();
  const std::string name = pattern.empty() ? "any continuation" : "continuation " + pattern;
  decoding.constraint.pattern = std::move(pattern), decoding.constraint.behind = std::move(behind);
  ui.emit(commands::setDecoding(std::move(decoding), name, "constraint"));
}

// A large vocabulary takes longer than a frame has time for; what was found stays as long as it is right.
void ConstraintPanel::look(const Ui& ui) {
  const Snapshot& snapshot = ui.snapshot;
  const Decoding& decoding = ui.workspace().decoding;
  if (!snapshot.pass->hasTrace() || !snapshot.model->tokenizer || snapshot.model->hasNoWeights())
    return rows_.clear(), standing_.reset();
  if (snapshot.pass->trace == trace_ && decoding.constraint == constraint_) return;
  trace_ = snapshot.pass->trace, constraint_ = decoding.constraint;
  const std::vector<float> logits = (*trace_)["logits"][trace_->tokenCount() - 1].copy();
  const ConstraintCheck check = constraintOn(decoding, snapshot.model->tokenizer, snapshot.pass->text,
                                             *snapshot.model->config, trace_->tokenCount());
  standing_ = check.standing({});
  const std::vector<bool> may = check.allowed({}, static_cast<int>(logits.size()));
  fitting_ = static_cast<int>(std::ranges::count(may, true));
  rows_.clear();
  int rank = 0, fitting = 0;
  for (const Candidate& candidate : candidatesOf(logits)) {
    const bool isBanned = std::ranges::binary_search(constraint_.banned, candidate.token);
    const bool fits = may[static_cast<std::size_t>(candidate.token)];
    const bool isShown = rank++ < likeliestShown || (fits && fitting++ < fittingShown);
    if (isShown) rows_.push_back({candidate, fits, isBanned});
  }
}

void ConstraintPanel::showRows(Ui& ui, Box& rest) {
  const Box words = rest.takeTop(28);
  widgets::heading(ui, {words.x, words.center().y}, "ALLOWED NEXT");
  if (rows_.empty()) return;
  const int all = (*trace_)["logits"].extent[1];
  ui.drawText({words.right(), words.center().y},
              std::to_string(fitting_) + " of " + std::to_string(all) + " tokens", ui.theme.quietMono(),
              Align::End);
  // A line for every few that are banned, up to three.
  const auto lines = std::clamp((static_cast<float>(constraint_.banned.size()) + 3) / 4, 1.0f, 3.0f);
  const float kept = constraint_.banned.empty() ? 0 : 28 + std::floor(lines) * (Theme::control + 4);
  for (const Row& row : rows_)
    if (rest.height >= constraintRow + kept) showRow(ui, row, rest.takeTop(constraintRow));
  if (!constraint_.banned.empty()) showBanned(ui, rest);
}

// All that is banned, as many as there is room for; a press allows it again.
void ConstraintPanel::showBanned(Ui& ui, Box rest) {
  const Box words = rest.takeTop(28);
  widgets::heading(ui, {words.x, words.center().y}, "BANNED");
  constexpr float moreWidth = 72;
  Box line = rest.takeTop(Theme::control);
  for (std::size_t i = 0; i < constraint_.banned.size(); ++i) {
    const int token = constraint_.banned[i];
    const std::string label = ui.snapshot.model->entryLabel(token);
    const std::string name = label + " ×##banned" + std::to_string(token);
    const float width = widgets::buttonWidth(ui, (label + " ×").c_str());
    const bool isLastLine = rest.height < Theme::control + 4, isLast = i + 1 == constraint_.banned.size();
    if (line.width < width + (isLastLine && !isLast ? moreWidth : 0)) {
      if (isLastLine) {
        ui.drawText({line.x, line.center().y}, std::to_string(constraint_.banned.size() - i) + " more",
                    ui.theme.note());
        return;
      }
      rest.takeTop(4);
      line = rest.takeTop(Theme::control);
    }
    if (widgets::button(ui, name.c_str(), line.takeLeft(width),
                        {.look = widgets::Look::Raised, .tip = "Allow it"}))
      ui.emit(commands::banOrAllow(token, label, ui.workspace().decoding));
    line.takeLeft(6);
  }
}

void ConstraintPanel::showRow(Ui& ui, const Row& row, const Box& box) {
  const std::string label = ui.snapshot.model->entryLabel(row.candidate.token);
  const bool clicked = widgets::listRow(ui, "next " + label, box, false);
  if (ImGui::IsItemHovered()) widgets::tooltip(ui, row.isBanned ? "a click allows it" : "a click bans it");
  drawCandidate(ui, box, label, static_cast<float>(row.candidate.probability), !row.fits,
                row.isBanned ? "banned"
                : row.fits   ? ""
                             : "does not fit");
  if (clicked) ui.emit(commands::banOrAllow(row.candidate.token, label, ui.workspace().decoding));
}

void ConstraintPanel::showActions(Ui& ui, Box row) {
  const Box done = row.takeRight(widgets::buttonWidth(ui, "Done"));
  if (widgets::button(ui, "Done", done, {.look = widgets::Look::Primary, .tip = "Esc"})) close();
  row.takeRight(8);
  const bool isOn = !ui.workspace().decoding.constraint.isOff();
  const Box lift = row.takeRight(widgets::buttonWidth(ui, "Remove"));
  if (widgets::button(ui, "Remove", lift,
                      {.look = widgets::Look::Raised,
                       .enabled = isOn,
                       .tip = isOn ? "Remove the constraints" : "No constraints"})) {
    typed_.clear(), problem_.clear();
    ui.emit(commands::liftConstraint(ui.workspace().decoding));
  }
}

}  // namespace glassformer
