#include "core/text/base64.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

using namespace glassformer;

TEST_CASE("base64 is RFC 4648's, with its own examples, there and back") {
  using Example = std::pair<const char*, const char*>;
  for (const auto& [bytes, text] : {Example{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"},
                                    {"\xFB\xFF", "+/8="}}) {
    CHECK(base64(bytes) == text);
    CHECK(bytesOfBase64(text) == bytes);
  }
  for (const char* none : {"Zg", "Z", "Zg=a", "====", "Zm 9", "Zm\xC3\xA9"})
    CHECK_FALSE(bytesOfBase64(none).has_value());
}
