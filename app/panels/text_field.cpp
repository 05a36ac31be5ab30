#include "app/panels/text_field.h"

#include <algorithm>
#include <cmath>

#include "app/document/text_commands.h"
#include "app/document/trace_file.h"
#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {

std::string utf8(unsigned code) {
  char text[5];
  ImTextCharToUtf8(text, code);
  return text;
}

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key, true); }

}  // namespace

const std::string& TextField::written(const Ui& ui) const {
  if (isTraceFile(ui.workspace().model)) return read(ui);
  return stream_ == Stream::Text ? ui.workspace().text : ui.workspace().source;
}
const std::string& TextField::read(const Ui& ui) const {
  return stream_ == Stream::Text ? ui.snapshot.pass->text : ui.snapshot.pass->source;
}
Command TextField::edited(std::string text, const char* mergeKey) const {
  return stream_ == Stream::Text ? commands::setText(std::move(text), mergeKey)
                                 : commands::setSource(std::move(text), mergeKey);
}

// Layout: greedy line breaking after spaces, inside words only where a word is wider than the field.

void TextField::relayout(const Ui& ui, float width) {
  if (laidOut_ == edit_.text() && laidOutWidth_ == width && laidOutScale_ == ui.scale && !glyphs_.empty())
    return;
  laidOut_ = edit_.text(), laidOutWidth_ = width, laidOutScale_ = ui.scale;
  glyphs_.clear();
  const std::string& text = laidOut_;
  const float cell = ui.metrics().width("0", FontFace::Mono, size);
  float x = 0;
  int line = 0;
  std::size_t lineStart = 0;  // index of the line's first glyph
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = graphemeLength(text, at);
    const bool plain = length == 1 && text[at] >= 32 && text[at] < 127;
    const float advance =
        plain              ? cell
        : text[at] == '\n' ? 0
                           : ui.metrics().width(displayable(text.substr(at, length)), FontFace::Mono, size);
    if (x + advance > width && glyphs_.size() > lineStart && text[at] != ' ') {
      breakLine(lineStart, ++line, x);
    }
    glyphs_.push_back({at, at + length, x, advance, line});
    x += advance;
    if (text[at] == '\n') ++line, x = 0, lineStart = glyphs_.size();
    at += length;
  }
  placeAsSeen(ui);
  const bool endsLeftwards = !glyphs_.empty() && glyphs_.back().line == line && glyphs_.back().isSeen;
  if (endsLeftwards) x = glyphs_.back().x + (glyphs_.back().leftwards ? 0 : glyphs_.back().width);
  endPlace_ = {x, static_cast<float>(line) * lineHeight};
  lines_ = line + 1;
}

// Letters that join or run from right to left stand where their line has them, so that caret, clicks and the
// grounds of tokens find them.
void TextField::placeAsSeen(const Ui& ui) {
  for (std::size_t first = 0, last = 0; first < glyphs_.size(); first = last) {
    while (last < glyphs_.size() && glyphs_[last].line == glyphs_[first].line) ++last;
    placeLineAsSeen(ui, first, last);
  }
}

void TextField::placeLineAsSeen(const Ui& ui, std::size_t first, std::size_t last) {
  const std::size_t begin = glyphs_[first].begin;
  std::string line = laidOut_.substr(begin, glyphs_[last - 1].end - begin);
  if (line.ends_with('\n')) line.pop_back();
  if (displayable(line) != line) return;
  for (const SeenCharacters& seen : ui.fonts.seen(line, FontFace::Mono, size * ui.scale)) {
    std::vector<Glyph*> own;
    for (std::size_t i = first; i < last; ++i)
      if (glyphs_[i].begin - begin >= seen.begin && glyphs_[i].begin - begin < seen.end)
        own.push_back(&glyphs_[i]);
    if (seen.leftwards) std::ranges::reverse(own);
    const float width = seen.width / ui.scale / static_cast<float>(std::max<std::size_t>(own.size(), 1));
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i]->x = seen.x / ui.scale + static_cast<float>(i) * width, own[i]->width = width;
      own[i]->isSeen = true, own[i]->leftwards = seen.leftwards;
    }
  }
}

// Moves what follows the last space of the line to the next one.
void TextField::breakLine(std::size_t& lineStart, int line, float& x) {
  std::size_t first = glyphs_.size();
  while (first > lineStart && laidOut_[glyphs_[first - 1].begin] != ' ') --first;
  if (first == lineStart) first = glyphs_.size();
  x = 0;
  for (std::size_t i = first; i < glyphs_.size(); ++i) {
    glyphs_[i].x = x, glyphs_[i].line = line;
    x += glyphs_[i].width;
  }
  lineStart = first;
}

// In a line that is shaped: before what is seen there, or behind it.
std::optional<std::size_t> TextField::seenAt(std::size_t first, float x) const {
  for (std::size_t i = first; i < glyphs_.size() && glyphs_[i].line == glyphs_[first].line; ++i) {
    const Glyph& glyph = glyphs_[i];
    if (!glyph.isSeen || x < glyph.x || x >= glyph.x + glyph.width) continue;
    const bool isLeft = x < glyph.x + glyph.width / 2;
    return isLeft != glyph.leftwards ? i : i + 1;
  }
  return std::nullopt;
}

std::size_t TextField::glyphAt(Point p) const {
  const int line = std::clamp(static_cast<int>(std::floor(p.y / lineHeight)), 0, lines_ - 1);
  std::size_t i = 0;
  while (i < glyphs_.size() && glyphs_[i].line < line) ++i;
  if (const auto seen = i < glyphs_.size() ? seenAt(i, p.x) : std::nullopt) return *seen;
  for (; i < glyphs_.size() && glyphs_[i].line == line; ++i)
    if (p.x < glyphs_[i].x + glyphs_[i].width / 2 || laidOut_[glyphs_[i].begin] == '\n') return i;
  // Beyond the end of a wrapped line: before its last space, so that the caret stays on the line.
  return i < glyphs_.size() && i > 0 ? i - 1 : i;
}

std::size_t TextField::positionAt(Point p) const {
  const std::size_t i = glyphAt(p);
  return i < glyphs_.size() ? glyphs_[i].begin : laidOut_.size();
}

Point TextField::caretPlace(std::size_t position) const {
  const auto found = std::lower_bound(glyphs_.begin(), glyphs_.end(), position,
                                      [](const Glyph& g, std::size_t at) { return g.begin < at; });
  if (found == glyphs_.end()) return endPlace_;
  return {found->x + (found->leftwards ? found->width : 0), static_cast<float>(found->line) * lineHeight};
}

// Input.

float TextField::wholeLines(float height) {
  return std::round((height - 2 * marginY) / lineHeight) * lineHeight + 2 * marginY;
}

void TextField::show(Ui& ui, const Box& where) {
  edit_.setText(written(ui));
  if (!begun_) edit_.moveTo(edit_.text().size(), false);  // a first "/" goes on writing
  begun_ = true;
  takeAhead(ui);
  const Box inner = where.inset(marginX, marginY);
  relayout(ui, inner.width);
  widgets::hotArea(ui, name_, where);
  nameLastItem(name_, editing_);
  const bool hovered = ImGui::IsItemHovered();
  // Tab comes to the text to write in it, and leaves it again.
  const bool marked = ui.focus.stop(widgets::focusName(name_));
  if (marked != marked_) editing_ = marked;
  marked_ = marked;
  handlePointer(ui, inner, hovered);
  if (editing_) handleKeys(ui);
  relayout(ui, inner.width);
  follow(inner.height);

  const Theme& theme = ui.theme;
  ui.draw(Rect{where, theme.ground,
               editing_  ? theme.accent
               : hovered ? theme.quiet.faded(0.5f)
                         : theme.line,
               Theme::radius, 1});
  ImGui::PushClipRect(ui.screen({where.x + 1, inner.y - 1}),
                      ui.screen({where.right() - 1, inner.bottom() + 1}), true);
  const Point origin{inner.x, inner.y - scroll_};
  drawTokens(ui, origin, inner.height);
  drawText(ui, origin, inner.height);
  ImGui::PopClipRect();
  drawScrollBar(ui, where);
  showMenu(ui);
}

void TextField::takeAhead(Ui& ui) {
  if (ahead_.empty()) return;
  edit_.moveTo(edit_.text().size(), false);
  edit_.insert(std::exchange(ahead_, {}));
  ui.emit(edited(edit_.text(), "typing"));
  scrollToCaret_ = true;
}

void TextField::handlePointer(Ui& ui, const Box& where, bool hovered) {
  const Point pointer = ui.pointer();
  const Point inText{pointer.x - where.x, pointer.y - where.y + scroll_};
  const ImGuiIO& io = ImGui::GetIO();
  if (dragScrollBar(where, pointer, hovered)) return;
  if (ImGui::IsMouseClicked(0) && !hovered) editing_ = false;
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (!io.KeyCtrl) scroll_ -= io.MouseWheel * lineHeight;
    const std::size_t at = positionAt({inText.x - 4, inText.y});
    const std::vector<TokenPiece>& tokens = ui.snapshot.pass->tokensOf(stream_);
    if (read(ui) == edit_.text())
      for (std::size_t i = 0; i < tokens.size(); ++i)
        if (at >= tokens[i].begin && at < tokens[i].end)
          ui.nextHover.token = static_cast<int>(i), ui.nextHover.tokens = stream_;
  }
  if (hovered && ImGui::IsMouseClicked(1)) beginMenu(positionAt(inText));
  if (hovered && ImGui::IsMouseClicked(0)) {
    editing_ = dragging_ = true;
    clicks_ = ui.seconds - lastClick_ < 0.35 ? clicks_ + 1 : 1;
    lastClick_ = ui.seconds;
    select(positionAt(inText));
  } else if (dragging_ && ImGui::IsMouseDragging(0, 3)) {
    edit_.moveTo(positionAt(inText), true);
  }
  if (!ImGui::IsMouseDown(0)) dragging_ = false;
}

// The bar stands in the margin at the right.
bool TextField::dragScrollBar(const Box& where, Point pointer, bool hovered) {
  const float most = textHeight() - where.height;
  if (hovered && ImGui::IsMouseClicked(0) && pointer.x > where.right() && most > 0) scrolling_ = true;
  if (!ImGui::IsMouseDown(0)) scrolling_ = false;
  if (scrolling_) scroll_ += ImGui::GetIO().MouseDelta.y / laidOutScale_ * textHeight() / where.height;
  return scrolling_;
}

// One click sets the caret, two select a word, three its line.
void TextField::select(std::size_t position) {
  if (clicks_ == 1) return edit_.moveTo(position, ImGui::GetIO().KeyShift);
  if (clicks_ == 2) return edit_.selectWordAt(position);
  edit_.selectLineAt(position);
}

// The caret goes where the menu is asked for, unless that is in what is selected.
void TextField::beginMenu(std::size_t position) {
  editing_ = asksMenu_ = true;
  const bool isInside = position >= edit_.selectionBegin() && position < edit_.selectionEnd();
  if (!isInside) edit_.moveTo(position, false);
}

void TextField::showMenu(Ui& ui) {
  const std::string name = std::string(name_) + " menu";
  if (std::exchange(asksMenu_, false)) ImGui::OpenPopup(name.c_str());
  ImGui::PushFont(ui.fonts.font(FontFace::Ui), ui.fonts.lineHeight(FontFace::Ui, Theme::body * ui.scale));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * ui.scale, 10 * ui.scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {24 * ui.scale, 8 * ui.scale});
  if (ImGui::BeginPopup(name.c_str())) {
    ui.typing = true;
    if (pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    const bool any = edit_.hasSelection();
    const auto offers = [&](const char* label, const char* key, bool enabled) {
      const bool chosen = ImGui::MenuItem(label, key, false, enabled);
      nameLastItem(label);
      return chosen && (editing_ = true);
    };
    if (offers("Cut", "Ctrl X", any)) cut();
    if (offers("Copy", "Ctrl C", any)) copy();
    if (offers("Paste", "Ctrl V", true)) paste();
    if (offers("Select all", "Ctrl A", true)) edit_.selectAll();
    if (edit_.text() != written(ui)) ui.emit(edited(edit_.text(), ""));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
}

void TextField::handleKeys(Ui& ui) {
  ui.typing = true;
  ui.focus.putOnPictures(false);
  ImGuiIO& io = ImGui::GetIO();
  const bool control = io.KeyCtrl, extend = io.KeyShift;
  const std::size_t caretBefore = edit_.caret();
  const char* merge = "typing";
  if (pressed(ImGuiKey_LeftArrow)) edit_.moveLeft(control, extend);
  if (pressed(ImGuiKey_RightArrow)) edit_.moveRight(control, extend);
  if (pressed(ImGuiKey_UpArrow)) moveVertically(-1, extend);
  if (pressed(ImGuiKey_DownArrow)) moveVertically(1, extend);
  if (pressed(ImGuiKey_Home))
    edit_.moveTo(control ? 0 : positionAt({-1, caretPlace(edit_.caret()).y}), extend);
  if (pressed(ImGuiKey_End))
    edit_.moveTo(control ? edit_.text().size() : positionAt({1e6f, caretPlace(edit_.caret()).y}), extend);
  if (pressed(ImGuiKey_Backspace)) edit_.eraseBackward(control), merge = "deleting";
  if (pressed(ImGuiKey_Delete)) edit_.eraseForward(control), merge = "deleting";
  if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter)) edit_.insert("\n");
  if (pressed(ImGuiKey_Escape)) editing_ = false;
  handleClipboard(control);
  if (!control || io.KeyAlt)
    for (const ImWchar c : io.InputQueueCharacters)
      if (c >= 32 && c != 127) edit_.insert(utf8(c));
  io.InputQueueCharacters.resize(0);
  if (edit_.text() != written(ui)) ui.emit(edited(edit_.text(), merge));
  scrollToCaret_ |= edit_.caret() != caretBefore;
}

void TextField::handleClipboard(bool control) {
  if (!control) return;
  if (pressed(ImGuiKey_A)) edit_.selectAll();
  if (pressed(ImGuiKey_C)) copy();
  if (pressed(ImGuiKey_X)) cut();
  if (pressed(ImGuiKey_V)) paste();
}

void TextField::copy() const {
  if (edit_.hasSelection()) ImGui::SetClipboardText(std::string(edit_.selected()).c_str());
}

void TextField::cut() {
  if (!edit_.hasSelection()) return;
  copy();
  edit_.eraseBackward(false);
}

void TextField::paste() {
  const char* const pasted = ImGui::GetClipboardText();
  if (!pasted) return;
  std::string text = pasted;
  std::erase(text, '\r');
  edit_.insert(text);
}

void TextField::moveVertically(int lines, bool extend) {
  const Point place = caretPlace(edit_.caret());
  const float y = place.y + static_cast<float>(lines) * lineHeight;
  if (y < 0) return edit_.moveTo(0, extend);
  if (y > endPlace_.y) return edit_.moveTo(edit_.text().size(), extend);
  edit_.moveTo(positionAt({place.x, y + 1}), extend);
}

void TextField::follow(float height) {
  const float caret = caretPlace(edit_.caret()).y;
  if (scrollToCaret_) scroll_ = std::clamp(scroll_, caret + lineHeight - height, caret);
  scrollToCaret_ = false;
  scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, textHeight() - height));
}

}  // namespace glassformer
