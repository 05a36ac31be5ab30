#include "core/io/worked_example.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>

#include "core/io/files.h"
#include "core/lens/scores.h"
#include "core/model/live_pass.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Transformer> modelOf(ModelDirectory directory) {
  return std::make_shared<const Transformer>(directory.config, std::move(directory.parameters));
}

}  // namespace

TEST_CASE("the worked example comes to the lecture's numbers") {
  const ModelDirectory example = workedExample();
  const std::vector<int> ids = example.tokenizer->encodeIds(workedExampleText);
  REQUIRE(ids == std::vector{1, 2, 3, 4});
  const auto model = modelOf(workedExample());
  const auto trace = LivePass(model).run(ids, {});
  const Tensor products = productsOfQueriesAndKeys(*model, *trace, 0, AttentionSite::Self);
  const TensorView scores = (*trace)["blocks.0.attn.hook_attn_scores"],
                   pattern = (*trace)["blocks.0.attn.hook_pattern"], z = (*trace)["blocks.0.attn.hook_z"];
  constexpr float product[] = {13, 24, 20, 12}, scaled[] = {1.625f, 3, 2.5f, 1.5f},
                  weight[] = {0.1214f, 0.4802f, 0.2913f, 0.1071f};
  for (int word = 0; word < 4; ++word) {
    CHECK(products.view()(0, 0, word) == product[word]);
    CHECK(scores(0, 0, word) == scaled[word]);
    CHECK(std::abs(pattern(0, 0, word) - weight[word]) < 5e-5f);
    CHECK(z(0, 0, word) == pattern(0, 0, word));
  }
  for (int word = 0; word < 4; ++word) {
    CHECK(scores(0, 2, word) == scores(0, 0, word) - 1);
    CHECK(std::abs(pattern(0, 2, word) - pattern(0, 0, word)) < 1e-6f);
    CHECK(pattern(0, 3, word) == 0.25f);
  }
}

TEST_CASE("without the scale the worked example's softmax is nearly hard") {
  ModelDirectory example = workedExample();
  example.config.scaledScores = false;
  const std::vector<int> ids = example.tokenizer->encodeIds(workedExampleText);
  const auto trace = LivePass(modelOf(std::move(example))).run(ids, {});
  const TensorView pattern = (*trace)["blocks.0.attn.hook_pattern"];
  constexpr float weight[] = {0, 0.982f, 0.018f, 0};
  for (int word = 0; word < 4; ++word) CHECK(std::abs(pattern(0, 0, word) - weight[word]) < 5e-4f);
}

TEST_CASE("the worked example that ships is the one that is written") {
  const TemporaryFolder folder;
  const ModelDirectory example = workedExample();
  REQUIRE(writeModelDirectory(folder.path(), example.config, example.parameters, *example.tokenizer,
                              example.card));
  const std::filesystem::path ships =
      std::filesystem::path(SOURCE_FOLDER) / "assets" / "models" / workedExampleName;
  for (const char* file : {"config.json", "tokenizer.json", "README.md"}) {
    INFO(file);
    const auto there = readTextFile(ships / file), here = readTextFile(folder / file);
    REQUIRE((there && here));
    CHECK(*there == *here);
  }
  const auto there = readModelDirectory(ships), here = readModelDirectory(folder.path());
  REQUIRE((there && here));
  for (int i = 0; i < here->parameters.count(); ++i)
    CHECK(std::equal(here->parameters.view(i).data,
                     here->parameters.view(i).data + here->parameters.view(i).size(),
                     there->parameters.view(i).data));
}
