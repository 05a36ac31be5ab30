#include "core/lens/edge_effects.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/ablation.h"
#include "core/lens/part_effects.h"
#include "core/model/positional/positional_encodings.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

std::size_t senderCalled(const ModelEdges& edges, const std::string& name) {
  const auto found =
      std::ranges::find_if(edges.senders, [&](const ContributionPart& part) { return nameOf(part) == name; });
  REQUIRE(found != edges.senders.end());
  return static_cast<std::size_t>(found - edges.senders.begin());
}
std::size_t receiverCalled(const ModelEdges& edges, const std::string& name) {
  const auto found = std::ranges::find_if(
      edges.receivers, [&](const EdgeReceiver& receiver) { return nameOf(receiver) == name; });
  REQUIRE(found != edges.receivers.end());
  return static_cast<std::size_t>(found - edges.receivers.begin());
}

}  // namespace

TEST_CASE("an edge left out takes from values what its sender made of them, written out") {
  for (const bool shared : {false, true}) {
    ModelConfig config = smallConfig();
    if (shared) config.keyValueHeads = 2;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(std::vector{3, 9, 9, 20, 7}, {}, {});
    const ModelEdges edges = edgesOf(*model);
    const std::size_t s = senderCalled(edges, "L0 MLP"),
                      r = receiverCalled(edges, shared ? "L1H2-3.v" : "L1H3.v");
    const auto without = live.run(trace->tokens(), {TextEdges(*model, edges, *trace).leftOut(s, r)}, {});
    const int D = config.width, K = config.headWidth(), own = shared ? 1 : 3,
              first = D + (shared ? 2 : 4) * K + own * K;
    const TensorView mlp = (*trace)["blocks.0.hook_mlp_out"], sigma = (*trace)["blocks.1.ln1.hook_scale"],
                     gamma = model->parameters()["h.1.ln_1.weight"],
                     weight = model->parameters()["h.1.attn.c_attn.weight"];
    for (int t = 0; t < 5; ++t)
      for (int k = 0; k < K; ++k) {
        double mean = 0, made = 0;
        for (int d = 0; d < D; ++d) mean += static_cast<double>(mlp(t, d)) / D;
        for (int d = 0; d < D; ++d)
          made += (static_cast<double>(mlp(t, d)) - mean) / static_cast<double>(sigma(t, 0)) *
                  static_cast<double>(gamma(d)) * static_cast<double>(weight(d, first + k));
        CHECK((*without)["blocks.1.attn.hook_v"](t, own, k) ==
              Approx(static_cast<double>((*trace)["blocks.1.attn.hook_v"](t, own, k)) - made).margin(1e-5));
      }
    const auto rises = leaveOutEdges(live, edges, *trace, {});
    REQUIRE(rises);
    CHECK(rises->view()(static_cast<int>(s), static_cast<int>(r)) ==
          effectOn(tokenLossesOf(*trace), tokenLossesOf(*without)).loss);
    CHECK_FALSE(leaveOutEdges(live, edges, *trace, {}, {}, [](int, int) { return false; }));
  }
}

TEST_CASE("without all that was written queries are their biases, and no edge leads backwards") {
  ModelConfig config = smallConfig();
  config.norm = NormKind::Rms, config.biases = Biases::None;
  const auto model = makeModel(config);
  LivePass live(model, 1);
  const auto trace = live.run(std::vector{3, 9, 9, 20}, {}, {});
  const ModelEdges edges = edgesOf(*model);
  const std::size_t to = receiverCalled(edges, "L1H3.q");
  const TextEdges text(*model, edges, *trace);
  Interventions all;
  for (std::size_t s = 0; s < edges.senders.size(); ++s) all.push_back(text.leftOut(s, to));
  const auto without = live.run(trace->tokens(), all, {});
  for (int t = 0; t < 4; ++t)
    for (int k = 0; k < config.headWidth(); ++k) {
      CHECK((*without)["blocks.1.attn.hook_q"](t, 3, k) == Approx(0).margin(1e-5));
      CHECK((*without)["blocks.1.attn.hook_q"](t, 2, k) == (*trace)["blocks.1.attn.hook_q"](t, 2, k));
    }
  const std::size_t early = receiverCalled(edges, "L0H0.q"), head = senderCalled(edges, "L0H0");
  CHECK_FALSE(edges.leads(head, early));
  CHECK(edges.leads(head, to));
  CHECK(std::isnan(
      leaveOutEdges(live, edges, *trace, {})->view()(static_cast<int>(head), static_cast<int>(early))));
}

TEST_CASE("every model whose stream can be followed has edges, others say why not") {
  forEachMember([](const ModelConfig& config) {
    if (!whyNoEdges(config).empty()) return;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const std::vector<int> source = config.isEncoderDecoder() ? std::vector{1, 2} : std::vector<int>{};
    const auto trace = live.run(std::vector{3, 9, 20}, {}, source);
    CHECK(std::isfinite(leaveOutEdges(live, edgesOf(*model), *trace, {})->view()(0, 0)));
  });
  ModelConfig config = smallConfig();
  config.normPlacement = NormPlacement::Residual;
  CHECK(whyNoEdges(config).starts_with("its sublayers add to a norm"));
  config.residual = false;
  CHECK(whyNoEdges(config).starts_with("without residual connections"));
}

// (x − mean) / √(var + ε) · γ + β of one row.
std::vector<double> layerNormed(const Transformer& model, const std::string& norm,
                                const std::vector<double>& x) {
  const TensorView gamma = model.parameters()[norm + ".weight"], beta = model.parameters()[norm + ".bias"];
  double mean = 0, square = 0;
  for (const double value : x) mean += value / static_cast<double>(x.size());
  for (const double value : x) square += (value - mean) * (value - mean) / static_cast<double>(x.size());
  std::vector<double> normed;
  for (std::size_t d = 0; d < x.size(); ++d)
    normed.push_back((x[d] - mean) / std::sqrt(square + static_cast<double>(model.config().normEpsilon)) *
                         static_cast<double>(gamma(static_cast<int>(d))) +
                     static_cast<double>(beta(static_cast<int>(d))));
  return normed;
}

TEST_CASE("behind norms after the sums a head reads the stream without its sender, all norms computed anew") {
  ModelConfig config = smallConfig();
  config.normPlacement = NormPlacement::Post;
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly}) {
    config.stack = stack;
    if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(std::vector{3, 9, 9, 20, 7}, {}, {});
    const ModelEdges edges = edgesOf(*model);
    const std::size_t s = senderCalled(edges, "L0H2"), r = receiverCalled(edges, "L1H1.k");
    const auto without = live.run(trace->tokens(), {TextEdges(*model, edges, *trace).leftOut(s, r)}, {});
    const int D = config.width, K = config.headWidth();
    const TensorView x = (*trace)[blockPoint(config, 0, "hook_resid_pre")],
                     attention = (*trace)[blockPoint(config, 0, "hook_attn_out")],
                     mlp = (*trace)[blockPoint(config, 0, "hook_mlp_out")],
                     z = (*trace)[blockPoint(config, 0, "attn.hook_z")],
                     output = model->parameters()["h.0.attn.c_proj.weight"],
                     weight = model->parameters()["h.1.attn.c_attn.weight"],
                     bias = model->parameters()["h.1.attn.c_attn.bias"];
    for (int t = 0; t < 5; ++t) {
      std::vector<double> row;
      for (int d = 0; d < D; ++d) {
        double head = 0;
        for (int k = 0; k < K; ++k)
          head += static_cast<double>(z(t, 2, k)) * static_cast<double>(output(2 * K + k, d));
        row.push_back(static_cast<double>(x(t, d)) + static_cast<double>(attention(t, d)) - head);
      }
      row = layerNormed(*model, "h.0.ln_1", row);
      for (int d = 0; d < D; ++d) row[static_cast<std::size_t>(d)] += static_cast<double>(mlp(t, d));
      row = layerNormed(*model, "h.0.ln_2", row);
      for (int k = 0; k < K; ++k) {
        double key = static_cast<double>(bias(D + K + k));
        for (int d = 0; d < D; ++d)
          key += row[static_cast<std::size_t>(d)] * static_cast<double>(weight(d, D + K + k));
        CHECK((*without)[blockPoint(config, 1, "attn.hook_k")](t, 1, k) == Approx(key).margin(1e-4));
      }
    }
    const float rise = leaveOutEdges(live, edges, *trace, {}, {.gaps = {1, 3}})
                           ->view()(static_cast<int>(s), static_cast<int>(r));
    if (stack == Stack::DecoderOnly) {
      CHECK(rise == effectOn(tokenLossesOf(*trace), tokenLossesOf(*without)).loss);
      continue;
    }
    double divergence = 0;  // KL at both gaps, written down
    for (const int t : {1, 3}) {
      double sumP = 0, sumQ = 0;
      const TensorView p = (*trace)["logits"][t], q = (*without)["logits"][t];
      for (int v = 0; v < config.vocabulary; ++v)
        sumP += std::exp(static_cast<double>(p(v))), sumQ += std::exp(static_cast<double>(q(v)));
      for (int v = 0; v < config.vocabulary; ++v) {
        const double share = std::exp(static_cast<double>(p(v))) / sumP;
        divergence += share * std::log(share / (std::exp(static_cast<double>(q(v))) / sumQ)) / 2;
      }
    }
    CHECK(rise == Approx(divergence).margin(1e-6));
  }
}

TEST_CASE("without its embedding a post-norm model's first block reads nothing") {
  ModelConfig config = smallConfig();
  config.normPlacement = NormPlacement::Post, config.biases = Biases::None;
  config.positions = findPositionalEncoding("none");
  const auto model = makeModel(config);
  LivePass live(model, 1);
  const auto trace = live.run(std::vector{3, 9, 20}, {}, {});
  const ModelEdges edges = edgesOf(*model);
  const auto off = TextEdges(*model, edges, *trace)
                       .leftOut(senderCalled(edges, "embedding"), receiverCalled(edges, "L0H1.v"));
  const auto without = live.run(trace->tokens(), {off}, {});
  for (int k = 0; k < config.headWidth(); ++k)
    CHECK((*without)["blocks.0.attn.hook_v"](2, 1, k) == Approx(0).margin(1e-5));
}

TEST_CASE(
    "a graph of all edges is the whole pass, and one without some leaves out what is made in it itself") {
  for (const NormPlacement placement : {NormPlacement::Pre, NormPlacement::Post}) {
    ModelConfig config = smallConfig();
    config.normPlacement = placement;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(std::vector{3, 9, 9, 20, 7}, {}, {});
    const ModelEdges edges = edgesOf(*model);
    const auto whole = passOfEdges(live, edges, *trace, {}, [](auto, auto) { return true; });
    CHECK((*whole)["logits"].copy() == (*trace)["logits"].copy());
    CHECK(reproducedBy(config, *trace, *whole).told == 0);
    CHECK(reproducedBy(config, *trace, *whole).answers == 1);
    // Two edges, the one behind the other: the second lacks what the head makes without the first.
    const std::size_t s0 = senderCalled(edges, "embedding"), r0 = receiverCalled(edges, "L0H2.v"),
                      s1 = senderCalled(edges, "L0H2"), r1 = receiverCalled(edges, "L1H1.k");
    const auto alone = passOfEdges(live, edges, *trace, {}, [&](std::size_t s, std::size_t r) {
      return !(s == s0 && r == r0) && !(s == s1 && r == r1);
    });
    const Intervention first = TextEdges(*model, edges, *trace).leftOut(s0, r0);
    const auto between = live.run(trace->tokens(), {first}, {});
    const Intervention second = TextEdges(*model, edges, *between).leftOut(s1, r1),
                       stale = TextEdges(*model, edges, *trace).leftOut(s1, r1);
    const auto expected = live.run(trace->tokens(), {first, second}, {}),
               other = live.run(trace->tokens(), {first, stale}, {});
    CHECK((*alone)["logits"].copy() == (*expected)["logits"].copy());
    CHECK((*alone)["logits"].copy() != (*other)["logits"].copy());
    // Without any edge queries and keys are the same at every token: heads look evenly.
    config.positions = findPositionalEncoding("none"), config.biases = Biases::None,
    config.norm = NormKind::Rms;
    const auto plain = makeModel(config);
    LivePass bare(plain, 1);
    const auto text = bare.run(std::vector{3, 9, 20}, {}, {});
    const auto none = passOfEdges(bare, edgesOf(*plain), *text, {}, [](auto, auto) { return false; });
    for (const char* point : {"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_pattern"})
      for (int s = 0; s < 3; ++s) CHECK((*none)[point](1, 2, s) == Approx(1.0 / 3).margin(1e-5));
  }
}

TEST_CASE(
    "of a logit, its lead or all probabilities edges tell what leaving them out does, and estimates are "
    "slopes") {
  for (const NormPlacement placement : {NormPlacement::Pre, NormPlacement::Post}) {
    INFO("norms " << static_cast<int>(placement));
    ModelConfig config = smallConfig();
    config.normPlacement = placement;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(std::vector{3, 9, 9, 20, 7, 11}, {}, {});
    const ModelEdges edges = edgesOf(*model);
    const TextEdges text(*model, edges, *trace);
    const AnswerMetric alone{{4, 13}}, lead{{4, 13}, 30};
    using Kind = Metric::Kind;
    const EdgeAblation logit(*model, edges, *trace, {}, {.kind = Kind::Answer, .of = alone}),
        ahead(*model, edges, *trace, {}, {.kind = Kind::Answer, .of = lead}),
        moved(*model, edges, *trace, {}, {.kind = Kind::Divergence, .of = alone});
    const Tensor slopes = ahead.estimates(), guesses = moved.estimates(), ofLogit = logit.estimates();
    int held = 0;
    for (std::size_t r = 0; r < edges.receivers.size(); r += 2)
      for (std::size_t s = 0; s < edges.senders.size(); s += 3) {
        const int row = static_cast<int>(s), column = static_cast<int>(r);
        if (!edges.leads(s, r)) {
          CHECK(std::isnan(slopes.view()(row, column)));
          continue;
        }
        const Intervention out = text.leftOut(s, r);
        const AblationEffect one = leaveOut(live, *trace, {}, out, alone),
                             two = leaveOut(live, *trace, {}, out, lead);
        CHECK(logit.without(live, s, r) == Approx(one.logit).margin(1e-5));
        CHECK(ahead.without(live, s, r) == Approx(two.logit).margin(1e-5));
        CHECK(moved.without(live, s, r) == Approx(one.divergence).margin(1e-6));
        CHECK(guesses.view()(row, column) == ofLogit.view()(row, column));
        // A hundredth of the edge left out, a hundredth put in besides.
        const auto leadBy = [&](float share) {
          Intervention part = out;
          Tensor scaled = *out.tensor;
          for (float& value : scaled.values()) value *= share;
          part.tensor = std::make_shared<const Tensor>(std::move(scaled));
          return double{leaveOut(live, *trace, {}, part, lead).logit};
        };
        CHECK(slopes.view()(row, column) == Approx((leadBy(0.01f) - leadBy(-0.01f)) / 0.02).margin(2e-3));
        ++held;
      }
    CHECK(held > 20);
    // The whole graph reproduces all of it, and no edge at all something else.
    const auto graph = [&](bool all) {
      return passOfEdges(live, edges, *trace, {}, [all](std::size_t, std::size_t) { return all; });
    };
    const Metric telling{.kind = Kind::Answer, .of = lead};
    CHECK(reproducedBy(config, *trace, *graph(true), telling).told == 0);
    const auto none = graph(false);
    const TensorView before = (*trace)["logits"][4], after = (*none)["logits"][4];
    CHECK(reproducedBy(config, *trace, *none, telling).told ==
          Approx((after(13) - after(30)) - (before(13) - before(30))).margin(1e-5));
  }
}

TEST_CASE("of a text among many edges tell of its own answer where it ends, or in its first gap") {
  using Kind = Metric::Kind;
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderOnly}) {
    ModelConfig config = smallConfig();
    config.stack = stack;
    if (stack == Stack::EncoderOnly) config.mask.kind = MaskKind::None;
    const bool fillsGaps = stack == Stack::EncoderOnly;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const auto trace = live.run(std::vector{3, 9, 9, 20, 7}, {}, {});
    const std::vector<int> gaps = fillsGaps ? std::vector{2, 3} : std::vector<int>{};
    const int at = fillsGaps ? 2 : 4;
    // The largest logit, and the next one.
    const std::vector<float> z = (*trace)["logits"][at].copy();
    std::vector<int> order(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, std::greater<>(), [&](int v) { return z[static_cast<std::size_t>(v)]; });
    CHECK(ownMetric(Kind::Loss, AnswerMetric::As::Logit, false, *trace, gaps) == Metric{.gaps = gaps});
    CHECK(ownMetric(Kind::Answer, AnswerMetric::As::Logit, false, *trace, gaps).of ==
          AnswerMetric{{at, order[0]}, -1});
    CHECK(ownMetric(Kind::Divergence, AnswerMetric::As::Logit, true, *trace, gaps).of ==
          AnswerMetric{{at, order[0]}, -1});
    const Metric lead = ownMetric(Kind::Answer, AnswerMetric::As::Logit, true, *trace, gaps);
    CHECK(lead.of == AnswerMetric{{at, order[0]}, order[1]});
    const ModelEdges edges = edgesOf(*model);
    const std::size_t s = senderCalled(edges, "L0H2"), r = receiverCalled(edges, "L1H1.v");
    const AblationEffect out =
        leaveOut(live, *trace, {}, TextEdges(*model, edges, *trace).leftOut(s, r), lead.of);
    const auto told = leaveOutEdges(live, edges, *trace, {}, lead);
    CHECK(told->view()(static_cast<int>(s), static_cast<int>(r)) == Approx(out.logit).margin(1e-5));
    const auto moved = leaveOutEdges(
        live, edges, *trace, {}, ownMetric(Kind::Divergence, AnswerMetric::As::Logit, false, *trace, gaps));
    CHECK(moved->view()(static_cast<int>(s), static_cast<int>(r)) == Approx(out.divergence).margin(1e-6));
  }
}
