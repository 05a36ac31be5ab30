#include "core/io/gguf_model.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/io/tokenizer_directory.h"
#include "tests/core/io/formats/format_fixture.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a GGUF file by itself is the model that its keys describe, with its own tokenizer", "[accuracy]") {
  const auto read = [](const fs::path& path) {
    auto directory = readModelDirectory(path);
    if (!directory) FAIL(directory.error().message());
    return *std::move(directory);
  };
  const fs::path file = formats / "llama_lone" / "llama_lone.gguf";
  CHECK(isModelDirectory(file));
  CHECK(isModelDirectory(formats / "llama_lone"));
  const ModelDirectory llama = read(file), gemma2 = read(formats / "gemma2_lone"),
                       gemma3 = read(formats / "gemma3_lone"), qwen2 = read(formats / "qwen2_lone"),
                       gpt2 = read(formats / "gpt2_lone");
  CHECK(llama.name == "llama_lone");
  CHECK(llama.config.rotaryScaling == RotaryScaling{RopeScaling::ByWavelength, 8, 1, 4, 8192});
  CHECK(llama.config.headWidth() == 12);
  CHECK_FALSE(llama.config.tiedUnembedding);
  CHECK(gemma2.config.scoreCap == 2);
  CHECK(gemma2.config.fullBlocks == std::vector{false, true});
  CHECK(gemma3.config.fullBlocks == std::vector{false, false, false, false, false, true});
  CHECK(gemma3.config.localBase == 10000);
  CHECK(qwen2.config.biases == Biases::QueriesKeysValues);
  CHECK(qwen2.config.tiedUnembedding);
  CHECK(llama.tokenizer->startOfText() == 1);
  CHECK(gemma3.tokenizer->startOfText() == 1);
  CHECK(gpt2.tokenizer->startOfText() == -1);
  // The same tokens as the files that they were made from.
  CHECK(*gpt2.tokenizer == *read(formats / "gpt2_gguf").tokenizer);
  // And the same configs, as far as the files say.
  for (const auto& [lone, whole] :
       {std::pair{"pythia_lone", "pythia"}, {"qwen3_lone", "qwen3"}, {"bert_lone", "bert_headless"}})
    CHECK(read(formats / lone).config == read(formats / whole).config);
  const ModelDirectory phi = read(formats / "phi2_lone");
  ModelConfig half = phi.config;
  half.rotaryDim = 4;  // in the other file half of a head turns
  CHECK(phi.config.rotaryDim == 2);
  CHECK(half == read(formats / "phi").config);
  CHECK(phi.tokenizer->startOfText() == -1);
  CHECK(read(formats / "gemma_lone").config.activation == read(formats / "gemma").config.activation);
  CHECK(read(formats / "gemma_lone").config.norm == NormKind::Rms);
  const auto own = read(formats / "bert_lone").tokenizer, theirs = read(formats / "bert_headless").tokenizer;
  const Tokenizer &bert = *own, &pieces = *theirs;
  for (const char* text :
       {"The cat sat on the mat.", "Unbelievable, playing!", "Größe ÉTÉ [MASK] x", "", "日本"})
    CHECK(bert.encodeIds(text) == pieces.encodeIds(text));
  CHECK((bert.startOfText() == pieces.startOfText() && bert.closeOfText() == pieces.closeOfText()));
  CHECK(bert.mask() == pieces.mask());
  for (const auto& [name, tokenizer] :
       {std::pair{"llama", llama.tokenizer}, std::pair{"gemma", gemma3.tokenizer}}) {
    const nlohmann::json fixture = nlohmann::json::parse(
        textOf(formats.parent_path() / "sentence_pieces" / (std::string(name) + ".json")));
    for (const auto& one : fixture["texts"]) {
      INFO(name << ": " << one["text"].dump());
      CHECK(tokenizer->encodeIds(one["text"].get<std::string>()) == one["ids"].get<std::vector<int>>());
    }
  }
  // Of several files the one that is given is read.
  const TemporaryFolder folder;
  fs::copy(file, folder / "a.gguf");
  fs::copy(file, folder / "b.gguf");
  CHECK_FALSE(isModelDirectory(folder.path()));
  CHECK(read(folder / "b.gguf").name == "b");
  const auto both = readModelDirectory(folder.path());
  REQUIRE_FALSE(both);
  CHECK_THAT(both.error().message(),
             ContainsSubstring("several GGUF files; open the one that is to be read"));
}

TEST_CASE("word pieces of a GGUF file keep capitals and accents where its vocabulary has capitals") {
  const TemporaryFolder folder;
  std::string bytes = textOf(formats / "bert_lone" / "bert_lone.gguf");
  const std::size_t at = bytes.find("▁the");
  REQUIRE(at != bytes.npos);
  bytes.replace(at, 6, "▁The");
  REQUIRE(writeFile(folder / "cased.gguf", bytes));
  const auto small = readModelDirectory(formats / "bert_lone"),
             cased = readModelDirectory(folder / "cased.gguf");
  REQUIRE((small && cased));
  const int the = small->tokenizer->encodeIds("the").at(0);
  CHECK(small->tokenizer->encodeIds("The") == std::vector{the});
  CHECK(cased->tokenizer->encodeIds("The") == std::vector{the});
  CHECK(cased->tokenizer->encodeIds("the").size() == 3);  // t ##h ##e
  CHECK(small->tokenizer->encodeIds("été") == small->tokenizer->encodeIds("ete"));
  CHECK(cased->tokenizer->encodeIds("été") != cased->tokenizer->encodeIds("ete"));
}
