#include "app/engine/patch_map.h"

#include <algorithm>
#include <cmath>

#include "app/document/attribution_settings.h"
#include "app/document/workspace.h"
#include "app/engine/ablation_map.h"
#include "app/engine/asked_metric.h"
#include "app/engine/compared_interventions.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/across_changes.h"
#include "core/lens/contributions.h"
#include "core/lens/patching.h"
#include "core/model/point_names.h"
#include "core/text/utf8.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

// What the changes are of the way to the other text's number.
void addShares(double range, TensorSet& set) {
  const TensorView changes = set[patching::change];
  Tensor all({1}), shares({changes.extent[0], changes.extent[1]});
  all(0) = static_cast<float>(range);
  set.add({patching::range, "1", "value in the other text minus value in the open one", "y′ − y"}, all);
  const auto share = [changes, range](const Index& at) {
    return Derivation{.terms = {{&changes(at[0], at[1]), nullptr, static_cast<float>(1 / range)}}};
  };
  addDerived(set,
             {patching::share, set.point(set.find(patching::change)).letters,
              "the change as a share: 0 is the open text's number, 1 the other text's",
              "(y patched − y) / (y′ − y)"},
             {changes.extent[0], changes.extent[1]}, share);
}

std::shared_ptr<const TensorSet> tensorsOf(const PatchKind& kind, const ModelConfig& config,
                                           const Metric& metric, const Tensor& changes,
                                           const Derivation& lead, int answer, double range,
                                           TensorSet::AcrossOf across) {
  auto set = std::make_shared<TensorSet>();
  set->addAcross({patching::change, kind.byHead ? "LH" : "LT", wordsOf(metric, config) + " with this patch",
                  equationOf(metric, config, "patched")},
                 changes, std::move(across));
  if (std::isfinite(range) && range != 0) addShares(range, *set);
  Tensor leads({1}), answers({1});
  leads(0) = static_cast<float>(lead.value()), answers(0) = static_cast<float>(answer);
  set->add({patching::lead, "1", "logit difference: prediction of the open text minus that of the other",
            "z_a − z_b"},
           std::move(leads), [lead](const auto&) { return lead; });
  set->add({patching::other, "1", "prediction of the text compared with", "argmax z"}, std::move(answers));
  return set;
}

}  // namespace

std::string whyNoPatch(const Snapshot& snapshot) {
  if (!snapshot.model->config || !snapshot.model->config->hasAttention() || !snapshot.model->config->residual)
    return "this model has no attention with a residual stream to patch";
  return "";
}

std::optional<Intervention> patchOfCell(const ModelConfig& config, const Trace& here, const Trace& other,
                                        const Alignment& alignment, const PatchKind& kind, int layer,
                                        int column) {
  const std::string point = kind.byHead ? attentionPoint(layer, ownSite(config), "hook_z")
                            : std::string_view(kind.id) == "attention"
                                ? attentionOutPoint(layer, ownSite(config))
                                : blockPoint(config, layer, kind.point);
  if (!here.contains(point) || !other.contains(point)) return std::nullopt;
  if (kind.byHead) return patchOfHead(here, other, point, column, alignment);
  const int at = alignment.columnOfA(column), from = at < 0 ? -1 : alignment[at].b;
  return from < 0 ? std::nullopt : std::optional(patchAt(here, other, point, column, from));
}

std::string patchOrigin(const ShownPass& here, const ShownPass& other, const Alignment& alignment,
                        const PatchKind& kind, int column) {
  constexpr std::size_t mostCharacters = 24;
  const std::string text =
      here.text == other.text ? "the pass compared with" : "“" + excerpt(other.text, mostCharacters) + "”";
  const int at = kind.byHead ? -1 : alignment.columnOfA(column), from = at < 0 ? -1 : alignment[at].b;
  return from < 0 ? text : tokenWords(other, from) + " of " + text;
}

std::string tokenWords(const ShownPass& pass, int position) {
  const auto at = static_cast<std::size_t>(position);
  const std::string number = "token " + std::to_string(position);
  return at < pass.tokens.size() ? number + " " + pass.tokens[at].label : number;
}

std::string patchWords(const PatchKind& kind, int layer, int column) {
  const std::string block = std::to_string(layer), at = std::to_string(column);
  return kind.byHead
             ? "head L" + block + "H" + at + " from the other text"
             : std::string(kind.label) + " of block " + block + " at position " + at + " from the other text";
}

namespace {

TensorSet::AcrossOf acrossPatches(const PatchKey& key, const PatchState& state) {
  return [key, alignment = state.alignment](const auto& index) -> OpenPasses {
    const auto& [model, whole, standing] = key.pass;
    const int layer = index[0], column = index[1];
    auto patch = patchOfCell(model->config(), *whole, *key.other, alignment, *key.kind, layer, column);
    if (!patch) return {};
    return [=, patch = *std::move(patch)] {
      const auto& [model, whole, standing] = key.pass;
      return metricAcross(
          model->config(), passAtHand(asItIsWords, whole),
          passAgain(patchWords(*key.kind, layer, column), model, *whole, withOneMore(standing, patch)),
          key.metric);
    };
  };
}

// The metric's number in the other text, less that in the open one; NaN where that says nothing.
double rangeOf(const PatchKey& key) {
  if (key.metric.kind != Metric::Kind::Answer) return NAN;
  AnswerMetric there = key.metric.of;
  there.prediction.position = key.otherPosition;
  return valueOf(there, *key.other) - valueOf(key.metric.of, *key.pass.trace);
}

// Of a logit difference, the contrast token is the other text's answer unless one is chosen.
Metric metricOf(const ViewSettings& settings, const ShownPass& here, int answer, int mask) {
  const MetricChoice& chosen = chosenMetric(settings, usualPatchMetric);
  Metric metric = askedMetric(settings, here, chosen, mask);
  if (chosen.isDifference && settings.chosen(againstChoice).empty())
    metric.of.against = answer == here.predicted.entry ? -1 : answer;
  return metric;
}

bool isAnswered(const ShownPass& pass) { return pass.hasTrace() && pass.predicted.entry >= 0; }

}  // namespace

std::optional<PatchKey> PatchMap::key(const JobSide& side) const {
  auto pass = side.pass();
  if (!pass || !side.beside || !missing(side).empty()) return std::nullopt;
  const ShownPass &here = *side.snapshot.pass, &there = *side.beside->pass;
  const ModelConfig &a = *side.snapshot.model->config, &b = *side.beside->model->config;
  if (!isAnswered(here) || !isAnswered(there) || a.layers != b.layers || a.heads != b.heads ||
      a.width != b.width)
    return std::nullopt;
  const ShownPass& compared = side.isOpen ? there : here;
  const int answer = likeliestEntry(*compared.trace, compared.predicted.position);
  const ViewSettings& settings = side.workspace().settings;
  return PatchKey{
      *std::move(pass),        there.trace,
      &patchKind(settings),    metricOf(settings, here, answer, side.of.model.shown->tokenizer->mask()),
      here.predicted,          answer,
      there.predicted.position};
}

std::string PatchMap::missing(const JobSide& side) const { return whyNoPatch(side.snapshot); }

std::unique_ptr<PatchState> PatchMap::start(const PatchKey& key, const JobSide& side, const StartJob&) {
  const auto& [model, trace, interventions] = key.pass;
  const int rows = side.config().layers,
            columns = key.kind->byHead ? side.config().heads : trace->tokenCount();
  return std::make_unique<PatchState>(
      align(trace->tokens(), key.other->tokens()), std::make_unique<LivePass>(model, threads_),
      Tensor({rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns), NAN)));
}

JobResult PatchMap::result(const PatchKey& key, const PatchState& state, const JobSide&) const {
  const Trace& trace = *key.pass.trace;
  const Derivation lead = derivedLead(trace, key.prediction.position, key.prediction.entry, key.answer);
  return {tensorsOf(*key.kind, key.pass.model->config(), key.metric, state.changes, lead, key.answer,
                    rangeOf(key), acrossPatches(key, state))};
}

bool PatchMap::goOn(const PatchKey& key, PatchState& state, const JobSide& side, const StartJob& begin,
                    const std::function<void()>& more) {
  const int columns = state.changes.view().extent[1], count = static_cast<int>(state.changes.values().size());
  if (state.next == count) return true;
  const ProgressCallback watch = begin(doing);
  const auto& [model, trace, interventions] = key.pass;
  const MetricOfPass whole(side.config(), *trace, key.metric);
  for (; state.next < count; ++state.next) {
    if (!watch(state.next, count)) return false;
    const int layer = state.next / columns, column = state.next % columns;
    const auto patch =
        patchOfCell(side.config(), *trace, *key.other, state.alignment, *key.kind, layer, column);
    if (!patch) continue;
    const auto patched =
        state.pass->run(trace->tokens(), withOneMore(interventions, *patch), trace->source());
    state.changes(layer, column) = whole.changeTo({side.config(), *patched, key.metric});
    more();
  }
  return true;
}

}  // namespace glassformer
