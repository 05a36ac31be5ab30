#include "core/lens/qk_decomposition.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>

#include "core/io/model_directory.h"
#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/head_reading.h"
#include "core/lens/largest_parts.h"
#include "core/model/carry_over.h"
#include "core/model/positional/positional_encoding.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

// Which row of the folded table a writer belongs to: biases, then each part of the input, then its block.
int foldedRow(const Transformer& model, Stream stream, int writer) {
  if (writer == 0) return 0;
  const std::vector<ContributionPart> parts = contributionParts(model, stream);
  const auto isInput = [](const ContributionPart& part) {
    using Kind = ContributionPart::Kind;
    return part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
  };
  const ContributionPart& part = parts[static_cast<std::size_t>(writer) - 1];
  return isInput(part) ? writer
                       : 1 + static_cast<int>(std::ranges::count_if(parts, isInput)) + part.head.layer;
}

// Folded by blocks, the table and its sums have every writer's numbers once, in its block.
void checkBlocks(const Transformer& model, const TensorSet& set, AttentionSite site, double precision) {
  const TensorView table = set[score::table], folded = set[score::blockTable];
  const int down = folded.extent[0], across = folded.extent[1];
  Tensor cells({down, across}), queries({down}), keys({across});
  table.forEach([&](const std::array<int, maxRank>& at, float value) {
    const int asks = foldedRow(model, queriesOf(site), at[0]),
              answers = foldedRow(model, keysOf(site), at[1]);
    REQUIRE((asks < down && answers < across));
    cells(asks, answers) += value, queries(asks) += value, keys(answers) += value;
  });
  for (int i = 0; i < down; ++i) CHECK(std::abs(set[score::fromQueryBlock](i) - queries(i)) < precision);
  for (int j = 0; j < across; ++j) CHECK(std::abs(set[score::fromKeyBlock](j) - keys(j)) < precision);
  for (int i = 0; i < down; ++i)
    for (int j = 0; j < across; ++j) CHECK(std::abs(folded(i, j) - cells(i, j)) < precision);
}

// The score before the mask is the one of the pass wherever a query sees a key.
void checkTable(const Transformer& model, const Trace& trace, HeadId head, int query, int key,
                double precision) {
  TensorSet set;
  measureScoreTable(model, trace, head, query, key, set);
  const TensorView scores = trace[attentionPoint(head.layer, head.site, "hook_attn_scores")];
  const float cap = model.config().scoreCap;
  const double behind = scores(head.head, query, key),
               score = cap > 0 ? static_cast<double>(cap) * std::atanh(behind / static_cast<double>(cap))
                               : behind;
  if (cap > 0) CHECK(std::abs(set[score::capped](0) - behind) < precision);
  const double most = 1 + std::abs(score);
  CHECK(std::abs(set[score::sum](0) - score) < precision * most);
  double cells = set[score::positions](0), byQuery = cells, byKey = cells, byDimension = cells;
  set[score::table].forEach([&](const auto&, float value) { cells += value; });
  set[score::fromQuery].forEach([&](const auto&, float value) { byQuery += value; });
  set[score::fromKey].forEach([&](const auto&, float value) { byKey += value; });
  set[score::dimensions].forEach([&](const auto&, float value) { byDimension += value; });
  for (const double sum : {cells, byQuery, byKey, byDimension})
    CHECK(std::abs(sum - score) < precision * most);
  checkBlocks(model, set, head.site, precision * most);
  for (const char* name : {score::table, score::fromQuery, score::fromKey, score::blockTable,
                           score::fromQueryBlock, score::fromKeyBlock, score::sum})
    set[name].forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = set.derive(name, at);
      REQUIRE(derivation);
      CHECK(std::abs(derivation->value() - value) < 1e-4 * most);
    });
  // What positions turn is no sum of what was written, nor is what went through a norm behind its sublayer;
  // a part that wrote nothing is made of nothing.
  const bool turns = model.config().positions->rotates() && head.site != AttentionSite::Cross;
  const bool areOpen = !turns && !model.config().hasSandwichNorm() && model.config().residual;
  for (const char* name : {score::queries, score::keys})
    set[name].forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = set.derive(name, at);
      CHECK((derivation || !areOpen || std::abs(value) < 1e-5));
      if (derivation) CHECK(std::abs(derivation->value() - value) < 1e-3 * (1 + std::abs(value)));
    });
}

}  // namespace

TEST_CASE("the table of a score sums to it, for every member whose scores can be taken apart") {
  std::map<AttentionSite, int> taken;
  int refused = 0, turn = 0;
  forEachMember([&](const ModelConfig& config) {
    for (const AttentionSite site : sitesOf(config)) {
      if (!whyNoScoreTable(config, site).empty()) {
        ++refused;
        continue;
      }
      const auto model = makeModel(config);
      LivePass live(model, 1);
      const auto trace = live.run(randomTokens(9, 1), {}, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
      const int queries = queriesOf(site) == Stream::Text ? 9 : 6,
                keys = keysOf(site) == Stream::Text ? 9 : 6;
      for (const HeadId head : {HeadId{0, 1, site}, HeadId{1, 2, site}})
        for (const auto& [query, key] : {std::pair{queries - 1, keys - 1}, std::pair{queries - 1, keys - 2},
                                         std::pair{queries - 4, keys - 5}}) {
          if (turn++ % (isSanitized ? 5 : 2) != 0) continue;
          INFO(nameOf(head) << ", query " << query << ", key " << key);
          if (std::isfinite(
                  (*trace)[attentionPoint(head.layer, site, "hook_attn_scores")](head.head, query, key)))
            checkTable(*model, *trace, head, query, key, 1e-4), ++taken[site];
        }
    }
  });
  for (const AttentionSite site :
       {AttentionSite::Self, AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross})
    CHECK(taken[site] > times(100));
  CHECK(refused > 5);
}

TEST_CASE("with scores capped, queries and keys normalized, or both, the table of a shipped model sums too") {
  const auto shipped = readModelDirectory(std::filesystem::path(SOURCE_FOLDER) / "assets/models/stories");
  REQUIRE(shipped);
  for (const auto& [cap, isNormed] : {std::pair{5.0f, false}, {0.0f, true}, {8.0f, true}}) {
    INFO(cap << ", " << isNormed);
    ModelConfig config = shipped->config;
    config.scoreCap = cap, config.normedQueries = isNormed;
    const auto model = std::make_shared<const Transformer>(
        config, carryOver(Transformer(shipped->config, shipped->parameters), config, 1).parameters);
    LivePass live(model, 1);
    const auto trace = live.run(randomTokens(12, 3));
    for (const HeadId head : {HeadId{0, 1}, HeadId{2, 1}, HeadId{3, 3}})
      for (const int key : {0, 5, 11}) checkTable(*model, *trace, head, 11, key, 1e-3);
  }
}

namespace {

struct ByHand {
  float all = 0, query = 0, key = 0, both = 0;
};

}  // namespace

TEST_CASE("what is put in by hand has lines of its own, by its sides, with which the table sums again") {
  for (const bool isRms : {false, true}) {
    ModelConfig config = smallConfig();
    config.norm = isRms ? NormKind::Rms : NormKind::Layer;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const HeadId head{1, 2};
    const auto measured = [&](const Interventions& interventions) {
      auto set = std::make_shared<TensorSet>();
      const auto trace = live.run(randomTokens(9, 1), interventions);
      measureScoreTable(*model, *trace, head, 8, 3, *set);
      const float score = (*trace)["blocks.1.attn.hook_attn_scores"](2, 8, 3);
      CHECK(std::abs((*set)[score::sum](0) - score) < 1e-4 * (1 + std::abs(score)));
      ByHand found{(*set)[score::byHand](0)};
      if (found.all == 0) return found;
      CHECK(std::abs(set->derive(score::byHand, {})->value() - found.all) < 1e-6);
      found.query = (*set)[score::byHandQuery](0), found.key = (*set)[score::byHandKey](0),
      found.both = (*set)[score::byHandBoth](0);
      CHECK(std::abs(found.query + found.key + found.both - found.all) < 1e-6);
      // Each opens into what was put in, which is the pass's own less what was written.
      CHECK(set->derive(score::byHandQuery, {})->terms[3].factor == &(*set)[score::queryPutIn](3));
      CHECK(trace->locate(set->derive(score::keyPutIn, {3})->terms[0].factor));
      return found;
    };
    CHECK(measured({}).all == 0);
    CHECK(measured({{"blocks.0.attn.hook_z", InterventionKind::Scale, {-1, 1, -1, -1}, 0}}).all == 0);
    const Intervention intoQuery{"blocks.1.attn.hook_q", InterventionKind::Scale, {8, 2, -1, -1}, 2},
        intoKey{"blocks.1.attn.hook_k", InterventionKind::Scale, {3, 2, -1, -1}, 3},
        intoStream{"blocks.0.hook_resid_post", InterventionKind::Add, {8, 4, -1, -1}, 3};
    const auto isRounding = [](float number) { return std::abs(number) < 1e-4f; };
    const ByHand ofQuery = measured({intoQuery}), ofKey = measured({intoKey}),
                 ofStream = measured({intoStream}), ofBoth = measured({intoQuery, intoKey});
    CHECK((std::abs(ofQuery.query) > 0.01f && isRounding(ofQuery.key) && isRounding(ofQuery.both)));
    CHECK((std::abs(ofKey.key) > 0.01f && isRounding(ofKey.query) && isRounding(ofKey.both)));
    CHECK((std::abs(ofStream.query) > 0.01f && isRounding(ofStream.key)));  // of the query's token alone
    CHECK(std::abs(ofBoth.query - ofQuery.query) < 1e-5f);
    CHECK(std::abs(ofBoth.key - ofKey.key) < 1e-5f);
    CHECK(std::abs(ofBoth.both) > 0.01f);  // twice the query times thrice the key: 6 = 1 + 1 + 2 + 2
    CHECK(std::abs(ofBoth.both - 2 * ofBoth.query) < 1e-4f);
    CHECK(std::abs(ofBoth.both - ofBoth.key) < 1e-4f);
  }
}

TEST_CASE("what a list of the largest leaves out of a table is summed, and all of it is the score") {
  ModelConfig config = smallConfig();
  config.layers = 3, config.heads = 8;
  const auto model = makeModel(config);
  LivePass live(model, 1);
  TensorSet set;
  measureScoreTable(*model, *live.run(randomTokens(9, 1)), {2, 1}, 8, 3, set);
  const TensorView table = set[score::table], fromQuery = set[score::fromQuery],
                   fromKey = set[score::fromKey];
  const std::vector<int> rows = largestFirst(fromQuery), columns = largestFirst(fromKey);
  REQUIRE(table.extent[0] == 23);
  REQUIRE(rows.size() == 20);
  CHECK(std::ranges::is_sorted(rows, std::greater(), [&](int i) { return std::abs(fromQuery(i)); }));
  const OthersOf others(score::table);
  const auto isListed = [](const std::vector<int>& list, int i) {
    return std::ranges::find(list, i) != list.end();
  };
  for (int j = 0; j < 23; ++j) {
    double left = 0, leftOfRow = 0;
    for (int i = 0; i < 23; ++i) left += isListed(rows, i) ? 0 : double{table(i, j)};
    for (int i = 0; i < 23; ++i) leftOfRow += isListed(columns, i) ? 0 : double{table(j, i)};
    CHECK(std::abs(set[others.inRows](j) - left) < 1e-6);
    CHECK(std::abs(set[others.inColumns](j) - leftOfRow) < 1e-6);
  }
  double ofListed = 0;
  for (const int i : rows)
    for (const int j : columns) ofListed += double{table(i, j)};
  double inOtherRows = 0, inOtherColumns = 0;
  for (const int j : columns) inOtherRows += double{set[others.inRows](j)};
  for (const int i : rows) inOtherColumns += double{set[others.inColumns](i)};
  const double all = ofListed + inOtherRows + inOtherColumns + double{set[others.inBoth](0)};
  CHECK(std::abs(all - double{set[score::sum](0)}) < 1e-5);
  CHECK(set.derive(others.inRows, {2})->terms.size() == 3);
  CHECK(set.derive(others.inBoth, {0})->terms.size() == 9);

  // Where fewer rows find room the others are more, and come to as much.
  for (const int most : listedRows) {
    INFO(most);
    const OthersOf fewer(score::table, most);
    double together = double{set[fewer.ofRows](0)};
    for (const int i : largestFirst(fromQuery, most)) together += double{fromQuery(i)};
    CHECK(std::abs(together - double{set[score::sum](0)}) < 1e-5);
    CHECK(set.derive(fewer.inRows, {2})->terms.size() == static_cast<std::size_t>(23 - most));
    CHECK(set.derive(fewer.inBoth, {0})->terms.size() == static_cast<std::size_t>(3 * (23 - most)));
  }

  // One more than are listed is listed, too: nothing is left out.
  TensorSet before;
  measureScoreTable(*model, *live.run(randomTokens(9, 1)), {1, 1}, 8, 3, before);
  CHECK_FALSE(before.contains(others.inRows));
}

TEST_CASE("across the decoder's parts write the query, up to its own block, and the encoder's the key") {
  ModelConfig config = smallConfig();
  config.stack = Stack::EncoderDecoder;
  const auto namesOf = [&](CrossMemory memory, HeadId head) {
    config.crossMemory = memory;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    TensorSet set;
    measureScoreTable(*model, *live.run(randomTokens(5, 1), {}, randomTokens(6, 2)), head, 3, 2, set);
    const TensorView table = set[score::table];
    return std::pair{writerName(*model, table.extent[0] - 1, queriesOf(head.site)),
                     writerName(*model, table.extent[1] - 1, keysOf(head.site))};
  };
  using Names = std::pair<std::string, std::string>;
  CHECK(namesOf(CrossMemory::LastLayer, {0, 1, AttentionSite::Cross}) == Names{"dec.L0 b_O", "enc.L1 MLP"});
  CHECK(namesOf(CrossMemory::SameLayer, {0, 1, AttentionSite::Cross}) == Names{"dec.L0 b_O", "enc.L0 MLP"});
  CHECK(namesOf(CrossMemory::LastLayer, {1, 1, AttentionSite::Encoder}) == Names{"enc.L0 MLP", "enc.L0 MLP"});
  CHECK(namesOf(CrossMemory::LastLayer, {1, 1, AttentionSite::Decoder}).first == "L0 MLP");
}

// Every head of every attention of every model that ships, by every query of the text.
TEST_CASE("the tables of every head of every model that ships sum to its scores") {
  std::vector<std::string> refused;
  int heads = 0;
  const auto models = std::filesystem::path(SOURCE_FOLDER) / "assets" / "models";
  for (const auto& file : std::filesystem::recursive_directory_iterator(models)) {
    if (file.path().filename() != "config.json") continue;
    const auto directory = readModelDirectory(file.path().parent_path());
    REQUIRE(directory);
    const ModelConfig& config = directory->config;
    const std::string name = file.path().parent_path().filename().string();
    INFO(name);
    const auto model = std::make_shared<const Transformer>(config, directory->parameters);
    const auto tokens = [&](int count, std::uint64_t seed) {
      Random random(seed);
      std::vector<int> drawn(static_cast<std::size_t>(std::min(config.context, count)));
      for (int& token : drawn) token = random.below(config.vocabulary);
      return drawn;
    };
    LivePass live(model, 1);
    const auto trace =
        live.run(tokens(12, 3), {}, config.isEncoderDecoder() ? tokens(9, 4) : std::vector<int>());
    for (const AttentionSite site : sitesOf(config)) {
      if (!whyNoScoreTable(config, site).empty()) {
        refused.push_back(name);
        continue;
      }
      for (int layer = 0; layer < blocksAt(config, site); ++layer)
        for (int head = 0; head < config.heads; ++head, ++heads) {
          const TensorView scores = (*trace)[attentionPoint(layer, site, "hook_attn_scores")];
          const int query = scores.extent[1] - 1;
          for (const int key : {0, scores.extent[2] - 1})
            checkTable(*model, *trace, {layer, head, site}, query, key, 1e-4);
        }
    }
  }
  CHECK(refused == std::vector<std::string>{"linear"});  // φ(q) · φ(k)
  CHECK(heads > 100);
}
