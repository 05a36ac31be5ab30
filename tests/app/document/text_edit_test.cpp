#include "app/document/text_edit.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

namespace {
TextEdit editing(const std::string& text, std::size_t caret) {
  TextEdit edit;
  edit.setText(text);
  edit.moveTo(caret, false);
  return edit;
}
}  // namespace

TEST_CASE("backspace removes one character as people see it") {
  const std::string family =
      "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7";  // joined emoji
  const std::string accented = "e\xCC\x81";                                        // e + combining accent
  for (const std::string& character : {family, accented, std::string("ß"), std::string("x")}) {
    TextEdit edit = editing("ab" + character, 2 + character.size());
    edit.eraseBackward(false);
    CHECK(edit.text() == "ab");
  }
}

TEST_CASE("bytes that are not UTF-8 are characters of their own") {
  TextEdit edit = editing("a\xFF\xFE", 3);
  edit.eraseBackward(false);
  CHECK(edit.text() == "a\xFF");
  CHECK(displayable("a\xFF\x01z\n") == "a\xEF\xBF\xBD\xEF\xBF\xBDz\n");
}

TEST_CASE("typing replaces the selection") {
  TextEdit edit = editing("one two three", 4);
  edit.moveRight(true, true);
  CHECK(edit.selected() == "two ");
  edit.insert("2 ");
  CHECK(edit.text() == "one 2 three");
  CHECK(edit.caret() == 6);
  CHECK_FALSE(edit.hasSelection());
}

TEST_CASE("moving and deleting by words stops at words and signs") {
  TextEdit edit = editing("didn't cross.", 13);
  edit.moveLeft(true, false);
  CHECK(edit.caret() == 12);
  edit.moveLeft(true, false);
  CHECK(edit.caret() == 7);
  edit.eraseBackward(true);
  CHECK(edit.text() == "didn'cross.");
  edit.eraseForward(true);
  CHECK(edit.text() == "didn'.");
}

TEST_CASE("the caret stays inside a text that is replaced from outside") {
  TextEdit edit = editing("a long text", 11);
  edit.setText("aß");
  CHECK(edit.caret() == 3);
  edit.moveTo(2, false);
  edit.setText("ßß");
  CHECK(edit.caret() == 2);
  edit.selectAll();
  CHECK(edit.selected() == "ßß");
}
