#include "core/lens/integrated_gradients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/lens/answer_metric.h"
#include "core/model/point_names.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// The Gauss-Legendre rule of four points on [0, 1]: exact for polynomials of degree seven.
struct QuadraturePoint {
  double at, weight;
};
constexpr double inner = 0.33998104358485626, outer = 0.86113631159405258;
constexpr double innerWeight = 0.65214515486254614, outerWeight = 0.34785484513745386;
constexpr std::array<QuadraturePoint, IntegratedGradients::pointsOfPiece> quadrature{{
    {(1 - outer) / 2, outerWeight / 2},
    {(1 - inner) / 2, innerWeight / 2},
    {(1 + inner) / 2, innerWeight / 2},
    {(1 + outer) / 2, outerWeight / 2},
}};

// Of all numbers of some vectors, of which some may be missing.
Derivation derivedSum(std::initializer_list<TensorView> vectors) {
  Derivation sum;
  for (const TensorView& each : vectors)
    for (int i = 0; each.data && i < each.extent[0]; ++i) sum.terms.push_back({&each(i)});
  return sum;
}

// (x_s − x′_s) · ḡ_s, with the path's mean gradient at a token. What is added is taken away at once, so that
// a token that is the baseline gets exactly 0.
Derivation alongPath(const TensorView& x, const std::vector<float>& baseline, const TensorView& mean) {
  Derivation sum;
  for (int d = 0; d < x.extent[0]; ++d) {
    sum.terms.push_back({&x(d), &mean(d)});
    if (const float from = baseline[static_cast<std::size_t>(d)]; from != 0)
      sum.terms.push_back({&mean(d), nullptr, -from});
  }
  return sum;
}

}  // namespace

std::vector<float> baselineVector(const Transformer& model, const Baseline& baseline) {
  const TensorView E = model.parameters()["wte.weight"];
  const int V = E.extent[0], D = E.extent[1];
  const double factor = model.config().embeddingScale();
  std::vector<float> vector(static_cast<std::size_t>(D));
  for (int d = 0; d < D; ++d) {
    double value = 0;
    if (baseline.kind == Baseline::Kind::Token) value = E(baseline.token, d);
    if (baseline.kind == Baseline::Kind::Mean)
      for (int v = 0; v < V; ++v) value += static_cast<double>(E(v, d)) / V;
    vector[static_cast<std::size_t>(d)] = static_cast<float>(factor * value);
  }
  return vector;
}

IntegratedGradients::IntegratedGradients(const Transformer& model, const Trace& trace,
                                         const Interventions& interventions, AnswerMetric of,
                                         const Baseline& from)
    : of_(of),
      logits_(trace["logits"]),
      walks_(walksOf(model, trace, from)),
      pass_(model, trace, walking(interventions, walks_), pointsOf(walks_)) {}

std::vector<IntegratedGradients::Walk> IntegratedGradients::walksOf(const Transformer& model,
                                                                    const Trace& trace,
                                                                    const Baseline& from) {
  const ModelConfig& config = model.config();
  std::vector<Walk> walks;
  for (const Stream stream : {Stream::Text, Stream::Source}) {
    if (stream == Stream::Source && !config.isEncoderDecoder()) continue;
    const std::string point = stackPoint(config, "hook_embed", stream);
    const TensorView x = trace[point];
    Tensor input({x.extent[0], x.extent[1]}, x.copy());
    walks.push_back(
        {stream, point, x, input, baselineVector(model, from), std::make_shared<Tensor>(std::move(input))});
  }
  return walks;
}

// The embeddings are what the walk has come to, whatever else changes them.
Interventions IntegratedGradients::walking(Interventions interventions, const std::vector<Walk>& walks) {
  for (const Walk& walk : walks)
    interventions.push_back({.point = walk.point, .kind = InterventionKind::Replace, .tensor = walk.now});
  return interventions;
}

std::vector<std::string> IntegratedGradients::pointsOf(const std::vector<Walk>& walks) {
  std::vector<std::string> points;
  for (const Walk& walk : walks) points.push_back(walk.point);
  return points;
}

// x(α) = x′ + α (x − x′)
void IntegratedGradients::goTo(double alpha) {
  for (Walk& walk : walks_) {
    const auto [S, D] = std::pair(walk.input.view().extent[0], walk.input.view().extent[1]);
    for (int s = 0; s < S; ++s)
      for (int d = 0; d < D; ++d) {
        const double from = walk.baseline[static_cast<std::size_t>(d)];
        (*walk.now)(s, d) = static_cast<float>(from + alpha * (walk.input(s, d) - from));
      }
  }
  pass_.forward();
}

double IntegratedGradients::logitAt(double alpha) {
  goTo(alpha);
  const TensorView z = pass_.value("logits")[of_.prediction.position];
  return valueOf(of_, {z.data, static_cast<std::size_t>(z.extent[0])});
}

// weight · ∂z/∂x_s, for every token.
void IntegratedGradients::addGradients(double weight, std::vector<double>& gradients) {
  pass_.run(of_);
  auto next = gradients.begin();
  for (const Walk& walk : walks_)
    pass_.gradient(walk.point).forEach([&](const auto&, float g) {
      *next++ += weight * static_cast<double>(g);
    });
  ++steps_;
}

// Σ_s (x_s − x′_s) · ∫ ∂z/∂x_s dα
double IntegratedGradients::sumOver(const std::vector<double>& gradients) const {
  double sum = 0;
  auto next = gradients.begin();
  for (const Walk& walk : walks_)
    walk.input.view().forEach([&](const Index& at, float x) {
      sum += *next++ * static_cast<double>(x - walk.baseline[static_cast<std::size_t>(at[1])]);
    });
  return sum;
}

IntegratedGradients::Piece IntegratedGradients::pieceBetween(double from, double zFrom, double to,
                                                             double zTo) {
  Piece piece{from, to, zFrom, zTo, {}};
  std::size_t numbers = 0;
  for (const Walk& walk : walks_) numbers += walk.input.values().size();
  piece.gradients.assign(numbers, 0.0);
  for (const auto& [at, weight] : quadrature) {
    goTo(from + (to - from) * at);
    addGradients((to - from) * weight, piece.gradients);
  }
  piece.sum = sumOver(piece.gradients);
  return piece;
}

double IntegratedGradients::Piece::error() const { return std::abs(sum - (zTo - zFrom)); }

bool IntegratedGradients::isExact() const {
  const auto add = [](double sum, const Piece& piece) { return sum + piece.error(); };
  return !pieces_.empty() && std::accumulate(pieces_.begin(), pieces_.end(), 0.0, add) < enough;
}

bool IntegratedGradients::isFinished(int mostSteps) const {
  return !pieces_.empty() && (isExact() || steps_ + stepsOfDivision > mostSteps);
}

void IntegratedGradients::refine() {
  if (pieces_.empty()) {
    double from = 0, zFrom = logitAt(0);
    for (int i = 1; i <= firstPieces; ++i) {
      const double to = static_cast<double>(i) / firstPieces, zTo = logitAt(to);
      pieces_.push_back(pieceBetween(from, zFrom, to, zTo));
      from = to, zFrom = zTo;
    }
    return;
  }
  const auto worst = std::ranges::max_element(pieces_, {}, &Piece::error);
  const auto [from, to, zFrom, zTo] = std::tuple(worst->from, worst->to, worst->zFrom, worst->zTo);
  const double middle = (from + to) / 2, zMiddle = logitAt(middle);
  *worst = pieceBetween(from, zFrom, middle, zMiddle);
  pieces_.insert(worst + 1, pieceBetween(middle, zMiddle, to, zTo));
}

void IntegratedGradients::addTo(TensorSet& set) const {
  std::vector<double> all(pieces_.front().gradients.size(), 0.0);
  for (const Piece& piece : pieces_) std::ranges::transform(all, piece.gradients, all.begin(), std::plus<>());
  auto next = all.begin();
  for (const Walk& walk : walks_) {
    const bool isSource = walk.stream == Stream::Source;
    Tensor means = walk.input;
    for (float& value : means.values()) value = static_cast<float>(*next++);
    const std::string gradient = isSource ? integrated::sourceGradient : integrated::gradient;
    set.add({gradient, "SD", "derivative of z by each number of each token's embedding, the mean on the path",
             "∫₀¹ ∂z / ∂x_s dα, at x′ + α (x − x′)", Stream::Text, walk.stream},
            std::move(means));
    addDerived(set,
               {isSource ? integrated::source : integrated::tokens, "S",
                "each token's share of z: integrated gradients from the baseline",
                "IG_s = (x_s − x′_s) · ∫₀¹ ∂z / ∂x_s dα, at x′ + α (x − x′)", Stream::Text, walk.stream},
               {walk.x.extent[0]},
               [x = walk.x, baseline = walk.baseline, mean = set[gradient]](const Index& at) {
                 return alongPath(x[at[0]], baseline, mean[at[0]]);
               });
  }
  const double zInput = pieces_.back().zTo, zBaseline = pieces_.front().zFrom, sum = sumOver(all);
  const auto number = [](double value) { return static_cast<float>(value); };
  Tensor totals({6}, {number(zInput), number(zBaseline), number(zInput - zBaseline), number(sum),
                      number(sum - (zInput - zBaseline)), number(steps_)});
  const TensorView own = std::as_const(totals).view(), owed = set[integrated::tokens],
                   owedBySource = set.contains(integrated::source) ? set[integrated::source] : TensorView();
  const auto madeOf = [=, of = of_, logits = logits_](const Index& at) -> std::optional<Derivation> {
    const auto [t, v] = of.prediction;
    switch (at[0]) {
      case integrated::atInput:
        return of.against < 0 ? Derivation{.terms = {{&logits(t, v)}}}
                              : derivedDifference(&logits(t, v), &logits(t, of.against));
      case integrated::difference:
        return derivedDifference(&own(integrated::atInput), &own(integrated::atBaseline));
      case integrated::sum:
        return derivedSum({owed, owedBySource});
      case integrated::error:
        return derivedDifference(&own(integrated::sum), &own(integrated::difference));
      default:
        return std::nullopt;
    }
  };
  set.add({integrated::total, "Z",
           "z of the text, z of the baseline, their difference, sum of the attributions, its error, and the "
           "number of gradients",
           "z(x), z(x′), z(x) − z(x′), Σ IG_s"},
          std::move(totals), madeOf);
  Tensor path({static_cast<int>(pieces_.size()) + 1, 2});
  path(0, 0) = 0, path(0, 1) = number(zBaseline);
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    const Piece& piece = pieces_[static_cast<std::size_t>(i)];
    path(i + 1, 0) = number(piece.to), path(i + 1, 1) = number(piece.zTo);
  }
  set.add({integrated::path, "YZ", "α, and z there, where the path is divided", "z(x′ + α (x − x′))"},
          std::move(path));
}

}  // namespace glassformer
