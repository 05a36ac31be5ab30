#include "core/lens/distance_filter.h"

#include <algorithm>

#include "core/lens/attention_stages.h"
#include "core/tensor/operations/distance_shares.h"
#include "core/trace/derived.h"

namespace glassformer {

std::string whyNoFilter(const ModelConfig& config, AttentionSite site) {
  if (!config.hasAttention()) return "this model has no attention";
  const bool isByDistance = config.kernel == AttentionKernel::Distance && site != AttentionSite::Cross;
  return isByDistance ? "" : "its weights depend on what the tokens are, not on their distance alone";
}

void measureFilter(const Transformer& model, const Trace& trace, HeadId head, TensorSet& set) {
  const ModelConfig& config = model.config();
  if (!whyNoFilter(config, head.site).empty()) return;
  const TensorView table = model.parameters()[attentionWeights(head.layer, head.site) + "distance"],
                   v = headRows(trace[attentionPoint(head.layer, head.site, "hook_v")], head.head,
                                config.heads),
                   z = headRows(trace[attentionPoint(head.layer, head.site, "hook_z")], head.head,
                                config.heads);
  const int T = z.extent[0], K = z.extent[1], reach = table.extent[1] / 2;
  const bool isEncoder = head.site == AttentionSite::Encoder;
  const DistanceSpan span =
      distancesOf(isEncoder ? AttentionMask{MaskKind::None, 0, {}} : config.maskOf(head.layer), reach);
  const std::vector<float> weights =
      distanceFilter({&table(head.head, 0), static_cast<std::size_t>(table.extent[1])}, span);
  const Stream stream = queriesOf(head.site);
  const auto add = [&](const char* name, const char* meaning, int sign) {
    Tensor side({T});
    for (int x = 0; x < T; ++x)
      if (const int d = sign * x; d >= span.first && d <= span.last)
        side(x) = weights[static_cast<std::size_t>(d - span.first)];
    set.add({stageTensor(name, head), "X", meaning, "w[s − t] = exp(b[s − t]) / Σ exp(b)", stream, stream},
            std::move(side));
  };
  add(filter::behind, "the weight of the token so far before", -1);
  if (span.last > 0) add(filter::ahead, "weight of the token at that distance before", 1);
  const TensorView behind = set[stageTensor(filter::behind, head)],
                   ahead = span.last > 0 ? set[stageTensor(filter::ahead, head)] : behind;
  const auto convolution = [=](const std::array<int, maxRank>& at) {
    Derivation d;
    for (int s = std::max(0, at[0] + span.first); s <= std::min(T - 1, at[0] + span.last); ++s)
      d.terms.push_back({s <= at[0] ? &behind(at[0] - s) : &ahead(s - at[0]), &v(s, at[1])});
    return d;
  };
  const std::string convolved = stageTensor(filter::convolved, head);
  addDerived(set,
             {convolved, "TK", "the values, convolved with the filter", "Σ_s w[s − t] v[s]", stream, stream},
             {T, K}, convolution);
  const TensorView c = set[convolved];
  addDerived(set,
             {stageTensor(filter::error, head), "TK", "output of the head minus that of the convolution",
              "A · v − Σ_s w[s − t] v[s]", stream, stream},
             {T, K}, [=](const std::array<int, maxRank>& at) {
               return Derivation{.terms = {{&z(at[0], at[1])}, {&c(at[0], at[1]), nullptr, -1}}};
             });
}

}  // namespace glassformer
