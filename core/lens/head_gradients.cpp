#include "core/lens/head_gradients.h"

#include <array>
#include <cmath>

#include "core/lens/chain_rule.h"
#include "core/lens/gradient_pass.h"
#include "core/model/point_names.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr std::array kernelsCompared{AttentionKernel::Softmax, AttentionKernel::HardArgmax};
constexpr std::array<const char*, 3> parts{"q", "k", "v"};

// The same weights with another kernel; they are shared.
Transformer withKernel(const Transformer& model, AttentionKernel kernel) {
  ModelConfig config = model.config();
  config.kernel = kernel;
  return {config, model.parameters()};
}

// What both passes give of a head's queries, keys or values.
struct PartGradients {
  PartGradients(int tokens, int width)
      : vectors({static_cast<int>(kernelsCompared.size()), tokens, width}),
        norms({static_cast<int>(kernelsCompared.size()), tokens}) {}

  // `gradient` [T, H', K], of which `own` is the head's.
  void take(int kernel, const TensorView& gradient, int own) {
    for (int t = 0; t < gradient.extent[0]; ++t) {
      double square = 0;
      for (int i = 0; i < gradient.extent[2]; ++i) {
        const double g = gradient(t, own, i);
        vectors(kernel, t, i) = gradient(t, own, i), square += g * g;
      }
      norms(kernel, t) = static_cast<float>(std::sqrt(square));
    }
  }

  Tensor vectors, norms;
};

void addPart(const std::string& part, HeadId head, PartGradients gradients, TensorSet::AcrossOf across,
             TensorSet& set) {
  const bool isQuery = part == "q";
  const std::string letter = isQuery ? "T" : "S",
                    of = isQuery       ? "query"
                         : part == "k" ? "key"
                                       : "value",
                    vector = "∂z / ∂" + part;
  const Stream rows = queriesOf(head.site), keys = keysOf(head.site);
  set.addAcross(
      {headGradient::vectors(part), "Z" + letter + "K",
       "derivative of the logit by each number of each " + of + ", through softmax and through argmax",
       vector, rows, keys},
      std::move(gradients.vectors), std::move(across));
  set.add({headGradient::norms(part), "Z" + letter,
           "norm of the derivative of the logit by each " + of + ", through softmax and through argmax",
           "‖" + vector + "‖", rows, keys},
          std::move(gradients.norms),
          [g = set[headGradient::vectors(part)]](const Index& at) { return derivedLength(g[at[0]][at[1]]); });
}

void addSelected(const TensorView& pattern, HeadId head, TensorSet& set) {
  set.add({headGradient::selected, "TS", "the key that each query selects under argmax",
           "1 where s is largest, else 0", queriesOf(head.site), keysOf(head.site)},
          Tensor({pattern.extent[0], pattern.extent[1]}, pattern.copy()));
}

}  // namespace

std::string headGradient::vectors(const std::string& part) { return "lens.gradient_" + part; }
std::string headGradient::norms(const std::string& part) { return "lens.gradient_norm_" + part; }

std::string whyNoHeadGradients(const ModelConfig& config) {
  if (!config.hasAttention()) return "this model has no attention";
  if (config.kernel == AttentionKernel::Distance) return "here distances decide: no queries and no keys";
  if (config.kernel == AttentionKernel::Linear) return "linear attention has neither softmax nor argmax";
  return "";
}

namespace {

// Without this head's own argmax: it is one of the two that are compared.
Interventions besidesArgmax(Interventions interventions, HeadId head) {
  const std::string pattern = attentionPoint(head.layer, head.site, "hook_pattern");
  std::erase_if(interventions, [&](const Intervention& i) {
    return i.kind == InterventionKind::Argmax && i.point == pattern && i.index[0] == head.head;
  });
  return interventions;
}

}  // namespace

namespace {

// Scores divided by τ in every attention; those that are masked stay so.
Interventions withTemperature(Interventions interventions, const ModelConfig& config, float temperature) {
  if (temperature == 1) return interventions;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      interventions.push_back({attentionPoint(layer, site, "hook_attn_scores"),
                               InterventionKind::Scale,
                               {-1, -1, -1, -1},
                               1 / temperature});
  return interventions;
}

}  // namespace

void measureHeadGradients(const Transformer& model, const Trace& trace, const Interventions& interventions,
                          HeadId head, Prediction of, TensorSet& set, float temperature) {
  const auto point = [&](const std::string& name) { return attentionPoint(head.layer, head.site, name); };
  std::vector<std::string> asked;
  for (const std::string part : parts) asked.push_back(point("hook_" + part));
  std::vector<PartGradients> gradients;
  std::vector<BackwardPass> backward;
  std::vector<int> own;  // the head's place in each part
  Tensor logits({static_cast<int>(kernelsCompared.size())});
  for (int kernel = 0; kernel < static_cast<int>(kernelsCompared.size()); ++kernel) {
    const bool isSoft = kernel == headGradient::softmax && temperature > 0;
    const auto changed = std::make_shared<const Transformer>(
        withKernel(model, isSoft ? AttentionKernel::Softmax : AttentionKernel::HardArgmax));
    const Interventions besides = besidesArgmax(interventions, head),
                        all = isSoft ? withTemperature(besides, model.config(), temperature) : besides;
    backward.push_back(
        {isSoft ? "through softmax, forward and backward" : "through argmax, forward and backward",
         changed,
         Trace(trace.tokens(), trace.source()),
         all,
         {{of, -1}, {}}});
    GradientPass pass(*changed, trace, all, asked);
    pass.run({of});
    logits(kernel) = pass.value("logits")(of.position, of.entry);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const TensorView gradient = pass.gradient(asked[i]);
      if (kernel == 0) gradients.emplace_back(gradient.extent[0], gradient.extent[2]);
      if (kernel == 0) own.push_back(head.head * gradient.extent[1] / model.config().heads);
      gradients[i].take(kernel, gradient, own[i]);
    }
    if (kernel == headGradient::argmax) addSelected(pass.value(point("hook_pattern"))[head.head], head, set);
  }
  set.add({headGradient::logit, "Z", "the logit that is differentiated, with softmax and with argmax", "z"},
          std::move(logits));
  for (std::size_t i = 0; i < parts.size(); ++i)
    addPart(
        parts[i], head, std::move(gradients[i]),
        [backward, point = asked[i], its = own[i]](const Index& at) {
          return backward[static_cast<std::size_t>(at[0])].number(point, {at[1], its, at[2]});
        },
        set);
}

}  // namespace glassformer
