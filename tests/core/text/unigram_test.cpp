// Texts against SentencePiece itself: tokenizer_reference_test.cpp.
#include "core/text/unigram.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/io/files.h"
#include "core/text/tokenizers.h"
#include "core/text/words.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

nlohmann::json unigramFile() {
  const auto text = readTextFile(std::string(SOURCE_FOLDER) + "/tests/reference/tokenizers/unigram.json");
  REQUIRE(text);
  return nlohmann::json::parse(*text)["file"];
}

std::string unigramRefusal(const nlohmann::json& file) {
  const auto read = readTokenizerJson(file.dump(), "t.json");
  return read ? "accepted" : read.error().message();
}

Unigram wordsOfTwo(std::vector<float> scores) {
  auto made = Unigram::create({"<unk>", "</s>", "▁", "a", "b", "▁a", "ab", "bb"}, std::move(scores));
  REQUIRE(made);
  return *std::move(made);
}

}  // namespace

TEST_CASE("of all ways to cut a word the likeliest is taken, by the sum of log probabilities") {
  // " abb": " a"+"bb" −6, " "+"ab"+"b" −7, " a"+"b"+"b" −8 ...
  CHECK(wordsOfTwo({0, 0, -2, -2, -3, -2, -2, -4}).encodeIds("abb") == std::vector{5, 7});
  CHECK(wordsOfTwo({0, 0, -1, -2, -1, -2, -1, -4}).encodeIds("abb") == std::vector{2, 6, 4});
  // Of equals the one that was found first: whose last token is longest.
  CHECK(wordsOfTwo({0, 0, -2, -2, -2, -4, -4, -4}).encodeIds("abb") == std::vector{5, 7});
}

TEST_CASE("what no token stands for is unknown, neighbours together, and spaces are one") {
  const Unigram tokenizer = wordsOfTwo({0, 0, -2, -2, -3, -2, -2, -4});
  const Tokenization tokens = tokenizer.encode("  xyz  a ");
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[0] == Token{2, 0, 2});
  CHECK(tokens[1] == Token{0, 2, 5});
  CHECK(tokens[2] == Token{5, 5, 9});
  CHECK(tokenizer.encode("   ").empty());
  CHECK(tokenizer.decode(std::vector{5, 7, 5}) == "abb a");
}

TEST_CASE("a damaged Unigram file is refused with its field") {
  const nlohmann::json whole = unigramFile();
  CHECK(unigramRefusal(whole) == "accepted");
  const auto with = [&](const char* at, const nlohmann::json& value) {
    nlohmann::json file = whole;
    file[nlohmann::json::json_pointer(at)] = value;
    return unigramRefusal(file);
  };
  CHECK_THAT(with("/model/vocab", 3),
             ContainsSubstring("model.vocab: is not a list of tokens with their log probabilities"));
  CHECK_THAT(with("/model/vocab/4", "a"),
             ContainsSubstring("other than a token with its log probability: \"a\""));
  CHECK_THAT(with("/model/vocab/4/0", whole["model"]["vocab"][5][0]),
             ContainsSubstring("has two ids, 4 and 5"));
  CHECK_THAT(with("/model/unk_id", 4000), ContainsSubstring("model.unk_id: is 4000, which is not a token"));
  CHECK_THAT(with("/model/byte_fallback", true), ContainsSubstring("has no token for every byte"));
  CHECK_THAT(with("/normalizer/precompiled_charsmap", "!"), ContainsSubstring("is not in base 64"));
  CHECK_THAT(with("/normalizer/precompiled_charsmap", "AAAAAAAA"),
             ContainsSubstring("normalizer.precompiled_charsmap: is not a compiled map of characters"));
  CHECK_THAT(with("/normalizer/type", "Capitals"),
             ContainsSubstring("normalizer: has the type \"Capitals\", which is not known here"));
  CHECK_THAT(with("/added_tokens/3/id", 7), ContainsSubstring("is another token's"));
  // Wherever the map is cut or changed, texts are cut somehow, and nothing is read beyond its end.
  std::string map = whole["normalizer"]["precompiled_charsmap"];
  for (std::size_t at = 8; at < map.size() - 4; at += 37) {
    std::string changed = map;
    changed[at] = changed[at] == 'A' ? '/' : 'A';
    nlohmann::json file = whole;
    file["normalizer"]["precompiled_charsmap"] = changed;
    const auto read = readTokenizerJson(file.dump(), "");
    if (read) (*read)->encode("Ａｂ… ﬁne tab\tand\nline 日本");
  }
}

TEST_CASE("sources may be cut by another tokenizer with the same tokens, where models have such") {
  const Unigram texts = wordsOfTwo({-9, 0, -1, -2, -3, -2, -3, -4});
  const auto sources = std::make_shared<const Unigram>(wordsOfTwo({-9, 0, -1, -2, -3, -9, -9, -9}));
  const auto both = texts.withSources(sources);
  REQUIRE(both);
  CHECK((*both)->encodeIds("ab") == texts.encodeIds("ab"));
  CHECK((*both)->ofSources().encodeIds("ab") == sources->encodeIds("ab"));
  CHECK(sources->encodeIds("ab") != texts.encodeIds("ab"));
  const auto words = std::make_shared<const Words>(*Words::create({"a", "<unk>"}));
  CHECK_THAT(texts.withSources(words).error().message(), ContainsSubstring("both have the same tokens"));
  CHECK_THAT(words->withSources(words).error().message(), ContainsSubstring("\"words\" cuts sources itself"));
}
