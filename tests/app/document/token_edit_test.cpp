#include "app/document/token_edit.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/history.h"

using namespace glassformer;

namespace {

TokenizedText cut(const std::vector<std::string>& tokens) {
  TokenizedText text;
  for (const std::string& token : tokens) {
    text.tokens.push_back({text.text.size(), text.text.size() + token.size()});
    text.text += token;
  }
  return text;
}

const TokenizedText sentence = cut({"The", " dog", " sang", "."});

Workspace after(const Command& command, const std::string& text) {
  Workspace workspace = initialWorkspace();
  workspace.text = text;
  command.apply(workspace);
  return workspace;
}

}  // namespace

TEST_CASE("a token is replaced, deleted and put in at either end") {
  CHECK(withTokenReplaced(sentence, 1, " cat") == "The cat sang.");
  CHECK(withTokenReplaced(sentence, 3, "") == "The dog sang");
  CHECK(withBytesInserted(sentence, 0, "So ") == "So The dog sang.");
  CHECK(withBytesInserted(sentence, 2, " never") == "The dog never sang.");
  CHECK(withBytesInserted(sentence, 4, " So") == "The dog sang. So");
}

TEST_CASE("a token moves into any gap; its own gaps change nothing") {
  CHECK(withTokenMoved(sentence, 0, 2) == " dogThe sang.");
  CHECK(withTokenMoved(sentence, 2, 1) == "The sang dog.");
  CHECK(withTokenMoved(sentence, 1, 4) == "The sang. dog");
  CHECK(withTokenMoved(sentence, 3, 0) == ".The dog sang");
  for (int token = 0; token < 4; ++token)
    for (const int own : {token, token + 1}) CHECK(withTokenMoved(sentence, token, own) == sentence.text);
}

TEST_CASE("moving there and back gives the text again, for every token and gap") {
  const std::vector<std::string> tokens{"a", "\xF0\x9F", "\x98\x80", " b", "\xFF"};
  const TokenizedText before = cut(tokens);
  for (int token = 0; token < 5; ++token)
    for (int gap = 0; gap <= 5; ++gap) {
      auto order = tokens;
      order.erase(order.begin() + token);
      const int place = gap > token ? gap - 1 : gap;
      order.insert(order.begin() + place, tokens[static_cast<std::size_t>(token)]);
      const TokenizedText moved = cut(order);
      CHECK(withTokenMoved(before, token, gap) == moved.text);
      CHECK(withTokenMoved(moved, place, gap > token ? token : token + 1) == before.text);
    }
}

TEST_CASE("a token that is part of a character is spliced byte by byte") {
  const TokenizedText emoji = cut({"x", "\xF0\x9F", "\x98\x80", "y"});
  CHECK(withTokenReplaced(emoji, 1, "") == "x\x98\x80y");
  CHECK(withTokenReplaced(emoji, 2, "\x98\x81") == "x\xF0\x9F\x98\x81y");
  CHECK(withTokenMoved(emoji, 2, 1) == "x\x98\x80\xF0\x9Fy");
}

TEST_CASE("tokens and gaps that do not exist leave the text alone") {
  for (const int token : {-1, 4, 100}) {
    CHECK(withTokenReplaced(sentence, token, "x") == sentence.text);
    CHECK(withTokenMoved(sentence, token, 0) == sentence.text);
  }
  CHECK(withBytesInserted(sentence, -1, "x") == sentence.text);
  CHECK(withBytesInserted(sentence, 5, "x") == sentence.text);
  CHECK(withTokenMoved(sentence, 0, 5) == sentence.text);
  CHECK(withBytesInserted({}, 0, "x") == "x");
}

TEST_CASE("the commands select what they changed and are undone by name") {
  CHECK(after(commands::replaceToken(sentence, 1, " cat"), sentence.text).selection.query == 1);
  CHECK(after(commands::insertToken(sentence, 4, " So"), sentence.text).selection.query == 4);
  CHECK(after(commands::deleteToken(sentence, 3), sentence.text).selection.query == 2);
  CHECK(after(commands::deleteToken(cut({"a"}), 0), "a").selection.query == 0);
  CHECK(after(commands::moveToken(sentence, 0, 4), sentence.text).selection.query == 3);
  CHECK(after(commands::moveToken(sentence, 3, 1), sentence.text).selection.query == 1);

  Workspace start = initialWorkspace();
  start.text = sentence.text;
  History history(start);
  history.apply(commands::deleteToken(sentence, 1), 0);
  CHECK(history.current().text == "The sang.");
  CHECK(history.stateName(1) == "deleting a token");
  history.undo();
  CHECK(history.current().text == sentence.text);
}

TEST_CASE("an edit meant for an older text does nothing") {
  CHECK(after(commands::deleteToken(sentence, 1), "another text").text == "another text");
}
