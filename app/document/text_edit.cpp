#include "app/document/text_edit.h"

#include <utf8proc.h>

#include <algorithm>

namespace glassformer {

namespace {

// Decodes one code point; -1 and a length of 1 where the bytes are not UTF-8.
utf8proc_int32_t codePointAt(std::string_view text, std::size_t at, std::size_t& length) {
  utf8proc_int32_t code = -1;
  const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                                  static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  length = n > 0 ? static_cast<std::size_t>(n) : 1;
  return n > 0 ? code : -1;
}

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Letters, digits and everything beyond ASCII hold together when moving by words.
bool isWord(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') ||
         ((c | 32) >= 'a' && (c | 32) <= 'z');
}

}  // namespace

std::size_t graphemeLength(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  std::size_t length = 0;
  utf8proc_int32_t before = codePointAt(text, at, length);
  std::size_t end = at + length;
  utf8proc_int32_t state = 0;
  while (before >= 0 && end < text.size()) {
    const utf8proc_int32_t next = codePointAt(text, end, length);
    if (next < 0 || utf8proc_grapheme_break_stateful(before, next, &state)) break;
    end += length;
    before = next;
  }
  return end - at;
}

std::size_t previousGrapheme(std::string_view text, std::size_t at) {
  // Characters can only be counted forwards; one rarely spans more than a few dozen bytes, and ASCII always
  // starts one.
  std::size_t start = at > 64 ? at - 64 : 0;
  while (start > 0 && static_cast<unsigned char>(text[start]) >= 0x80) --start;
  std::size_t previous = start;
  while (start < at) previous = start, start += graphemeLength(text, start);
  return previous;
}

std::string displayable(std::string_view bytes) {
  std::string shown;
  shown.reserve(bytes.size());
  for (std::size_t at = 0, length = 0; at < bytes.size(); at += length) {
    const utf8proc_int32_t code = codePointAt(bytes, at, length);
    const bool control = code >= 0 && (code < 32 || (code >= 127 && code < 160)) && code != '\n';
    if (code == '\t')
      shown += "→";
    else if (code < 0 || control)
      shown += "\xEF\xBF\xBD";
    else
      shown += bytes.substr(at, length);
  }
  return shown;
}

void TextEdit::setText(std::string text) {
  if (text == text_) return;
  text_ = std::move(text);
  std::size_t boundary = std::min(caret_, text_.size());
  while (boundary < text_.size() && (static_cast<unsigned char>(text_[boundary]) & 0xC0) == 0x80) ++boundary;
  caret_ = anchor_ = boundary;
}

void TextEdit::insert(std::string_view bytes) {
  eraseSelection();
  text_.insert(caret_, bytes);
  caret_ = anchor_ = caret_ + bytes.size();
}

bool TextEdit::eraseSelection() {
  if (!hasSelection()) return false;
  const std::size_t begin = selectionBegin();
  text_.erase(begin, selectionEnd() - begin);
  caret_ = anchor_ = begin;
  return true;
}

void TextEdit::eraseBackward(bool wholeWord) {
  if (eraseSelection()) return;
  const std::size_t begin = wholeWord ? wordLeft(caret_) : previousGrapheme(text_, caret_);
  text_.erase(begin, caret_ - begin);
  caret_ = anchor_ = begin;
}

void TextEdit::eraseForward(bool wholeWord) {
  if (eraseSelection()) return;
  const std::size_t end = wholeWord ? wordRight(caret_) : caret_ + graphemeLength(text_, caret_);
  text_.erase(caret_, end - caret_);
}

void TextEdit::moveTo(std::size_t position, bool extend) {
  caret_ = std::min(position, text_.size());
  if (!extend) anchor_ = caret_;
}

void TextEdit::moveLeft(bool wholeWord, bool extend) {
  if (hasSelection() && !extend && !wholeWord) return moveTo(selectionBegin(), false);
  moveTo(wholeWord ? wordLeft(caret_) : previousGrapheme(text_, caret_), extend);
}

void TextEdit::moveRight(bool wholeWord, bool extend) {
  if (hasSelection() && !extend && !wholeWord) return moveTo(selectionEnd(), false);
  moveTo(wholeWord ? wordRight(caret_) : caret_ + graphemeLength(text_, caret_), extend);
}

void TextEdit::selectAll() {
  anchor_ = 0;
  caret_ = text_.size();
}

void TextEdit::selectWordAt(std::size_t position) {
  position = std::min(position, text_.size());
  std::size_t begin = position, end = position;
  while (begin > 0 && isWord(text_[begin - 1])) --begin;
  while (end < text_.size() && isWord(text_[end])) ++end;
  anchor_ = begin;
  caret_ = end;
}

void TextEdit::selectLineAt(std::size_t position) {
  position = std::min(position, text_.size());
  const std::size_t before = position > 0 ? text_.rfind('\n', position - 1) : std::string::npos;
  anchor_ = before == std::string::npos ? 0 : before + 1;
  caret_ = std::min(text_.find('\n', position), text_.size());
}

std::size_t TextEdit::wordLeft(std::size_t from) const {
  while (from > 0 && isSpace(text_[from - 1])) --from;
  if (from > 0 && !isWord(text_[from - 1])) return from - 1;
  while (from > 0 && isWord(text_[from - 1])) --from;
  return from;
}

std::size_t TextEdit::wordRight(std::size_t from) const {
  if (from < text_.size() && !isWord(text_[from]) && !isSpace(text_[from]))
    ++from;
  else
    while (from < text_.size() && isWord(text_[from])) ++from;
  while (from < text_.size() && isSpace(text_[from])) ++from;
  return from;
}

}  // namespace glassformer
