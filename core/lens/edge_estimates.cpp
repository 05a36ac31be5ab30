#include "core/lens/edge_estimates.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/lens/chain_rule.h"
#include "core/lens/head_matrices.h"
#include "core/lens/head_reading.h"
#include "core/lens/stream_without.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

HeadReading::Of readAs(EdgeReceiver::Part part) {
  return part == EdgeReceiver::Part::Query ? HeadReading::Of::Query
         : part == EdgeReceiver::Part::Key ? HeadReading::Of::Key
                                           : HeadReading::Of::Value;
}

// One edge of a pass, as tensors that say what made them.
class EdgeTensors {
 public:
  EdgeTensors(std::shared_ptr<const Transformer> model, const ModelEdges& edges, const Trace& pass,
              std::size_t sender, std::size_t receiver)
      : model_(std::move(model)),
        edges_(edges),
        pass_(pass),
        sender_(sender),
        receiver_(receiver),
        along_(alongParts(*model_, pass)) {
    const auto all = contributionParts(*model_);
    writer_ = static_cast<int>(std::ranges::find(all, edges.senders[sender]) - all.begin());
  }

  // −Σ q_i · ∂y / ∂q.
  Derivation estimate(TensorSet& set) const {
    const EdgeReceiver& to = edges_.receivers[receiver_];
    addMade(set);
    const TensorView made = set[edge::made], gradient = set[gradientName(pointOf(to))];
    const int own = planeOf(to, model_->config(), gradient);
    Derivation sum;
    for (int t = 0; t < made.extent[0]; ++t)
      for (int k = 0; k < made.extent[1]; ++k) sum.terms.push_back({&made(t, k), &gradient(t, own, k), -1});
    return sum;
  }

 private:
  bool isBehindSums() const { return model_->config().normPlacement == NormPlacement::Post; }

  void addMade(TensorSet& set) const {
    const ContributionPart& from = edges_.senders[sender_];
    const EdgeReceiver& to = edges_.receivers[receiver_];
    const std::string part = nameOf(to).substr(nameOf(to).size() - 1);
    TracePoint point{edge::made, "TK", "what " + nameOf(from) + " makes of " + nameOf(to), ""};
    Tensor made = TextEdges(*model_, edges_, pass_).made({sender_}, receiver_);
    if (isBehindSums()) {
      point.equation = part + " − " + part + " of the stream without it";
      return set.add(std::move(point), std::move(made), madeBetweenStreams(set));
    }
    const auto reading = std::make_shared<const HeadReading>(*model_, pass_, to.head, readAs(to.part));
    point.equation = part + "_i = " + reading->equation("x_i", "W");
    set.add(std::move(point), std::move(made),
            [reading, along = along_, writer = writer_, model = model_](const Index& at) {
              return reading->madeOf(along, writer, at[0], at[1]);
            });
  }

  // (x − x′) · W
  TensorSet::DerivationOf madeBetweenStreams(TensorSet& set) const {
    const EdgeReceiver& to = edges_.receivers[receiver_];
    const ModelConfig& config = model_->config();
    const TensorView x = pass_[blockPoint(config, to.head.layer, "hook_resid_pre")],
                     without = addStreamWithout(set);
    HeadMatrices own = matricesOf(*model_, to.head);
    own.q /= static_cast<double>(config.ofLayer(to.head.layer).scoreScale());
    const auto weights =
        std::make_shared<const Eigen::MatrixXd>(to.part == EdgeReceiver::Part::Query ? own.q
                                                : to.part == EdgeReceiver::Part::Key ? own.k
                                                                                     : own.v);
    return [x, without, weights](const Index& at) {
      Derivation sum;
      for (int d = 0; d < x.extent[1]; ++d) {
        const auto weight = static_cast<float>((*weights)(d, at[1]));
        sum.terms.push_back({&x(at[0], d), nullptr, weight});
        sum.terms.push_back({&without(at[0], d), nullptr, -weight});
      }
      return sum;
    };
  }

  // The way of the stream without what the sender wrote, norm by norm; the last of it.
  TensorView addStreamWithout(TensorSet& set) const {
    const ContributionPart& sender = edges_.senders[sender_];
    StreamRows rows;
    visitParts(*model_, pass_, Stream::Text, writer_ + 1, noProgress,
               [&](int part, const TensorView& written) {
                 if (part != writer_) return;
                 const std::vector<float> numbers = written.copy();
                 rows.assign(numbers.begin(), numbers.end());
               });
    TensorView before;
    for (const StageWithout& stage :
         streamWithout(*model_, pass_, {{sender, rows}}, edges_.receivers[receiver_].head.layer)) {
      before = addSum(stage, before, set);
      if (!stage.norm.empty()) before = addNormed(stage, before, set);
    }
    return before;
  }
  Tensor asTensor(const StreamRows& rows) const {
    Tensor values({pass_.tokenCount(), model_->config().width});
    std::ranges::transform(rows, values.values().begin(), [](double x) { return static_cast<float>(x); });
    return values;
  }
  static std::string nameAt(const char* tensor, const StageWithout& stage) {
    return tensor + (stage.norm.empty() ? "" : "." + stage.norm);
  }
  // x + what the sublayer adds − x_i
  TensorView addSum(const StageWithout& stage, const TensorView& before, TensorSet& set) const {
    const std::string who = nameOf(edges_.senders[sender_]), name = nameAt(edge::sumWithout, stage);
    set.add({name, "TD",
             "the stream " + (stage.norm.empty() ? "at its start" : "before " + stage.norm) +
                 ", without the output of " + who + "",
             stage.lost.empty() ? "x + a"
             : before.data      ? "x + a − x_i"
                                : "x − x_i"},
            asTensor(stage.sum),
            [before, added = pass_[stage.added], isLost = !stage.lost.empty(), along = along_,
             writer = writer_, model = model_](const Index& at) -> std::optional<Derivation> {
              Derivation sum{.terms = {{&added(at[0], at[1])}}};
              if (before.data) sum.terms.push_back({&before(at[0], at[1])});
              if (!isLost) return sum;
              std::vector<float> one(static_cast<std::size_t>(added.extent[1]));
              one[static_cast<std::size_t>(at[1])] = 1;
              if (const auto lost = along(writer, at[0], one.data(), -1))
                std::ranges::copy_if(lost->terms, std::back_inserter(sum.terms),
                                     [](const Term& term) { return term.coefficient != 0; });
              return sum;
            });
    return set[name];
  }
  TensorView addNormed(const StageWithout& stage, const TensorView& sum, TensorSet& set) const {
    const std::string name = nameAt(edge::streamWithout, stage);
    const ModelConfig& config = model_->config();
    const bool isCentred = config.norm == NormKind::Layer;
    const TensorView gamma = model_->parameters()[stage.norm + ".weight"],
                     beta = isCentred ? model_->parameters()[stage.norm + ".bias"] : TensorView();
    set.add(
        {name, "TD",
         "the stream after " + stage.norm + ", without the output of " + nameOf(edges_.senders[sender_]) + "",
         isCentred ? "γ ⊙ (x − μ) / σ + β" : "γ ⊙ x / rms"},
        asTensor(stage.stream), [=, epsilon = config.normEpsilon](const Index& at) {
          Derivation made{.form = Form::Normalized,
                          .chosen = static_cast<std::size_t>(at[1]),
                          .constant = epsilon,
                          .centred = isCentred,
                          .gamma = &gamma(at[1]),
                          .beta = beta.data ? &beta(at[1]) : nullptr};
          for (int d = 0; d < sum.extent[1]; ++d) made.terms.push_back({&sum(at[0], d)});
          return made;
        });
    return set[name];
  }

  std::shared_ptr<const Transformer> model_;
  const ModelEdges& edges_;
  const Trace& pass_;
  std::size_t sender_, receiver_;
  AlongParts along_;
  int writer_ = 0;  // of contributionParts()
};

}  // namespace

bool hasEdgeEstimates(const ModelConfig& config, Metric::Kind kind) {
  return kind == Metric::Kind::Answer || (kind == Metric::Kind::Loss && config.stack != Stack::EncoderOnly);
}

OpenPasses edgeEstimateAcross(const std::shared_ptr<const Transformer>& model, const ModelEdges& edges,
                              const Trace& whole, const Interventions& standing, std::size_t sender,
                              std::size_t receiver, const Metric& metric) {
  const BackwardPass backward{"the same pass, forward and backward", model,
                              Trace(whole.tokens(), whole.source()), standing,
                              backwardFrom(model->config(), whole, metric)};
  return backward.opened([=](const Trace& pass, TensorSet& gradients) {
    return EdgeTensors(model, edges, pass, sender, receiver).estimate(gradients);
  });
}

}  // namespace glassformer
