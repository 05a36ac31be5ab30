#include <algorithm>

#include "app/lesson/lesson_walk.h"
#include "app/panels/text_field.h"
#include "imgui.h"

namespace glassformer {

// Only the lines that can be seen are drawn.

void TextField::drawScrollBar(const Ui& ui, const Box& where) const {
  constexpr float width = 4;
  const float seen = where.height - 2 * marginY;
  if (textHeight() <= seen + 1) return;
  const float each = (where.height - 4) / textHeight();
  ui.draw(Rect{{where.right() - width - 2, where.y + 2 + scroll_ * each, width, seen * each},
               scrolling_ ? ui.theme.quiet : ui.theme.line,
               {0, 0, 0, 0},
               width / 2,
               1});
}

// Where in the text that begins which the model's context has no room for.
std::size_t TextField::endOfRead(const Ui& ui) const {
  const auto& tokens = ui.snapshot.pass->tokensOf(stream_);
  const auto& config = ui.snapshot.model->config;
  const std::size_t most = config ? static_cast<std::size_t>(config->context) : tokens.size();
  return read(ui) == edit_.text() && most < tokens.size() ? tokens[most].begin : std::string::npos;
}

void TextField::drawTokens(Ui& ui, Point origin, float height) const {
  if (read(ui) != edit_.text() || coveredNow(ui.lesson.get(), ui.workspace()).tokens) return;
  const Theme& theme = ui.theme;
  const auto& tokens = ui.snapshot.pass->tokensOf(stream_);
  const int selected = ui.workspace().selection.queryIn(stream_);
  const std::size_t readEnd = endOfRead(ui);
  std::size_t token = 0;
  for (std::size_t i = 0; i < glyphs_.size();) {
    const Glyph& first = glyphs_[i];
    while (token < tokens.size() && tokens[token].end <= first.begin) ++token;
    if (token == tokens.size() || first.begin >= readEnd) break;
    std::size_t end = i + 1;  // the token's glyphs on this line
    while (end < glyphs_.size() && glyphs_[end].line == first.line && glyphs_[end].begin < tokens[token].end)
      ++end;
    const float y = origin.y + static_cast<float>(first.line) * lineHeight;
    if (y > origin.y + scroll_ + height + lineHeight) break;
    // A token's leading space that wrapping left at the end of a line is no token of its own to look at.
    const bool onlySpace = end - i == 1 && laidOut_[first.begin] == ' ' && first.end < tokens[token].end;
    if (y > origin.y + scroll_ - 2 * lineHeight && !onlySpace) {
      float left = first.x, right = first.x;
      for (std::size_t g = i; g < end; ++g)
        left = std::min(left, glyphs_[g].x), right = std::max(right, glyphs_[g].x + glyphs_[g].width);
      const Box box{origin.x + left + 0.5f, y + 3, right - left - 1, lineHeight - 6};
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
  const TextStyle style{FontFace::Mono, size, theme.text},
      beyond{FontFace::Mono, size, theme.quiet.faded(0.6f)};
  const std::size_t readEnd = endOfRead(ui);
  const float top = scroll_ - lineHeight, bottom = scroll_ + height;
  std::string run;
  for (std::size_t i = 0; i < glyphs_.size();) {
    const Glyph& first = glyphs_[i];
    std::size_t end = i + 1;
    const auto isRead = [&](std::size_t g) { return glyphs_[g].begin < readEnd; };
    // A line that is shaped is one text, quiet where its beginning is.
    while (end < glyphs_.size() && glyphs_[end].line == first.line &&
           (first.isSeen || isRead(end) == isRead(i)))
      ++end;
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
      const bool scrolls = textHeight() > height;
      const auto write = [&](float x, const std::string& words) {
        ui.painter.paint(
            ImGui::GetWindowDrawList(),
            Text{{origin.x + x, origin.y + y + lineHeight / 2}, words, isRead(i) ? style : beyond},
            {{0, 0}, ui.scale}, scrolls);
      };
      // Beside bytes that are no text, letters that join or change places stand by themselves.
      if (first.isSeen || ui.fonts.shown(run, style.face) == run)
        write(first.isSeen ? 0 : first.x, run);
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
