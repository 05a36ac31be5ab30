#include "app/panels/token_menu.h"

#include "app/document/text_edit.h"
#include "app/document/token_edit.h"
#include "app/panels/action.h"
#include "app/panels/candidate_row.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float tokenMenuWidth = 336, tokenMenuMargin = 12, tokenMenuTitleHeight = 28,
                tokenMenuRowHeight = 26, tokenMenuGap = 8;
constexpr int mostSuggestions = 8;

// What can be edited as text: whole characters that can be seen.
std::string editable(const std::string& bytes) {
  return isValidUtf8(bytes) && displayable(bytes) == bytes ? bytes : "";
}

}  // namespace

void TokenMenu::begin(const TokenPlace& token, const Snapshot& snapshot) {
  token_ = token;
  text_ = snapshot.pass->text;
  open();
  choose(Purpose::Replace, snapshot);
}

void TokenMenu::choose(Purpose purpose, const Snapshot& snapshot) {
  purpose_ = purpose;
  const TokenPiece& token = snapshot.pass->tokens[static_cast<std::size_t>(token_.token)];
  if (!token.isWritten()) purpose_ = Purpose::After;  // the signs around a text stay where they are
  typed_ = purpose_ == Purpose::Replace ? editable(text_.substr(token.begin, token.end - token.begin)) : "";
  suggest(snapshot);
}

// p(x | everything before the tokenMenuGap) = softmax(logits of the position before it). A model that fills
// gaps says at the place itself what belongs there, and nothing about a place that is not there yet.
void TokenMenu::suggest(const Snapshot& snapshot) {
  suggestions_.clear();
  chosen_ = -1;
  if (!snapshot.model->continues() && purpose_ != Purpose::Replace) return;
  const bool before = snapshot.model->continues() && purpose_ != Purpose::After;
  const int position = token_.token - (before ? 1 : 0);
  if (position < 0 || !snapshot.pass->hasTrace() || position >= snapshot.pass->trace->tokenCount() ||
      !snapshot.pass->trace->contains("logits"))
    return;
  for (const Candidate& candidate : candidatesOf((*snapshot.pass->trace)["logits"][position].copy()))
    if (static_cast<int>(suggestions_.size()) < mostSuggestions &&
        !snapshot.model->bytesOf(std::span(&candidate.token, 1))
             .empty())  // the end of the text is nothing to put in
      suggestions_.push_back(candidate);
}

Box TokenMenu::place(const Ui&, Point window) const {
  const float height = tokenMenuTitleHeight + 3 * (Theme::control + tokenMenuGap) +
                       mostSuggestions * tokenMenuRowHeight + 2 * tokenMenuMargin + tokenMenuGap;
  const float x = std::clamp(token_.box.center().x - tokenMenuWidth / 2, 8.0f,
                             std::max(8.0f, window.x - tokenMenuWidth - 8));
  const float below = token_.box.bottom() + 6, above = token_.box.y - 6 - height;
  const float y = below + height + 8 <= window.y ? below : above;
  return {x, std::clamp(y, 8.0f, std::max(8.0f, window.y - height - 8)), tokenMenuWidth, height};
}

void TokenMenu::content(Ui& ui, const Box& area) {
  const Snapshot& snapshot = ui.snapshot;
  if (snapshot.pass->text != text_ || token_.token >= static_cast<int>(snapshot.pass->tokens.size()))
    return close();
  ui.draw(Rect{area, ui.theme.panel, ui.theme.line, 0, 1});
  Box rest = area.inset(tokenMenuMargin);
  const Box title = rest.takeTop(tokenMenuTitleHeight);
  const TokenPiece& token = snapshot.pass->tokens[static_cast<std::size_t>(token_.token)];
  ui.drawText({title.x, title.y + 8}, "Token " + std::to_string(token_.token), ui.theme.strong());
  ui.drawText({title.right(), title.y + 8}, "“" + token.label + "”  id " + std::to_string(token.id),
              ui.theme.quietMono(), Align::End, title.width - 88);
  showPurposes(ui, rest.takeTop(Theme::control));
  rest.takeTop(tokenMenuGap);
  const Box entry = rest.takeTop(Theme::control);
  if (justOpened()) ImGui::SetKeyboardFocusHere();
  if (widgets::textEntry(ui, "New token", entry, typed_)) chosen_ = -1;
  rest.takeTop(tokenMenuGap);
  showSuggestions(ui, rest);
  showActions(ui, rest.takeBottom(Theme::control));
  handleKeys(ui);
}

void TokenMenu::showPurposes(Ui& ui, Box row) {
  struct Choice {
    const char* label;
    const char* tip;
    Purpose purpose;
  };
  static constexpr Choice choices[] = {
      {"Replace", "Replace this token", Purpose::Replace},
      {"Insert before", "Insert a token before it", Purpose::Before},
      {"Insert after", "Insert a token after it", Purpose::After},
  };
  ui.draw(Rect{row, ui.theme.raised, ui.theme.line, Theme::radius, 1});
  const float each = row.width / 3;
  for (const Choice& choice : choices)
    if (widgets::button(ui, choice.label, row.takeLeft(each),
                        {.on = purpose_ == choice.purpose, .tip = choice.tip}))
      choose(choice.purpose, ui.snapshot);
}

void TokenMenu::showSuggestions(Ui& ui, Box& rest) {
  Box list = rest.takeTop(mostSuggestions * tokenMenuRowHeight);
  if (suggestions_.empty())
    ui.drawText({list.x + 10, list.y + tokenMenuRowHeight / 2},
                !ui.snapshot.model->continues() ? "A masked language model predicts only masked tokens."
                : token_.token == 0             ? "No token comes before: no prediction."
                                                : "The model did not read this token.",
                ui.theme.note(), Align::Start, list.width - 16);
  for (int i = 0; i < static_cast<int>(suggestions_.size()); ++i)
    showSuggestion(ui, i, list.takeTop(tokenMenuRowHeight));
}

void TokenMenu::showSuggestion(Ui& ui, int i, const Box& row) {
  const Candidate& candidate = suggestions_[static_cast<std::size_t>(i)];
  const bool clicked = widgets::listRow(ui, "suggestion " + std::to_string(i), row, i == chosen_);
  const bool hovered = ImGui::IsItemHovered();
  drawCandidate(ui, row, ui.snapshot.model->entryLabel(candidate.token),
                static_cast<float>(candidate.probability), false);
  const int position = purpose_ == Purpose::After ? token_.token : token_.token - 1;
  if (hovered)
    widgets::tooltip(ui, "softmax(logits [" + std::to_string(position) + "]) of entry " +
                             std::to_string(candidate.token) + ", logit " + formatted(candidate.logit));
  if (clicked) put(ui, ui.snapshot.model->bytesOf(std::span(&candidate.token, 1)));
}

void TokenMenu::showActions(Ui& ui, Box row) {
  const int last = static_cast<int>(ui.snapshot.pass->tokens.size()) - 1, i = token_.token;
  const auto action = [&](const char* label, const Box& box, bool enabled, const char* id) {
    return widgets::button(ui, label, box,
                           {.look = widgets::Look::Raised, .enabled = enabled, .tip = keyText(actionOf(id))});
  };
  const bool written = ui.snapshot.pass->tokens[static_cast<std::size_t>(i)].isWritten();
  const int mask = ui.snapshot.model->maskToken;
  const float each = (row.width - (mask < 0 ? 2 : 3) * tokenMenuGap) / (mask < 0 ? 3 : 4);
  if (action("Move left", row.takeLeft(each), written && i > 0, "move-left"))
    finish(ui, commands::moveToken(ui.snapshot.pass->tokenized(), i, i - 1));
  row.takeLeft(tokenMenuGap);
  if (action("Move right", row.takeLeft(each), written && i < last, "move-right"))
    finish(ui, commands::moveToken(ui.snapshot.pass->tokenized(), i, i + 2));
  row.takeLeft(tokenMenuGap);
  if (action("Delete", row.takeLeft(each), written, "delete-token"))
    finish(ui, commands::deleteToken(ui.snapshot.pass->tokenized(), i));
  if (mask < 0) return;
  row.takeLeft(tokenMenuGap);
  if (action("Mask", row, written, "mask-token")) actionOf("mask-token").run(ui), close();
}

void TokenMenu::handleKeys(Ui& ui) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  if (pressed(ImGuiKey_DownArrow)) ++chosen_;
  if (pressed(ImGuiKey_UpArrow)) --chosen_;
  chosen_ = std::clamp(chosen_, -1, static_cast<int>(suggestions_.size()) - 1);
  if (ui.focus.active() || !(pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter))) return;
  if (chosen_ >= 0)
    put(ui, ui.snapshot.model->bytesOf(std::span(&suggestions_[static_cast<std::size_t>(chosen_)].token, 1)));
  else if (!typed_.empty())
    put(ui, typed_);
}

void TokenMenu::put(Ui& ui, const std::string& bytes) {
  const TokenizedText text = ui.snapshot.pass->tokenized();
  const int i = token_.token;
  switch (purpose_) {
    case Purpose::Replace:
      return finish(ui, commands::replaceToken(text, i, bytes));
    case Purpose::Before:
      return finish(ui, commands::insertToken(text, i, bytes));
    case Purpose::After:
      return finish(ui, commands::insertToken(text, i + 1, bytes));
  }
}

void TokenMenu::finish(Ui& ui, Command command) {
  ui.emit(std::move(command));
  close();
}

}  // namespace glassformer
