// Every step of a tokenizer.json against Hugging Face's own library.
// The fixture and how it was made: tests/reference/make_pipeline_reference.mjs.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/io/files.h"
#include "core/text/tokenizers.h"

using namespace glassformer;

namespace {

void checkCover(const Tokenizer& tokenizer, const std::string& text) {
  int at = 0;
  for (const Token& token : tokenizer.encode(text)) {
    CHECK(token.begin == at);
    CHECK(token.end >= token.begin);
    at = token.end;
  }
  CHECK((at == static_cast<int>(text.size()) || at == 0));
}

}  // namespace

TEST_CASE("a field that is not known is refused by its place, in every step and model there is") {
  const auto text = readTextFile(std::string(SOURCE_FOLDER) + "/tests/reference/pipelines.json");
  REQUIRE(text);
  const nlohmann::json fixture = nlohmann::json::parse(*text);
  int places = 0;
  for (const auto& variant : fixture["variants"]) {
    INFO(variant["name"]);
    nlohmann::json file = fixture["plain"];
    file.update(variant["changed"]);
    for (const char* part : {"", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model"}) {
      const nlohmann::json::json_pointer at(*part == '\0' ? "" : std::string("/") + part);
      if (!file[at].is_object()) continue;
      nlohmann::json changed = file;
      changed[at]["strange"] = 1;
      const auto read = readTokenizerJson(changed.dump(), "t.json");
      REQUIRE_FALSE(read);
      const std::string place = std::string(part) + (*part == '\0' ? "" : ".") + "strange";
      CHECK(read.error().message().starts_with("t.json, " + place + ": is 1, a field that is not known"));
      ++places;
    }
  }
  CHECK(places > 200);
}

TEST_CASE("every step of a tokenizer.json does what Hugging Face's library does", "[accuracy]") {
  const auto text = readTextFile(std::string(SOURCE_FOLDER) + "/tests/reference/pipelines.json");
  REQUIRE(text);
  const nlohmann::json fixture = nlohmann::json::parse(*text);
  for (const auto& variant : fixture["variants"]) {
    INFO(variant["name"]);
    nlohmann::json file = fixture["plain"];
    file.update(variant["changed"]);
    const auto read = readTokenizerJson(file.dump(), "t.json");
    if (!read) FAIL(read.error().message());
    const Tokenizer& tokenizer = **read;
    for (const auto& one : variant["texts"]) {
      INFO(one["text"].dump());
      const auto ids = one["ids"].get<std::vector<int>>();
      CHECK(tokenizer.encodeIds(one["text"].get<std::string>()) == ids);
      if (one.contains("decoded")) CHECK(tokenizer.decode(ids) == one["decoded"].get<std::string>());
      checkCover(tokenizer, one["text"].get<std::string>());
    }
    if (variant.contains("around")) {
      std::vector<int> around = tokenizer.startTokens();
      around.push_back(tokenizer.find("x"));
      around.insert(around.end(), tokenizer.closeTokens().begin(), tokenizer.closeTokens().end());
      CHECK(around == variant["around"].get<std::vector<int>>());
    }
    const auto again = readTokenizerJson(writeTokenizerJson(tokenizer), "");
    if (!again) FAIL(again.error().message());
    CHECK(**again == tokenizer);
  }
}
