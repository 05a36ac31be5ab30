#include "core/lens/contributions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

using Kind = ContributionPart::Kind;

std::string block(int layer) { return "blocks." + std::to_string(layer) + "."; }

double dot(const float* a, const float* b, int n) {
  return std::inner_product(a, a + n, b, 0.0, std::plus<>(),
                            [](float x, float y) { return static_cast<double>(x) * y; });
}

// z · W_O of one head [T, D].
Tensor headOutput(const Transformer& model, const Trace& trace, HeadId head) {
  const int T = trace.tokenCount(), K = model.config().headWidth(), D = model.config().width;
  const TensorView z = trace[block(head.layer) + "attn.hook_z"];  // [T, H, K]
  const TensorView output =                                       // [H · K, D]
      model.parameters()["h." + std::to_string(head.layer) + ".attn.c_proj.weight"];
  Tensor result({T, D});
  kernels().multiply({T, D, K, &z(0, head.head, 0), z.stride[0], z.stride[2], &output(head.head * K, 0),
                      output.stride[0], output.stride[1], &result(0, 0), D});
  return result;
}

// A block's attention [T, D] part by part: the heads one after the other, and what they leave of its output.
class AttentionParts {
 public:
  AttentionParts(const Transformer& model, const Trace& trace, int layer)
      : model_(model), trace_(trace), layer_(layer), output_(trace[block(layer) + "hook_attn_out"]) {
    rest_ = Tensor({output_.extent[0], output_.extent[1]}, output_.copy());
  }

  // A token whose attention is switched off has nothing from any head.
  Tensor head(int head) {
    Tensor rows = headOutput(model_, trace_, {layer_, head});
    const int D = output_.extent[1];
    for (int t = 0; t < output_.extent[0]; ++t)
      for (int d = 0; d < D; ++d) {
        if (isOff(t)) rows(t, d) = 0;
        rest_(t, d) -= rows(t, d);
      }
    return rows;
  }
  // b_O, and what interventions made of the output.
  const Tensor& rest() const { return rest_; }

 private:
  bool isOff(int t) const { return kernels().sumOfSquares(&output_(t, 0), output_.extent[1]) == 0; }

  const Transformer& model_;
  const Trace& trace_;
  int layer_;
  TensorView output_;
  Tensor rest_;
};

// Calls visit(part, row) with the vectors [T, D] of every part of x; `row(t)` is where token t's begins.
template <typename Visit>
void eachPart(const Transformer& model, const Trace& trace, Visit visit) {
  const ModelConfig& config = model.config();
  const auto traced = [&](int part, const std::string& point) {
    const TensorView rows = trace[point];
    visit(part, [&](int t) { return &rows(t, 0); });
  };
  std::optional<AttentionParts> attention;
  for (int part = 0; part < contributionParts(config); ++part) {
    const auto [kind, head] = contributionPart(config, part);
    const auto rowsOf = [&](const Tensor& rows) {
      visit(part, [&](int t) { return &rows.values()[static_cast<std::size_t>(t * config.width)]; });
    };
    if (kind == Kind::Embedding) traced(part, "hook_embed");
    if (kind == Kind::Position) traced(part, "hook_pos_embed");
    if (kind == Kind::Mlp) traced(part, block(head.layer) + "hook_mlp_out");
    if (kind == Kind::Head) {
      if (head.head == 0) attention.emplace(model, trace, head.layer);
      rowsOf(attention->head(head.head));
    }
    if (kind == Kind::OutputBias) rowsOf(attention->rest());
  }
}

// With σ fixed, logit = Σ_d γ_d (x_d − mean(x)) / σ · W_U[d, entry] + β · W_U = x · direction / σ + β · W_U:
// the mean is taken out of γ ⊙ W_U instead of x.
std::vector<float> logitDirection(const Transformer& model, int entry) {
  const int D = model.config().width;
  const TensorView gamma = model.parameters()["ln_f.weight"], row = model.unembedding()[entry];
  std::vector<float> direction(static_cast<std::size_t>(D));
  for (int d = 0; d < D; ++d) direction[static_cast<std::size_t>(d)] = gamma(d) * row(d);
  const float mean = std::accumulate(direction.begin(), direction.end(), 0.0f) / static_cast<float>(D);
  for (float& value : direction) value -= mean;
  return direction;
}

}  // namespace

int contributionParts(const ModelConfig& config) { return 2 + config.layers * (config.heads + 2); }

ContributionPart contributionPart(const ModelConfig& config, int part) {
  if (part == 0) return {Kind::Embedding, {}};
  if (part == 1) return {Kind::Position, {}};
  if (part == contributionParts(config)) return {Kind::NormBias, {}};
  const int inBlocks = part - 2, perBlock = config.heads + 2;
  const HeadId head{inBlocks / perBlock, inBlocks % perBlock};
  if (head.head < config.heads) return {Kind::Head, head};
  return {head.head == config.heads ? Kind::OutputBias : Kind::Mlp, {head.layer, 0}};
}

int indexOf(const ModelConfig& config, const ContributionPart& part) {
  const int first = 2 + part.head.layer * (config.heads + 2);
  switch (part.kind) {
    case Kind::Embedding:
      return 0;
    case Kind::Position:
      return 1;
    case Kind::Head:
      return first + part.head.head;
    case Kind::OutputBias:
      return first + config.heads;
    case Kind::Mlp:
      return first + config.heads + 1;
    case Kind::NormBias:
      break;
  }
  return contributionParts(config);
}

std::string nameOf(const ContributionPart& part) {
  const std::string layer = "L" + std::to_string(part.head.layer);
  switch (part.kind) {
    case Kind::Embedding:
      return "embedding";
    case Kind::Position:
      return "position";
    case Kind::Head:
      return nameOf(part.head);
    case Kind::OutputBias:
      return layer + " b_O";
    case Kind::Mlp:
      return layer + " MLP";
    case Kind::NormBias:
      break;
  }
  return "norm β";
}

void measureContributions(const Transformer& model, const Trace& trace, TensorSet& measurements) {
  const ModelConfig& config = model.config();
  const int T = trace.tokenCount(), M = contributionParts(config), D = config.width;
  const TensorView x = trace[block(config.layers - 1) + "hook_resid_post"];
  Tensor shares({T, M}), norms({T, M});
  eachPart(model, trace, [&](int part, const auto& row) {
    for (int t = 0; t < T; ++t) {
      const double square = kernels().sumOfSquares(&x(t, 0), D);
      shares(t, part) = square > 0 ? static_cast<float>(dot(row(t), &x(t, 0), D) / square) : 0;
      norms(t, part) = static_cast<float>(std::sqrt(kernels().sumOfSquares(row(t), D)));
    }
  });
  measurements.add({"lens.contribution", "TM", "each part's share in the final residual stream; all sum to 1",
                    "x_m · x / ‖x‖²"},
                   std::move(shares));
  measurements.add({"lens.contribution_norm", "TM", "length of what each part adds", "‖x_m‖"},
                   std::move(norms));
}

std::string logitAttributionOf(int entry) { return "lens.logit_attribution." + std::to_string(entry); }

void measureLogitAttribution(const Transformer& model, const Trace& trace, int entry,
                             TensorSet& measurements) {
  const ModelConfig& config = model.config();
  const int T = trace.tokenCount(), M = contributionParts(config), D = config.width;
  const std::vector<float> direction = logitDirection(model, entry);
  const TensorView sigma = trace["ln_final.hook_scale"];
  Tensor added({T, M + 1});
  eachPart(model, trace, [&](int part, const auto& row) {
    for (int t = 0; t < T; ++t)
      added(t, part) = static_cast<float>(dot(row(t), direction.data(), D) / sigma(t, 0));
  });
  const auto bias =
      static_cast<float>(dot(model.parameters()["ln_f.bias"].data, &model.unembedding()(entry, 0), D));
  for (int t = 0; t < T; ++t) added(t, M) = bias;
  measurements.add({logitAttributionOf(entry), "TM",
                    "what each part adds to the logit, the final norm's scale held fixed; all sum to it",
                    "γ ⊙ (x_m − mean(x_m)) / σ · W_U"},
                   std::move(added));
}

int likeliestEntry(const Trace& trace, int t) {
  const TensorView logits = trace["logits"];
  const float* row = &logits(t, 0);
  return static_cast<int>(std::max_element(row, row + logits.extent[1]) - row);
}

}  // namespace glassformer
