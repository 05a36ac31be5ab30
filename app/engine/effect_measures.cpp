#include "app/engine/effect_measures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/rollout.h"

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
std::vector<float> scoresOfHeads(const HeadHypothesis& hypothesis, const Transformer& model,
                                 const Trace& trace) {
  const ModelConfig& config = model.config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config)) {
    const std::size_t first = cells.size();
    cells.resize(first + static_cast<std::size_t>(causalColumns(config)), NAN);
    const Claims claims = claimsOf(hypothesis, attendedTokens(trace, row.site));
    if (!claimsAnything(claims)) continue;
    const auto shares = claimedAttention(trace[attentionPoint(row.layer, row.site, "hook_pattern")], claims);
    for (std::size_t h = 0; h < shares.size(); ++h) cells[first + h] = static_cast<float>(shares[h]);
  }
  return cells;
}

// Of a stack's blocks, how much of attention over all of them up to each lies where tokens are claimed.
// Empty where it was stopped.
using ClaimedOfStack =
    std::function<std::vector<double>(AttentionSite site, const Claims& claims, const Watch& watch)>;
std::vector<float> sharesOfTokens(const ModelConfig& config, const Trace& trace, const Watch& watch,
                                  const ClaimedOfStack& of) {
  const std::vector<HeadHypothesis> classes = tokenClasses();
  std::vector<AttentionSite> sites = sitesOf(config);
  std::erase(sites, AttentionSite::Across);                          // its stack reads another one
  std::map<AttentionSite, std::vector<std::vector<double>>> shares;  // of every class by block
  const int parts = static_cast<int>(sites.size() * classes.size());
  int part = 0;
  for (const AttentionSite site : sites)
    for (const HeadHypothesis& each : classes) {
      const Claims claims = claimsOf(each, attendedTokens(trace, site));
      const Watch own = partOf(watch, part++, parts);
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

std::vector<float> rolloutOfTokens(const Transformer& model, const Trace& trace, const Watch& watch) {
  std::map<AttentionSite, Tensor> rolled;
  return sharesOfTokens(
      model.config(), trace, watch, [&](AttentionSite site, const Claims& claims, const Watch&) {
        const auto found = rolled.find(site);
        const Tensor& all =
            found != rolled.end()
                ? found->second
                : rolled.emplace(site, attentionRollout(trace, model.config(), site)).first->second;
        return claimedAttention(all.view(), claims);
      });
}
std::vector<float> flowOfTokens(const Transformer& model, const Trace& trace, const Watch& watch) {
  return sharesOfTokens(model.config(), trace, watch,
                        [&](AttentionSite site, const Claims& claims, const Watch& own) {
                          return claimedFlow(trace, model.config(), site, claims, own);
                        });
}

std::string always(const ModelConfig&) { return ""; }
// An equation that no choice of a model changes.
std::function<std::string(const ModelConfig&)> written(std::string equation) {
  return [equation = std::move(equation)](const ModelConfig&) { return equation; };
}
std::string whyNoPatterns(const ModelConfig& config) {
  return config.attends() ? "" : "this model has no attention";
}
std::string whyNoLogitSum(const ModelConfig& config) {
  return isLogitSumOfParts(config) ? "" : "in this model a logit is no sum of what its parts add";
}

std::vector<EffectMeasure> allMeasures() {
  using Columns = EffectMeasure::Columns;
  std::vector<EffectMeasure> all{
      {"loss", "Loss", "", "by how much the loss of the tokens that come rises without each part",
       written("L without − L"), Columns::Parts, false, nullptr, always},
      {"logit", "Logit", "", "what the logits of the tokens that come change by without each part",
       written("z without − z"), Columns::Parts, false, nullptr, always},
      {"direct", "Direct", "", "what each part itself adds to the logits of the tokens that come",
       [](const ModelConfig& config) { return logitShareWords(config, "x_m"); }, Columns::Parts, false,
       [](const Transformer& model, const Trace& trace, const Watch&) {
         return directOfCells(model, contributionsToNext(model, trace));
       },
       whyNoLogitSum}};
  for (const HeadHypothesis& each : headHypotheses())
    all.push_back({std::string(each.id), "Looks", std::string(each.name),
                   "how much of its attention each head puts there: " + std::string(each.name),
                   written("Σ C ⊙ A / |Q|, " + std::string(each.equation)), Columns::Parts, true,
                   [&each](const Transformer& model, const Trace& trace, const Watch&) {
                     return scoresOfHeads(each, model, trace);
                   },
                   whyNoPatterns});
  all.push_back({"rollout", "Rollout", "",
                 "what of each token's state comes from where, by attention and residuals up to each block",
                 written("Σ C ⊙ R_l / |Q|, R_l = (mean_h A_l + I) / 2 · R_{l − 1}"), Columns::Tokens, true,
                 rolloutOfTokens, whyNoPatterns});
  all.push_back(
      {"flow", "Flow", "",
       "how much can flow to each token from where, through attention and residuals up to each block",
       written("max flow, capacities (mean_h A_l + I) / 2"), Columns::Tokens, true, flowOfTokens,
       whyNoPatterns});
  return all;
}

}  // namespace

std::span<const EffectMeasure> effectMeasures() {
  static const std::vector<EffectMeasure> all = allMeasures();
  return all;
}

const EffectMeasure& effectMeasure(std::string_view id) {
  const auto all = effectMeasures();
  const auto found = std::ranges::find(all, id, &EffectMeasure::id);
  return found == all.end() ? all.front() : *found;
}

int columnsOf(const EffectMeasure& measure, const ModelConfig& config) {
  return measure.columns == EffectMeasure::Columns::Parts ? causalColumns(config)
                                                          : static_cast<int>(tokenClasses().size());
}

std::string nameOf(const CausalRow& row) {
  const std::string name = nameOf(HeadId{row.layer, 0, row.site});
  return name.substr(0, name.rfind('H'));
}

std::string nameOfCell(const EffectMeasure& measure, const ModelConfig& config, int cell) {
  const int columns = columnsOf(measure, config), column = cell % columns;
  const CausalRow row = causalRows(config)[static_cast<std::size_t>(cell / columns)];
  if (measure.columns == EffectMeasure::Columns::Tokens)
    return nameOf(row) + ": " + std::string(tokenClasses()[static_cast<std::size_t>(column)].name);
  const auto part = causalPart(config, row, column);
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
