#include "core/lens/position_scores.h"

#include <cmath>
#include <numeric>

#include "core/lens/equation_words.h"
#include "core/lens/scores.h"
#include "core/model/catalogue.h"
#include "core/model/positional/positional_encoding.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

bool readsNormed(const ModelConfig& config) {
  return config.normalizesInputs() || config.normPlacement == NormPlacement::Residual;
}

// γ_d (x_d − mean(x)) / σ of a row, the scale σ being that of the whole stream.
Derivation normalizedCell(bool centred, const TensorView& gamma, float scale, const TensorView& x, int d) {
  const int D = x.extent[0];
  Derivation made{.terms = {{&x(d), &gamma(d), 1 / scale}}};
  for (int i = 0; centred && i < D; ++i)
    made.terms.push_back({&x(i), &gamma(d), -1 / (scale * static_cast<float>(D))});
  return made;
}

// n_p [T, D], the norms' scales from the trace: of each norm on the way what leaves it.
TensorView normalizedPositions(const Transformer& model, const Trace& trace, HeadId head, TensorSet& set) {
  const ModelConfig& config = model.config();
  const Stream stream = queriesOf(head.site);
  TensorView normalized = trace[stackPoint(config, "hook_pos_embed", stream)];
  const std::string stack = head.site == AttentionSite::Encoder ? "encoder." : "";
  const auto through = [&](const std::string& norm, const std::string& scalePoint) {
    const TensorView x = normalized, scale = trace[scalePoint],
                     gamma = model.parameters()[stack + norm + ".weight"];
    const std::string name = "lens.position_normed." + norm + "." + nameOf(head);
    const bool centred = config.norm == NormKind::Layer;
    Tensor values({x.extent[0], x.extent[1]});
    for (int t = 0; t < x.extent[0]; ++t) {
      const double mean = centred ? std::accumulate(&x(t, 0), &x(t, 0) + x.extent[1], 0.0) / x.extent[1] : 0;
      for (int d = 0; d < x.extent[1]; ++d)
        values(t, d) = static_cast<float>(gamma(d) * (x(t, d) - mean) / scale(t, 0));
    }
    set.add({name, "TD", "output of a norm for the positions, with the scale of its whole input",
             "γ ⊙ (p − mean(p)) / σ", stream, stream},
            std::move(values), [=](const Index& at) {
              return normalizedCell(centred, gamma, scale(at[0], 0), x[at[0]], at[1]);
            });
    normalized = set[name];
  };
  if (config.normsEmbedding()) through("ln_embed", stackPoint(config, "embed.ln.hook_scale", stream));
  if (readsNormed(config))
    through("h." + std::to_string(head.layer) + ".ln_1",
            blockPoint(config, head.layer, "ln1.hook_scale", stream));
  return normalized;
}

// n · W for one head's columns, without the bias [T, K]. `first` is its column in W_QKV [D, 3D].
TensorView projected(const TensorView& n, const TensorView& weight, int first, int K, TracePoint point,
                     TensorSet& set) {
  const int T = n.extent[0], D = n.extent[1];
  Tensor result({T, K});
  kernels().multiply({T, K, D, n.data, n.stride[0], n.stride[1], &weight(0, first), weight.stride[0],
                      weight.stride[1], result.values().data(), K});
  const std::string name = point.name;
  set.add(std::move(point), std::move(result), [=](const Index& at) {
    Derivation dot;
    for (int d = 0; d < D; ++d) dot.terms.push_back({&n(at[0], d), &weight(d, first + at[1])});
    return dot;
  });
  return set[name];
}

}  // namespace

std::string positionScoresOf(HeadId head) { return "lens.position_scores." + nameOf(head); }
std::string otherScoresOf(HeadId head) { return "lens.other_scores." + nameOf(head); }

bool hasPositionScores(const ModelConfig& config, HeadId head) {
  const bool normedOnTheWay =
      config.normPlacement == NormPlacement::Post || config.normPlacement == NormPlacement::Residual;
  return config.hasAttention() && config.positions->isAdded() && head.site != AttentionSite::Cross &&
         !(normedOnTheWay && head.layer > 0) && !hasNormedQueries(config) &&
         config.similarity != Similarity::Plain && config.scoreCap == 0 &&
         config.kernel != AttentionKernel::Linear && config.kernel != AttentionKernel::Distance;
}

void measurePositionScores(const Transformer& model, const Trace& trace, HeadId head,
                           TensorSet& measurements) {
  const ModelConfig& config = model.config();
  if (!hasPositionScores(config, head)) return;
  const int K = config.headWidth(), group = config.heads / config.valueHeads();
  const std::string weights = attentionWeights(head.layer, head.site);
  const TensorView weight = model.parameters()[weights + "c_attn.weight"];
  const TensorView n = normalizedPositions(model, trace, head, measurements);
  const AttentionColumns columns = selfAttentionColumns(config);
  const bool shared = columns.key == 0;
  const Stream stream = queriesOf(head.site);
  const auto part = [&](const char* name, const char* meaning, const char* equation) {
    return TracePoint{name + nameOf(head), "TK", meaning, equation, stream, stream};
  };
  const TensorView q = projected(
                       n, weight, head.head * K, K,
                       part("lens.position_queries.", "the query of each position alone", "n_p · W_Q"),
                       measurements),
                   k = shared ? q
                              : projected(n, weight, columns.query + head.head / group * K, K,
                                          part("lens.position_keys.", "the key of each position alone",
                                               "n_p · W_K"),
                                          measurements);
  const int T = n.extent[0];
  const float scale = config.ofLayer(head.layer).scoreScale();
  Tensor scores({T, T});
  Tensor all = unmaskedScores(model, trace, head.layer, head.site);
  Tensor others({T, T}, all.view()[head.head].copy());
  kernels().multiply({T, T, K, q.data, K, 1, k.data, 1, K, scores.values().data(), T, scale});
  for (std::size_t i = 0; i < scores.values().size(); ++i) others.values()[i] -= scores.values()[i];
  const std::string alone = "(n_p · W_Q) · (n_p · W_K)ᵀ" + scaledWords(config, head.layer);
  measurements.add({positionScoresOf(head), "TS", "match of each query with each key, by positions alone",
                    alone + ", n_p = " + readByBlocks(config, "p")},
                   std::move(scores), [=](const Index& at) { return derivedDot(q[at[0]], k[at[1]], scale); });
  const std::string whole = "lens.scores." + nameOf(head);
  measurements.add(
      {otherScoresOf(head), "TS", "part of the score that has tokens and biases in it",
       scoresEquation(model, trace, head.layer, head.site) + " − " + alone},
      std::move(others),
      [all = measurements.contains(whole) ? measurements[whole] : TensorView(),
       positions = measurements[positionScoresOf(head)]](const Index& at) -> std::optional<Derivation> {
        if (!all.data) return std::nullopt;
        return derivedDifference(&all(at[0], at[1]), &positions(at[0], at[1]));
      });
}

}  // namespace glassformer
