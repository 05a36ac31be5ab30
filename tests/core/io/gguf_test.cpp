// What GGUF files hold, byte by byte. Whole models in them: model_formats_test.cpp.
#include "core/io/gguf.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <fstream>
#include <optional>

#include "core/io/files.h"
#include "core/io/gguf_model.h"
#include "core/io/model_directory.h"
#include "core/lens/gradient_pass.h"
#include "core/model/live_pass.h"
#include "core/random.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const fs::path ggufFolder = fs::path(SOURCE_FOLDER) / "tests/reference/formats";

// The bytes of a GGUF file, piece after piece.
class GgufBytes {
 public:
  template <typename Number>
  GgufBytes& number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  GgufBytes& text(const std::string& value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
    return *this;
  }
  GgufBytes& raw(const std::string& value) { return bytes_ += value, *this; }
  GgufBytes& start(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3) {
    return raw("GGUF").number(version).number(tensors).number(keys);
  }
  GgufBytes& tensor(const std::string& name, std::vector<std::uint64_t> extents, std::uint32_t type,
                    std::uint64_t offset) {
    text(name).number<std::uint32_t>(static_cast<std::uint32_t>(extents.size()));
    for (const std::uint64_t extent : extents) number(extent);
    return number(type).number(offset);
  }
  GgufBytes& align(std::size_t to = 32) {
    while (bytes_.size() % to != 0) bytes_ += '\0';
    return *this;
  }
  const std::string& bytes() const { return bytes_; }
  Result<GgufFile> parsed() const { return parseGguf(BinaryFile::of(bytes_, "x.gguf")); }
  std::string refusal() const {
    const auto read = parsed();
    return read ? "accepted" : read.error().message();
  }

 private:
  std::string bytes_;
};

}  // namespace

TEST_CASE("a GGUF file's tensors lie in our order, of blocks of whole numbers each times its own factor") {
  GgufBytes file;
  file.start(2, 2).text("general.architecture").number<std::uint32_t>(8).text("llama");
  file.text("general.alignment").number<std::uint32_t>(4).number<std::uint32_t>(16);
  file.tensor("plain", {3, 2}, 0, 0).tensor("blocks", {32, 1}, 8, 32).align(16);
  for (int i = 0; i < 6; ++i) file.number(static_cast<float>(i));
  file.align(16).number<std::uint16_t>(0x3800);  // 0.5
  for (int i = 0; i < 32; ++i) file.number(static_cast<std::int8_t>(i * 8 - 128));
  const auto read = file.parsed();
  if (!read) FAIL(read.error().message());
  CHECK(read->tensors.metadata().at(architectureKey) == "llama");
  const StoredTensor *plain = read->tensors.find("plain"), *blocks = read->tensors.find("blocks");
  REQUIRE((plain && blocks));
  CHECK(plain->shape == std::vector<std::int64_t>{2, 3});
  CHECK(*plain->converted() == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(blocks->valueCount() == 32);
  CHECK((*blocks->converted())[0] == -64);
  CHECK((*blocks->converted())[31] == 60);
}

TEST_CASE("what a GGUF file says that cannot be is refused with the key or the tensor") {
  const auto whole = [](std::uint32_t type, std::uint64_t offset, std::vector<std::uint64_t> extents) {
    GgufBytes file;
    file.start(1, 0).tensor("w", std::move(extents), type, offset).align().raw(std::string(128, '\1'));
    return file.refusal();
  };
  CHECK(whole(0, 0, {32}) == "accepted");
  CHECK_THAT(whole(0, 64, {32}), ContainsSubstring("x.gguf, tensor \"w\": leaves the file"));
  CHECK_THAT(whole(0, 0, {33}), ContainsSubstring("leaves the file"));
  CHECK_THAT(whole(8, 0, {33}),
             ContainsSubstring("tensor \"w\": has rows of 33 numbers, but the type Q8_0 has "
                               "them in blocks of 32"));
  CHECK_THAT(whole(0, 0, {1u << 31, 1u << 31, 1u << 31}), ContainsSubstring("leaves the file"));
  CHECK_THAT(whole(0, 0, {1, 1, 1, 1, 1}), ContainsSubstring("has 5 extents"));
  CHECK_THAT(whole(0, 0, {std::uint64_t{1} << 50}), ContainsSubstring("has the extent"));
  CHECK(whole(20, 0, {256}) == "accepted");  // IQ4_NL is listed; what needs it refuses it
  CHECK_THAT(whole(12, 0, {256}), ContainsSubstring("leaves the file"));
  CHECK_THAT(GgufBytes().raw("GGML").refusal(), ContainsSubstring("does not begin as GGUF"));
  CHECK_THAT(GgufBytes().start(0, 0, 1).refusal(), ContainsSubstring("is of version 1; 2 and 3 can be read"));
  CHECK_THAT(GgufBytes().start(1u << 30, 0).refusal(), ContainsSubstring("counts more tensors or keys"));
  CHECK_THAT(GgufBytes().start(0, 1).text("k").number<std::uint32_t>(99).refusal(),
             ContainsSubstring("x.gguf, key \"k\": has a value of an unknown kind"));
  GgufBytes nested;  // lists in lists without end
  nested.start(0, 1).text("k").number<std::uint32_t>(9);
  for (int i = 0; i < 64; ++i) nested.number<std::uint32_t>(9).number<std::uint64_t>(1);
  CHECK_THAT(nested.refusal(), ContainsSubstring("a list in a list too many times over"));
  GgufBytes twice;
  twice.start(2, 0).tensor("w", {1}, 0, 0).tensor("w", {1}, 0, 0);
  CHECK_THAT(twice.refusal(), ContainsSubstring("tensor \"w\": comes twice"));
}

TEST_CASE("a GGUF file cut short or damaged anywhere is refused or read, never more", "[property]") {
  const auto text = readTextFile(ggufFolder / "mistral_q8/weights.gguf");
  REQUIRE(text);
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = *text;
    // Mostly in the description, which is where things can go wrong.
    const auto anywhere = [&] {
      return static_cast<std::size_t>(random.below(std::min(4000, static_cast<int>(damaged.size()))));
    };
    if (round % 3 == 0)
      damaged.resize(anywhere());
    else
      for (int i = 0; i < 2; ++i) damaged[anywhere()] = static_cast<char>(random.below(256));
    const auto read = parseGguf(BinaryFile::of(damaged, ""));
    if (!read) continue;
    for (const StoredTensor& tensor : read->tensors.tensors())
      if (tensor.isFloat())
        CHECK(tensor.converted()->size() == static_cast<std::size_t>(tensor.valueCount()));
  }
}

TEST_CASE("a block that is not finite is refused with its place") {
  const TemporaryFolder folder;
  fs::copy(ggufFolder / "mistral_q8", folder.path(), fs::copy_options::recursive);
  auto text = readTextFile(folder / "weights.gguf");
  REQUIRE(text);
  std::ptrdiff_t at = 0;
  {
    const auto read = parseGguf(BinaryFile::of(*text, ""));
    REQUIRE(read);
    const StoredTensor* tensor = read->tensors.find("blk.1.ffn_up.weight");
    REQUIRE(tensor);
    REQUIRE(tensor->shape == std::vector<std::int64_t>{64, 32});
    at = static_cast<std::ptrdiff_t>(tensor->begin);
  }
  (*text)[static_cast<std::size_t>(at) + 5 * 34] = 0;
  (*text)[static_cast<std::size_t>(at) + 5 * 34 + 1] = 0x7C;
  REQUIRE(writeFile(folder / "weights.gguf", *text));
  const auto read = readModelDirectory(folder.path());
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message(),
             ContainsSubstring("tensor blk.1.ffn_up.weight: is not finite at index [5, 0]"));
}

TEST_CASE("a directory's GGUF file is read where there are no safetensors, and only one") {
  const TemporaryFolder folder;
  fs::copy(ggufFolder / "llama_gguf", folder.path(), fs::copy_options::recursive);
  const auto refusal = [&] {
    const auto read = readModelDirectory(folder.path());
    return read ? "accepted" : read.error().message();
  };
  CHECK(refusal() == "accepted");
  fs::copy(folder / "weights.gguf", folder / "again.gguf");
  CHECK_THAT(refusal(), ContainsSubstring("has the weights several times, as again.gguf and weights.gguf"));
  fs::remove(folder / "again.gguf");
  // Of another type: the type of one matrix, which stands behind its name and two extents.
  const auto text = readTextFile(folder / "weights.gguf");
  REQUIRE(text);
  std::string other = *text;
  const std::string name = "blk.1.ffn_down.weight";
  const std::size_t at = other.find(name) + name.size() + 4 + 16;
  other[at] = 20;
  REQUIRE(writeFile(folder / "weights.gguf", other));
  CHECK_THAT(refusal(), ContainsSubstring(
                            "tensor blk.1.ffn_down.weight: has the type IQ4_NL; F32, F16, BF16, Q8_0, Q4_0 "
                            "to Q5_1 and Q2_K to Q6_K can be read"));
  other[at] = 12;
  REQUIRE(writeFile(folder / "weights.gguf", other));
  CHECK_THAT(refusal(), ContainsSubstring("tensor \"blk.1.ffn_down.weight\": has rows of 20 numbers, but the "
                                          "type Q4_K has them in blocks of 256"));
  other[at] = 20;
  REQUIRE(writeFile(folder / "weights.gguf", other));
  fs::remove(folder / "config.json");
  CHECK_THAT(refusal(), ContainsSubstring("weights.gguf, key \"") && ContainsSubstring("is missing"));
}

TEST_CASE("the keys of a GGUF file are kept, and what they lack or say otherwise is named by its key") {
  GgufBytes file;
  file.start(0, 4).text("a.flag").number<std::uint32_t>(7).number<std::uint8_t>(1);
  file.text("a.names")
      .number<std::uint32_t>(9)
      .number<std::uint32_t>(8)
      .number<std::uint64_t>(2)
      .text("x")
      .text("y");
  file.text("a.numbers").number<std::uint32_t>(9).number<std::uint32_t>(5).number<std::uint64_t>(2);
  file.number<std::int32_t>(-3).number<std::int32_t>(4);
  file.text("a.nested").number<std::uint32_t>(9).number<std::uint32_t>(9).number<std::uint64_t>(1);
  file.number<std::uint32_t>(0).number<std::uint64_t>(1).number<std::uint8_t>(7);
  const auto read = file.parsed();
  if (!read) FAIL(read.error().message());
  CHECK(std::get<double>(read->keys.at("a.flag")) == 1);
  CHECK(std::get<std::vector<std::string>>(read->keys.at("a.names")) == std::vector<std::string>{"x", "y"});
  CHECK(std::get<std::vector<double>>(read->keys.at("a.numbers")) == std::vector<double>{-3, 4});
  CHECK_FALSE(read->keys.contains("a.nested"));

  const auto whole = openGguf(ggufFolder / "llama_lone" / "llama_lone.gguf");
  REQUIRE(whole);
  const auto refusal = [&](const char* key, std::optional<GgufValue> value) {
    GgufFile changed = *whole;
    changed.keys.erase(key);
    if (value) changed.keys[key] = *value;
    const auto family = familyOf(changed, "x.gguf");
    if (!family) return family.error().message();
    const auto tokenizer = tokenizerOf(changed, "x.gguf");
    return tokenizer ? std::string("accepted") : tokenizer.error().message();
  };
  CHECK(refusal("general.name", std::nullopt) == "accepted");
  CHECK_THAT(refusal("general.architecture", "mamba"),
             ContainsSubstring("x.gguf, key \"general.architecture\": is \"mamba\" (a GGUF file without"));
  for (const std::string other : {"gptj", "opt", "gptneo"})
    CHECK_THAT(refusal("general.architecture", other),
               ContainsSubstring("key \"general.architecture\": is \"" + other + "\""));
  CHECK_THAT(refusal("llama.block_count", std::nullopt),
             ContainsSubstring("key \"llama.block_count\": is missing"));
  CHECK_THAT(refusal("llama.block_count", "2"),
             ContainsSubstring("key \"llama.block_count\": is of another kind"));
  CHECK_THAT(refusal("llama.embedding_length", 2.5),
             ContainsSubstring("key \"llama.embedding_length\": is not a size"));
  CHECK_THAT(refusal("llama.expert_count", 8.0),
             ContainsSubstring("key \"llama.expert_count\": is set in a way"));
  CHECK_THAT(refusal("llama.rope.freq_base", 500.0),
             ContainsSubstring("tensor rope_freqs.weight: scales RoPE"));
  CHECK_THAT(refusal("tokenizer.ggml.model", "t5"),
             ContainsSubstring("key \"tokenizer.ggml.model\": is \"t5\""));
  CHECK_THAT(refusal("tokenizer.ggml.model", "bert"),
             ContainsSubstring("key \"tokenizer.ggml.unknown_token_id\": is missing"));
  CHECK_THAT(refusal("tokenizer.ggml.tokens", std::nullopt),
             ContainsSubstring("key \"tokenizer.ggml.tokens\": is missing"));
  CHECK_THAT(refusal("tokenizer.ggml.scores", std::vector<double>{1}),
             ContainsSubstring("has a length other than the number of tokens"));
  CHECK_THAT(refusal("tokenizer.ggml.bos_token_id", 520.0),
             ContainsSubstring("is 520, which is not a token"));
}
