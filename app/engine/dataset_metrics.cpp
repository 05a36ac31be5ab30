#include "app/engine/dataset_metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "app/engine/answer_measures.h"
#include "app/engine/state_measures.h"
#include "core/lens/across_changes.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/rollout.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

// Whether a contribution is of the part.
bool belongsTo(const ContributionPart& contribution, const ModelPart& part) {
  using Kind = ContributionPart::Kind;
  const bool samePlace = contribution.head.layer == part.layer && contribution.head.site == part.site;
  switch (part.kind) {
    case ModelPart::Kind::Head:
      return contribution.kind == Kind::Head && samePlace && contribution.head.head == part.head;
    case ModelPart::Kind::Attention:
      return (contribution.kind == Kind::Head || contribution.kind == Kind::OutputBias) && samePlace;
    case ModelPart::Kind::Recurrence:
      return contribution.kind == Kind::Recurrence && contribution.head.layer == part.layer;
    case ModelPart::Kind::Convolution:
      return contribution.kind == Kind::Convolution && contribution.head.layer == part.layer;
    case ModelPart::Kind::Mlp:
      break;
  }
  return contribution.kind == Kind::Mlp && contribution.head.layer == part.layer &&
         part.site != AttentionSite::Encoder;
}

// How much of its attention each head puts where a hypothesis says.
std::vector<float> scoresOfHeads(const DetectionPattern& hypothesis, const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  const Trace& trace = text.trace;
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config)) {
    const std::size_t first = cells.size();
    cells.resize(first + static_cast<std::size_t>(causalColumns(config)), NAN);
    const ExpectedPattern claims = claimsOf(hypothesis, attendedTokens(trace, row.site));
    if (!claimsAnything(claims)) continue;
    const auto shares = claimedAttention(trace[attentionPoint(row.layer, row.site, "hook_pattern")], claims);
    for (std::size_t h = 0; h < shares.size(); ++h) cells[first + h] = static_cast<float>(shares[h]);
  }
  return cells;
}

// Of a stack's blocks, how much of attention over all of them up to each lies where tokens are claimed.
// Empty where it was stopped.
using ClaimedOfStack = std::function<std::vector<double>(AttentionSite site, const ExpectedPattern& claims,
                                                         const ProgressCallback& watch)>;
std::vector<float> sharesOfTokens(const ModelConfig& config, const Trace& trace,
                                  const ProgressCallback& watch, const ClaimedOfStack& of) {
  const std::vector<DetectionPattern> classes = tokenClasses();
  const std::vector<AttentionSite> sites = sitesOf(config);
  std::map<AttentionSite, std::vector<std::vector<double>>> shares;  // of every class by block
  const int parts = static_cast<int>(sites.size() * classes.size());
  int part = 0;
  for (const AttentionSite site : sites)
    for (const DetectionPattern& each : classes) {
      const ExpectedPattern claims = claimsOf(each, attendedTokens(trace, site));
      const ProgressCallback own = partOf(watch, part++, parts);
      shares[site].push_back(claimsAnything(claims) ? of(site, claims, own) : std::vector<double>());
      if (claimsAnything(claims) && shares[site].back().empty()) return {};
    }
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const auto found = shares.find(row.site);
      const bool isThere = found != shares.end() && !found->second[c].empty();
      cells.push_back(isThere ? static_cast<float>(found->second[c][static_cast<std::size_t>(row.layer)])
                              : NAN);
    }
  return cells;
}

std::vector<float> rolloutOfTokens(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  const Trace& trace = text.trace;
  std::map<AttentionSite, Tensor> rolled;
  return sharesOfTokens(config, trace, text.watch,
                        [&](AttentionSite site, const ExpectedPattern& claims, const ProgressCallback&) {
                          const auto found = rolled.find(site);
                          const Tensor& all =
                              found != rolled.end()
                                  ? found->second
                                  : rolled.emplace(site, attentionRollout(trace, config, site)).first->second;
                          return claimedAttention(all.view(), claims);
                        });
}
std::vector<float> flowOfTokens(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  return sharesOfTokens(config, text.trace, text.watch,
                        [&](AttentionSite site, const ExpectedPattern& claims, const ProgressCallback& own) {
                          return claimedFlow(text.trace, config, site, claims, own);
                        });
}

std::string always(const ModelConfig&) { return ""; }
// An equation that no choice of a model changes.
std::function<std::string(const ModelConfig&)> written(std::string equation) {
  return [equation = std::move(equation)](const ModelConfig&) { return equation; };
}
std::string whyNoPatterns(const ModelConfig& config) {
  return config.hasAttention() ? "" : "this model has no attention";
}
std::string whyNoLogitSum(const ModelConfig& config) {
  return isLogitSumOfParts(config) ? "" : "in this model a logit is not a sum of its components";
}

std::string whyNoPatching(const ModelConfig& config) {
  return config.hasAttention() && config.residual
             ? ""
             : "this model has no attention with a residual stream to patch";
}

// What makes the cells of parts that are left out one at a time.
auto madeWithout(MultiPassDerivation (*made)(ReplayedPass whole, ReplayedPass without,
                                             const CountedTokens& counted)) {
  return [made](const TextAgain& text, int cell) -> OpenPasses {
    const auto off = everyPartOff(text.model->config())[static_cast<std::size_t>(cell)];
    if (!off) return {};
    return [=] { return made(text.whole(), text.without(*off), text.text.counted); };
  };
}

Prediction lastAnswer(const Trace& trace) {
  const int last = trace.tokenCount() - 1;
  return {last, likeliestEntry(trace, last)};
}

// Σ C ⊙ M / |Q|: the claimed cells of a matrix [T, S].
Derivation claimedCells(const TensorView& matrix, const ExpectedPattern& claims) {
  const auto rows = std::ranges::count_if(claims, [](const auto& keys) { return !keys.empty(); });
  Derivation share;
  for (int t = 0; t < static_cast<int>(claims.size()); ++t)
    for (const int s : claims[static_cast<std::size_t>(t)])
      share.terms.push_back({&matrix(t, s), nullptr, 1 / static_cast<float>(rows)});
  return share;
}

// Cells of the head's own pattern.
OpenPasses madeByLooking(const DetectionPattern& hypothesis, const TextAgain& text, int cell) {
  const ModelConfig& config = text.model->config();
  const int columns = causalColumns(config), head = cell % columns;
  const CausalRow row = causalRows(config)[static_cast<std::size_t>(cell / columns)];
  if (head >= config.heads) return {};
  return [&hypothesis, text, row, head] {
    ReplayedPass whole = text.whole();
    const ExpectedPattern claims = claimsOf(hypothesis, attendedTokens(*whole.trace, row.site));
    const TensorView pattern = (*whole.trace)[attentionPoint(row.layer, row.site, "hook_pattern")][head];
    return MultiPassDerivation{claimedCells(pattern, claims), {std::move(whole)}};
  };
}

// What a part adds itself: to every token that comes, all its vectors.
OpenPasses madeDirectly(const TextAgain& text, int cell) {
  const ModelConfig& config = text.model->config();
  const int columns = causalColumns(config);
  const auto part =
      causalPart(config, causalRows(config)[static_cast<std::size_t>(cell / columns)], cell % columns);
  if (!part) return {};
  return [text, part = *part] {
    ReplayedPass whole = text.whole();
    auto set = std::make_shared<TensorSet>();
    measureAttributionToNext(*text.model, *whole.trace, *set);
    const TensorView added = (*set)[attributionToNext];
    const auto named = contributionParts(*text.model);
    const CountedTokens& counted = text.text.counted;
    const auto count = counted.empty() ? added.extent[0] : std::ranges::count(counted, true);
    Derivation mean;
    for (int m = 0; m < added.extent[1]; ++m)
      for (int t = 0; t < added.extent[0] && belongsTo(named[static_cast<std::size_t>(m)], part); ++t)
        if (counts(counted, static_cast<std::size_t>(t)))
          mean.terms.push_back({&added(t, m), nullptr, 1 / static_cast<float>(count)});
    whole.measured = std::move(set);
    return MultiPassDerivation{std::move(mean), {std::move(whole)}};
  };
}

// Of a cell of what all blocks bring together: which attention, and which class of tokens.
struct BroughtTogether {
  CausalRow row;
  DetectionPattern tokens;
};
BroughtTogether broughtTogether(const ModelConfig& config, int cell) {
  const auto classes = tokenClasses();
  const auto at = static_cast<std::size_t>(cell);
  return {causalRows(config)[at / classes.size()], classes[at % classes.size()]};
}

OpenPasses madeByRollout(const TextAgain& text, int cell) {
  return [text, of = broughtTogether(text.model->config(), cell)] {
    ReplayedPass whole = text.whole();
    auto set = std::make_shared<TensorSet>();
    measureRollout(*whole.trace, text.model->config(), of.row.site, *set);
    const ExpectedPattern claims = claimsOf(of.tokens, attendedTokens(*whole.trace, of.row.site));
    Derivation share = claimedCells((*set)[rolloutOf(of.row.site)][of.row.layer], claims);
    whole.measured = std::move(set);
    return MultiPassDerivation{std::move(share), {std::move(whole)}};
  };
}

OpenPasses madeByFlow(const TextAgain& text, int cell) {
  return [text, of = broughtTogether(text.model->config(), cell)] {
    ReplayedPass whole = text.whole();
    auto set = std::make_shared<TensorSet>();
    measureRollout(*whole.trace, text.model->config(), of.row.site, *set);
    measureFlow(*whole.trace, text.model->config(), of.row.site, of.row.layer,
                claimsOf(of.tokens, attendedTokens(*whole.trace, of.row.site)), *set);
    std::vector<Cell> flows;
    (*set)["lens.flow"].forEach([&](const Index& at, float flow) {
      if (std::isfinite(flow)) flows.push_back(&(*set)["lens.flow"](at[0]));
    });
    whole.measured = std::move(set);
    return MultiPassDerivation{derivedMean(flows), {std::move(whole)}};
  };
}

// What leaving out does to the answer, as *Leave out* has it, what makes another one, as *Flip*, and what
// comes from another text, as *Patch*.
void addAnswerMeasures(std::vector<DatasetMetric>& all) {
  using Columns = DatasetMetric::Columns;
  const auto without = [&](std::string id, std::string name, std::string meaning, std::string equation,
                           bool isShare, float (*number)(const AblationEffect&)) {
    all.push_back({std::move(id), "Prediction", std::move(name), std::move(meaning),
                   written(std::move(equation)), Columns::Parts, isShare,
                   [number](const MeasuredText& text) { return answerWithoutParts(text, number); }, always});
  };
  without("answer", "its logit", "Change in the logit of each text's top token when a component is ablated",
          "z_a without − z_a, a = argmax z", false, [](const AblationEffect& part) { return part.logit; });
  all.back().made = madeWithout([](ReplayedPass whole, ReplayedPass off, const CountedTokens&) {
    const Prediction answer = lastAnswer(*whole.trace);
    return answerAcross(std::move(whole), std::move(off), {answer});
  });
  without("divergence", "KL", "KL divergence of the last prediction when a component is ablated",
          "KL(p ‖ p without), in nats", false, [](const AblationEffect& part) { return part.divergence; });
  all.back().made = madeWithout([](ReplayedPass whole, ReplayedPass off, const CountedTokens&) {
    const int last = whole.trace->tokenCount() - 1;
    return divergenceAcross(std::move(whole), std::move(off), last);
  });
  without("another", "top token changed",
          "Share of texts whose top token changes when a component is ablated", "argmax z without ≠ argmax z",
          true, [](const AblationEffect& part) { return part.likeliest == part.before ? 0.0f : 1.0f; });
  all.back().made = madeWithout([](ReplayedPass whole, ReplayedPass off, const CountedTokens&) {
    const int last = whole.trace->tokenCount() - 1;
    return anotherAnswerAcross(std::move(whole), std::move(off), last);
  });
  all.push_back({"integrated", "Prediction", "integrated",
                 "Integrated gradients of the top token's logit, from the zero baseline",
                 written("Σ IG_s, IG_s = x_s · ∫ ∂z_a / ∂x_s dα"), Columns::Owed, false, integratedOfText,
                 whyNoPatterns, madeByIntegrating});
  all.push_back({"flip-heads", "Edits", "heads",
                 "Share of texts where the head is in a smallest set whose ablation changes the prediction",
                 written("h in S, |S| minimal, argmax z without S ≠ argmax z"), Columns::Parts, true,
                 headsThatFlip, whyNoPatterns, madeByFlippingHeads});
  all.push_back({"flip-tokens", "Edits", "tokens",
                 "Share of texts where replacing one token there changes the prediction",
                 written("argmax z with x_s = v ≠ argmax z"), Columns::Replaced, true, tokensThatFlip, always,
                 madeByFlippingTokens});
  for (const PatchKind& kind : patchKinds)
    all.push_back({std::string("patch-") + kind.id, "Patching", kind.label,
                   "Change in the logit difference when an activation comes from the paired text: " +
                       std::string(kind.tip),
                   written("(z_a − z_b) patched − (z_a − z_b)"),
                   kind.byHead ? Columns::Parts : Columns::Places, false,
                   [&kind](const MeasuredText& text) { return patchesOf(text, kind); }, whyNoPatching,
                   [&kind](const TextAgain& text, int cell) { return madeByPatching(text, kind, cell); }});
}

std::vector<DatasetMetric> allMeasures() {
  using Columns = DatasetMetric::Columns;
  std::vector<DatasetMetric> all{
      {"loss", "Loss", "", "Rise of the loss when a component is ablated", written("L without − L"),
       Columns::Parts, false, nullptr, always, madeWithout(lossAcross)},
      {"logit", "Logit", "", "Change in the logits of the next tokens when a component is ablated",
       written("z without − z"), Columns::Parts, false, nullptr, always, madeWithout(nextLogitAcross)},
      {"direct", "DLA", "", "Direct logit attribution of each component to the next tokens",
       [](const ModelConfig& config) { return logitShareWords(config, "x_m"); }, Columns::Parts, false,
       [](const MeasuredText& text) {
         return directOfCells(text.pass.model(),
                              contributionsToNext(text.pass.model(), text.trace, text.counted));
       },
       whyNoLogitSum, madeDirectly}};
  addAnswerMeasures(all);
  for (const DetectionPattern& each : headHypotheses())
    all.push_back({std::string(each.id), "Attention to", std::string(each.name),
                   "Mean attention of each head to: " + std::string(each.name),
                   written("Σ C ⊙ A / |Q|, " + std::string(each.equation)), Columns::Parts, true,
                   [&each](const MeasuredText& text) { return scoresOfHeads(each, text); }, whyNoPatterns,
                   [&each](const TextAgain& text, int cell) { return madeByLooking(each, text, cell); }});
  all.push_back({"norms", "Activations", "residual stream", "Norm of the residual stream and of each update",
                 written("mean_t ‖x_t‖"), Columns::Norms, false, normsOfText, always, madeOfNorms});
  all.push_back({"token-norms", "Activations", "by position", "Norm of the residual stream by position",
                 written("mean_t ‖x_t‖ over such t"), Columns::TokenNorms, false, tokenNormsOfText, always,
                 madeOfTokenNorms});
  all.push_back({"geometry", "Activations", "geometry",
                 "Variance on two principal components, and mean cosine",
                 written("λ / Σ λ, mean_{s < t} cos(x_s, x_t)"), Columns::Geometry, false, geometryOfText,
                 always, madeOfGeometry});
  all.push_back({"neurons", "Activations", "neurons",
                 "Share of active neurons per block, and their mean activation",
                 written("mean_tf [a > 0], mean_tf a, mean_tf |a|"), Columns::Neurons, false, neuronsOfText,
                 [](const ModelConfig& config) {
                   return std::string(config.hasFeedForward() ? "" : "this model has no neurons");
                 },
                 madeOfNeurons});
  all.push_back(
      {"rollout", "Rollout", "",
       "Attention rollout: share of each token by source token, up to each block (Abnar & Zuidema 2020)",
       [](const ModelConfig& config) {
         const std::string own = "Σ C ⊙ R_l / |Q|, R_l = (mean_h A_l + I) / 2 · R_{l − 1}";
         return own + (config.isEncoderDecoder()
                           ? "; cross-attention (R_l · X_{l − 1} + mean_h C_l · R_E) / 2"
                           : "");
       },
       Columns::Tokens, true, rolloutOfTokens, whyNoPatterns, madeByRollout});
  all.push_back(
      {"flow", "Flow", "",
       "Attention flow: maximum flow from source token to token, up to each block (Abnar & Zuidema 2020)",
       written("max flow, capacities (mean_h A_l + I) / 2"), Columns::Tokens, true, flowOfTokens,
       whyNoPatterns, madeByFlow});
  return all;
}

}  // namespace

ReplayedPass TextAgain::whole() const {
  return passAgain(name.empty() ? asItIsWords : name + " as it is", model, Trace(text.tokens, text.source),
                   standing);
}
ReplayedPass TextAgain::with(const std::string& change, const Interventions& more) const {
  Interventions all = standing;
  all.insert(all.end(), more.begin(), more.end());
  return passAgain((name.empty() ? "" : name + ", ") + change, model, Trace(text.tokens, text.source), all);
}
ReplayedPass TextAgain::reading(const std::string& change, const TokenText& other) const {
  return passAgain((name.empty() ? "" : name + ", ") + change, model, Trace(other.tokens, other.source),
                   standing);
}

std::span<const DatasetMetric> datasetMetrics() {
  static const std::vector<DatasetMetric> all = allMeasures();
  return all;
}

const DatasetMetric& effectMeasure(std::string_view id) {
  const auto all = datasetMetrics();
  const auto found = std::ranges::find(all, id, &DatasetMetric::id);
  return found == all.end() ? all.front() : *found;
}

std::vector<std::string> rowNames(const DatasetMetric& measure, const ModelConfig& config) {
  if (measure.columns == DatasetMetric::Columns::Replaced)
    return config.isEncoderDecoder() ? std::vector<std::string>{"text", "source"}
                                     : std::vector<std::string>{"text"};
  if (measure.columns == DatasetMetric::Columns::Owed) return {"text"};
  std::vector<std::string> names;
  for (const CausalRow& row : causalRows(config)) names.push_back(nameOf(row));
  return names;
}

std::vector<std::string> columnNames(const DatasetMetric& measure, const ModelConfig& config) {
  using Columns = DatasetMetric::Columns;
  std::vector<std::string> names;
  switch (measure.columns) {
    case Columns::Parts:
      for (int column = 0; column < causalColumns(config); ++column) {
        const int heads = causalColumns(config) - 2;
        names.push_back(column < heads   ? std::to_string(column)
                        : column > heads ? "MLP"
                        : heads > 0      ? "all"
                                         : "mix");
      }
      break;
    case Columns::Norms:
      names.assign(std::begin(normColumns), std::end(normColumns));
      break;
    case Columns::TokenNorms:
      names.assign(std::begin(tokenNormColumns), std::end(tokenNormColumns));
      break;
    case Columns::Geometry:
      names.assign(std::begin(geometryColumns), std::end(geometryColumns));
      break;
    case Columns::Neurons:
      names.assign(std::begin(neuronColumns), std::end(neuronColumns));
      break;
    case Columns::Owed:
    case Columns::Tokens:
      for (const DetectionPattern& each : tokenClasses()) names.emplace_back(each.name);
      break;
    case Columns::Places:
      names.assign(std::begin(patchPlaces), std::end(patchPlaces));
      break;
    case Columns::Replaced:
      for (const DetectionPattern& each : headHypotheses()) names.emplace_back(each.name);
      names.emplace_back("any token");
  }
  return names;
}

std::size_t cellsOf(const DatasetMetric& measure, const ModelConfig& config) {
  return rowNames(measure, config).size() * columnNames(measure, config).size();
}

std::string nameOf(const CausalRow& row) {
  const std::string name = nameOf(HeadId{row.layer, 0, row.site});
  return name.substr(0, name.rfind('H'));
}

std::string nameOfCell(const DatasetMetric& measure, const ModelConfig& config, int cell) {
  const auto columns = columnNames(measure, config);
  const auto row = static_cast<std::size_t>(cell) / columns.size(),
             column = static_cast<std::size_t>(cell) % columns.size();
  if (measure.columns != DatasetMetric::Columns::Parts)
    return rowNames(measure, config)[row] + ": " + columns[column];
  const auto part = causalPart(config, causalRows(config)[row], static_cast<int>(column));
  return part ? nameOf(*part) : "";
}

std::vector<float> directOfCells(const Transformer& model, const std::vector<float>& contributions) {
  const ModelConfig& config = model.config();
  const auto named = contributionParts(model);
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column) {
      const auto part = causalPart(config, row, column);
      float sum = NAN;
      for (std::size_t m = 0; part && m < contributions.size(); ++m)
        if (belongsTo(named[m], *part)) sum = (std::isnan(sum) ? 0 : sum) + contributions[m];
      cells.push_back(sum);
    }
  return cells;
}

}  // namespace glassformer
