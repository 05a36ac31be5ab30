#include "core/io/recorded_trace.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/io/derived_config.h"
#include "core/lens/residual_stream.h"
#include "core/model/catalogue.h"
#include "core/model/memory_need.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const fs::path reference = SOURCE_FOLDER "/tests/reference";

StoredTensors opened(const fs::path& file) {
  auto stored = StoredTensors::open(file);
  REQUIRE(stored);
  return std::move(*stored);
}

// A small pass: two tokens, two heads, of width 4.
struct Written {
  std::map<std::string, Tensor> tensors{
      {"blocks.0.attn.hook_pattern", Tensor({2, 2, 2}, {1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f})},
      {"blocks.0.hook_resid_pre", Tensor({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})},
      {"logits", Tensor({2, 3}, {0, 1, 2, 3, 4, 5})}};
  std::map<std::string, std::string> metadata{{"tokens", "2,0"}};

  Result<RecordedTrace> read() const {
    const TemporaryFolder folder;
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors) named.push_back({name, tensor.view()});
    REQUIRE(writeSafetensors(folder / "t.safetensors", named, metadata));
    return readRecordedTrace(opened(folder / "t.safetensors"), "t.safetensors");
  }
  std::string fault() const {
    const auto recorded = read();
    return recorded ? "" : recorded.error().message();
  }
};

}  // namespace

TEST_CASE("a trace from elsewhere says by its shapes what the model is like, and has the file's numbers") {
  const auto dump = opened(reference / "formats/llama.trace");
  const auto recorded = readRecordedTrace(dump, "llama.trace");
  REQUIRE(recorded);
  const ModelConfig& config = recorded->config;
  CHECK(config.layers == 2);
  CHECK(config.heads == 4);
  CHECK(config.valueHeads() == 2);
  CHECK(config.headWidth() == 4);
  CHECK(config.width == 16);
  CHECK(config.vocabulary == 280);
  CHECK(config.stack == Stack::DecoderOnly);
  CHECK(config.mask.kind == MaskKind::Causal);
  CHECK(recorded->trace->tokens() == std::vector{84, 104, 101, 220, 99, 97, 116, 257, 13});
  CHECK(recorded->points.size() == 17);
  CHECK(recorded->passedOver.empty());
  for (const std::string& point : recorded->points)
    CHECK((*recorded->trace)[point].copy() == *dump.find(point)->converted());
  const TracePoint& pattern = recorded->trace->point(recorded->trace->find("blocks.1.attn.hook_pattern"));
  CHECK(pattern.letters == "HTS");
  CHECK(pattern.equation == "A");
  CHECK_FALSE(recorded->trace->derive("logits", {0, 0}));  // nothing says what made it
}

TEST_CASE("encoders and encoder-decoders are known by their traces") {
  const auto bert = readRecordedTrace(opened(reference / "formats/bert.trace"), "bert");
  REQUIRE(bert);
  CHECK(bert->config.stack == Stack::EncoderOnly);
  CHECK(bert->config.feedForward == 20);
  CHECK(bert->config.headTransform);
  const auto t5 = readRecordedTrace(opened(reference / "formats/t5_uneven.trace"), "t5");
  REQUIRE(t5);
  CHECK(t5->config.isEncoderDecoder());
  CHECK(t5->config.encoderBlocks() != t5->config.layers);
  CHECK(t5->trace->source().size() == 23);
}

TEST_CASE(
    "the points of a pass and the places of its stream are known by the config alone, whatever that is") {
  forEachMember([&](const ModelConfig& config) {
    const Transformer shape(config, shapesOf(config));
    std::vector<std::string> names;
    for (const DescribedPoint& point : describedPoints(config, 5, config.isEncoderDecoder() ? 4 : 0))
      names.push_back(point.point.name);
    CHECK(names == shape.points());
    for (const Stream stream : {Stream::Text, Stream::Source}) {
      if (stream == Stream::Source && !config.isEncoderDecoder()) continue;
      std::vector<std::string> places;
      for (const ResidualPlace& place : residualPlaces(shape, stream)) places.push_back(place.point);
      CHECK(residualPoints(config, stream) == places);
    }
  });
}

TEST_CASE("damaged traces are refused in one line that names file, point and what is wrong") {
  CHECK(Written().fault() == "");
  Written file;
  file.metadata.clear();
  CHECK_THAT(file.fault(), ContainsSubstring("t.safetensors: has no token ids"));
  file = {}, file.metadata["tokens"] = "2,3";
  CHECK_THAT(file.fault(), ContainsSubstring("token 3 at index 1 does not exist"));
  file = {}, file.metadata["tokens"] = "2,-1";
  CHECK_THAT(file.fault(), ContainsSubstring("has the id -1"));
  file = {}, file.metadata["texts"] = "[\"a\"]";
  CHECK_THAT(file.fault(), ContainsSubstring("texts: has 1 entries for 2 tokens"));
  file = {}, file.metadata["texts"] = "{\"a\": 1}";
  CHECK_THAT(file.fault(), ContainsSubstring("texts: is not a list of strings"));
  file = {}, file.metadata["tokens"] = "2,0,1";  // another text than the points'
  CHECK_THAT(file.fault(),
             ContainsSubstring("blocks.0.attn.hook_pattern") || ContainsSubstring("hook_resid_pre"));
  file = {}, file.tensors["blocks.0.hook_resid_pre"] = Tensor({2, 5});
  file.tensors["blocks.0.hook_resid_post"] = Tensor({2, 4});
  CHECK_THAT(file.fault(),
             ContainsSubstring("t.safetensors, blocks.0.hook_resid_post: is [2, 4], where ids and "
                               "other points make it [2, 5]"));
  file = {}, file.tensors["blocks.1.attn.hook_pattern"] = Tensor({3, 2, 2});
  CHECK_THAT(file.fault(), ContainsSubstring("blocks.1.attn.hook_pattern: is [3, 2, 2]"));
  file = {}, file.tensors["logits"].values()[4] = std::nanf("");
  CHECK_THAT(file.fault(), ContainsSubstring("t.safetensors, logits: has NaN at [1, 1]"));
  file = {}, file.tensors["blocks.0.hook_resid_pre"].values()[7] = INFINITY;
  CHECK_THAT(file.fault(), ContainsSubstring("blocks.0.hook_resid_pre: has infinity at [1, 3]"));
  file = {}, file.tensors.clear();
  CHECK_THAT(file.fault(), ContainsSubstring("has no tensor of a trace point's name"));
  file = {}, file.tensors["blocks.99999.hook_resid_pre"] = Tensor({2, 4});
  CHECK_THAT(file.fault(), ContainsSubstring("is of 100000 blocks"));
}

TEST_CASE("a batch of one, masks as very small numbers, and what is no point are read as they are meant") {
  Written file;
  file.tensors["blocks.0.attn.hook_attn_scores"] = Tensor({1, 2, 2, 2}, {1, -1e9f, 2, 3, 1, -INFINITY, 2, 3});
  file.tensors["mine"] = Tensor({3});
  const auto recorded = file.read();
  REQUIRE(recorded);
  CHECK(recorded->passedOver == std::vector<std::string>{"mine"});
  const TensorView scores = (*recorded->trace)["blocks.0.attn.hook_attn_scores"];
  CHECK(scores.rank == 3);
  CHECK(scores(0, 0, 1) == -INFINITY);
  CHECK(scores(1, 0, 1) == -INFINITY);
  CHECK(scores(1, 1, 1) == 3);
  CHECK(recorded->config.mask.kind == MaskKind::Causal);
  file.tensors["blocks.0.attn.hook_pattern"].values()[1] = 0.5f;  // the first token looks at the second
  CHECK(file.read()->config.stack == Stack::EncoderOnly);
}

TEST_CASE("more than memory holds is refused with the numbers") {
  CHECK(checkReadMemory(1e9, "big.npz", 2e9));
  const Status refused = checkReadMemory(3e9, "big.npz", 2e9);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message(), ContainsSubstring("big.npz: takes 3.0 GB; this machine has 2.0 GB"));
}

TEST_CASE("halves and ids as whole numbers are read") {
  const auto recorded = readRecordedTrace(opened(reference / "recorded/part.safetensors"), "part");
  REQUIRE(recorded);
  CHECK(recorded->trace->tokens() == std::vector{3, 11, 7, 19, 4, 22, 0, 9});
  CHECK(recorded->texts[1] == " cat");
  CHECK(recorded->points.size() == 3);
  const TensorView pattern = (*recorded->trace)["blocks.1.attn.hook_pattern"];
  for (int t = 0; t < 8; ++t) {
    float sum = 0;
    for (int s = 0; s < 8; ++s) sum += pattern(2, t, s);
    CHECK(std::abs(sum - 1) < 0.01f);
  }
}
