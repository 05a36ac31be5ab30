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
  return config.normsBefore() || config.normPlacement == NormPlacement::Residual;
}

// γ ⊙ (x − mean(x)) / σ of every row in place, the scale [T, 1] being that of the whole stream.
void normalizeRows(const ModelConfig& config, const TensorView& gamma, const TensorView& scale, Tensor& x) {
  const int T = x.view().extent[0], D = x.view().extent[1];
  for (int t = 0; t < T; ++t) {
    float* p = &x(t, 0);
    const bool centred = config.norm == NormKind::Layer;
    const auto mean = centred ? static_cast<float>(std::accumulate(p, p + D, 0.0) / D) : 0;
    for (int d = 0; d < D; ++d) p[d] = gamma(d) * (p[d] - mean) / scale(t, 0);
  }
}

// n_p [T, D], the norms' scales from the trace.
Tensor normalizedPositions(const Transformer& model, const Trace& trace, HeadId head) {
  const ModelConfig& config = model.config();
  const Stream stream = queriesOf(head.site);
  const TensorView positions = trace[stackPoint(config, "hook_pos_embed", stream)];
  Tensor normalized({positions.extent[0], config.width}, positions.copy());
  const std::string stack = head.site == AttentionSite::Encoder ? "encoder." : "";
  const auto through = [&](const std::string& norm, const std::string& scale) {
    normalizeRows(config, model.parameters()[stack + norm + ".weight"], trace[scale], normalized);
  };
  if (config.normsEmbedding()) through("ln_embed", stackPoint(config, "embed.ln.hook_scale", stream));
  if (readsNormed(config))
    through("h." + std::to_string(head.layer) + ".ln_1",
            blockPoint(config, head.layer, "ln1.hook_scale", stream));
  return normalized;
}

// n · W for one head's columns, without the bias [T, K]. `first` is its column in W_QKV [D, 3D].
Tensor projected(const Tensor& n, const TensorView& weight, int first, int K) {
  const int T = n.view().extent[0], D = n.view().extent[1];
  Tensor result({T, K});
  kernels().multiply({T, K, D, n.values().data(), D, 1, &weight(0, first), weight.stride[0], weight.stride[1],
                      result.values().data(), K});
  return result;
}

}  // namespace

std::string positionScoresOf(HeadId head) { return "lens.position_scores." + nameOf(head); }
std::string otherScoresOf(HeadId head) { return "lens.other_scores." + nameOf(head); }

bool hasPositionScores(const ModelConfig& config, HeadId head) {
  const bool normedOnTheWay =
      config.normPlacement == NormPlacement::Post || config.normPlacement == NormPlacement::Residual;
  return config.attends() && config.positions->isAdded() && head.site != AttentionSite::Across &&
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
  const Tensor n = normalizedPositions(model, trace, head);
  const AttentionColumns columns = selfAttentionColumns(config);
  const bool shared = columns.key == 0;
  const Tensor q = projected(n, weight, head.head * K, K),
               k = shared ? q : projected(n, weight, columns.query + head.head / group * K, K);
  const int T = n.view().extent[0];
  const float scale = config.ofLayer(head.layer).scoreScale();
  Tensor scores({T, T});
  Tensor all = unmaskedScores(model, trace, head.layer, head.site);
  Tensor others({T, T}, all.view()[head.head].copy());
  kernels().multiply(
      {T, T, K, q.values().data(), K, 1, k.values().data(), 1, K, scores.values().data(), T, scale});
  for (std::size_t i = 0; i < scores.values().size(); ++i) others.values()[i] -= scores.values()[i];
  const std::string alone = "(n_p · W_Q) · (n_p · W_K)ᵀ" + scaledWords(config, head.layer);
  measurements.add({positionScoresOf(head), "TS", "how well each query matches each key by positions alone",
                    alone + ", n_p = " + readByBlocks(config, "p")},
                   std::move(scores));
  const std::string whole = "lens.scores." + nameOf(head);
  measurements.add(
      {otherScoresOf(head), "TS", "what tokens and biases have a part in",
       scoresEquation(model, trace, head.layer, head.site) + " − " + alone},
      std::move(others),
      [all = measurements.contains(whole) ? measurements[whole] : TensorView(),
       positions = measurements[positionScoresOf(head)]](const Index& at) -> std::optional<Derivation> {
        if (!all.data) return std::nullopt;
        return derivedDifference(&all(at[0], at[1]), &positions(at[0], at[1]));
      });
}

}  // namespace glassformer
