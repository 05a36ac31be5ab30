#include "app/panels/text_field.h"

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
  endPlace_ = {x, static_cast<float>(line) * lineHeight};
  lines_ = line + 1;
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

std::size_t TextField::glyphAt(Point p) const {
  const int line = std::clamp(static_cast<int>(std::floor(p.y / lineHeight)), 0, lines_ - 1);
  std::size_t i = 0;
  while (i < glyphs_.size() && glyphs_[i].line < line) ++i;
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
  return {found->x, static_cast<float>(found->line) * lineHeight};
}

// Input.

float TextField::wholeLines(float height) {
  return std::round((height - 2 * marginY) / lineHeight) * lineHeight + 2 * marginY;
}

void TextField::show(Ui& ui, const Box& where) {
  edit_.setText(written(ui));
  if (!begun_) edit_.moveTo(edit_.text().size(), false);  // a first "/" goes on writing
  begun_ = true;
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
}

void TextField::handlePointer(Ui& ui, const Box& where, bool hovered) {
  const Point pointer = ui.pointer();
  const Point inText{pointer.x - where.x, pointer.y - where.y + scroll_};
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(0) && !hovered) editing_ = false;
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    scroll_ -= io.MouseWheel * lineHeight;
    const std::size_t at = positionAt({inText.x - 4, inText.y});
    const std::vector<TokenPiece>& tokens = ui.snapshot.pass->tokensOf(stream_);
    if (read(ui) == edit_.text())
      for (std::size_t i = 0; i < tokens.size(); ++i)
        if (at >= tokens[i].begin && at < tokens[i].end)
          ui.nextHover.token = static_cast<int>(i), ui.nextHover.tokens = stream_;
  }
  if (hovered && ImGui::IsMouseClicked(0)) {
    editing_ = dragging_ = true;
    if (ui.seconds - lastClick_ < 0.35)
      edit_.selectWordAt(positionAt(inText));
    else
      edit_.moveTo(positionAt(inText), io.KeyShift);
    lastClick_ = ui.seconds;
  } else if (dragging_ && ImGui::IsMouseDragging(0, 3)) {
    edit_.moveTo(positionAt(inText), true);
  }
  if (!ImGui::IsMouseDown(0)) dragging_ = false;
}

void TextField::handleKeys(Ui& ui) {
  ui.typing = true;
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
  const bool cut = pressed(ImGuiKey_X);
  if ((cut || pressed(ImGuiKey_C)) && edit_.hasSelection())
    ImGui::SetClipboardText(std::string(edit_.selected()).c_str());
  if (cut && edit_.hasSelection()) edit_.eraseBackward(false);
  if (!pressed(ImGuiKey_V)) return;
  if (const char* pasted = ImGui::GetClipboardText()) {
    std::string text = pasted;
    std::erase(text, '\r');
    edit_.insert(text);
  }
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
  scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, static_cast<float>(lines_) * lineHeight - height));
}

// Drawing; only the lines that can be seen.

void TextField::drawTokens(Ui& ui, Point origin, float height) const {
  if (read(ui) != edit_.text()) return;
  const Theme& theme = ui.theme;
  const auto& tokens = ui.snapshot.pass->tokensOf(stream_);
  const int selected = ui.workspace().selection.queryIn(stream_);
  std::size_t token = 0;
  for (std::size_t i = 0; i < glyphs_.size();) {
    const Glyph& first = glyphs_[i];
    while (token < tokens.size() && tokens[token].end <= first.begin) ++token;
    if (token == tokens.size()) break;
    std::size_t end = i + 1;  // the token's glyphs on this line
    while (end < glyphs_.size() && glyphs_[end].line == first.line && glyphs_[end].begin < tokens[token].end)
      ++end;
    const float y = origin.y + static_cast<float>(first.line) * lineHeight;
    if (y > origin.y + scroll_ + height + lineHeight) break;
    // A token's leading space that wrapping left at the end of a line is no token of its own to look at.
    const bool onlySpace = end - i == 1 && laidOut_[first.begin] == ' ' && first.end < tokens[token].end;
    if (y > origin.y + scroll_ - 2 * lineHeight && !onlySpace) {
      const Box box{origin.x + first.x + 0.5f, y + 3,
                    glyphs_[end - 1].x + glyphs_[end - 1].width - first.x - 1, lineHeight - 6};
      const int position = static_cast<int>(token);
      const bool pointed = ui.hover.touches(position, stream_);
      const Rgba fill = position == selected ? theme.accent.faded(0.28f)
                        : pointed            ? theme.accent.faded(0.18f)
                                             : mix(theme.raised, theme.touched, token % 2 ? 0.55f : 0.0f);
      ui.draw(Rect{box, fill, pointed ? theme.accent : Rgba{0, 0, 0, 0}, 3, 1});
    }
    i = end;
  }
}

void TextField::drawText(Ui& ui, Point origin, float height) const {
  const Theme& theme = ui.theme;
  const TextStyle style{FontFace::Mono, size, theme.text};
  const float top = scroll_ - lineHeight, bottom = scroll_ + height;
  std::string run;
  for (std::size_t i = 0; i < glyphs_.size();) {
    const Glyph& first = glyphs_[i];
    std::size_t end = i + 1;
    while (end < glyphs_.size() && glyphs_[end].line == first.line) ++end;
    const float y = static_cast<float>(first.line) * lineHeight;
    if (y > bottom) break;
    if (y >= top) {
      for (std::size_t g = i; g < end; ++g)
        if (editing_ && glyphs_[g].begin >= edit_.selectionBegin() && glyphs_[g].begin < edit_.selectionEnd())
          ui.draw(Rect{
              {origin.x + glyphs_[g].x, origin.y + y + 2, std::max(glyphs_[g].width, 4.0f), lineHeight - 4},
              theme.accent.faded(0.45f),
              {0, 0, 0, 0},
              0,
              1});
      run = displayable(std::string_view(laidOut_).substr(first.begin, glyphs_[end - 1].end - first.begin));
      if (!run.empty() && run.back() == '\n') run.pop_back();
      const bool scrolls = static_cast<float>(lines_) * lineHeight > height;
      const auto write = [&](float x, const std::string& words) {
        ui.painter.paint(ImGui::GetWindowDrawList(),
                         Text{{origin.x + x, origin.y + y + lineHeight / 2}, words, style},
                         {{0, 0}, ui.scale}, scrolls);
      };
      // Where letters join or change places, each stands by itself in the order it was written, so that the
      // caret and clicks find it.
      if (ui.fonts.shown(run, style.face) == run)
        write(first.x, run);
      else
        for (std::size_t g = i; g < end; ++g)
          if (laidOut_[glyphs_[g].begin] != '\n')
            write(glyphs_[g].x, displayable(std::string_view(laidOut_).substr(
                                    glyphs_[g].begin, glyphs_[g].end - glyphs_[g].begin)));
    }
    i = end;
  }
  if (!editing_) {
    if (laidOut_.empty())
      ui.drawText({origin.x, origin.y + lineHeight / 2}, invitation_, {FontFace::Ui, size, theme.quiet});
    return;
  }
  const Point caret = caretPlace(edit_.caret());
  ui.draw(Rect{
      {origin.x + caret.x - 1, origin.y + caret.y + 3, 2, lineHeight - 6}, theme.accent, {0, 0, 0, 0}, 0, 1});
}

}  // namespace glassformer
