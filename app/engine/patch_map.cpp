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

TensorSet::AcrossOf PatchMap::Side::across() const {
  return [model = model, whole = trace, other = other, standing = interventions, metric = metric, kind = kind,
          alignment = alignment](const auto& index) -> OpenPasses {
    const int layer = index[0], column = index[1];
    auto patch = patchOfCell(model->config(), *whole, *other, alignment, *kind, layer, column);
    if (!patch) return {};
    return [=, patch = *std::move(patch)] {
      return metricAcross(
          model->config(), passAtHand(asItIsWords, whole),
          passAgain(patchWords(*kind, layer, column), model, *whole, withOneMore(standing, patch)), metric);
    };
  };
}

double PatchMap::Side::range() const {
  if (metric.kind != Metric::Kind::Answer) return NAN;
  AnswerMetric there = metric.of;
  there.prediction.position = otherPosition;
  return valueOf(there, *other) - valueOf(metric.of, *trace);
}

// Of a logit difference, the contrast token is the other text's answer unless one is chosen.
Metric PatchMap::metricOf(const ViewSettings& settings, const ShownPass& here, int answer, int mask) {
  const MetricChoice& chosen = chosenMetric(settings, usualPatchMetric);
  Metric metric = askedMetric(settings, here, chosen, mask);
  if (chosen.isDifference && settings.chosen(againstChoice).empty())
    metric.of.against = answer == here.predicted.entry ? -1 : answer;
  return metric;
}

std::array<PatchMap::Side, 2> PatchMap::asked(const MeasuredModel& of, const Snapshot& snapshot) const {
  std::array<Side, 2> sides;
  if (!whyNoPatch(snapshot).empty() || isMoving(of.workspace, snapshot)) return sides;
  const Snapshot* other = snapshot.other.get();
  const bool areThere = snapshot.pass->hasTrace() && other && other->pass->hasTrace() &&
                        snapshot.pass->predicted.entry >= 0 && other->pass->predicted.entry >= 0 &&
                        snapshot.model->config->layers == other->model->config->layers &&
                        snapshot.model->config->heads == other->model->config->heads &&
                        snapshot.model->config->width == other->model->config->width;
  if (!areThere) return sides;
  const PatchKind& kind = patchKind(of.workspace.settings);
  const int answer = likeliestEntry(*other->pass->trace, other->pass->predicted.position);
  const auto side = [&](const Snapshot& here, const Snapshot& there, Interventions standing,
                        const std::shared_ptr<const Transformer>& model) {
    Side made;
    made.model = model, made.trace = here.pass->trace, made.other = there.pass->trace;
    made.interventions = std::move(standing), made.prediction = here.pass->predicted, made.kind = &kind;
    made.answer = answer, made.otherPosition = there.pass->predicted.position;
    made.metric = metricOf(of.workspace.settings, *here.pass, answer, of.model.shown->tokenizer->mask());
    return made;
  };
  const Interventions& standing = of.workspace.interventions;
  sides[0] = side(snapshot, *other, standing, of.model.shown->transformer);
  if (other->model->hasNoWeights()) return sides;
  sides[1] = side(*other, snapshot, interventionsBeside(of.workspace, *snapshot.pass->trace),
                  of.other ? of.other : of.model.shown->transformer);
  return sides;
}

void PatchMap::begin(Side& side) const {
  const ModelConfig& config = side.model->config();
  const int columns = side.kind->byHead ? config.heads : side.trace->tokenCount();
  side.alignment = align(side.trace->tokens(), side.other->tokens());
  side.changes = Tensor({config.layers, columns},
                        std::vector<float>(static_cast<std::size_t>(config.layers * columns), NAN));
  side.pass = std::make_unique<LivePass>(side.model, threads_);
  side.next = 0;
}

void PatchMap::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const std::array<Side, 2> now = asked(of, snapshot);
  const auto kept = [&](std::size_t i, const Snapshot& of) -> JobResult {
    const Side& side = sides_[i];
    if (!side.trace || !side.patchesSame(now[i])) return {nullptr, whyNoPatch(of)};
    const Derivation ahead =
        derivedLead(*side.trace, side.prediction.position, side.prediction.entry, side.answer);
    return {tensorsOf(*side.kind, side.model->config(), side.metric, side.changes, ahead, side.answer,
                      side.range(), side.across()),
            whyNoPatch(of)};
  };
  put(snapshot, kept(0, snapshot), snapshot.other ? kept(1, *snapshot.other) : JobResult{});
}

bool PatchMap::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob&) {
  std::array<Side, 2> now = asked(of, snapshot);
  bool isNew = false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i].trace || sides_[i].patchesSame(now[i])) continue;
    sides_[i] = std::move(now[i]);
    begin(sides_[i]);
    isNew = true;
  }
  return isNew;
}

void PatchMap::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                       const std::function<void()>& more) {
  const std::array<Side, 2> now = asked(of, snapshot);
  for (std::size_t i = 0; i < now.size(); ++i) {
    Side& side = sides_[i];
    if (!side.trace || !side.patchesSame(now[i])) continue;
    if (side.next < static_cast<int>(side.changes.values().size()) && !measure(side, begin(doing), more))
      return;
  }
}

// False where it was stopped.
bool PatchMap::measure(Side& side, const ProgressCallback& watch, const std::function<void()>& more) const {
  const int columns = side.changes.view().extent[1], count = static_cast<int>(side.changes.values().size());
  const ModelConfig& config = side.model->config();
  const MetricOfPass whole(config, *side.trace, side.metric);
  for (; side.next < count; ++side.next) {
    if (!watch(side.next, count)) return false;
    const int layer = side.next / columns, column = side.next % columns;
    const auto patch =
        patchOfCell(config, *side.trace, *side.other, side.alignment, *side.kind, layer, column);
    if (!patch) continue;
    const auto patched =
        side.pass->run(side.trace->tokens(), withOneMore(side.interventions, *patch), side.trace->source());
    side.changes(layer, column) = whole.changeTo({config, *patched, side.metric});
    more();
  }
  return true;
}

}  // namespace glassformer
