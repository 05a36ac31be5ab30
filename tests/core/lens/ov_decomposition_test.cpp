// What a head writes towards a logit, part by part: against contributions to logits, against numbers worked
// out the slow way, and of every model that ships.
#include "core/lens/ov_decomposition.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "core/io/model_directory.h"
#include "core/lens/contributions.h"
#include "core/lens/head_reading.h"
#include "tests/core/model/family_members.h"
#include "tests/core/model/reference.h"
#include "tests/sanitized.h"

using namespace glassformer;
using Catch::Approx;

namespace {

double sumOf(const TensorView& values) {
  double sum = 0;
  values.forEach([&](const auto&, float value) { sum += value; });
  return sum;
}
double largestOf(const TensorView& values) {
  double most = 0;
  values.forEach([&](const auto&, float value) { most = std::max(most, std::abs(double{value})); });
  return most;
}

// z · W_O of a head through all that the stream does to it until the logits, each norm's σ as the pass has
// it: written out once more, sublayer by sublayer.
double directEffect(const Transformer& model, const Trace& trace, HeadId head, int query, int entry) {
  const ModelConfig& config = model.config();
  const int D = config.width;
  const TensorView z = trace[attentionPoint(head.layer, head.site, "hook_z")];
  const int K = z.extent[2];
  std::vector<double> x(static_cast<std::size_t>(D));
  for (int d = 0; d < D; ++d)
    for (int k = 0; k < K; ++k) {
      const std::string output = attentionWeights(head.layer, head.site) + "c_proj.weight";
      const double weight =
          config.headsOutputFullWidth() ? d == k : double{model.parameters()[output](head.head * K + k, d)};
      x[static_cast<std::size_t>(d)] += double{z(query, head.head, k)} * weight;
    }
  const auto norm = [&](const std::string& point, const std::string& weights) {
    double mean = 0;
    for (const double value : x) mean += config.norm == NormKind::Layer ? value / D : 0;
    for (int d = 0; d < D; ++d) {
      double& value = x[static_cast<std::size_t>(d)];
      value = model.parameters()[weights + ".weight"](d) * (value - mean) / trace[point](query, 0);
    }
  };
  const bool isPost = config.normPlacement == NormPlacement::Post,
             isFromNorm = config.normPlacement == NormPlacement::Residual && config.residual;
  for (int layer = head.layer; layer < config.layers; ++layer) {
    std::vector<std::string> weights{"ln_1"};
    if (config.isEncoderDecoder()) weights.push_back("ln_cross_attn");
    if (config.hasFeedForward()) weights.push_back("ln_2");
    const std::size_t own = head.site == AttentionSite::Cross ? 1 : 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const bool isBefore = layer == head.layer && (isPost ? i < own : i <= own);
      if ((isPost || isFromNorm) && !isBefore)
        norm(blockPoint(config, layer, "ln" + std::to_string(i + 1) + ".hook_scale"),
             "h." + std::to_string(layer) + "." + weights[i]);
    }
  }
  if (config.hasNorms() && config.finalNorm) norm(stackPoint(config, "ln_final.hook_scale"), "ln_f");
  double logit = 0;
  for (int d = 0; d < D; ++d)
    logit += x[static_cast<std::size_t>(d)] * model.unembedding()(entry, d) * config.unembeddingScale();
  return logit;
}

// The head's number in the contributions to that logit, where the model has these; else what it is by a pass
// whose norms keep their σ.
double contributionOf(const Transformer& model, const Trace& trace, HeadId head, int query, int entry) {
  TensorSet set;
  measureLogitAttribution(model, trace, entry, set);
  if (!set.contains(logitAttributionOf(entry))) return directEffect(model, trace, head, query, entry);
  const auto parts = contributionParts(model);
  const auto part =
      std::ranges::find(parts, ContributionPart{ContributionPart::Kind::Head, head}) - parts.begin();
  return set[logitAttributionOf(entry)](query, static_cast<int>(part));
}

// Cells, rows, columns and dimensions sum to that number, without what is left for interventions.
void checkOutput(const Transformer& model, const Trace& trace, HeadId head, int query, int entry) {
  TensorSet set;
  measureOutputTable(model, trace, head, {{query, entry}}, set);
  const double number = contributionOf(model, trace, head, query, entry);
  const double precision = 1e-4 * std::max(std::abs(number), largestOf(set[output::table])) + 1e-9;
  INFO(nameOf(head) << ", query " << query << ", entry " << entry);
  for (const char* name : {output::table, output::fromKey, output::fromWriter, output::blockTable,
                           output::fromBlock, output::dimensions, output::sum}) {
    INFO(name);
    CHECK(std::abs(sumOf(set[name]) - number) < precision);
  }
  CHECK(std::abs(set[output::interventions](0)) < precision);
  for (const char* name : {output::table, output::fromKey, output::fromWriter, output::blockTable,
                           output::fromBlock, output::dimensions, output::interventions, output::sum})
    set[name].forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = set.derive(name, at);
      REQUIRE(derivation);
      CHECK(std::abs(derivation->value() - value) < precision);
    });
}

// Of the first and the last key shares of values are what is said to have made them, but for those of parts
// that wrote nothing, and of norms behind sublayers. How many say so.
int checkShares(const TensorSet& set) {
  int opened = 0;
  const TensorView v = set[output::values];
  for (const int key : {0, v.extent[0] - 1})
    v[key].forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto derivation = set.derive(output::values, {key, at[0], at[1]});
      if (!derivation) return;
      CHECK(derivation->value() == Approx(value).epsilon(1e-3).margin(1e-4));
      ++opened;
    });
  set[output::worth].forEach([&](const std::array<int, maxRank>& at, float value) {
    if (const auto derivation = set.derive(output::worth, at))
      CHECK(derivation->value() == Approx(value).epsilon(1e-3).margin(1e-4));
  });
  return opened;
}

std::filesystem::path modelsThatShip() { return std::filesystem::path(SOURCE_FOLDER) / "assets" / "models"; }

}  // namespace

TEST_CASE("the table of a head's output sums to its contribution, for every member that has one") {
  std::map<AttentionSite, int> taken;
  int refused = 0, turn = 0;
  forEachMember([&](const ModelConfig& config) {
    for (const AttentionSite site : sitesOf(config))
      for (const HeadId head : {HeadId{0, 1, site}, HeadId{1, 2, site}}) {
        if (!whyNoOutputTable(config, head).empty()) {
          ++refused;
          continue;
        }
        if (isSanitized && turn++ % 3 != 0) continue;
        const auto model = makeModel(config);
        LivePass live(model, 1);
        const auto trace =
            live.run(randomTokens(9, 1), {}, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
        for (const int query : {8, 3}) checkOutput(*model, *trace, head, query, 5), ++taken[site];
        TensorSet set;
        measureOutputTable(*model, *trace, head, {{8, 5}}, set);
        if (!config.hasSandwichNorm()) CHECK(checkShares(set) > 0);
      }
  });
  for (const AttentionSite site : {AttentionSite::Self, AttentionSite::Decoder, AttentionSite::Cross})
    CHECK(taken[site] > times(100));
  CHECK(taken[AttentionSite::Encoder] == 0);
  CHECK(refused > 10);
}

TEST_CASE("towards the difference of two logits every cell is the difference of its two") {
  int taken = 0;
  forEachMember([&](const ModelConfig& config) {
    for (const AttentionSite site : sitesOf(config)) {
      const HeadId head{1, 2, site};
      if (!whyNoOutputTable(config, head).empty()) continue;
      const auto model = makeModel(config);
      LivePass live(model, 1);
      const auto trace = live.run(randomTokens(9, 1), {}, randomTokens(config.isEncoderDecoder() ? 6 : 0, 2));
      TensorSet one, other, both;
      measureOutputTable(*model, *trace, head, {{8, 5}}, one);
      measureOutputTable(*model, *trace, head, {{8, 11}}, other);
      measureOutputTable(*model, *trace, head, {{8, 5}, 11}, both);
      for (const char* name : {output::table, output::dimensions, output::sum}) {
        INFO(name);
        const double precision = 1e-4 * std::max(largestOf(one[name]), largestOf(other[name])) + 1e-7;
        const std::vector<float> a = one[name].copy(), b = other[name].copy(), of = both[name].copy();
        bool isDifference = true;
        for (std::size_t i = 0; i < of.size(); ++i)
          isDifference &= std::abs(of[i] - (double{a[i]} - b[i])) < precision;
        CHECK(isDifference);
      }
      CHECK(both.point(both.find(output::sum)).meaning.find("the logit difference") != std::string::npos);
      ++taken;
    }
  });
  CHECK(taken > 100);
}

TEST_CASE("the tables of every head of every model that ships sum to its contributions") {
  std::set<std::string> taken, refused;
  for (const auto& file : std::filesystem::recursive_directory_iterator(modelsThatShip())) {
    if (file.path().filename() != "config.json") continue;
    const auto directory = readModelDirectory(file.path().parent_path());
    REQUIRE(directory);
    const ModelConfig& config = directory->config;
    const std::string name = file.path().parent_path().filename().string();
    INFO(name);
    const auto model = std::make_shared<const Transformer>(config, directory->parameters);
    std::vector<int> tokens(static_cast<std::size_t>(std::min(config.context, 12)));
    Random random(3);
    for (int& token : tokens) token = random.below(config.vocabulary);
    LivePass live(model, 1);
    const auto trace = live.run(tokens, {}, config.isEncoderDecoder() ? tokens : std::vector<int>());
    const int last = trace->tokenCount() - 1;
    for (const AttentionSite site : sitesOf(config))
      for (int layer = 0; layer < blocksAt(config, site); ++layer)
        for (int head = 0; head < config.heads; ++head) {
          const bool isTaken = whyNoOutputTable(config, {layer, head, site}).empty();
          CHECK(isTaken == (site != AttentionSite::Encoder));
          (isTaken ? taken : refused).insert(name);
          if (isTaken) checkOutput(*model, *trace, {layer, head, site}, last, likeliestEntry(*trace, last));
        }
  }
  CHECK(taken == std::set<std::string>{"alibi", "draft", "fill", "induction", "learned", "letters", "linear",
                                       "none", "relative", "rotary", "sinusoidal", "sort", "stories",
                                       "translate", "worked"});
  CHECK(refused == std::set<std::string>{"translate"});  // the heads of its encoder
}

// Nothing but plain loops over weights and over what was in the stream.
TEST_CASE("every cell of a head's output is what was written, through the weights one after the other") {
  const Reference reference("transformer_gelu.safetensors");
  const auto model = std::make_shared<const Transformer>(reference.config(), reference.weights());
  auto tokens = reference.batch(0).tokens;
  tokens.resize(9);
  const auto trace = LivePass(model).run(tokens);
  const ModelConfig& config = model->config();
  const auto weight = [&](const std::string& name) { return model->parameters()[name]; };
  const int D = config.width, K = config.headWidth(), H = config.heads, query = 7, entry = 11;
  const HeadId head{1, 1};

  // W_O · γ/σ ⊙ W_U, its mean taken out of what is written.
  std::vector<double> worth;
  const TensorView gamma = weight("ln_f.weight"), E = model->unembedding();
  const double sigma = (*trace)["ln_final.hook_scale"](query, 0);
  for (int k = 0; k < K; ++k) {
    double mean = 0, sum = 0;
    const TensorView row = weight("h.1.attn.c_proj.weight")[head.head * K + k];
    for (int d = 0; d < D; ++d) mean += row(d) / static_cast<double>(D);
    for (int d = 0; d < D; ++d) sum += gamma(d) * (row(d) - mean) / sigma * E(entry, d);
    worth.push_back(sum);
  }
  // What everybody wrote for a key, in the order of the blocks.
  const auto writtenAt = [&](int key) {
    std::vector<std::vector<double>> parts(2, std::vector<double>(static_cast<std::size_t>(D)));
    for (int d = 0; d < D; ++d) {
      parts[0][static_cast<std::size_t>(d)] = (*trace)["hook_embed"](key, d);
      parts[1][static_cast<std::size_t>(d)] = (*trace)["hook_pos_embed"](key, d);
    }
    for (int h = 0; h < H; ++h) {
      std::vector<double> x(static_cast<std::size_t>(D));
      for (int d = 0; d < D; ++d)
        for (int k = 0; k < K; ++k)
          x[static_cast<std::size_t>(d)] += double{(*trace)["blocks.0.attn.hook_z"](key, h, k)} *
                                            weight("h.0.attn.c_proj.weight")(h * K + k, d);
      parts.push_back(x);
    }
    for (const bool isMlp : {false, true}) {
      std::vector<double> x(static_cast<std::size_t>(D));
      for (int d = 0; d < D; ++d)
        x[static_cast<std::size_t>(d)] =
            isMlp ? (*trace)["blocks.0.hook_mlp_out"](key, d) : weight("h.0.attn.c_proj.bias")(d);
      parts.push_back(x);
    }
    return parts;
  };
  const TensorView w = weight("h.1.attn.c_attn.weight"), b = weight("h.1.attn.c_attn.bias"),
                   gain = weight("h.1.ln_1.weight"), beta = weight("h.1.ln_1.bias");
  const auto towardsLogit = [&](const std::vector<double>& read, bool isBias) {
    double sum = 0;
    for (int k = 0; k < K; ++k) {
      const int column = 2 * D + head.head * K + k;
      double value = isBias ? b(column) : 0;
      for (int d = 0; d < D; ++d) value += read[static_cast<std::size_t>(d)] * w(d, column);
      sum += value * worth[static_cast<std::size_t>(k)];
    }
    return sum;
  };

  TensorSet set;
  measureOutputTable(*model, *trace, head, {{query, entry}}, set);
  const TensorView table = set[output::table];
  REQUIRE(table.extent[0] == 9);
  REQUIRE(table.extent[1] == 1 + 2 + H + 2);
  for (int key = 0; key < 9; ++key) {
    const double share = (*trace)["blocks.1.attn.hook_pattern"](head.head, query, key);
    const double scale = (*trace)["blocks.1.ln1.hook_scale"](key, 0);
    std::vector<double> biases(static_cast<std::size_t>(D));
    for (int d = 0; d < D; ++d) biases[static_cast<std::size_t>(d)] = beta(d);
    CHECK(table(key, 0) == Approx(share * towardsLogit(biases, true)).epsilon(1e-4).margin(1e-6));
    const auto parts = writtenAt(key);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::vector<double> read = parts[part];
      double mean = 0;
      for (const double x : read) mean += x / D;
      for (int d = 0; d < D; ++d) {
        double& x = read[static_cast<std::size_t>(d)];
        x = gain(d) * (x - mean) / scale;
      }
      INFO("key " << key << ", " << writerName(*model, static_cast<int>(part) + 1));
      CHECK(table(key, static_cast<int>(part) + 1) ==
            Approx(share * towardsLogit(read, false)).epsilon(1e-4).margin(1e-6));
    }
  }
  CHECK(table(8, 1) == 0);  // behind the query
  CHECK(checkShares(set) == 2 * static_cast<int>(set[output::values][0].size()));
  CHECK(set.derive(output::worth, {3}));
}

TEST_CASE("what interventions make of a head is told beside its table, and the sum stays its contribution") {
  const auto model = makeModel(smallConfig());
  const HeadId head{1, 2};
  LivePass live(model, 1);
  const auto tokens = randomTokens(9, 1);
  TensorSet plain;
  measureOutputTable(*model, *live.run(tokens), head, {{8, 5}}, plain);
  Intervention ofHead, ofAttention, ofValue;
  ofHead.point = "blocks.1.attn.hook_z", ofHead.index[1] = 2;
  ofAttention.point = "blocks.1.hook_attn_out";
  ofValue.point = "blocks.1.attn.hook_v", ofValue.index[1] = 2;
  for (const Intervention& off : {ofHead, ofAttention, ofValue}) {
    INFO(off.point);
    const auto trace = live.run(tokens, {off});
    TensorSet set;
    measureOutputTable(*model, *trace, head, {{8, 5}}, set);
    const double number = contributionOf(*model, *trace, head, 8, 5);
    CHECK(number == Approx(0).margin(1e-7));
    CHECK(set[output::sum](0) == Approx(0).margin(1e-6));
    CHECK(set[output::interventions](0) == Approx(-sumOf(set[output::table])).margin(1e-6));
    CHECK(largestOf(set[output::table]) > 1e-3 * largestOf(plain[output::table]));
  }
}

TEST_CASE("a head's output is taken apart of texts that it can be kept of, and not once it is stopped") {
  const auto model = makeModel(smallConfig());
  CHECK(whyNoOutputTable(*model, {1, 0}, 24).empty());
  const int writers = HeadReading::writersOf(*model, {1, 0}, HeadReading::Of::Value),
            most = (1 << 24) / (writers * 8);
  CHECK(whyNoOutputTable(*model, {1, 0}, most).empty());
  CHECK(whyNoOutputTable(*model, {1, 0}, most + 1) ==
        "this text is too long for it: in block 1 at most " + std::to_string(most) +
            " tokens, of which there are " + std::to_string(most + 1));
  CHECK(headThatWrote(*model, 0) == std::nullopt);
  CHECK(headThatWrote(*model, 1) == std::nullopt);
  CHECK(headThatWrote(*model, 4) == HeadId{0, 1});
  LivePass live(model, 1);
  TensorSet set;
  int parts = 0;
  measureOutputTable(*model, *live.run(randomTokens(9, 1)), {1, 2}, {{8, 5}}, set,
                     [&](int, int) { return ++parts < 4; });
  CHECK(set.count() == 0);
  CHECK(parts == 4);

  ModelConfig config = smallConfig();
  config.headTransform = true;
  CHECK(whyNoOutputTable(config, HeadId{1, 0}).find("nonlinear layer") != std::string::npos);
  config = smallConfig(), config.residual = false;
  CHECK(whyNoOutputTable(config, HeadId{1, 0}).find("without residual connections") != std::string::npos);
  config.activation = Activation::None;
  CHECK(whyNoOutputTable(config, HeadId{0, 0}).find("without residual connections") != std::string::npos);
  CHECK(whyNoOutputTable(config, HeadId{1, 0}).empty());
  config = smallConfig(), config.mixing = Mixing::Recurrence;
  CHECK(whyNoOutputTable(config, HeadId{}) == "this model has no attention");
  CHECK(whyNoOutputTable(smallConfig(), HeadId{1, 0, AttentionSite::Encoder}).find("adds to no logit") !=
        std::string::npos);
}
