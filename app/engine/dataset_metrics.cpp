#include "app/engine/dataset_metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/engine/answer_measures.h"
#include "core/lens/across_changes.h"
#include "core/lens/contributions.h"
#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
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
  all.push_back({"flip-heads", "Edits", "heads",
                 "Share of texts where the head is in a smallest set whose ablation changes the prediction",
                 written("h in S, |S| minimal, argmax z without S ≠ argmax z"), Columns::Parts, true,
                 headsThatFlip, whyNoPatterns, madeByFlippingHeads});
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
std::span<const DatasetMetric> datasetMetrics() {
  static const std::vector<DatasetMetric> all = allMeasures();
  return all;
}

const DatasetMetric& effectMeasure(std::string_view id) {
  const auto all = datasetMetrics();
  const auto found = std::ranges::find(all, id, &DatasetMetric::id);
  return found == all.end() ? all.front() : *found;
}

std::vector<std::string> rowNames(const ModelConfig& config) {
  std::vector<std::string> names;
  for (const CausalRow& row : causalRows(config)) names.push_back(nameOf(row));
  return names;
}

std::vector<std::string> columnNames(const DatasetMetric& measure, const ModelConfig& config) {
  if (measure.columns == DatasetMetric::Columns::Places)
    return {std::begin(patchPlaces), std::end(patchPlaces)};
  std::vector<std::string> names;
  for (int column = 0; column < causalColumns(config); ++column) {
    const int heads = causalColumns(config) - 2;
    names.push_back(column < heads   ? std::to_string(column)
                    : column > heads ? "MLP"
                    : heads > 0      ? "all"
                                     : "mix");
  }
  return names;
}

std::size_t cellsOf(const DatasetMetric& measure, const ModelConfig& config) {
  return rowNames(config).size() * columnNames(measure, config).size();
}

std::string nameOf(const CausalRow& row) {
  const std::string name = nameOf(HeadId{row.layer, 0, row.site});
  return name.substr(0, name.rfind('H'));
}

std::string nameOfCell(const DatasetMetric& measure, const ModelConfig& config, int cell) {
  const auto columns = columnNames(measure, config);
  const auto row = static_cast<std::size_t>(cell) / columns.size(),
             column = static_cast<std::size_t>(cell) % columns.size();
  if (measure.columns != DatasetMetric::Columns::Parts) return rowNames(config)[row] + ": " + columns[column];
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
