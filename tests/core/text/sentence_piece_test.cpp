// Models of SentencePiece, against what it itself makes of texts with them.
// The fixtures and how they were made: tests/reference/make_sentence_piece_reference.py.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/io/files.h"
#include "core/text/sentence_piece_model.h"
#include "core/text/tokenizers.h"
#include "core/text/wire_message.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string pieceFolder = std::string(SOURCE_FOLDER) + "/tests/reference/sentence_pieces/";

std::string pieceFile(const std::string& name) {
  const auto text = readTextFile(pieceFolder + name);
  REQUIRE(text);
  return *text;
}

Result<std::shared_ptr<const Tokenizer>> piecesFrom(std::string_view bytes, const BosEosTokens& signs = {}) {
  const auto model = parseSentencePieces(bytes, "x.model");
  return model ? tokenizerOf(*model, signs, "x.model") : model.error();
}

std::string pieceRefusal(std::string_view bytes) {
  const auto read = piecesFrom(bytes);
  return read ? "accepted" : read.error().message();
}

// A field of a message: a block of bytes, or a number.
std::string block(int field, const std::string& bytes) {
  REQUIRE((field < 16 && bytes.size() < 128));
  return std::string(1, static_cast<char>(field << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}
std::string number(int field, int value) {
  std::string key;
  for (int rest = field << 3; rest > 0; rest >>= 7)
    key += static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80 : 0));
  return key + static_cast<char>(value);
}
std::string piece(const std::string& text, int kind) { return block(1, block(1, text) + number(3, kind)); }

}  // namespace

TEST_CASE("texts are cut by models of SentencePiece as it cuts them itself", "[accuracy]") {
  for (const std::string name : {"unigram", "llama", "gemma"}) {
    INFO(name);
    const auto tokenizer = piecesFrom(pieceFile(name + ".model"));
    if (!tokenizer) FAIL(tokenizer.error().message());
    const nlohmann::json fixture = nlohmann::json::parse(pieceFile(name + ".json"));
    for (const auto& one : fixture["texts"]) {
      INFO(one["text"].dump());
      const auto ids = one["ids"].get<std::vector<int>>();
      CHECK((*tokenizer)->encodeIds(one["text"].get<std::string>()) == ids);
      if (one.contains("decoded")) CHECK((*tokenizer)->decode(ids) == one["decoded"].get<std::string>());
    }
    const auto again = readTokenizerJson(writeTokenizerJson(**tokenizer), "");
    if (!again) FAIL(again.error().message());
    CHECK(**again == **tokenizer);
  }
}

TEST_CASE("what stands around texts is what a model's directory says") {
  const auto tokenizer = piecesFrom(pieceFile("llama.model"), {{"<s>"}, {"</s>"}});
  REQUIRE(tokenizer);
  CHECK((*tokenizer)->startOfText() == 1);
  CHECK((*tokenizer)->closeOfText() == 2);
  CHECK((*tokenizer)->endOfText() == 2);
  CHECK_FALSE(piecesFrom(pieceFile("llama.model"), {{"<bos>"}, {}}));
}

TEST_CASE("what a model of SentencePiece says that is not computed here is refused with its place") {
  const std::string pieces = piece("<unk>", 2) + piece("a", 1);
  CHECK(pieceRefusal(pieces) == "accepted");
  CHECK_THAT(pieceRefusal(pieces + piece("b", 7)),
             ContainsSubstring("x.model, byte 25: has a piece of the type 7, which is none"));
  CHECK_THAT(pieceRefusal(pieces + block(1, block(1, "b") + std::string("\x15\0\0\xC0\x7F", 5))),
             ContainsSubstring("the score of \"b\" is not finite"));
  CHECK_THAT(pieceRefusal(pieces + piece("", 1)), ContainsSubstring("that is not text"));
  CHECK_THAT(pieceRefusal(pieces + piece("▁a▁b", 1)), ContainsSubstring("which contains a space inside"));
  CHECK_THAT(pieceRefusal(piece("a", 1)), ContainsSubstring("has no piece for unknown text"));
  CHECK_THAT(pieceRefusal(pieces + piece("<0x41>", 6) + piece("<0x41>", 6)),
             ContainsSubstring("represents no byte of its own"));
  CHECK_THAT(pieceRefusal(pieces + block(2, number(3, 3))),
             ContainsSubstring("has the model_type 3 (those that are computed here are 1, Unigram, and 2"));
  CHECK_THAT(pieceRefusal(pieces + block(2, number(24, 1))), ContainsSubstring("treat_whitespace_as_suffix"));
  CHECK_THAT(pieceRefusal(pieces + block(3, number(5, 0))), ContainsSubstring("escape_whitespaces"));
  CHECK_THAT(pieceRefusal(pieces + block(3, block(2, "map"))), ContainsSubstring("is not a compiled map"));
  CHECK_THAT(pieceRefusal(pieces + block(2, number(3, 2))), ContainsSubstring("remove_extra_whitespaces"));
  CHECK_THAT(pieceRefusal(pieces + block(2, number(3, 2)) + block(3, number(4, 0))),
             ContainsSubstring("x.model, byte_fallback: has no pieces for all bytes"));
  CHECK_THAT(pieceRefusal(pieceFile("refused.model")), ContainsSubstring("precompiled_charsmap"));
  CHECK_THAT(pieceRefusal(""), ContainsSubstring("x.model: has no pieces"));
  CHECK_THAT(pieceRefusal(pieces + "\x0B"), ContainsSubstring("byte 18: has a field of the kind 3"));
  CHECK_THAT(pieceRefusal(pieces + "\x0A\x7F"), ContainsSubstring("byte 18: has a field that leaves"));
  CHECK_THAT(pieceRefusal(pieces + std::string(12, '\xFF')), ContainsSubstring("byte 18: has a field that"));
}

TEST_CASE("a model of SentencePiece cut anywhere is refused or read, never more", "[property]") {
  const std::string whole = pieceFile("unigram.model");
  int refused = 0, cuts = 0;
  for (std::size_t size = 0; size < whole.size(); size += 13, ++cuts)
    refused += pieceRefusal(std::string_view(whole).substr(0, size)) != "accepted";
  CHECK(refused > cuts / 2);
}

TEST_CASE("Marian's pieces have the ids of its vocabulary, in texts and in sources", "[accuracy]") {
  const std::string folder = std::string(SOURCE_FOLDER) + "/tests/reference/formats/marian/";
  const auto tokenizerFrom = [&](const std::string& file) {
    const auto bytes = readTextFile(folder + file), ids = readTextFile(folder + "vocab.json");
    REQUIRE((bytes && ids));
    const auto model = parseSentencePieces(*bytes, file);
    REQUIRE(model);
    auto made = tokenizerOf(*model, *ids, {{}, {"</s>"}}, file, "vocab.json");
    if (!made) FAIL(made.error().message());
    return *made;
  };
  const auto source = tokenizerFrom("source.spm"), target = tokenizerFrom("target.spm");
  const nlohmann::json fixture = nlohmann::json::parse(pieceFile("marian.json"));
  int unknown = 0;
  for (const auto& one : fixture["texts"]) {
    const auto text = one["text"].get<std::string>();
    INFO(text);
    CHECK(source->encodeIds(text) == one["source"].get<std::vector<int>>());
    CHECK(target->encodeIds(text) == one["target"].get<std::vector<int>>());
    for (const int id : one["source"].get<std::vector<int>>()) unknown += id == 1;
  }
  CHECK(unknown > 10);  // also pieces that the vocabulary does not have
  const std::vector<int> asked = source->encodeIds(">>fra<< a b");
  REQUIRE(asked.size() > 2);
  CHECK(asked.front() == source->find(">>fra<<"));
  CHECK(source->isSpecial(asked.front()));
  CHECK(std::vector(asked.begin() + 1, asked.end()) == source->encodeIds("a b"));
  CHECK(source->closeOfText() == 0);
}
