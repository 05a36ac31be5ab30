#include "app/views/stage.h"

#include <algorithm>

#include "app/document/steps.h"
#include "app/document/text_edit.h"
#include "app/drawing/compared_side.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

// What was changed of the model that is open.
std::string changedWords(const Workspace& workspace, const Snapshot& snapshot) {
  if (workspace.changes.empty() || !snapshot.model->config || !snapshot.model->loadedConfig) return "";
  return changesInWords(workspace.changes, *snapshot.model->loadedConfig, *snapshot.model->config);
}

// What another program computed, and what it read where that is something else.
std::string elsewhereWords(const Snapshot& snapshot) {
  const ShownPass &here = *snapshot.pass, &there = *snapshot.other->pass;
  const bool sameIds =
      here.trace->tokens() == there.trace->tokens() && here.trace->source() == there.trace->source();
  return snapshot.other->model->name +
         (sameIds ? "" : ", which read other tokens: " + displayable(there.text));
}

// What each side is called.
std::pair<std::string, std::string> sidesCompared(const Workspace& workspace, const Snapshot& snapshot) {
  const Compared& with = workspace.comparison.with;
  if (snapshot.model->hasNoWeights()) return {snapshot.model->name, snapshot.other->model->name};
  if (with == Comparison::recordedTrace) return {snapshot.model->name, elsewhereWords(snapshot)};
  const std::string changed = changedWords(workspace, snapshot);
  if (with == Comparison::withoutInterventions) return {"with interventions", "without"};
  if (with == Comparison::asLoaded) return {changed, "as loaded"};
  if (with == Comparison::otherRun && snapshot.training->run && snapshot.training->run->other)
    return {snapshot.training->run->side.words + (changed.empty() ? "" : ", " + changed),
            snapshot.training->run->other->words};
  return {displayable(snapshot.pass->text), displayable(snapshot.other->pass->text)};
}

// Why a trace from elsewhere does not show the step that the open model does; empty: it has it, or another
// picture is shown.
std::string whyNotThatStep(const View& view, const SceneInput& input, const Snapshot& side) {
  const std::string_view picture = view.picture(input.workspace.settings).id;
  const bool isStep = view.id == std::string_view("step") && (picture == "equation" || picture == "result");
  const auto& model = input.snapshot.model->transformer;
  if (!isStep || !model || !model->hasWeights() || !side.model->hasNoWeights()) return "";
  const std::string shown = nameOf(stepCalled(input.workspace.step, stepsOf(*model)));
  const std::vector<Step> there = stepsOf(*side.model->transformer);
  const bool has = std::ranges::any_of(there, [&](const Step& step) { return nameOf(step) == shown; });
  return has ? "" : "This needs " + shown + "; the file has none.";
}

// No text of a presentation is smaller than its smallest letters.
void enlargeLetters(Scene& scene) {
  for (Shape& shape : scene.shapes)
    if (auto* text = std::get_if<Text>(&shape)) text->style.size = std::max(text->style.size, Theme::small);
}

}  // namespace

std::vector<StagePane> stagePanes(const Workspace& workspace, const Snapshot& snapshot, Box area) {
  constexpr float titleHeight = 40;
  using Source = Target::Source;
  if (!workspace.comparison.isOn() || !snapshot.other) return {{Source::This, area, {}, ""}};
  const auto [mine, other] = sidesCompared(workspace, snapshot);
  const auto pane = [&](Source source, Box box, const std::string& words, const std::string& less = "") {
    const Box title = box.takeTop(titleHeight);
    return StagePane{source, box, title, words, less};
  };
  if (showsDifference(workspace, snapshot)) return {pane(Source::Difference, area, mine, other)};
  const Box right = area.takeRight(area.width / 2);
  return {pane(Source::This, area, mine), pane(Source::Other, right, other)};
}

std::string titleOf(const StagePane& pane, const TextMetrics& metrics, const TextStyle& style, float width) {
  const auto cut = [&](const std::string& words, float most) {
    return fittedInMiddle(metrics, words, style.face, style.size, most);
  };
  if (pane.less.empty()) return cut(pane.words, width);
  const std::string minus = "  −  ";
  const float room = width - metrics.width(minus, style.face, style.size);
  const float less = metrics.width(pane.less, style.face, style.size);
  const std::string words = cut(pane.words, std::max(room / 2, room - less));
  return words + minus + cut(pane.less, room - metrics.width(words, style.face, style.size));
}

Scene stageScene(const View& view, const StagePane& pane, const SceneInput& input) {
  const ComparedSide side(input.snapshot, pane.source);
  const Workspace workspace = side.seen(input.workspace);
  const Target hover = side.seen(input.hover);
  const bool areTwo = input.workspace.comparison.isOn() && pane.source != Target::Source::Difference;
  const SceneInput own{.workspace = workspace,
                       .snapshot = side.snapshot(),
                       .size = {pane.picture.width, pane.picture.height},
                       .theme = input.theme,
                       .metrics = input.metrics,
                       .hover = view.reads == Reads::TextAndSource ? hover : hover.in(Stream::Text),
                       .room = input.room,
                       .beside = !areTwo                                ? nullptr
                                 : pane.source == Target::Source::Other ? &input.snapshot
                                                                        : input.snapshot.other.get()};
  const std::string missing = whyNotThatStep(view, input, side.snapshot());
  Scene scene = missing.empty() ? view.scene(own) : view.sentence(own, missing);
  side.adapt(scene);
  if (input.isPresented()) enlargeLetters(scene);
  if (side.snapshot().isDifference())
    for (Shape& shape : scene.shapes)
      if (auto* matrix = std::get_if<Matrix>(&shape)) matrix->gaps = true;
  return scene;
}

}  // namespace glassformer
