#include "core/lens/edge_effects.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/lens/ablation.h"
#include "core/lens/across_changes.h"
#include "core/lens/counterfactual.h"
#include "core/lens/gradient_pass.h"
#include "core/lens/head_matrices.h"
#include "core/lens/part_effects.h"
#include "core/lens/stream_without.h"

namespace glassformer {
namespace {

using Part = EdgeReceiver::Part;

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

std::string pointOf(const EdgeReceiver& receiver) {
  constexpr const char* names[] = {"hook_q", "hook_k", "hook_v"};
  return attentionPoint(receiver.head.layer, receiver.head.site, names[static_cast<int>(receiver.part)]);
}

int planeOf(const EdgeReceiver& receiver, const ModelConfig& config, const TensorView& point) {
  return receiver.head.head * point.extent[1] / config.heads;
}

bool ModelEdges::leads(std::size_t sender, std::size_t receiver) const {
  return beginsStream(senders[sender]) || senders[sender].head.layer < receivers[receiver].head.layer;
}

ModelEdges edgesOf(const Transformer& model) {
  const ModelConfig& config = model.config();
  ModelEdges edges;
  for (const ContributionPart& part : contributionParts(model)) {
    const bool isRead = beginsStream(part) || part.head.layer + 1 < config.layers;
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
  if (!config.hasAttention()) return "this model has no attention";
  if (config.similarity != Similarity::QueriesAndKeys || config.kernel == AttentionKernel::Distance)
    return "its heads have no queries and keys of their own";
  if (config.headsOutputFullWidth()) return "its values are all of the stream's width";
  if (!config.residual) return "without residual connections each sublayer reads the one before it alone";
  if (config.normPlacement == NormPlacement::Residual)
    return "its sublayers add to a norm, which edge ablation cannot reach";
  return "";
}

struct TextEdges::Factors {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Rows> written, reading;    // by each sender [T, D], of each receiver [D, K]
  std::vector<Eigen::VectorXf> inverse;  // 1 / σ of every token where each block reads

  Rows lost(const TextEdges& text, const std::vector<std::size_t>& senders, int layer) const;
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

// What the heads of a block read less without some senders: Σ x_i / σ, or x − x′.
TextEdges::Factors::Rows TextEdges::Factors::lost(const TextEdges& text,
                                                  const std::vector<std::size_t>& senders, int layer) const {
  const ModelConfig& config = text.model_.config();
  if (config.normPlacement != NormPlacement::Post) {
    Rows sum = written[senders.front()];
    for (std::size_t i = 1; i < senders.size(); ++i) sum += written[senders[i]];
    return inverse[static_cast<std::size_t>(layer)].asDiagonal() * sum;
  }
  std::vector<WrittenBy> less;
  for (const std::size_t sender : senders)
    less.push_back({text.edges_.senders[sender],
                    {written[sender].data(), written[sender].data() + written[sender].size()}});
  const StreamRows without = streamWithout(text.model_, text.trace_, less, layer).back().stream;
  Rows lost = mappedWeights(text.trace_[blockPoint(config, layer, "hook_resid_pre")]);
  for (Eigen::Index i = 0; i < lost.size(); ++i)
    lost.data()[i] =
        static_cast<float>(static_cast<double>(lost.data()[i]) - without[static_cast<std::size_t>(i)]);
  return lost;
}

// What a receiver reads is x · it: its gradient goes back to what each number of x does, the same for every
// sender.
Tensor TextEdges::byGradients(const std::function<TensorView(const std::string& point)>& gradientOf) const {
  const std::size_t senders = edges_.senders.size(), receivers = edges_.receivers.size();
  Tensor changes({static_cast<int>(senders), static_cast<int>(receivers)},
                 std::vector<float>(senders * receivers, NAN));
  std::vector<Factors::Rows> slopes;
  for (std::size_t r = 0; r < receivers; ++r) {
    const EdgeReceiver& to = edges_.receivers[r];
    const TensorView gradient = gradientOf(pointOf(to));
    const int own = planeOf(to, model_.config(), gradient);
    Factors::Rows read(gradient.extent[0], gradient.extent[2]);
    for (int t = 0; t < gradient.extent[0]; ++t)
      for (int k = 0; k < gradient.extent[2]; ++k) read(t, k) = gradient(t, own, k);
    slopes.emplace_back(read * factors_->reading[r].transpose());
  }
  for (int layer = 0; layer < model_.config().layers; ++layer)
    for (std::size_t s = 0; s < senders; ++s) {
      std::optional<Factors::Rows> lost;  // the same for all that read in a block
      for (std::size_t r = 0; r < receivers; ++r) {
        if (edges_.receivers[r].head.layer != layer || !edges_.leads(s, r)) continue;
        if (!lost) lost = factors_->lost(*this, {s}, layer);
        changes(static_cast<int>(s), static_cast<int>(r)) = -lost->cwiseProduct(slopes[r]).sum();
      }
    }
  return changes;
}

Tensor TextEdges::made(const std::vector<std::size_t>& senders, std::size_t receiver) const {
  const Factors::Rows rows =
      factors_->lost(*this, senders, edges_.receivers[receiver].head.layer) * factors_->reading[receiver];
  Tensor made({static_cast<int>(rows.rows()), static_cast<int>(rows.cols())});
  std::copy_n(rows.data(), rows.size(), made.values().begin());
  return made;
}

Intervention TextEdges::leftOut(const std::vector<std::size_t>& senders, std::size_t receiver) const {
  const EdgeReceiver& to = edges_.receivers[receiver];
  const TensorView point = trace_[pointOf(to)];
  const int own = planeOf(to, model_.config(), point);
  const Tensor without = made(senders, receiver);
  Tensor less({point.extent[0], point.extent[1], point.extent[2]});
  for (int t = 0; t < point.extent[0]; ++t)
    for (int k = 0; k < point.extent[2]; ++k) less(t, own, k) = -without.view()(t, k);
  return {pointOf(to),
          InterventionKind::Add,
          {-1, -1, -1, -1},
          0,
          std::make_shared<const Tensor>(std::move(less))};
}

EdgeAblation::EdgeAblation(const Transformer& model, const ModelEdges& edges, const Trace& trace,
                           Interventions standing, Metric metric)
    : model_(model),
      edges_(edges),
      trace_(trace),
      standing_(std::move(standing)),
      metric_(std::move(metric)),
      text_(model, edges, trace),
      whole_(model.config(), trace, metric_) {}

float EdgeAblation::without(LivePass& pass, std::size_t sender, std::size_t receiver) const {
  const auto left =
      pass.run(trace_.tokens(), withOneMore(standing_, text_.leftOut(sender, receiver)), trace_.source());
  return whole_.changeTo({model_.config(), *left, metric_});
}

Tensor EdgeAblation::estimates() const {
  std::vector<std::string> points;
  for (const EdgeReceiver& each : edges_.receivers)
    if (std::ranges::find(points, pointOf(each)) == points.end()) points.push_back(pointOf(each));
  const auto pass =
      GradientPass::ran(model_, trace_, standing_, points, backwardFrom(model_.config(), trace_, metric_));
  return text_.byGradients([&](const std::string& point) { return pass->gradient(point); });
}

std::optional<Tensor> leaveOutEdges(LivePass& pass, const ModelEdges& edges, const Trace& trace,
                                    const Interventions& standing, const Metric& metric,
                                    const ProgressCallback& watch) {
  const EdgeAblation asked(pass.model(), edges, trace, standing, metric);
  const int rows = static_cast<int>(edges.senders.size()), columns = static_cast<int>(edges.receivers.size());
  Tensor rises({rows, columns});
  for (int r = 0; r < columns; ++r)
    for (int s = 0; s < rows; ++s) {
      const auto sender = static_cast<std::size_t>(s), receiver = static_cast<std::size_t>(r);
      rises(s, r) = NAN;
      if (!edges.leads(sender, receiver)) continue;
      if (!watch(r, columns)) return std::nullopt;
      rises(s, r) = asked.without(pass, sender, receiver);
    }
  return rises;
}

MultiPassDerivation edgeAcross(const std::shared_ptr<const Transformer>& model, const ModelEdges& edges,
                               ReplayedPass whole, const std::string& name, const Interventions& standing,
                               std::size_t sender, std::size_t receiver, const Metric& metric) {
  const TextEdges text(*model, edges, *whole.trace);
  ReplayedPass changed =
      passAgain(name, model, *whole.trace, withOneMore(standing, text.leftOut(sender, receiver)));
  return metricAcross(model->config(), std::move(whole), std::move(changed), metric);
}

std::shared_ptr<const Trace> passOfEdges(LivePass& pass, const ModelEdges& edges, const Trace& trace,
                                         const Interventions& standing, const KeptEdges& isKept) {
  Interventions without = standing;
  auto now = pass.run(trace.tokens(), without, trace.source());
  for (int layer = 0; layer < pass.model().config().layers; ++layer) {
    const TextEdges text(pass.model(), edges, *now);  // what all before this block make by the graph alone
    for (std::size_t r = 0; r < edges.receivers.size(); ++r) {
      if (edges.receivers[r].head.layer != layer) continue;
      std::vector<std::size_t> left;
      for (std::size_t s = 0; s < edges.senders.size(); ++s)
        if (edges.leads(s, r) && !isKept(s, r)) left.push_back(s);
      if (!left.empty()) without.push_back(text.leftOut(left, r));
    }
    now = pass.run(trace.tokens(), without, trace.source());
  }
  return now;
}

Reproduced reproducedBy(const ModelConfig& config, const Trace& whole, const Trace& alone,
                        const Metric& metric) {
  return {MetricOfPass(config, whole, metric).changeTo({config, alone, metric}),
          answersKept(config, whole, alone, metric)};
}

}  // namespace glassformer
