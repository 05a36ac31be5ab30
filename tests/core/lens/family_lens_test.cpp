// What the lenses measure on every member of the family, against what the trace says.
#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/attention_plane.h"
#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/head_circuits.h"
#include "core/lens/lens_grid.h"
#include "core/lens/logit_lens.h"
#include "core/lens/next_tokens.h"
#include "core/lens/ov_decomposition.h"
#include "core/lens/pattern_overview.h"
#include "core/lens/position_scores.h"
#include "core/lens/positions.h"
#include "core/lens/qk_decomposition.h"
#include "core/lens/residual_cosines.h"
#include "core/lens/residual_stream.h"
#include "core/lens/scores.h"
#include "core/model/read_out.h"
#include "core/trace/derived.h"
#include "tests/core/model/family_members.h"
#include "tests/core/model/reference_family.h"

using namespace glassformer;
using Catch::Approx;

namespace {

struct Measured {
  explicit Measured(const ModelConfig& c) : config(c), model(makeModel(c)) {
    LivePass live(model, 1);
    trace = live.run(randomTokens(9, 1), {}, randomTokens(c.isEncoderDecoder() ? 6 : 0, 2));
  }
  std::vector<AttentionSite> sites() const {
    if (!config.hasAttention()) return {};
    if (!config.isEncoderDecoder()) return {AttentionSite::Self};
    return {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Cross};
  }

  ModelConfig config;
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Trace> trace;
  TensorSet set;
};

double sumOfRow(const TensorView& table, int t) {
  double sum = 0;
  for (int i = 0; i < table.extent[1]; ++i) sum += table(t, i);
  return sum;
}

}  // namespace

TEST_CASE("parts sum to the final stream and to the logits, wherever the stream is a sum") {
  forEachMember([](const ModelConfig& config) {
    Measured m(config);
    measureContributions(*m.model, *m.trace, m.set);
    measureLogitAttribution(*m.model, *m.trace, 3, m.set);
    measureLogitAttribution(*m.model, *m.trace, 3, m.set, noProgress, LogitBase::Centred);
    const auto meanLogit = [&](int t) { return sumOfRow((*m.trace)["logits"], t) / config.vocabulary; };
    REQUIRE(m.set.contains("lens.contribution") == isSumOfParts(config));
    REQUIRE(m.set.contains(logitAttributionOf(3)) == isLogitSumOfParts(config));
    for (int t = 0; t < 9; ++t) {
      if (isSumOfParts(config)) CHECK(sumOfRow(m.set["lens.contribution"], t) == Approx(1).epsilon(1e-4));
      if (isLogitSumOfParts(config))
        CHECK(sumOfRow(m.set[logitAttributionOf(3)], t) ==
              Approx((*m.trace)["logits"](t, 3)).epsilon(1e-4).margin(1e-5));
      if (isLogitSumOfParts(config))
        CHECK(sumOfRow(m.set[logitAttributionOf(3, LogitBase::Centred)], t) ==
              Approx((*m.trace)["logits"](t, 3) - meanLogit(t)).epsilon(1e-4).margin(1e-5));
    }
  });
}

TEST_CASE(
    "embeddings that are normalized are one part, types are another, and the unembedding's bias is told") {
  const auto partsOf = [](const ModelConfig& config, int more = 0) {
    const auto model = makeModel(config);
    std::string names;
    for (int i = 0; i < static_cast<int>(contributionParts(*model).size()) + more; ++i)
      names += nameOf(contributionPart(*model, i)) + ", ";
    return names;
  };
  ModelConfig config{.layers = 1, .heads = 1, .width = 12, .feedForward = 8, .vocabulary = 5};
  config.tokenTypes = 2;
  CHECK(partsOf(config) == "embedding, position, type, L0H0, L0 b_O, L0 MLP, ");
  config.normedEmbedding = true;
  CHECK(partsOf(config, 2) == "embedding, L0H0, L0 b_O, L0 MLP, norm β, b_U, ");
  CHECK(pointOf(config, contributionPart(*makeModel(config), 0)) == "embed.ln.hook_normalized");
}

// With weights of which none is 0 or 1, where a bias that is left out would not show.
TEST_CASE("what is read out of the last place, and what its parts add, are PyTorch's logits") {
  for (const ReferenceMember& member : referenceFamily()) {
    INFO(member.file);
    const auto model =
        std::make_shared<const Transformer>(member.config, member.values.weights(member.config));
    LivePass live(model, 1);
    const auto trace = live.run(member.tokens(), {}, member.source());
    const auto places = residualPlaces(*model);
    const int T = trace->tokenCount(), V = member.config.vocabulary;
    ReadOut readOut(*model, T);
    for (int t = 0; t < T; ++t) readOut.put(t, (*trace)[places.back().passedOn][t]);
    const TensorView logits = readOut.logits(T);
    const std::vector<float> theirs = member.values.values("trace.logits");
    CHECK(worst(logits.copy(), theirs) < 1e-4);
    const bool isCapped = member.config.logitCap > 0;  // parts add up to what is capped then
    const std::vector<float> added = isCapped ? member.values.values("trace.unembed.hook_out") : theirs;
    TensorSet set;
    measureLogitAttribution(*model, *trace, 3, set);
    REQUIRE(set.contains(logitAttributionOf(3)) == isLogitSumOfParts(member.config));
    for (int t = 0; t < T && isLogitSumOfParts(member.config); ++t)
      CHECK(sumOfRow(set[logitAttributionOf(3)], t) ==
            Approx(added[static_cast<std::size_t>(t * V + 3)]).epsilon(1e-4).margin(1e-5));
  }
}

TEST_CASE("scores by positions and by all else add up, also behind a norm of the embeddings") {
  for (const bool pre : {true, false}) {
    ModelConfig config = smallConfig();
    config.normedEmbedding = true, config.tokenTypes = 2, config.stack = Stack::EncoderOnly;
    config.mask.kind = MaskKind::None;
    config.normPlacement = pre ? NormPlacement::Pre : NormPlacement::Post;
    Measured m(config);
    const HeadId head{0, 1};
    measurePositionScores(*m.model, *m.trace, head, m.set);
    const TensorView alone = m.set[positionScoresOf(head)];
    const TensorView P = (*m.trace)["hook_pos_embed"], gammaE = m.model->parameters()["ln_embed.weight"],
                     sigmaE = (*m.trace)["embed.ln.hook_scale"],
                     W = m.model->parameters()["h.0.attn.c_attn.weight"],
                     gamma = m.model->parameters()["h.0.ln_1.weight"];
    const int D = config.width, K = config.headWidth();
    const auto normalized = [&](int t) {
      std::vector<double> p(static_cast<std::size_t>(D));
      const auto through = [&](const TensorView& g, double scale) {
        double mean = 0;
        for (const double x : p) mean += x / D;
        for (int d = 0; d < D; ++d) {
          double& x = p[static_cast<std::size_t>(d)];
          x = g(d) * (x - mean) / scale;
        }
      };
      for (int d = 0; d < D; ++d) p[static_cast<std::size_t>(d)] = P(t, d);
      through(gammaE, sigmaE(t, 0));
      if (pre) through(gamma, (*m.trace)["blocks.0.ln1.hook_scale"](t, 0));
      return p;
    };
    const auto projected = [&](int t, int column) {
      const auto p = normalized(t);
      double sum = 0;
      for (int d = 0; d < D; ++d) sum += p[static_cast<std::size_t>(d)] * W(d, column);
      return sum;
    };
    for (const auto& [t, s] : {std::pair{0, 0}, {3, 1}, {2, 7}}) {
      double score = 0;
      for (int k = 0; k < K; ++k)
        score += projected(t, head.head * K + k) * projected(s, D + head.head * K + k);
      CHECK(alone(t, s) == Approx(score / std::sqrt(static_cast<double>(K))).epsilon(1e-3).margin(1e-5));
    }
  }
}

TEST_CASE("unmasked scores are the trace's own where the mask allows") {
  forEachMember([](const ModelConfig& config) {
    const Measured m(config);
    for (const AttentionSite site : m.sites())
      for (const int head : {0, 3}) {
        const Tensor all = unmaskedScores(*m.model, *m.trace, 1, site);
        const TensorView scores = all.view()[head];
        const TensorView traced = (*m.trace)[attentionPoint(1, site, "hook_attn_scores")];
        for (int t = 0; t < traced.extent[1]; ++t)
          for (int s = 0; s < traced.extent[2]; ++s) {
            const bool own = site == AttentionSite::Self || site == AttentionSite::Decoder;
            if (own && !config.mask.allows(t, s)) continue;
            CHECK(scores(t, s) == Approx(traced(head, t, s)).epsilon(1e-4).margin(1e-5));
          }
      }
  });
}

TEST_CASE("the logit lens ends with what the model says") {
  forEachMember([](const ModelConfig& config) {
    Measured m(config);
    measureLogitLens(*m.model, *m.trace, 4, m.set);
    measureLensGrid(*m.model, *m.trace, m.set);
    const auto places = residualPlaces(*m.model);
    ReadOut readOut(*m.model, 1);
    readOut.put(0, (*m.trace)[places.back().passedOn][4]);
    const TensorView read = readOut.logits(1), logits = (*m.trace)["logits"];
    for (int v = 0; v < config.vocabulary; ++v) CHECK(read(0, v) == logits(4, v));
    CHECK(m.set["lens.next_token"].extent[0] == static_cast<int>(places.size()));
  });
}

TEST_CASE("what every place says, and what every sublayer promotes, is what its read-out gives again") {
  forEachMember([](const ModelConfig& config) {
    Measured m(config);
    measureLogitLens(*m.model, *m.trace, 4, m.set);
    measureLensGrid(*m.model, *m.trace, m.set);
    const int P = static_cast<int>(residualPlaces(*m.model).size());
    for (const char* const name :
         {"lens.next_token", lens_grid::probability, lens_grid::promotion, lens_grid::suppression})
      for (int place = 0; place < P; ++place) {
        INFO(name << " at " << place);
        const Index at{place, 4};
        const OpenPasses open = m.set.across(name, at);
        const bool isPlain = m.set[name].extent[1] != 9 || name == std::string_view(lens_grid::probability);
        CHECK(static_cast<bool>(open) == (isPlain ? place + 1 < P : place > 0));
        if (!open) continue;
        const MultiPassDerivation made = open();
        CHECK(made.derivation.value() == Approx(m.set[name](place, 4)).epsilon(1e-4).margin(1e-6));
        // Behind the norm, what it is made of is the pass's own.
        const Trace& stopped = *made.passes.front().trace;
        const std::string norm = stackPoint(config, "ln_final.hook_normalized");
        if (!stopped.contains(norm) || stopped.count() == m.trace->count()) continue;
        const auto normalized = stopped.derive(norm, {4, 2});
        REQUIRE(normalized);
        CHECK(m.trace->locate(normalized->terms[normalized->chosen].factor));
      }
  });
}

TEST_CASE("places, norms, cosines and attention planes are measured on every member") {
  forEachMember([](const ModelConfig& config) {
    Measured m(config);
    measureResidualStream(*m.model, *m.trace, m.set);
    measureResidualCosines(*m.model, *m.trace, m.set);
    measureNormScales(*m.model, *m.trace, m.set);
    measurePositions(*m.model, m.set);
    measurePatternOverview(*m.trace, config, m.set);
    const auto places = residualPlaces(*m.model);
    const std::size_t sublayers =
        (config.hasSingleResidualAdd() ? 1 : 2) + (config.isEncoderDecoder() ? 1 : 0);
    CHECK(places.size() == 1 + sublayers * static_cast<std::size_t>(config.layers));
    for (const ResidualPlace& place : places) {
      CHECK(m.trace->contains(place.point));
      CHECK(m.trace->contains(place.passedOn));
      if (!place.normScale.empty()) CHECK(m.trace->contains(place.normScale));
    }
    for (const AttentionSite site : m.sites()) {
      const HeadId first{0, 1, site}, second{1, 2, site};
      for (const AttentionQuantity quantity : {AttentionQuantity::Scores, AttentionQuantity::ValueWeighted,
                                               AttentionQuantity::ValueWeightedExcess})
        for (const RowOrder order : {RowOrder::Text, RowOrder::Focus}) {
          const AttentionPlane plane{quantity, HeadFold::Average, {first, second}, true, order, 0};
          measureAttention(*m.model, *m.trace, plane, m.set);
          const TensorView values = m.set[tensorOf(plane)];
          CHECK(values.extent[0] == (queriesOf(site) == Stream::Source ? 6 : 9));
          CHECK(values.extent[1] == (keysOf(site) == Stream::Source ? 6 : 9));
        }
      // What a head moves, row by row, is the pattern times the length of what each key hands on.
      const AttentionPlane moved{
          AttentionQuantity::ValueWeighted, HeadFold::One, {second}, false, RowOrder::Text, 0};
      measureAttention(*m.model, *m.trace, moved, m.set);
      const TensorView pattern = (*m.trace)[attentionPoint(1, site, "hook_pattern")],
                       plane = m.set[tensorOf(moved)];
      const TensorView norms = m.set["lens.value_norm." + nameOf(second)];
      CHECK(plane(4, 2) == Approx(pattern(2, 4, 2) * norms(2)));
    }
  });
}

TEST_CASE("the encoder's residual stream is measured like the decoder's, token by token of the source") {
  forEachMember([](const ModelConfig& config) {
    if (!config.isEncoderDecoder()) return;
    Measured m(config);
    measureResidualStream(*m.model, *m.trace, m.set, Stream::Source);
    measureResidualCosines(*m.model, *m.trace, m.set, Stream::Source);
    measureNormScales(*m.model, *m.trace, m.set, Stream::Source);
    const TensorView norms = m.set["lens.encoder.residual_norm"], x = (*m.trace)["encoder.1.hook_resid_post"];
    const int last = norms.extent[0] - 1, S = static_cast<int>(m.trace->source().size());
    CHECK(norms.extent[1] == S);
    CHECK_FALSE(m.set.contains("lens.encoder.cross_attention_norm"));
    for (int s = 0; s < S; ++s) {
      double square = 0;
      for (int d = 0; d < config.width; ++d) square += static_cast<double>(x(s, d)) * x(s, d);
      CHECK(norms(last, s) == Approx(std::sqrt(square)));
      CHECK(m.set["lens.encoder.residual_cosine"](s, last, last) == Approx(1));
    }
    const TensorSet& set = m.set;
    CHECK(set.point(set.find("lens.encoder.norm_scale")).rows == Stream::Source);
  });
}

TEST_CASE("the scores of positions are measured where positions are added and compared") {
  forEachMember([](const ModelConfig& config) {
    for (const int layer : {0, 1}) {
      Measured m(config);
      const HeadId head{layer, 2, ownSite(config)};
      measurePositionScores(*m.model, *m.trace, head, m.set);
      REQUIRE(m.set.contains(positionScoresOf(head)) == hasPositionScores(config, head));
      if (!hasPositionScores(config, head)) continue;
      const TensorView alone = m.set[positionScoresOf(head)], others = m.set[otherScoresOf(head)];
      const Tensor ofLayer = unmaskedScores(*m.model, *m.trace, head.layer, head.site);
      const TensorView all = ofLayer.view()[head.head];
      CHECK(alone(5, 3) + others(5, 3) == Approx(all(5, 3)).margin(1e-5));
      CHECK(std::isfinite(alone(5, 3)));
    }
  });
}

// What the operations themselves wrote, and how the trace's values came about, is what the lenses' equations
// are held against.
TEST_CASE("the equations of lenses say what this model does: how scores are scaled, what norms take out") {
  const auto says = [](const std::string& equation, const std::string& words) {
    return equation.find(words) != std::string::npos;
  };
  forEachMember([&](const ModelConfig& config) {
    Measured m(config);
    const AttentionSite site = config.isEncoderDecoder() ? AttentionSite::Decoder : AttentionSite::Self;
    const HeadId head{1, 0, site};
    std::string scaled;
    if (config.hasAttention() && hasProducts(config, site)) {
      measureAttentionStages(*m.model, *m.trace, head, m.set);
      const auto equationOf = [&](const std::string& name) { return m.set.point(m.set.find(name)).equation; };
      scaled = scaledWords(config, 1);
      if (hasScaled(config, site)) {
        CHECK(equationOf(stageTensor(stages::scaled, head)) ==
              equationOf(stageTensor(stages::products, head)) + scaled);
        const float ratio =
            m.set[stageTensor(stages::scaled, head)](3, 2) / m.set[stageTensor(stages::products, head)](3, 2);
        CHECK(ratio == Approx(1 / std::sqrt(scaled.starts_with(" / √K") ? 8.f : 1.f) /
                              (scaled.ends_with(" / 2") ? 2.f : 1.f)));
      }
      CHECK(says(scoresEquation(*m.model, *m.trace, 1, site), " / √") == says(scaled, " / √"));
    }
    if (whyNoScoreTable(config, site).empty()) {
      measureScoreTable(*m.model, *m.trace, head, 3, 2, m.set);
      CHECK(m.set.point(m.set.find(score::dimensions)).equation == "q ⊙ k" + scaled);
      CHECK(m.set.point(m.set.find(score::table)).equation == "q_i · k_j" + scaled);
      const TracePoint& queries = m.set.point(m.set.find(score::queries));
      const std::string query = queries.equation + queries.meaning;
      CHECK(says(query, "mean") == (config.hasNorms() && config.norm == NormKind::Layer));
      CHECK(says(query, "/ rms") == (config.hasNorms() && config.norm == NormKind::Rms));
    }
    if (whyNoOutputTable(config, head).empty()) {
      measureOutputTable(*m.model, *m.trace, head, {{3, 2}}, m.set);
      const auto equationOf = [&](const char* name) {
        const TracePoint& point = m.set.point(m.set.find(name));
        return point.equation + point.meaning;
      };
      const std::string share = equationOf(output::values), worth = equationOf(output::worth);
      CHECK(says(share, "mean") == (config.hasNorms() && config.norm == NormKind::Layer));
      CHECK(says(share, "W_V") == (config.readout != Readout::Rows));
      const bool isNormedOn = config.hasSandwichNorm() || config.normPlacement == NormPlacement::Post ||
                              config.normPlacement == NormPlacement::Residual;
      CHECK(says(worth, "mean") ==
            (config.norm == NormKind::Layer && config.hasNorms() && (isNormedOn || config.finalNorm)));
      CHECK(says(worth, "W_O") == (config.readout == Readout::ValuesAndOutput));
      CHECK(says(worth, "√D") == config.scaledUnembedding);
    }
    if (whyNoCircuits(config, site).empty() && whyNoComparingMatrix(config, site).empty()) {
      const std::vector<int> some{1, 2, 3};
      measureHeadCircuits(*m.model, head, {some, some}, m.set);
      const bool isOwn = site == AttentionSite::Cross || config.similarity == Similarity::QueriesAndKeys;
      const std::string matrix = isOwn ? "W_Q W_Kᵀ" : config.similarity == Similarity::Shared ? "U Uᵀ" : "I";
      CHECK(m.set.point(m.set.find(circuit::qk)).equation == matrix + scaled);
    }
    measureLogitAttribution(*m.model, *m.trace, 3, m.set);
    const bool isNormed = config.hasNorms() && config.finalNorm;
    if (const int logit = m.set.find(logitAttributionOf(3)); logit >= 0) {
      CHECK(says(m.set.point(logit).equation, "mean") == (isNormed && config.norm == NormKind::Layer));
      CHECK(says(m.set.point(logit).equation, "√D") == config.scaledUnembedding);
    }
    measureLogitLens(*m.model, *m.trace, 4, m.set);
    const std::string lens = m.set.point(m.set.find("lens.next_token")).equation;
    CHECK(says(lens, "norm") == (isNormed || (config.headTransform && config.hasNorms())));
    CHECK(says(lens, "tanh") == (config.logitCap > 0));
    CHECK(says(lens, "√D") == config.scaledUnembedding);
    CHECK(says(lens, "b_U") == config.unembeddingBias);
  });
}

// With residual connections what comes is what was there and what was added, whatever norms do to either.
TEST_CASE("what a sublayer adds is told beside what it is added to") {
  forEachMember([](const ModelConfig& config) {
    Measured m(config);
    measureResidualStream(*m.model, *m.trace, m.set);
    CHECK(m.set.contains("lens.mlp_share") == (config.residual && m.set.contains("lens.mlp_norm")));
    if (!config.residual || config.normPlacement != NormPlacement::Pre || config.hasSingleResidualAdd())
      return;
    const TensorView x = (*m.trace)[blockPoint(config, 1, "hook_resid_pre")];
    double square = 0;
    for (int d = 0; d < config.width; ++d) square += static_cast<double>(x(2, d)) * x(2, d);
    for (const char* by : {"attention", "recurrence", "convolution"})
      if (const std::string name = std::string("lens.") + by; m.set.contains(name + "_share"))
        CHECK(m.set[name + "_share"](1, 2) ==
              Approx(m.set[name + "_norm"](1, 2) / std::sqrt(square)).epsilon(1e-5));
  });
}
