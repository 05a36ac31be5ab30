#include "core/lens/score_parts.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/io/model_directory.h"
#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/head_reading.h"
#include "core/model/positional/positional_encoding.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

// Which row of the folded table a writer belongs to: biases, then each part of the input, then its block.
int foldedRow(const Transformer& model, int writer) {
  if (writer == 0) return 0;
  const std::vector<ContributionPart> parts = contributionParts(model);
  const auto isInput = [](const ContributionPart& part) {
    using Kind = ContributionPart::Kind;
    return part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
  };
  const ContributionPart& part = parts[static_cast<std::size_t>(writer) - 1];
  return isInput(part) ? writer
                       : 1 + static_cast<int>(std::ranges::count_if(parts, isInput)) + part.head.layer;
}

// Folded by blocks, the table and its sums have every writer's numbers once, in its block.
void checkBlocks(const Transformer& model, const TensorSet& set, int layer, double precision) {
  const TensorView table = set[score::table], folded = set[score::blockTable];
  const int count = folded.extent[0];
  REQUIRE(static_cast<int>(writersByBlock(model, layer).size()) == count);
  Tensor cells({count, count}), queries({count}), keys({count});
  table.forEach([&](const std::array<int, maxRank>& at, float value) {
    const int asks = foldedRow(model, at[0]), answers = foldedRow(model, at[1]);
    cells(asks, answers) += value, queries(asks) += value, keys(answers) += value;
  });
  for (int i = 0; i < count; ++i) {
    CHECK(std::abs(set[score::fromQueryBlock](i) - queries(i)) < precision);
    CHECK(std::abs(set[score::fromKeyBlock](i) - keys(i)) < precision);
    for (int j = 0; j < count; ++j) CHECK(std::abs(folded(i, j) - cells(i, j)) < precision);
  }
}

// The score before the mask is the one of the pass wherever a query sees a key.
void checkTable(const Transformer& model, const Trace& trace, HeadId head, int query, int key,
                double precision) {
  TensorSet set;
  measureScoreTable(model, trace, head, query, key, set);
  const TensorView scores = trace[attentionPoint(head.layer, head.site, "hook_attn_scores")];
  const double score = scores(head.head, query, key);
  const double most = 1 + std::abs(score);
  CHECK(std::abs(set[score::sum](0) - score) < precision * most);
  double cells = set[score::positions](0), byQuery = cells, byKey = cells, byDimension = cells;
  set[score::table].forEach([&](const auto&, float value) { cells += value; });
  set[score::fromQuery].forEach([&](const auto&, float value) { byQuery += value; });
  set[score::fromKey].forEach([&](const auto&, float value) { byKey += value; });
  set[score::dimensions].forEach([&](const auto&, float value) { byDimension += value; });
  for (const double sum : {cells, byQuery, byKey, byDimension})
    CHECK(std::abs(sum - score) < precision * most);
  checkBlocks(model, set, head.layer, precision * most);
  for (const char* name : {score::table, score::fromQuery, score::fromKey, score::blockTable,
                           score::fromQueryBlock, score::fromKeyBlock, score::sum})
    set[name].forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = set.derive(name, at);
      REQUIRE(derivation);
      CHECK(std::abs(derivation->value() - value) < 1e-4 * most);
    });
  // What positions turn is no sum of what was written, nor is what went through a norm behind its sublayer;
  // a part that wrote nothing is made of nothing.
  const bool areOpen = !model.config().positions->rotates() && !model.config().normsBehind();
  for (const char* name : {score::queries, score::keys})
    set[name].forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = set.derive(name, at);
      CHECK((derivation || !areOpen || std::abs(value) < 1e-5));
      if (derivation) CHECK(std::abs(derivation->value() - value) < 1e-3 * (1 + std::abs(value)));
    });
}

}  // namespace

TEST_CASE("the table of a score sums to it, for every member whose scores can be taken apart") {
  int taken = 0, refused = 0;
  forEachMember([&](const ModelConfig& config) {
    const AttentionSite site = config.reads() ? AttentionSite::Decoder : AttentionSite::Only;
    if (!whyNoScoreTable(config, site).empty()) return void(++refused);
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(9, 1), {}, randomTokens(config.reads() ? 6 : 0, 2));
    for (const HeadId head : {HeadId{0, 1, site}, HeadId{1, 2, site}})
      for (const auto& [query, key] : {std::pair{8, 8}, std::pair{8, 7}, std::pair{5, 4}})
        if (std::isfinite(
                (*trace)[attentionPoint(head.layer, site, "hook_attn_scores")](head.head, query, key)))
          checkTable(*model, *trace, head, query, key, 1e-4), ++taken;
  });
  CHECK(taken > 100);
  CHECK(refused > 10);
}

TEST_CASE("the tables of every head of stories sum to its scores") {
  const auto directory =
      readModelDirectory(std::filesystem::path(SOURCE_FOLDER) / "assets" / "models" / "stories");
  REQUIRE(directory);
  const auto model = std::make_shared<const Transformer>(directory->config, directory->parameters);
  LivePass live(model, 1);
  const auto trace = live.run(directory->tokenizer->encodeIds(
      "The animal didn't cross the street because it was too tired. What was too tired? The"));
  const int last = trace->tokenCount() - 1;
  for (int layer = 0; layer < directory->config.layers; ++layer)
    for (int head = 0; head < directory->config.heads; ++head)
      for (const int key : {0, 1, last / 2, last}) checkTable(*model, *trace, {layer, head}, last, key, 1e-4);
}
