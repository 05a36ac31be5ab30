// Tokenizers that cut as those of published families do, against an independent implementation.
// The fixtures and how they were made: tests/reference/make_tokenizer_reference.mjs and, with SentencePiece,
// make_unigram_reference.py.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/files.h"
#include "core/text/tokenizers.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

nlohmann::json jsonOf(const fs::path& path) {
  const auto text = readTextFile(path);
  REQUIRE(text);
  return nlohmann::json::parse(*text);
}

}  // namespace

TEST_CASE("texts are cut as an independent implementation cuts them, whatever the family", "[accuracy]") {
  const nlohmann::json stories = jsonOf(fs::path(SOURCE_FOLDER) / "assets/models/stories/tokenizer.json");
  int variants = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_FOLDER) / "tests/reference/tokenizers")) {
    const std::string variant = entry.path().stem().string();
    INFO(variant);
    const nlohmann::json fixture = jsonOf(entry.path());
    nlohmann::json file = fixture["file"].is_null() ? stories : fixture["file"];
    file.update(fixture["changed"]);
    file["model"].update(fixture["model"]);
    const auto read = readTokenizerJson(file.dump(), "");
    if (!read) FAIL(read.error().message());
    const std::shared_ptr<const Tokenizer>& tokenizer = *read;
    ++variants;
    for (const auto& one : fixture["texts"]) {
      const auto text = one["text"].get<std::string>();
      INFO(one["text"].dump());
      CHECK(tokenizer->encodeIds(text) == one["ids"].get<std::vector<int>>());
      if (one.contains("decoded"))
        CHECK(tokenizer->decode(one["ids"].get<std::vector<int>>()) == one["decoded"].get<std::string>());
      // They cover the text, also where it was composed first, or parts of it were removed.
      int at = 0;
      for (const Token& token : tokenizer->encode(text)) {
        CHECK(token.begin == at);
        CHECK(token.end >= token.begin);
        at = token.end;
      }
      if (!one["ids"].empty()) CHECK(at == static_cast<int>(text.size()));
    }
    if (fixture.contains("around"))
      CHECK(std::vector{tokenizer->startOfText(), tokenizer->find("dog"), tokenizer->closeOfText()} ==
            fixture["around"].get<std::vector<int>>());
    const auto again = readTokenizerJson(writeTokenizerJson(*tokenizer), "");
    if (!again) FAIL(again.error().message());
    CHECK(**again == *tokenizer);
  }
  CHECK(variants == 19);
}
