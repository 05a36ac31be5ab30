// Blocks of few bits, against a second implementation: tests/reference/make_block_reference.py.
#include "core/tensor/block_formats.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "core/io/gguf.h"
#include "tests/core/io/formats/format_fixture.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("numbers in blocks are what a second implementation widens them to, to the bit", "[accuracy]") {
  const auto file = openGguf(formats.parent_path() / "blocks.gguf");
  if (!file) FAIL(file.error().message());
  for (const BlockFormat& format : blockFormats()) {
    const std::string name(format.name);
    INFO(name);
    const StoredTensor *blocks = file->tensors.find(name), *wide = file->tensors.find(name + " as F32");
    REQUIRE((blocks && wide));
    CHECK(blocks->type == name);
    CHECK((blocks->isFloat() && blocks->isInBlocks() && !blocks->packed() && !blocks->borrowed()));
    CHECK(blocks->valueCount() == 1024);
    const std::vector<float> numbers = blocks->converted();
    CHECK(numbers == wide->converted());
    // Not all alike, and neither all of one sign nor huge.
    const auto [least, most] = std::ranges::minmax(numbers);
    CHECK((least < 0 && most > 0 && most - least < 10));
  }
  CHECK(blockFormats().size() == 9);
  CHECK_FALSE(findBlockFormat("Q8_0"));
  CHECK_FALSE(findBlockFormat("IQ4_NL"));
}

TEST_CASE("a GGUF file in parts is one model, whichever part is opened", "[accuracy]") {
  const fs::path folder = formats / "qwen2_blocks";
  const auto whole = readModelDirectory(folder);
  if (!whole) FAIL(whole.error().message());
  CHECK(isModelDirectory(folder));
  for (const char* part : {"1", "2", "3"}) {
    const fs::path file = folder / ("qwen2_blocks-0000" + std::string(part) + "-of-00003.gguf");
    INFO(file.string());
    CHECK(isModelDirectory(file));
    const auto one = readModelDirectory(file);
    if (!one) FAIL(one.error().message());
    CHECK(one->name == "qwen2_blocks");
    CHECK(one->config == whole->config);
    for (int i = 0; i < one->parameters.count(); ++i)
      CHECK(one->parameters.view(i).copy() == whole->parameters.view(i).copy());
  }
  Copied lost("qwen2_blocks");
  fs::remove(lost.path() / "qwen2_blocks-00002-of-00003.gguf");
  CHECK_THAT(lost.refusal(),
             ContainsSubstring("qwen2_blocks-00002-of-00003.gguf: is missing (the model is in "
                               "3 files; get all of them)"));
  fs::copy(lost.path() / "qwen2_blocks-00001-of-00003.gguf",
           lost.path() / "qwen2_blocks-00002-of-00003.gguf");
  CHECK_THAT(lost.refusal(), ContainsSubstring("is in another part, too"));
  // A name that only looks like one is whole by itself.
  CHECK(nameOfGguf("a/b-00001-of-00000.gguf") == "b-00001-of-00000");
  CHECK(nameOfGguf("a/b-00002-of-00003.gguf") == "b");
  CHECK_FALSE(isLaterPart("a/b-00002-of-00003.gguf"));  // nothing is there
}
