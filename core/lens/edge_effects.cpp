#include "core/lens/edge_effects.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/lens/head_matrices.h"
#include "core/lens/part_effects.h"
#include "core/lens/recovered_loss.h"
#include "core/lens/residual_stream.h"

namespace glassformer {
namespace {

using Part = EdgeReceiver::Part;

bool isInputPart(const ContributionPart& part) {
  using Kind = ContributionPart::Kind;
  return part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
}

std::string pointOf(const EdgeReceiver& receiver) {
  constexpr const char* names[] = {"hook_q", "hook_k", "hook_v"};
  return attentionPoint(receiver.head.layer, receiver.head.site, names[static_cast<int>(receiver.part)]);
}

// γ ⊙ W of what reads, the mean of every column out where the norm takes it: x · it / σ is what x makes.
Eigen::MatrixXf readingOf(const Transformer& model, const EdgeReceiver& receiver) {
  const HeadMatrices own = matricesOf(model, receiver.head);
  if (receiver.part != Part::Query) return (receiver.part == Part::Key ? own.k : own.v).cast<float>();
  const auto scale = static_cast<double>(model.config().ofLayer(receiver.head.layer).scoreScale());
  return (own.q / scale).cast<float>();
}

Eigen::VectorXf inverseScales(const ModelConfig& config, const Trace& trace, int layer) {
  Eigen::VectorXf inverse = Eigen::VectorXf::Ones(trace.tokenCount());
  if (!config.hasNorms()) return inverse;
  const TensorView sigma = trace[blockPoint(config, layer, "ln1.hook_scale")];
  for (int t = 0; t < trace.tokenCount(); ++t) inverse(t) = 1 / sigma(t, 0);
  return inverse;
}

}  // namespace

std::string nameOf(const EdgeReceiver& receiver) {
  std::vector<HeadId> heads;
  for (int i = 0; i < receiver.count; ++i)
    heads.push_back({receiver.head.layer, receiver.head.head + i, receiver.head.site});
  constexpr const char* parts[] = {".q", ".k", ".v"};
  return nameOf(heads) + parts[static_cast<int>(receiver.part)];
}

bool ModelEdges::leads(std::size_t sender, std::size_t receiver) const {
  return isInputPart(senders[sender]) || senders[sender].head.layer < receivers[receiver].head.layer;
}

ModelEdges edgesOf(const Transformer& model) {
  const ModelConfig& config = model.config();
  ModelEdges edges;
  for (const ContributionPart& part : contributionParts(model)) {
    const bool isRead = isInputPart(part) || part.head.layer + 1 < config.layers;
    if (isRead && part.kind != ContributionPart::Kind::OutputBias) edges.senders.push_back(part);
  }
  for (int layer = 0; layer < config.layers; ++layer)
    for (const Part part : {Part::Query, Part::Key, Part::Value}) {
      const int shared = part == Part::Query ? 1 : config.heads / config.valueHeads();
      for (int head = 0; head < config.heads; head += shared)
        edges.receivers.push_back({{layer, head, ownSite(config)}, shared, part});
    }
  return edges;
}

std::string whyNoEdges(const ModelConfig& config) {
  if (!config.attends()) return "this model has no attention";
  if (std::string why = whyNoRecoveredLoss(config); !why.empty()) return why;
  if (config.similarity != Similarity::QueriesAndKeys || config.kernel == AttentionKernel::Distance)
    return "its heads have no queries and keys of their own";
  if (config.sumsHeads()) return "its values are all of the stream's width";
  if (!isSumOfParts(config))
    return "the residual stream is no sum of what its sublayers add: norms come after the sum, or there is "
           "none";
  return "";
}

// x_i / σ · (γ ⊙ W) is what sender i makes: rows times matrix.
struct TextEdges::Factors {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Rows> written, reading;    // by each sender [T, D], of each receiver [D, K]
  std::vector<Eigen::VectorXf> inverse;  // 1 / σ of every token where each block reads
};

TextEdges::TextEdges(const Transformer& model, const ModelEdges& edges, const Trace& trace)
    : model_(model), edges_(edges), trace_(trace) {
  const auto all = contributionParts(model);
  std::vector<int> tokens(static_cast<std::size_t>(trace.tokenCount()));
  std::iota(tokens.begin(), tokens.end(), 0);
  const std::vector<Tensor> parts = partsOfTokens(model, trace, tokens, static_cast<int>(all.size()));
  const int D = model.config().width;
  Factors factors;
  for (const ContributionPart& sender : edges.senders) {
    const auto m = static_cast<int>(std::ranges::find(all, sender) - all.begin());
    Factors::Rows rows(trace.tokenCount(), D);
    for (int t = 0; t < trace.tokenCount(); ++t)
      for (int d = 0; d < D; ++d) rows(t, d) = parts[static_cast<std::size_t>(t)].view()(m, d);
    factors.written.push_back(std::move(rows));
  }
  for (const EdgeReceiver& receiver : edges.receivers)
    factors.reading.emplace_back(readingOf(model, receiver));
  for (int layer = 0; layer < model.config().layers; ++layer)
    factors.inverse.push_back(inverseScales(model.config(), trace, layer));
  factors_ = std::make_unique<const Factors>(std::move(factors));
}

TextEdges::~TextEdges() = default;

Intervention TextEdges::leftOut(std::size_t sender, std::size_t receiver) const {
  const EdgeReceiver& to = edges_.receivers[receiver];
  const TensorView point = trace_[pointOf(to)];
  const int own = to.head.head * point.extent[1] / model_.config().heads;
  const Factors::Rows made = factors_->inverse[static_cast<std::size_t>(to.head.layer)].asDiagonal() *
                             (factors_->written[sender] * factors_->reading[receiver]);
  Tensor less({point.extent[0], point.extent[1], point.extent[2]});
  for (int t = 0; t < point.extent[0]; ++t)
    for (int k = 0; k < point.extent[2]; ++k) less(t, own, k) = -made(t, k);
  return {pointOf(to),
          InterventionKind::Add,
          {-1, -1, -1, -1},
          0,
          std::make_shared<const Tensor>(std::move(less))};
}

std::optional<Tensor> leaveOutEdges(LivePass& pass, const ModelEdges& edges, const Trace& trace,
                                    const Interventions& standing, const Watch& watch) {
  const TextEdges text(pass.model(), edges, trace);
  const TokenLosses whole = tokenLossesOf(trace);
  const int rows = static_cast<int>(edges.senders.size()), columns = static_cast<int>(edges.receivers.size());
  Tensor rises({rows, columns});
  for (int r = 0; r < columns; ++r)
    for (int s = 0; s < rows; ++s) {
      const auto sender = static_cast<std::size_t>(s), receiver = static_cast<std::size_t>(r);
      rises(s, r) = NAN;
      if (!edges.leads(sender, receiver)) continue;
      if (!watch(r, columns)) return std::nullopt;
      Interventions without = standing;
      without.push_back(text.leftOut(sender, receiver));
      rises(s, r) = effectOn(whole, tokenLossesOf(*pass.run(trace.tokens(), without, trace.source()))).loss;
    }
  return rises;
}

}  // namespace glassformer
