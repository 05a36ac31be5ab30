#include "core/text/utf8.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;
using namespace std::string_literals;

TEST_CASE("well-formed characters of one to four bytes are decoded") {
  const std::string text = "aé€😀";
  CHECK(codePointAt(text, 0).value == U'a');
  CHECK(codePointAt(text, 1).value == U'é');
  CHECK(codePointAt(text, 3).value == U'€');
  CHECK(codePointAt(text, 6).value == U'😀');
  CHECK(codePointAt(text, 6).bytes == 4);
  CHECK(isValidUtf8(text));
}

TEST_CASE("bytes that form no character stand alone") {
  for (const std::string& wrong : {"\x80"s, "\xC3"s, "\xC0\xAF"s, "\xE0\x80\x80"s, "\xED\xA0\x80"s,
                                   "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xE2\x82"s, "\xFF"s}) {
    INFO(visibleText(wrong));
    CHECK_FALSE(isValidUtf8(wrong));
    CHECK_FALSE(codePointAt(wrong, 0).valid);
    CHECK(codePointAt(wrong, 0).bytes == 1);
  }
}

TEST_CASE("every code point survives encoding and decoding") {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    const std::string bytes = encodeUtf8(value);
    const CodePoint point = codePointAt(bytes, 0);
    if (!point.valid || point.value != value || static_cast<std::size_t>(point.bytes) != bytes.size())
      FAIL("code point " << static_cast<unsigned>(value));
  }
  CHECK(encodeUtf8(0xD800) == "\uFFFD");
  CHECK(encodeUtf8(0x110000) == "\uFFFD");
}

TEST_CASE("stepping by characters goes over whole characters and single wrong bytes") {
  const std::string text = "a€\xE2\x82z";  // the second euro sign lacks its last byte
  CHECK(nextCharacter(text, 0) == 1);
  CHECK(nextCharacter(text, 1) == 4);
  CHECK(nextCharacter(text, 2) == 4);
  CHECK(nextCharacter(text, 4) == 5);
  CHECK(nextCharacter(text, 5) == 6);
  CHECK(nextCharacter(text, 7) == 7);
  CHECK(previousCharacter(text, 7) == 6);
  CHECK(previousCharacter(text, 6) == 5);
  CHECK(previousCharacter(text, 4) == 1);
  CHECK(previousCharacter(text, 3) == 1);
  CHECK(previousCharacter(text, 0) == 0);
}

TEST_CASE("visible text shows what cannot be seen and is valid whatever the bytes") {
  CHECK(visibleText("a b\n\t") == "a b↵⇥");
  CHECK(visibleText("\xE2\x82"s) == "<E2><82>");
  CHECK(visibleText("\0\x7F"s) == "<00><7F>");
  CHECK(visibleText("\u200D\u00A0\u202E") == "<U+200D><U+00A0><U+202E>");
  CHECK(visibleText("שלום 😀") == "שלום 😀");
  std::string all;
  for (int byte = 255; byte >= 0; --byte) all += static_cast<char>(byte);
  CHECK(isValidUtf8(visibleText(all)));
}

TEST_CASE("what is quoted in a message is cut between characters, and says so") {
  CHECK(excerpt("größer", 3) == "grö…");
  CHECK(excerpt("größer", 6) == "größer");
  CHECK(excerpt("\xF0\x9F\x98\x80\x1B[2J", 2) == "😀<1B>…");
  CHECK(excerpt("", 0).empty());
  CHECK(inQuotes(std::string(300, 'x')) == "\"" + std::string(80, 'x') + "…\"");
}
