#include "core/lens/head_circuits.h"

#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>
#include <numeric>

#include "core/lens/head_matrices.h"
#include "core/model/positional/none.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

using Dense = Eigen::MatrixXd;

Dense denseOf(const TensorView& view, int firstRow, int rows, int firstColumn, int columns) {
  Dense all(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) all(i, j) = view(firstRow + i, firstColumn + j);
  return all;
}

// W_Q, W_K, W_V [D, K] and W_O [K, D] of a model without norms.
struct Plain {
  Dense q, k, v, o;
  Plain(const Transformer& model, int layer, int head) {
    const int D = model.config().width, K = model.config().headWidth();
    const std::string weights = attentionWeights(layer, AttentionSite::Self);
    const TensorView fused = model.parameters()[weights + "c_attn.weight"];
    q = denseOf(fused, 0, D, head * K, K) / std::sqrt(K);
    k = denseOf(fused, 0, D, D + head * K, K);
    v = denseOf(fused, 0, D, 2 * D + head * K, K);
    o = denseOf(model.parameters()[weights + "c_proj.weight"], head * K, K, 0, D);
  }
  Dense qk() const { return q * k.transpose(); }
  Dense ov() const { return v * o; }
};

// Without norms: what reads the stream is the weights themselves.
ModelConfig plainConfig() {
  ModelConfig config = smallConfig();
  config.normPlacement = NormPlacement::None, config.finalNorm = false;
  return config;
}

std::vector<int> allTokens(const ModelConfig& config) {
  std::vector<int> tokens(static_cast<std::size_t>(config.vocabulary));
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

TensorSet circuitsOf(const Transformer& model, HeadId head, const std::vector<int>& tokens) {
  TensorSet set;
  measureHeadCircuits(model, head, tokens, set);
  return set;
}

// Of one block that sees every key, and whose embeddings have no positions.
ModelConfig wholeConfig() {
  ModelConfig config = smallConfig();
  config.layers = 1, config.mask.kind = MaskKind::None, config.vocabulary = 20;
  config.positions = &noPositions();
  return config;
}

}  // namespace

TEST_CASE("a head's singular values are those of the whole matrices") {
  const auto model = makeModel(plainConfig());
  const TensorSet set = circuitsOf(*model, {1, 2}, {1, 2, 3});
  const Plain head(*model, 1, 2);
  const auto check = [](const TensorView& found, const Dense& whole) {
    const Eigen::VectorXd values = whole.jacobiSvd().singularValues();
    for (int k = 0; k < found.extent[0]; ++k) CHECK(found(k) == Approx(values(k)).epsilon(1e-4));
    CHECK(values(found.extent[0]) == Approx(0).margin(1e-6));  // no more than K of them
  };
  check(set[circuit::qk], head.qk());
  check(set[circuit::ov], head.ov());
}

TEST_CASE("composition is what is left of one matrix times another, earlier heads writing for later ones") {
  ModelConfig config = plainConfig();
  config.layers = 3;
  const auto model = makeModel(config);
  const TensorSet set = circuitsOf(*model, {1, 1}, {1, 2, 3});
  const Plain own(*model, 1, 1), before(*model, 0, 3), behind(*model, 2, 0);
  const auto share = [](const Dense& a, const Dense& b) { return (a * b).norm() / (a.norm() * b.norm()); };
  CHECK(set[circuit::byQueries](0, 3) == Approx(share(before.ov(), own.qk())).epsilon(1e-4));
  CHECK(set[circuit::byKeys](0, 3) == Approx(share(before.ov(), own.qk().transpose())).epsilon(1e-4));
  CHECK(set[circuit::byValues](0, 3) == Approx(share(before.ov(), own.ov())).epsilon(1e-4));
  CHECK(set[circuit::byKeys](2, 0) == Approx(share(own.ov(), behind.qk().transpose())).epsilon(1e-4));
  for (int h = 0; h < config.heads; ++h) CHECK(std::isnan(set[circuit::byKeys](1, h)));
  // Heads with random weights have nothing to do with each other.
  CHECK(set[circuit::byKeys](0, 3) == Approx(set[circuit::byChance](0)).epsilon(0.5));
}

TEST_CASE("what its QK prefers is what the pass of a model without positions scores highest") {
  for (const NormKind norm : {NormKind::Layer, NormKind::Rms}) {
    ModelConfig config = wholeConfig();
    config.norm = norm;
    const auto tokens = allTokens(config);
    const auto model = makeModel(config, 7);
    const HeadId head{0, 3};
    const TensorSet set = circuitsOf(*model, head, tokens);
    LivePass live(model, 1);
    const auto trace = live.run(tokens, {}, {});
    const TensorView scores =
        (*trace)["blocks.0.attn.hook_attn_scores"][head.head];  // [T, S]: a token a place
    const int V = config.vocabulary;
    float largest = 0;
    for (int a = 0; a < V; ++a) {
      float mean = 0, most = scores(a, 0);
      for (int b = 0; b < V; ++b)
        mean += scores(a, b) / static_cast<float>(V), most = std::max(most, scores(a, b));
      largest = std::max(largest, most - mean);
      for (int i = 0; i < set[circuit::query].extent[0]; ++i)
        if (static_cast<int>(set[circuit::query](i)) == a) {
          CHECK(set[circuit::score](i) == Approx(most - mean).margin(1e-4));
          CHECK(scores(a, static_cast<int>(set[circuit::key](i))) == most);
        }
    }
    CHECK(set[circuit::score](0) == Approx(largest).margin(1e-4));
  }
}

TEST_CASE("what its OV promotes and suppresses are the ends of what looking at a token does to the logits") {
  const ModelConfig config = plainConfig();
  const auto model = makeModel(config);
  const std::vector<int> tokens = allTokens(config);
  const TensorSet set = circuitsOf(*model, {0, 1}, tokens);
  const int V = config.vocabulary, D = config.width;
  const Dense E = denseOf(model->parameters()["wte.weight"], 0, V, 0, D),
              U = denseOf(model->unembedding(), 0, V, 0, D);
  Dense effect = E * Plain(*model, 0, 1).ov() * U.transpose();  // [V, V]
  effect.rowwise() -= effect.colwise().mean().eval();
  effect.colwise() -= effect.rowwise().mean().eval();
  CHECK(set[circuit::promotion](0) == Approx(effect.maxCoeff()).epsilon(1e-3));
  CHECK(set[circuit::suppression](0) == Approx(effect.minCoeff()).epsilon(1e-3));
  for (int i = 0; i < set[circuit::promotion].extent[0]; ++i) {
    const int from = static_cast<int>(set[circuit::promoting](i)),
              to = static_cast<int>(set[circuit::promoted](i));
    CHECK(effect(from, to) == Approx(effect.row(from).maxCoeff()));
    CHECK(set[circuit::promotion](i) == Approx(effect(from, to)).epsilon(1e-3));
  }
  const Eigen::VectorXcd values = effect.eigenvalues();
  CHECK(set[circuit::copying](0) == Approx(values.real().sum() / values.cwiseAbs().sum()).margin(1e-3));
}

TEST_CASE("circuits are told of heads whose scores and outputs are matrices on the stream") {
  forEachMember([](const ModelConfig& config) {
    for (const AttentionSite site : sitesOf(config)) {
      if (!whyNoCircuits(config, site).empty()) continue;
      const auto model = makeModel(config);
      const TensorSet set = circuitsOf(*model, {config.layers - 1, config.heads - 1, site}, {3, 5, 7});
      CHECK(set.contains(circuit::qk) == whyNoComparingMatrix(config, site).empty());
      CHECK(std::isfinite(set[circuit::ov](0)));
      CHECK(set.contains(circuit::score) == whyNoScoresOfTokens(config, site).empty());
      if (set.contains(circuit::score)) CHECK(std::isfinite(set[circuit::score](0)));
      CHECK(set.contains(circuit::promotion) == whyNoEffectsOnLogits(config, site).empty());
    }
  });
  ModelConfig config = smallConfig();
  for (const NormPlacement placement : {NormPlacement::Pre, NormPlacement::Post, NormPlacement::Sandwich}) {
    config.normPlacement = placement;
    CHECK(whyNoCircuits(config, AttentionSite::Self) == "");
  }
  config.residual = false;
  CHECK(whyNoCircuits(config, AttentionSite::Self) != "");
}

// Where earlier blocks add nothing, the stream is what the norms on the way make of the embeddings alone.
TEST_CASE("what a head of a later block looks for goes through every norm that stands before it") {
  for (const NormKind norm : {NormKind::Layer, NormKind::Rms})
    for (const NormPlacement placement :
         {NormPlacement::Post, NormPlacement::Residual, NormPlacement::Sandwich}) {
      ModelConfig config = wholeConfig();
      config.layers = 3, config.norm = norm, config.normPlacement = placement, config.normedEmbedding = true;
      Parameters parameters = makeModel(config, 7)->parameters().copy();
      for (int i = 0; i < parameters.count(); ++i) {
        const std::string& name = parameters.spec(i).name;
        const bool adds = name.find("c_proj") != std::string::npos || name.find("_post") != std::string::npos;
        if (adds && !name.starts_with("h.2"))
          std::ranges::fill(parameters.values().subspan(parameters.offset(i), parameters.view(i).size()),
                            0.0f);
      }
      const auto model = std::make_shared<const Transformer>(config, std::move(parameters));
      const std::vector<int> tokens = allTokens(config);
      const TensorSet set = circuitsOf(*model, {2, 1}, tokens);
      LivePass live(model, 1);
      const auto trace = live.run(tokens, {}, {});
      const TensorView scores = (*trace)["blocks.2.attn.hook_attn_scores"][1];
      for (int i = 0; i < 5; ++i) {
        const int a = static_cast<int>(set[circuit::query](i)), b = static_cast<int>(set[circuit::key](i));
        float mean = 0;
        for (const int key : tokens) mean += scores(a, key) / static_cast<float>(config.vocabulary);
        CHECK(set[circuit::score](i) == Approx(scores(a, b) - mean).margin(2e-4));
      }
    }
}

// J of LN(x) is γ ⊙ (I − 11ᵀ / D) / σ but for what lies along x: what a head writes is followed through each.
TEST_CASE("with norms behind the sums what is written arrives turned by every norm on the way") {
  ModelConfig config = plainConfig();
  config.layers = 3, config.normPlacement = NormPlacement::Post, config.finalNorm = true;
  const auto model = makeModel(config, 3);
  const int D = config.width, V = config.vocabulary;
  const auto norm = [&](const std::string& name) -> Dense {
    const std::vector<float> gamma = model->parameters()[name + ".weight"].copy();
    const Eigen::VectorXd scale = Eigen::Map<const Eigen::VectorXf>(gamma.data(), D).cast<double>();
    return (Dense::Identity(D, D) - Dense::Constant(D, D, 1.0 / D)) * scale.asDiagonal();
  };
  const Dense first = norm("h.0.ln_1") * norm("h.0.ln_2"), second = norm("h.1.ln_1") * norm("h.1.ln_2"),
              third = norm("h.2.ln_1") * norm("h.2.ln_2");
  const TensorSet set = circuitsOf(*model, {0, 3}, allTokens(config));
  const Plain own(*model, 0, 3), next(*model, 1, 2), last(*model, 2, 1);
  const auto share = [](const Dense& a, const Dense& b) { return (a * b).norm() / (a.norm() * b.norm()); };
  CHECK(set[circuit::byQueries](1, 2) == Approx(share(own.ov() * first, next.qk())).epsilon(1e-4));
  CHECK(set[circuit::byValues](2, 1) == Approx(share(own.ov() * first * second, last.ov())).epsilon(1e-4));
  Dense effect = denseOf(model->parameters()["wte.weight"], 0, V, 0, D) * own.ov() * first * second * third *
                 norm("ln_f") * denseOf(model->unembedding(), 0, V, 0, D).transpose();
  effect.rowwise() -= effect.colwise().mean().eval();
  effect.colwise() -= effect.rowwise().mean().eval();
  CHECK(set[circuit::promotion](0) == Approx(effect.maxCoeff()).epsilon(1e-3));
  CHECK(set[circuit::suppression](0) == Approx(effect.minCoeff()).epsilon(1e-3));
}

TEST_CASE("of an encoder's head the singular values, what its QK prefers and its composition are told") {
  ModelConfig config = wholeConfig();
  config.stack = Stack::EncoderDecoder, config.layers = 2;
  const auto model = makeModel(config, 7);
  const std::vector<int> tokens = allTokens(config);
  const TensorSet set = circuitsOf(*model, {0, 3, AttentionSite::Encoder}, tokens);
  LivePass live(model, 1);
  const auto trace = live.run(std::vector{1, 2}, {}, tokens);  // a source of every token
  const TensorView scores = (*trace)["encoder.0.attn.hook_attn_scores"][3];
  for (int i = 0; i < 5; ++i) {
    const int a = static_cast<int>(set[circuit::query](i)), b = static_cast<int>(set[circuit::key](i));
    float mean = 0;
    for (int key = 0; key < config.vocabulary; ++key)
      mean += scores(a, key) / static_cast<float>(config.vocabulary);
    CHECK(set[circuit::score](i) == Approx(scores(a, b) - mean).margin(1e-4));
  }
  CHECK(std::isfinite(set[circuit::ov](0)));
  CHECK(std::isfinite(set[circuit::byKeys](1, 0)));
  CHECK_FALSE(set.contains(circuit::promotion));
  CHECK(whyNoEffectsOnLogits(config, AttentionSite::Encoder) != "");
  CHECK(whyNoEffectsOnLogits(config, ownSite(config)) == "");
}

namespace {

// A model whose sublayers add nothing: what each compares is then what the norms on the way make of the
// embeddings alone.
std::shared_ptr<const Transformer> silentModel(const ModelConfig& config) {
  Parameters parameters = makeModel(config, 7)->parameters().copy();
  for (int i = 0; i < parameters.count(); ++i) {
    const std::string& name = parameters.spec(i).name;
    const bool adds = name.find("c_proj") != std::string::npos || name.find("_post") != std::string::npos;
    if (adds)
      std::ranges::fill(parameters.values().subspan(parameters.offset(i), parameters.view(i).size()), 0.0f);
  }
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

}  // namespace

TEST_CASE("which source token a text's query prefers across is what the pass of both scores highest") {
  for (const NormKind norm : {NormKind::Layer, NormKind::Rms})
    for (const NormPlacement placement : {NormPlacement::Pre, NormPlacement::Post, NormPlacement::Residual,
                                          NormPlacement::Sandwich, NormPlacement::None}) {
      ModelConfig config = wholeConfig();
      config.stack = Stack::EncoderDecoder, config.layers = 2;
      config.norm = norm, config.normPlacement = placement;
      const auto model = silentModel(config);
      const std::vector<int> text{3, 8, 11, 2, 19}, source{5, 1, 14, 7};
      const HeadId head{1, 2, AttentionSite::Cross};
      TensorSet set;
      measureHeadCircuits(*model, head, {text, source}, set);
      LivePass live(model, 1);
      const auto trace = live.run(text, {}, source);
      const TensorView scores = (*trace)["decoder.1.cross_attn.hook_attn_scores"][2];
      REQUIRE(set[circuit::query].extent[0] == 5);
      INFO(static_cast<int>(norm) << ", " << static_cast<int>(placement));
      for (int i = 0; i < 5; ++i) {
        const auto place = [](const std::vector<int>& tokens, float token) {
          return static_cast<int>(std::ranges::find(tokens, static_cast<int>(token)) - tokens.begin());
        };
        const int t = place(text, set[circuit::query](i)), s = place(source, set[circuit::key](i));
        float mean = 0, most = scores(t, 0);
        for (int key = 0; key < 4; ++key) mean += scores(t, key) / 4, most = std::max(most, scores(t, key));
        CHECK(scores(t, s) == most);
        CHECK(set[circuit::score](i) == Approx(most - mean).margin(2e-4));
      }
      CHECK(set[circuit::askedKeys](0) == 4);
      CHECK_FALSE(set.contains(circuit::matching));
    }
}

TEST_CASE("across, what is moved is the product of all matrices, and so is what heads have to do with it") {
  ModelConfig config = plainConfig();
  config.stack = Stack::EncoderDecoder, config.layers = 2;
  const auto model = makeModel(config);
  const int D = config.width, K = config.headWidth(), V = config.vocabulary;
  const auto weights = [&](const std::string& name, int row, int rows, int column, int columns) {
    return denseOf(model->parameters()[name + ".weight"], row, rows, column, columns);
  };
  const std::string across = "h.1.crossattention.";
  const Dense q = weights(across + "q_attn", 0, D, 2 * K, K) / std::sqrt(K),
              k = weights(across + "c_attn", 0, D, 2 * K, K),
              v = weights(across + "c_attn", 0, D, D + 2 * K, K),
              o = weights(across + "c_proj", 2 * K, K, 0, D);
  TensorSet set;
  measureHeadCircuits(*model, {1, 2, AttentionSite::Cross}, allTokens(config), set);
  const Dense qk = q * k.transpose(), ov = v * o;
  CHECK(set[circuit::qk](0) == Approx(qk.jacobiSvd().singularValues()(0)).epsilon(1e-4));
  CHECK(set[circuit::ov](0) == Approx(ov.jacobiSvd().singularValues()(0)).epsilon(1e-4));
  const Dense E = denseOf(model->parameters()["wte.weight"], 0, V, 0, D),
              U = denseOf(model->unembedding(), 0, V, 0, D);
  Dense effect = E * ov * U.transpose();
  effect.rowwise() -= effect.colwise().mean().eval();
  effect.colwise() -= effect.rowwise().mean().eval();
  CHECK(set[circuit::promotion](0) == Approx(effect.maxCoeff()).epsilon(1e-3));
  CHECK(set[circuit::suppression](0) == Approx(effect.minCoeff()).epsilon(1e-3));
  const auto ovOf = [&](const std::string& block, int head) -> Dense {
    return weights(block + "attn.c_attn", 0, D, 2 * D + head * K, K) *
           weights(block + "attn.c_proj", head * K, K, 0, D);
  };
  const auto share = [](const Dense& a, const Dense& b) { return (a * b).norm() / (a.norm() * b.norm()); };
  const Dense own = ovOf("h.1.", 3), encoder = ovOf("encoder.h.0.", 1);
  CHECK(set[circuit::byQueries](1, 3) == Approx(share(own, qk)).epsilon(1e-4));  // of its own block, too
  CHECK(set[circuit::byKeys](0, 1) == Approx(share(encoder, qk.transpose())).epsilon(1e-4));
  CHECK(set[circuit::byValues](0, 1) == Approx(share(encoder, ov)).epsilon(1e-4));
}

namespace {

// Whether the pairs that are told are what a pass over all tokens comes to in its first block.
void checkScoresOfPass(const ModelConfig& config) {
  const auto model = makeModel(config, 7);
  const std::vector<int> tokens = allTokens(config);
  const TensorSet set = circuitsOf(*model, {0, 1}, tokens);
  LivePass live(model, 1);
  const auto trace = live.run(tokens, {}, {});
  const TensorView scores = (*trace)["blocks.0.attn.hook_attn_scores"][1];
  for (int i = 0; i < 5; ++i) {
    const int a = static_cast<int>(set[circuit::query](i)), b = static_cast<int>(set[circuit::key](i));
    float mean = 0;
    for (const int key : tokens) mean += scores(a, key) / static_cast<float>(config.vocabulary);
    CHECK(set[circuit::score](i) == Approx(scores(a, b) - mean).margin(2e-4));
  }
  for (const char* name : {circuit::qk, circuit::byQueries, circuit::byKeys})
    CHECK(set.contains(name) == whyNoComparingMatrix(config, AttentionSite::Self).empty());
  CHECK(set.contains(circuit::byValues));
}

}  // namespace

TEST_CASE("of normalized queries and keys tokens are compared exactly, and no matrix is said to do it") {
  ModelConfig config = wholeConfig();
  config.normedQueries = true;
  checkScoresOfPass(config);
  CHECK(whyNoComparingMatrix(config, AttentionSite::Self) != "");
}

TEST_CASE("linear attention, one shared matrix and the stream itself compare tokens as a pass does") {
  ModelConfig config = wholeConfig();
  config.kernel = AttentionKernel::Linear;
  checkScoresOfPass(config);
  CHECK(whyNoComparingMatrix(config, AttentionSite::Self).starts_with("Its queries and keys go through φ"));
  config = wholeConfig();
  for (const Similarity similarity : {Similarity::Plain, Similarity::Shared}) {
    config.similarity = similarity;
    checkScoresOfPass(config);
    CHECK(whyNoComparingMatrix(config, AttentionSite::Self) == "");
  }
}

TEST_CASE("read out by one matrix or by none, what a head writes is what a pass adds") {
  for (const Readout readout : {Readout::OneMatrix, Readout::Rows}) {
    ModelConfig config = wholeConfig();
    config.readout = readout, config.kernel = AttentionKernel::Distance;
    const auto model = makeModel(config, 7);
    const HeadMatrices own = matricesOf(*model, {0, 1});
    LivePass live(model, 1);
    const auto trace = live.run(std::vector{3, 9}, {}, {});
    const Dense rows = tokensAlone(*model, {0, 1}, std::vector{3, 9}), written = rows * own.v * own.o;
    // z = A v, of the difference of two rows: A's have the sum 1, so that no bias counts.
    const TensorView pattern = (*trace)["blocks.0.attn.hook_pattern"][1],
                     z = (*trace)["blocks.0.attn.hook_z"];
    const double moved = static_cast<double>(pattern(1, 1)) - static_cast<double>(pattern(0, 1));
    REQUIRE(std::abs(moved) > 1e-3);
    for (int d = 0; d < config.width; ++d)
      CHECK(z(1, 1, d) - z(0, 1, d) == Approx(moved * (written(1, d) - written(0, d))).margin(1e-4));
    const TensorSet set = circuitsOf(*model, {0, 1}, {3, 5, 7});
    CHECK_FALSE(set.contains(circuit::score));  // distances alone
    CHECK(set[circuit::ov].extent[0] == config.width);
    CHECK(std::isfinite(set[circuit::promotion](0)));
  }
}

TEST_CASE("scores under a soft cap prefer the same keys, and are told before the cap") {
  ModelConfig config = wholeConfig();
  const auto tokens = allTokens(config);
  const TensorSet plain = circuitsOf(*makeModel(config, 7), {0, 3}, tokens);
  config.scoreCap = 2;
  const TensorSet capped = circuitsOf(*makeModel(config, 7), {0, 3}, tokens);
  CHECK(whyNoCircuits(config, AttentionSite::Self) == "");
  CHECK(capped[circuit::key].copy() == plain[circuit::key].copy());
  CHECK(capped[circuit::score].copy() == plain[circuit::score].copy());
}

TEST_CASE("stopped, nothing is said of circuits") {
  TensorSet set;
  measureHeadCircuits(*makeModel(smallConfig()), {0, 0}, std::vector{1, 2}, set,
                      [](int, int) { return false; });
  CHECK(set.count() == 0);
}
