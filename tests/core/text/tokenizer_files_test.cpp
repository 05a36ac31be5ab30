#include "core/text/tokenizer_files.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/text/byte_pair_training.h"
#include "core/text/byte_symbols.h"
#include "core/text/tokenizers.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const BytePairEncoding& writtenTokenizer() {
  static const BytePairEncoding encoding =
      trainBytePairEncoding("the animal the street \"the\" \\the\\ the größer größer\n\n the\n\n", 300);
  return encoding;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string refusal(const Result<BytePairEncoding>& result) {
  return result ? "accepted" : result.error().message();
}

}  // namespace

TEST_CASE("bytes are written as GPT-2's symbols and read back") {
  CHECK(symbolsFromBytes(" a\n") == "ĠaĊ");
  CHECK(symbolsFromBytes(std::string(1, '\0')) == "Ā");
  CHECK(symbolsFromBytes("\xAD") == "Ń");
  CHECK(bytesFromSymbols("Ġthe") == " the");
  CHECK(bytesFromSymbols(" the") == std::nullopt);
  CHECK(bytesFromSymbols("€") == std::nullopt);
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(bytesFromSymbols(symbolsFromBytes(all)) == all);
}

TEST_CASE("both file forms give back the tokenizer they were written from") {
  const auto fromPair = parseVocabAndMerges(vocabJson(writtenTokenizer()), mergesText(writtenTokenizer()));
  REQUIRE(fromPair);
  CHECK(*fromPair == writtenTokenizer());
  const auto fromOne = parseTokenizerJson(writeTokenizerJson(writtenTokenizer()));
  REQUIRE(fromOne);
  CHECK(*fromOne == writtenTokenizer());
  CHECK(fromOne->endOfText() == writtenTokenizer().endOfText());
}

TEST_CASE("a mask token is written, read and recognised like the end of a text") {
  const auto encoding = trainBytePairEncoding("the animal the street", 270,
                                              {BytePairEncoding::endOfTextName, BytePairEncoding::maskName});
  REQUIRE(encoding.mask() == encoding.vocabularySize() - 1);
  REQUIRE(encoding.endOfText() == encoding.vocabularySize() - 2);
  const auto fromPair = parseVocabAndMerges(vocabJson(encoding), mergesText(encoding));
  REQUIRE(refusal(fromPair) == "accepted");
  CHECK(*fromPair == encoding);
  const std::string json = writeTokenizerJson(encoding);
  const auto fromOne = parseTokenizerJson(json);
  REQUIRE(refusal(fromOne) == "accepted");
  CHECK(*fromOne == encoding);
  CHECK(fromOne->mask() == encoding.mask());
  CHECK_THAT(json, ContainsSubstring("\"content\": \"<|mask|>\""));
  CHECK(writtenTokenizer().mask() == -1);
}

TEST_CASE("the files look as GPT-2's do") {
  CHECK_THAT(vocabJson(writtenTokenizer()), ContainsSubstring("{\"!\":0,\"\\\"\":1,"));
  CHECK_THAT(vocabJson(writtenTokenizer()),
             ContainsSubstring("\"<|endoftext|>\":" + std::to_string(writtenTokenizer().endOfText())));
  CHECK(mergesText(writtenTokenizer()).starts_with("#version: 0.2\nh e\n"));
}

TEST_CASE("merges written as pairs and line ends of Windows are read") {
  std::string json = writeTokenizerJson(writtenTokenizer());
  CHECK(refusal(parseTokenizerJson(replaced(json, "\"h e\"", "[\"h\", \"e\"]"))) == "accepted");
  CHECK(refusal(parseVocabAndMerges(vocabJson(writtenTokenizer()),
                                    replaced(mergesText(writtenTokenizer()), "h e\n", "h e\r\n"))) ==
        "accepted");
}

TEST_CASE("an end of text listed only among the added tokens is found") {
  const std::string last = std::to_string(writtenTokenizer().endOfText());
  std::string json = writeTokenizerJson(writtenTokenizer());
  const std::size_t inVocabulary = json.rfind("\"<|endoftext|>\"");
  const std::size_t comma = json.rfind(',', inVocabulary);
  json.erase(comma, json.find(last, inVocabulary) + last.size() - comma);
  const auto read = parseTokenizerJson(json);
  REQUIRE(refusal(read) == "accepted");
  CHECK(*read == writtenTokenizer());
}

TEST_CASE("damaged vocab.json and merges.txt are refused with file, line and reason") {
  const std::string vocab = vocabJson(writtenTokenizer()), merges = mergesText(writtenTokenizer());
  const auto refuse = [&](const std::string& v, const std::string& m) {
    return refusal(parseVocabAndMerges(v, m));
  };
  CHECK_THAT(refuse("{\"a\": 1,\n\"b\" 2}", merges), ContainsSubstring("vocab.json, line 2: not valid JSON"));
  CHECK_THAT(refuse("", merges), ContainsSubstring("vocab.json, line 1: not valid JSON"));
  CHECK_THAT(refuse("[1,2]", merges), ContainsSubstring("vocab.json: is not an object"));
  CHECK_THAT(refuse(replaced(vocab, "\"#\":2", "\"#\":1"), merges), ContainsSubstring("belongs to both"));
  CHECK_THAT(refuse(replaced(vocab, "\"#\":2", "\"#\":500000000"), merges),
             ContainsSubstring("id 500000000 of \"#\" is none of 0 to 4194303"));
  CHECK_THAT(refuse(replaced(vocab, "\"#\":2", "\"#\":-1"), merges), ContainsSubstring("none of 0 to"));
  CHECK_THAT(refuse(replaced(vocab, "\"#\":2", "\"#\":\"2\""), merges),
             ContainsSubstring("not a whole number"));
  CHECK_THAT(refuse(vocab, replaced(merges, "h e\n", "h xyz\n")),
             ContainsSubstring("merges.txt, line 2: merges \"xyz\", which is not a token"));
  CHECK_THAT(refuse(vocab, replaced(merges, "h e\n", "h\n")),
             ContainsSubstring("merges.txt, line 2: expected two"));
  CHECK_THAT(refuse(vocab, replaced(merges, "h e\n", "h e x\n")),
             ContainsSubstring("merges.txt, line 2: expected two"));
  CHECK_THAT(refuse(vocab, replaced(merges, "h e\n", "h e\nh e\n")),
             ContainsSubstring("merged a second time"));
  CHECK_THAT(refuse(vocab, replaced(merges, "h e\n", "z z\n")), ContainsSubstring("\"zz\" is not a token"));
}

TEST_CASE("a tokenizer.json that we could only approximate is refused") {
  const std::string json = writeTokenizerJson(writtenTokenizer());
  const auto refuse = [&](std::string_view from, std::string_view to) {
    return refusal(parseTokenizerJson(replaced(json, from, to)));
  };
  CHECK_THAT(refuse("\"normalizer\": null", "\"normalizer\": {}"),
             ContainsSubstring("tokenizer.json, normalizer"));
  CHECK_THAT(refuse("\"type\": \"BPE\"", "\"type\": \"Unigram\""),
             ContainsSubstring("tokenizer.json, model.vocab: is not a list of tokens"));
  CHECK_THAT(refuse("\"type\": \"ByteLevel\"", "\"type\": \"Bytes\""),
             ContainsSubstring("tokenizer.json, pre_tokenizer: has the type \"Bytes\""));
  CHECK_THAT(refuse("\"vocab\"", "\"vocabulary\""), ContainsSubstring("model.vocab: is missing"));
  CHECK_THAT(refuse("\"merges\": [", "\"merges\": [7,"), ContainsSubstring("model.merges[0]"));
  CHECK_THAT(refuse("\"model\"", "\"modell\""), ContainsSubstring("tokenizer.json, model: is missing"));
  CHECK_THAT(refuse("\"content\": \"<|endoftext|>\"", "\"content\": \"<pad>\""), ContainsSubstring("<pad>"));
  CHECK_THAT(refuse("\"h e\"", "\"h xyz\""), ContainsSubstring("model.merges[0]: merges \"xyz\""));
}

TEST_CASE("a tokenizer.json cut off anywhere is refused") {
  const std::string json = writeTokenizerJson(writtenTokenizer());
  for (std::size_t length = 0; length < json.size(); length += 7)
    CHECK_FALSE(parseTokenizerJson(std::string_view(json).substr(0, length)));
}

TEST_CASE("vocabularies of pieces are read, and refused where a step is not known") {
  const auto with = [](const std::string& from, const std::string& to, const std::string& fields) {
    std::string vocab = R"("<unk>": 0, "\u2581": 1, "a": 2, "\u2581a": 3)";
    for (int byte = 0; byte < 256; ++byte) {
      char piece[32];
      std::snprintf(piece, sizeof piece, ", \"<0x%02X>\": %d", byte, 4 + byte);
      vocab += piece;
    }
    if (!from.empty()) vocab = replaced(vocab, from, to);
    return parseTokenizerJson(R"({"added_tokens": [{"id": 0, "content": "<unk>", "special": true}], )" +
                              fields + R"(, "model": {"type": "BPE", "byte_fallback": true, "vocab": {)" +
                              vocab + R"(}, "merges": ["\u2581 a"]}})");
  };
  const std::string spaces =
      R"("normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"})";
  const auto read = with("", "", spaces);
  REQUIRE(refusal(read) == "accepted");
  CHECK(read->encodeIds("a a\xFF") == std::vector<int>{2, 3, 4 + 0xFF});
  CHECK(read->decode(read->encodeIds("a  a\n")) == "a  a\n");
  const auto words = read->words(" aA", true);
  REQUIRE(words.size() == 1);
  CHECK(words[0].areCharacters);
  CHECK(words[0].units == std::vector<int>{1, 2, 4 + 'A'});
  REQUIRE(read->mergeSteps(" aA").size() == 1);
  CHECK_THAT(refusal(with("", "", R"("normalizer": "none")")), ContainsSubstring("normalizer: is \"none\""));
  CHECK_THAT(refusal(with("", "", R"("normalizer": {"type": "Capitals"})")),
             ContainsSubstring("normalizer: has the type \"Capitals\""));
  CHECK_THAT(
      refusal(with("", "", R"("pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "sometimes"})")),
      ContainsSubstring("prepend_scheme"));
}

TEST_CASE("an added token is written as texts have it, also beside symbols of bytes") {
  nlohmann::json file = nlohmann::json::parse(writeTokenizerJson(writtenTokenizer()));
  const int id = writtenTokenizer().vocabularySize();
  file["added_tokens"].push_back({{"id", id}, {"content", "caf\u00E9"}, {"special", false}});
  const auto read = parseTokenizerJson(file.dump());
  REQUIRE(refusal(read) == "accepted");
  const std::vector<int> ids = read->encodeIds("the caf\u00E9");
  CHECK(ids.back() == id);
  CHECK(read->tokenBytes(id) == "caf\u00E9");
  CHECK(read->decode(ids) == "the caf\u00E9");
  CHECK(parseTokenizerJson(writeTokenizerJson(*read))->encodeIds("the caf\u00E9") == ids);
}

TEST_CASE("a word that is a token as a whole has no merges where these are ignored") {
  nlohmann::json file = nlohmann::json::parse(writeTokenizerJson(writtenTokenizer()));
  file["model"]["ignore_merges"] = true;
  const auto read = parseTokenizerJson(file.dump());
  REQUIRE(refusal(read) == "accepted");
  const std::vector<int> ids = read->encodeIds("the");
  REQUIRE(ids.size() == 1);
  CHECK(read->words("the", true).at(0).units == ids);
  CHECK(read->mergeSteps("the").empty());
}

TEST_CASE("a template's sign before every text is read and written, and refused where there is none") {
  const std::string plain = writeTokenizerJson(writtenTokenizer());
  const auto templated = [&](const std::string& sign) {
    nlohmann::json file = nlohmann::json::parse(plain);
    file["post_processor"] = nlohmann::json::parse(
        R"({"type": "Sequence", "processors": [{"type": "ByteLevel"}, {"type": "TemplateProcessing", "single": [
            {"SpecialToken": {"id": "SIGN", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]}]})");
    file["post_processor"]["processors"][1]["single"][0]["SpecialToken"]["id"] = sign;
    return file.dump();
  };
  CHECK(writtenTokenizer().startOfText() == -1);
  const auto read = parseTokenizerJson(templated("<|endoftext|>"));
  REQUIRE(refusal(read) == "accepted");
  CHECK(read->startOfText() == read->endOfText());
  CHECK(read->encodeIds("a") == writtenTokenizer().encodeIds("a"));  // who reads texts puts it there
  CHECK_FALSE(*read == writtenTokenizer());
  const auto again = parseTokenizerJson(writeTokenizerJson(*read));
  REQUIRE(refusal(again) == "accepted");
  CHECK(*again == *read);
  CHECK(again->startOfText() == read->startOfText());
  CHECK_THAT(refusal(parseTokenizerJson(templated("<s>"))), ContainsSubstring("no token \"<s>\""));
}
