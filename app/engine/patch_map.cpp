#include "app/engine/patch_map.h"

#include <algorithm>
#include <cmath>

#include "app/document/workspace.h"
#include "app/engine/causal_map.h"
#include "app/engine/compared_interventions.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/across_changes.h"
#include "core/lens/contributions.h"
#include "core/lens/patching.h"
#include "core/model/point_names.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::shared_ptr<const TensorSet> tensorsOf(const PatchKind& kind, const Tensor& changes,
                                           const Derivation& lead, int answer, TensorSet::AcrossOf across) {
  auto set = std::make_shared<TensorSet>();
  set->addAcross({patching::change, kind.byHead ? "LH" : "LT",
                  "what the answer's lead changes by with this patch", "(z_a − z_b) patched − (z_a − z_b)"},
                 changes, std::move(across));
  Tensor leads({1}), answers({1});
  leads(0) = static_cast<float>(lead.value()), answers(0) = static_cast<float>(answer);
  set->add({patching::lead, "1", "how far the open text's answer is ahead of that of the other", "z_a − z_b"},
           std::move(leads), [lead](const auto&) { return lead; });
  set->add({patching::other, "1", "what the text compared with answers", "argmax z"}, std::move(answers));
  return set;
}

}  // namespace

std::string whyNoPatch(const Snapshot& snapshot) {
  if (!snapshot.model->config || !snapshot.model->config->attends() || !snapshot.model->config->residual)
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
  return [model = model, whole = trace, other = other, standing = interventions, of = prediction, kind = kind,
          answer = answer, alignment = alignment](const auto& index) -> OpenPasses {
    const int layer = index[0], column = index[1];
    auto patch = patchOfCell(model->config(), *whole, *other, alignment, *kind, layer, column);
    if (!patch) return {};
    return [=, patch = *std::move(patch)] {
      return leadAcross(
          passAtHand(asItIsWords, whole),
          passAgain(patchWords(*kind, layer, column), model, *whole, withOneMore(standing, patch)),
          of.position, of.entry, answer);
    };
  };
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
    made.answer = answer;
    return made;
  };
  const Interventions& standing = of.workspace.interventions;
  sides[0] = side(snapshot, *other, standing, of.model.shown->transformer);
  if (other->model->isRecorded()) return sides;
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
  const auto kept = [&](std::size_t i, const Snapshot& of) -> Kept {
    const Side& side = sides_[i];
    if (!side.trace || !side.patchesSame(now[i])) return {nullptr, whyNoPatch(of)};
    const Derivation ahead =
        derivedLead(*side.trace, side.prediction.position, side.prediction.entry, side.answer);
    return {tensorsOf(*side.kind, side.changes, ahead, side.answer, side.across()), whyNoPatch(of)};
  };
  put(snapshot, kept(0, snapshot), snapshot.other ? kept(1, *snapshot.other) : Kept{});
}

bool PatchMap::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin&) {
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

void PatchMap::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
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
bool PatchMap::measure(Side& side, const Watch& watch, const std::function<void()>& more) const {
  const int columns = side.changes.view().extent[1], count = static_cast<int>(side.changes.values().size());
  const auto [position, entry] = side.prediction;
  const float before = lead(*side.trace, position, entry, side.answer);
  for (; side.next < count; ++side.next) {
    if (!watch(side.next, count)) return false;
    const int layer = side.next / columns, column = side.next % columns;
    const auto patch = patchOfCell(side.model->config(), *side.trace, *side.other, side.alignment, *side.kind,
                                   layer, column);
    if (!patch) continue;
    const auto patched =
        side.pass->run(side.trace->tokens(), withOneMore(side.interventions, *patch), side.trace->source());
    side.changes(layer, column) = lead(*patched, position, entry, side.answer) - before;
    more();
  }
  return true;
}

}  // namespace glassformer
