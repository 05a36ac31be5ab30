#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/document/text_edit.h"
#include "app/panels/ui.h"

namespace glassformer {

/// The input, edited in place: text that wraps, with every token on a ground of its own, as the tokenizer cut
/// it. Pointing at a token lights it up everywhere; a click sets the caret, and leaves what is selected in
/// the pictures alone.
class TextField {
 public:
  /// Of the text, or of the source that a model reads beside it. `name`: for the keyboard and tests;
  /// `invitation`: said while there is nothing.
  TextField(const char* name, Stream stream, const char* invitation)
      : name_(name), stream_(stream), invitation_(invitation) {}

  /// The height nearest to this one that shows whole lines.
  static float wholeLines(float height);
  void show(Ui& ui, const Box& where);
  void focus() { editing_ = scrollToCaret_ = true; }
  /// Takes the keyboard, and what was typed before it had it, at the end.
  void write(std::string_view typed) { editing_ = true, ahead_ += typed; }
  void leave() { editing_ = false; }
  bool editing() const { return editing_; }

 private:
  struct Glyph {  // one character as people see it
    std::size_t begin, end;
    float x, width;
    int line;
    bool isSeen = false, leftwards = false;  ///< placed by what the line is shaped into, from right to left
  };
  static constexpr float lineHeight = 28, size = 16, marginX = 12, marginY = 8;

  void relayout(const Ui& ui, float width);
  void breakLine(std::size_t& lineStart, int line, float& x);
  void placeAsSeen(const Ui& ui);
  void placeLineAsSeen(const Ui& ui, std::size_t first, std::size_t last);
  std::optional<std::size_t> seenAt(std::size_t first, float x) const;
  std::size_t glyphAt(Point inText) const;       // index of the glyph before which a click puts the caret
  Point caretPlace(std::size_t position) const;  // left end of the caret in the text
  std::size_t positionAt(Point inText) const;

  void takeAhead(Ui& ui);
  bool dragScrollBar(const Box& where, Point pointer, bool hovered);
  void select(std::size_t position);
  void beginMenu(std::size_t position);
  void showMenu(Ui& ui);
  void copy() const;
  void cut();
  void paste();
  void handlePointer(Ui& ui, const Box& where, bool hovered);
  void handleKeys(Ui& ui);
  void handleClipboard(bool control);
  void moveVertically(int lines, bool extend);
  const std::string& written(const Ui& ui) const;
  const std::string& read(const Ui& ui) const;  // what the newest tokens are of
  Command edited(std::string text, const char* mergeKey) const;
  void drawTokens(Ui& ui, Point origin, float height) const;
  void drawText(Ui& ui, Point origin, float height) const;
  void drawScrollBar(const Ui& ui, const Box& where) const;
  std::size_t endOfRead(const Ui& ui) const;
  float textHeight() const { return static_cast<float>(lines_) * lineHeight; }
  void follow(float height);

  const char* name_;
  Stream stream_;
  const char* invitation_;
  TextEdit edit_;
  std::string ahead_;  // typed before it had the keyboard
  bool begun_ = false, editing_ = false, dragging_ = false, scrolling_ = false;
  bool asksMenu_ = false;  // in this frame
  bool marked_ = false;    // by the keyboard, in the last frame
  float scroll_ = 0;
  bool scrollToCaret_ = false;
  double lastClick_ = -1;
  int clicks_ = 0;  // one soon after the other
  // The layout and what it was made for.
  std::string laidOut_;
  float laidOutWidth_ = -1, laidOutScale_ = -1;
  std::vector<Glyph> glyphs_;
  int lines_ = 1;
  Point endPlace_;
};

}  // namespace glassformer
