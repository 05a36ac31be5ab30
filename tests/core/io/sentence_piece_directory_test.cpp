#include "core/io/sentence_piece_directory.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/io/formats/model_formats.h"
#include "core/io/tokenizer_directory.h"
#include "tests/core/io/formats/format_fixture.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a directory with a model of SentencePiece is read with what stands beside it", "[accuracy]") {
  const auto marian = readModelDirectory(formats / "marian");
  if (!marian) FAIL(marian.error().message());
  const Tokenizer &texts = *marian->tokenizer, &sources = texts.ofSources();
  CHECK(&texts != &sources);
  CHECK(texts.encodeIds("The dog was too tired") != sources.encodeIds("The dog was too tired"));
  CHECK(sources.closeOfText() == texts.endOfText());

  Copied llama("llama_linear");
  fs::remove(llama.path() / "tokenizer.json");
  fs::copy(formats.parent_path() / "sentence_pieces" / "llama.model", llama.path() / "tokenizer.model");
  CHECK_THAT(llama.refusal(), ContainsSubstring("vocab_size is 280, but the tokenizer has 520 tokens"));
  llama.with("\"vocab_size\": 280", "\"vocab_size\": 523");
  const auto tokenizerOfCopy = [&]() -> std::shared_ptr<const Tokenizer> {
    const auto made = readTokenizer(llama.path(), {&llamaFormat(), {}});
    if (!made) FAIL(made.error().message());
    return *made;
  };
  CHECK(tokenizerOfCopy()->startOfText() == 1);
  REQUIRE(writeFile(llama.path() / "tokenizer_config.json",
                    R"({"add_bos_token": false, "add_eos_token": true, "eos_token": {"content": "</s>"}})"));
  REQUIRE(writeFile(llama.path() / "added_tokens.json", R"({"<user>": 521, "<pad>": 520})"));
  const auto settled = tokenizerOfCopy();
  CHECK(settled->startOfText() == -1);
  CHECK(settled->closeOfText() == 2);
  CHECK(settled->find("<user>") == 521);
  CHECK(settled->isSpecial(520));
  REQUIRE(writeFile(llama.path() / "added_tokens.json", R"({"<user>": 524})"));
  const auto gap = readTokenizer(llama.path(), {&llamaFormat(), {}});
  REQUIRE_FALSE(gap);
  CHECK_THAT(gap.error().message(),
             ContainsSubstring("added_tokens.json: the id 524 of \"<user>\" belongs to another piece"));
}
