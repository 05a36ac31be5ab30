#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace glassformer {

/// Length in bytes of the character that starts at `at`: one user-perceived character (letters with their
/// accents, emoji with their joiners), or one byte where the text is not UTF-8.
std::size_t graphemeLength(std::string_view text, std::size_t at);
/// Where the character before `at` starts; 0 at the start.
std::size_t previousGrapheme(std::string_view text, std::size_t at);

/// The text for display: tabs as "→"; bytes that are not UTF-8, and control characters other than line
/// breaks, as U+FFFD.
std::string displayable(std::string_view bytes);

/// A text with a caret, as editors have it; positions are byte offsets at character boundaries. Knows nothing
/// of windows: the input panel turns keys into these calls.
class TextEdit {
 public:
  const std::string& text() const { return text_; }
  std::size_t caret() const { return caret_; }
  std::size_t selectionBegin() const { return caret_ < anchor_ ? caret_ : anchor_; }
  std::size_t selectionEnd() const { return caret_ < anchor_ ? anchor_ : caret_; }
  bool hasSelection() const { return caret_ != anchor_; }
  std::string_view selected() const {
    return std::string_view(text_).substr(selectionBegin(), selectionEnd() - selectionBegin());
  }

  /// Takes over a text changed elsewhere (undo, a lesson); the caret stays where it still fits.
  void setText(std::string text);
  /// Replaces the selection.
  void insert(std::string_view bytes);
  void eraseBackward(bool wholeWord);
  void eraseForward(bool wholeWord);

  /// `extend` keeps the other end of the selection where it is.
  void moveTo(std::size_t position, bool extend);
  void moveLeft(bool wholeWord, bool extend);
  void moveRight(bool wholeWord, bool extend);
  void selectAll();
  void selectWordAt(std::size_t position);
  void selectLineAt(std::size_t position);

 private:
  std::size_t wordLeft(std::size_t from) const;
  std::size_t wordRight(std::size_t from) const;
  bool eraseSelection();

  std::string text_;
  std::size_t caret_ = 0, anchor_ = 0;
};

}  // namespace glassformer
