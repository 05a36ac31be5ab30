#include <algorithm>
#include <optional>

#include "app/document/attention_planes.h"
#include "app/document/intervention_list.h"
#include "app/document/model_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/switches.h"
#include "app/document/trace_file.h"
#include "app/document/view_commands.h"
#include "app/drawing/compared_side.h"
#include "app/drawing/scene_input.h"
#include "app/engine/ablation_map.h"
#include "app/engine/patch_map.h"
#include "app/explain/value_words.h"
#include "app/panels/actions/action_groups.h"
#include "app/panels/actions/conditions.h"
#include "app/panels/number_change.h"
#include "app/panels/pinned_numbers.h"
#include "app/panels/why_panel.h"
#include "core/lens/alignment.h"
#include "core/lens/patching.h"
#include "core/model/point_names.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

// What lets the tokens of the selected block exchange information: recurrence, where it does not attend.
void toggleMixing(Ui& ui) {
  const ModelConfig& config = *ui.snapshot.model->config;
  const HeadId head = selectedHead(ui.workspace(), config);
  ui.emit(commands::togglePart(mixingPart(config, head.layer, head.site)));
}

// The selected head, or the MLP of its block.
template <ModelPart::Kind kind>
ModelPart selectedPart(const Ui& ui) {
  const HeadId head = selectedHead(ui.workspace(), *ui.snapshot.model->config);
  ModelPart part{kind, head.layer, kind == ModelPart::Kind::Head ? head.head : 0, head.site};
  if (kind == ModelPart::Kind::Mlp && part.site == AttentionSite::Cross) part.site = AttentionSite::Decoder;
  return part;
}

constexpr std::size_t mostOfText = 24;  // characters that name a text

template <ModelPart::Kind kind>
void togglePart(Ui& ui) {
  ui.emit(commands::togglePart(selectedPart<kind>(ui)));
}

template <ModelPart::Kind kind>
void holdPartAtStep(Ui& ui) {
  ui.emit(commands::toggleHeldAsAtStep(selectedPart<kind>(ui), ui.snapshot.training->step));
}

// Whether the pass that is shown has what the part writes.
bool isWritten(const Ui& ui, const ModelPart& part) {
  const ShownPass& pass = *ui.snapshot.pass;
  return pass.hasTrace() && pass.trace->contains(zeroAblation(part).point);
}

// Whether the pass that is compared with has it, too, equally wide.
bool isWrittenInOther(const Ui& ui, const ModelPart& part) {
  const auto& other = ui.snapshot.other;
  const std::string point = zeroAblation(part).point;
  if (!isWritten(ui, part) || !other || !other->pass->hasTrace() || !other->pass->trace->contains(point))
    return false;
  TensorView own = (*ui.snapshot.pass->trace)[point], theirs = (*other->pass->trace)[point];
  own.extent[0] = theirs.extent[0] = 0;  // of positions there may be more
  return own.rank == theirs.rank && own.extent == theirs.extent;
}

// What the part writes in the pass that is compared with, at every token that has a counterpart there.
Intervention partOfOther(const Ui& ui, const ModelPart& part) {
  const ShownPass &here = *ui.snapshot.pass, &other = *ui.snapshot.other->pass;
  const Stream stream = queriesOf(part.site);
  const auto read = [&](const ShownPass& pass) -> const std::vector<int>& {
    return stream == Stream::Source ? pass.trace->source() : pass.trace->tokens();
  };
  Intervention held =
      patchOfPart(*here.trace, *other.trace, zeroAblation(part), align(read(here), read(other)));
  const std::string& text = other.textOf(stream);
  held.origin =
      text == here.textOf(stream) ? "the pass compared with" : "“" + excerpt(text, mostOfText) + "”";
  return held;
}

void hold(Ui& ui, const Intervention& held) {
  ui.emit(commands::addIntervention(held, "setting " + summaryOf(held)));
}

template <ModelPart::Kind kind>
void holdPartAtMean(Ui& ui) {
  const ModelPart part = selectedPart<kind>(ui);
  hold(ui, meanAblation(*ui.snapshot.pass, part, zeroAblation(part)));
}

template <ModelPart::Kind kind>
void holdPartAsInOther(Ui& ui) {
  hold(ui, partOfOther(ui, selectedPart<kind>(ui)));
}

// What the stream of the key's token has in front of the selected block, for the query's; nothing where it
// has none, or both are the same token.
std::optional<Intervention> streamOfKey(const Ui& ui) {
  const Selection& selection = ui.workspace().selection;
  if (!ui.snapshot.model->config || !ui.snapshot.pass->hasTrace() || selection.key < 0) return std::nullopt;
  const ModelConfig& config = *ui.snapshot.model->config;
  const Trace& trace = *ui.snapshot.pass->trace;
  const std::string point =
      blockPoint(config, std::clamp(selection.layer, 0, config.layers - 1), "hook_resid_pre");
  const int query = ui.snapshot.positionOr(selection.query, Stream::Text), key = selection.key;
  const bool isThere = trace.contains(point) && query >= 0 && std::max(query, key) < trace.tokenCount();
  if (!isThere || query == key) return std::nullopt;
  Intervention taken = patchAt(trace, trace, point, query, key);
  taken.origin = tokenWords(*ui.snapshot.pass, key);
  return taken;
}

void takeStreamOfKey(Ui& ui) {
  if (const auto taken = streamOfKey(ui)) hold(ui, *taken);
}

void toggleArgmaxOfHead(Ui& ui) {
  ui.emit(commands::toggleArgmax(selectedHead(ui.workspace(), *ui.snapshot.model->config)));
}

// The number that the pointer is on, to be typed over.
void changeNumber(Ui& ui) {
  if (ui.snapshot.model->hasNoWeights()) {
    ui.said = needsWeightsWords;
    return;
  }
  ui.why = ui.hover;
  ui.numbers.ask(WhyPanel::changeField);
}

void switchAllOn(Ui& ui) { ui.emit(commands::clearInterventions()); }

void askWhy(Ui& ui) { ui.why = ui.hover; }

// The number pointed at, else the picture.
void copyPointedAt(Ui& ui) {
  const TensorSources sources = sourcesOf(snapshotOf(ui.snapshot, ui.hover));
  const auto value = ui.hover.cell.empty() ? std::nullopt : valueOf(sources, ui.hover.cell);
  if (value) return ImGui::SetClipboardText(valueWords(sources, ui.hover.cell.tensor, *value).c_str());
  ui.ask(Request::CopyPicture);
}

void pinNumber(Ui& ui) { ui.emit(commands::togglePin(pinOf(ui.hover.cell))); }

void unpinAll(Ui& ui) { ui.emit(commands::unpinAll()); }

constexpr Condition hasStreamOfKey{[](const Ui& ui) { return streamOfKey(ui).has_value(); },
                                   "after a click on the matrix"};
template <ModelPart::Kind kind>
bool writesSomething(const Ui& ui) {
  return (kind == ModelPart::Kind::Head ? attends(ui) : hasMlp(ui)) && isWritten(ui, selectedPart<kind>(ui));
}
template <ModelPart::Kind kind>
bool writesInOther(const Ui& ui) {
  return writesSomething<kind>(ui) && isWrittenInOther(ui, selectedPart<kind>(ui));
}
constexpr Condition headWrites{writesSomething<ModelPart::Kind::Head>, "with a model that has attention"};
constexpr Condition mlpWrites{writesSomething<ModelPart::Kind::Mlp>, "with a model that has MLPs"};
constexpr const char* comparedWords = "with another text compared";
constexpr Condition headIsInOther{writesInOther<ModelPart::Kind::Head>, comparedWords};
constexpr Condition mlpIsInOther{writesInOther<ModelPart::Kind::Mlp>, comparedWords};
constexpr Condition attendsInRun{[](const Ui& ui) { return hasRun(ui) && attends(ui); },
                                 "with a training run open"};
constexpr Condition hasMlpInRun{[](const Ui& ui) { return hasRun(ui) && hasMlp(ui); },
                                "with a training run open"};
// A norm's scale is only looked at.
constexpr Condition pointsAtNumber{[](const Ui& ui) {
                                     return changeOf(ui, ui.hover) ||
                                            (ui.snapshot.model->hasNoWeights() && !ui.hover.cell.empty());
                                   },
                                   "with the pointer on a number"};
constexpr Condition hasPins{[](const Ui& ui) { return !ui.workspace().pins.empty(); },
                            "once a number is pinned"};
constexpr Condition pointsAtAnyNumber{[](const Ui& ui) { return !ui.hover.cell.empty(); },
                                      "with the pointer on a number"};
constexpr Condition hasInterventions{
    [](const Ui& ui) { return !listedInterventions(ui.workspace()).empty(); },
    "once an intervention is active"};

constexpr Action changeTable[] = {
    {"how-computed", "Value", "Show how computed", ImGuiKey_W, 0, 0, false, askWhy, pointsAtAnyNumber},
    {"pin-value", "Value", "Pin or unpin value", ImGuiKey_K, 0, 0, false, pinNumber, pointsAtAnyNumber},
    {"copy", "Value", "Copy value or figure", control | ImGuiKey_C, 0, 0, false, copyPointedAt},
    {"unpin-all", "Value", "Unpin all", 0, 0, 0, false, unpinAll, hasPins},
    {"edit-value", "Value", "Edit value", ImGuiKey_N, 0, 0, false, changeNumber, pointsAtNumber},

    {"patch-key", "Interventions", "Patch key into query", 0, 0, 0, false, takeStreamOfKey, hasStreamOfKey},
    {"mean-head", "Interventions", "Mean-ablate head", 0, 0, 0, false, holdPartAtMean<ModelPart::Kind::Head>,
     headWrites},
    {"mean-mlp", "Interventions", "Mean-ablate MLP", 0, 0, 0, false, holdPartAtMean<ModelPart::Kind::Mlp>,
     mlpWrites},
    {"patch-head", "Interventions", "Patch head from compared run", 0, 0, 0, false,
     holdPartAsInOther<ModelPart::Kind::Head>, headIsInOther},
    {"patch-mlp", "Interventions", "Patch MLP from compared run", 0, 0, 0, false,
     holdPartAsInOther<ModelPart::Kind::Mlp>, mlpIsInOther},
    {"checkpoint-head", "Interventions", "Patch head from this checkpoint", 0, 0, 0, false,
     holdPartAtStep<ModelPart::Kind::Head>, attendsInRun},
    {"checkpoint-mlp", "Interventions", "Patch MLP from this checkpoint", 0, 0, 0, false,
     holdPartAtStep<ModelPart::Kind::Mlp>, hasMlpInRun},
    {"hard-attention", "Interventions", "Toggle hard attention", alt | shift | ImGuiKey_X, 0, 0, false,
     toggleArgmaxOfHead, attends},
    {"remove-interventions", "Interventions", "Remove all interventions", 0, 0, 0, false, switchAllOn,
     hasInterventions},

    {"ablate-head", switchGroup, "Ablate head", ImGuiKey_X, 0, 0, false, togglePart<ModelPart::Kind::Head>,
     attends},
    {"ablate-attention", switchGroup, "Ablate attention layer", shift | ImGuiKey_X, 0, 0, false, toggleMixing,
     hasModel},
    {"ablate-mlp", switchGroup, "Ablate MLP", alt | ImGuiKey_X, 0, 0, false, togglePart<ModelPart::Kind::Mlp>,
     hasMlp},
};

}  // namespace

std::span<const Action> changeActions() { return changeTable; }

}  // namespace glassformer
