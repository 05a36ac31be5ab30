#include "app/panels/candidate_menu.h"

#include <algorithm>

#include "app/document/decoding_commands.h"
#include "app/engine/sampled_draw.h"
#include "app/panels/candidate_row.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "core/decode/sampling_chain.h"

namespace glassformer {

namespace {

constexpr float candidateMenuWidth = 372, candidateMargin = 12, candidateTitle = 28, candidateLine = 26,
                candidateGap = 8;
constexpr std::ptrdiff_t mostCandidates = 8;

}  // namespace

void CandidateMenu::begin(const CandidatePlace& candidate, const Snapshot& snapshot) {
  if (!snapshot.pass->hasTrace() || !snapshot.pass->trace->contains("logits")) return;
  const PlaceOfDraw at = placeOfDraw(snapshot);
  asked_ = candidate, token_ = candidate.token;
  text_ = snapshot.pass->text, prefix_ = at.text;
  typed_.clear();
  listed_ = candidatesOf((*snapshot.pass->trace)["logits"][at.position].copy());
  const auto asked = std::ranges::find(listed_, token_, &Candidate::token);
  if (asked != listed_.end() && asked - listed_.begin() >= mostCandidates)
    std::iter_swap(asked, listed_.begin() + mostCandidates - 1);
  if (std::ssize(listed_) > mostCandidates) listed_.resize(mostCandidates);
  open();
}

Box CandidateMenu::place(const Ui&, Point window) const {
  const float height = candidateTitle + 2 * (Theme::control + candidateGap) +
                       static_cast<float>(listed_.size()) * candidateLine + 2 * candidateMargin;
  const float x = std::clamp(asked_.box.center().x - candidateMenuWidth / 2, 8.0f,
                             std::max(8.0f, window.x - candidateMenuWidth - 8));
  const float below = asked_.box.bottom() + 6, above = asked_.box.y - 6 - height;
  return {
      x,
      std::clamp(below + height + 8 <= window.y ? below : above, 8.0f, std::max(8.0f, window.y - height - 8)),
      candidateMenuWidth, height};
}

std::string CandidateMenu::labelOf(const Ui& ui) const { return ui.snapshot.model->entryLabel(token_); }

bool CandidateMenu::isBanned(const Ui& ui, int token) const {
  return std::ranges::binary_search(ui.workspace().decoding.constraint.banned, token);
}

void CandidateMenu::content(Ui& ui, const Box& area) {
  if (ui.snapshot.pass->text != text_) return close();
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(candidateMargin);
  const Box title = rest.takeTop(candidateTitle);
  ui.drawText({title.x, title.y + 8}, "Next token", ui.theme.strong());
  ui.drawText({title.right(), title.y + 8},
              token_ < 0 ? "choose one, or type it" : "“" + labelOf(ui) + "”  id " + std::to_string(token_),
              ui.theme.quietMono(), Align::End, title.width - 88);
  if (justOpened() && token_ < 0) ImGui::SetKeyboardFocusHere();
  const Box entry = rest.takeTop(Theme::control);
  if (widgets::textEntry(ui, "Any text", entry, typed_)) token_ = -1;
  if (typed_.empty() && !ImGui::IsItemActive())
    ui.drawText({entry.x + 10, entry.center().y}, "or type any text", ui.theme.note());
  rest.takeTop(candidateGap);
  showActions(ui, rest.takeBottom(Theme::control));
  showList(ui, rest);
  handleKeys(ui);
}

void CandidateMenu::showList(Ui& ui, Box& rest) {
  for (const Candidate& each : listed_) {
    const Box row = rest.takeTop(candidateLine);
    const std::string label = ui.snapshot.model->entryLabel(each.token);
    if (widgets::listRow(ui, "take " + label, row, each.token == token_)) token_ = each.token, typed_.clear();
    const bool banned = isBanned(ui, each.token);
    drawCandidate(ui, row, label, static_cast<float>(each.probability), banned, banned ? "banned" : "");
  }
}

void CandidateMenu::showActions(Ui& ui, Box row) {
  const bool isListed = token_ >= 0;
  const auto button = [&](const char* label, widgets::Look look, bool enabled, const std::string& tip) {
    const Box box = row.takeLeft(widgets::buttonWidth(ui, label));
    row.takeLeft(candidateGap);
    return widgets::button(ui, label, box, {.look = look, .enabled = enabled, .tip = tip});
  };
  if (button("Take", widgets::Look::Primary, isListed || !typed_.empty(),
             prefix_.size() < text_.size() ? "cut the text here and continue with this token   Enter"
                                           : "append this token, independent of decoding   Enter"))
    take(ui);
  const char* const banLabel = isListed && isBanned(ui, token_) ? "Allow" : "Ban";
  if (button(banLabel, widgets::Look::Raised, isListed, "ban it from every continuation, or allow it"))
    ban(ui);
  if (button("Why", widgets::Look::Raised, isListed, "the computation of its probability")) explain(ui);
}

void CandidateMenu::handleKeys(Ui& ui) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  const auto at = std::ranges::find(listed_, token_, &Candidate::token) - listed_.begin();
  const auto count = std::ssize(listed_);
  if (pressed(ImGuiKey_DownArrow))
    token_ = listed_[static_cast<std::size_t>(at + 1 < count ? at + 1 : 0)].token;
  if (pressed(ImGuiKey_UpArrow) && at > 0) token_ = listed_[static_cast<std::size_t>(at - 1)].token;
  if (!ui.focus.active() && !justOpened() && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter)))
    take(ui);
}

void CandidateMenu::take(Ui& ui) {
  const std::string bytes = token_ >= 0 ? ui.snapshot.model->bytesOf(std::span(&token_, 1)) : typed_;
  if (bytes.empty()) {
    if (token_ >= 0) ui.said = "“" + labelOf(ui) + "” ends the text. No token is appended.";
    return;
  }
  ui.emit(commands::forceToken(prefix_, bytes, token_ >= 0 ? labelOf(ui) : typed_));
  close();
}

void CandidateMenu::ban(Ui& ui) {
  ui.emit(commands::banOrAllow(token_, labelOf(ui), ui.workspace().decoding));
  close();
}

// Of the number that was clicked, or of the model's own probability.
void CandidateMenu::explain(Ui& ui) {
  const TensorSources sources = sourcesOf(ui.snapshot);
  Target why;
  why.cell = {chain::probability, {0, token_}};
  if (token_ == asked_.token && !asked_.cell.empty())
    why.cell = asked_.cell;
  else if (!sources.contains(chain::probability))
    why.cell = {"lens.next_token", {sources.find("lens.next_token")->extent[0] - 1, token_}};
  why.entry = token_;
  ui.why = why;
  close();
}

}  // namespace glassformer
