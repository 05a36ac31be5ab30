#include <algorithm>
#include <iterator>

#include "app/document/comparison_commands.h"
#include "app/document/metric_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

// Why a picture cannot be drawn of a trace from elsewhere; empty: it can, or this is none.
std::string whyNotDrawn(const Picture& picture, const Workspace& workspace, const SceneInput& input) {
  if (!input.snapshot.model->hasNoWeights() || !input.snapshot.pass->trace) return "";
  const auto why = [&](PointsRead points) {
    return whyNotOf(points, workspace, input.config(), *input.snapshot.pass->trace);
  };
  if (picture.points || picture.needs.empty()) return why(picture.points);
  for (const Need* need : picture.needs)
    if (std::string reason = why(need->points); !reason.empty()) return reason;
  return "";
}

// The way to this picture with other choices, where these keep it from being drawn and others do not.
std::vector<Choice> waysBack(const View& view, const Picture& picture, const SceneInput& input) {
  if (whyNotDrawn(picture, input.workspace, input).empty()) return {};
  Workspace plain = input.workspace;
  const Command forget = resetChoices(view.id);
  forget.apply(plain);
  if (!whyNotDrawn(picture, plain, input).empty()) return {};
  return {{"Reset view", "this picture, as it was before anything was chosen in it", false, forget}};
}

// The choice of pictures, above one that cannot be drawn.
void addWaysOut(const View& view, const SceneInput& input, Scene& scene) {
  constexpr float words = 40;  // of what stands in the middle, above that
  Scene above;
  Box area = contentOf(input, scene.size);
  addViewHeader(above, input, area, {view.picture(input.workspace.settings).label, "", {}});
  scene.choices = std::move(above.choices);
  if (area.y > scene.size.y / 2 - words) return;
  std::ranges::move(above.shapes, std::back_inserter(scene.shapes));
  std::ranges::move(above.hits, std::back_inserter(scene.hits));
}

}  // namespace

Scene View::scene(const SceneInput& asked) const {
  const std::vector<Choice> choices = tabs(asked);
  SceneInput input = asked;
  input.pictures = choices;
  const Picture& chosen = picture(input.workspace.settings);
  if (const std::string reason = whyNotDrawn(chosen, input.workspace, input); !reason.empty())
    return sentence(input, reason);
  Scene scene = chosen.draw(input);
  const bool isNothing = scene.hits.empty();  // words in the middle, and why
  if (isNothing && !input.isStill()) addWaysOut(*this, input, scene);
  return scene;
}

Scene View::sentence(const SceneInput& asked, const std::string& reason) const {
  const std::vector<Choice> choices = tabs(asked);
  SceneInput input = asked;
  input.pictures = choices;
  const Picture& chosen = picture(input.workspace.settings);
  Scene scene;
  scene.size = input.pictureSize();
  Box area = contentOf(input, scene.size);
  addViewHeader(scene, input, area, {chosen.label, "", {waysBack(*this, chosen, input)}});
  scene.about = reason;
  addLines(scene, input, area.center(), area.width, reason, {FontFace::Ui, Theme::body, input.theme.quiet});
  return scene;
}

const Picture& View::picture(const ViewSettings& settings) const {
  const auto chosen = settings.pictures.find(std::string_view(id));
  if (chosen == settings.pictures.end()) return pictures.front();
  const auto found = std::ranges::find(pictures, chosen->second, &Picture::id);
  return found == pictures.end() ? pictures.front() : *found;
}

Needs neededFor(const Workspace& workspace) {
  return viewOf(workspace.view).picture(workspace.settings).needs;
}

bool asksForDifference(const Workspace& workspace) {
  const Comparison& comparison = workspace.comparison;
  return comparison.isOn() && comparison.mode == ComparisonMode::Difference &&
         viewOf(workspace.view).picture(workspace.settings).subtracts;
}

bool showsDifference(const Workspace& workspace, const Snapshot& snapshot) {
  return asksForDifference(workspace) && snapshot.difference;
}

Command resetChoices(std::string_view view) {
  return commands::changeSettings([prefix = std::string(view) + "."](ViewSettings& settings) {
    if (prefix == "attention.") settings.attention = {};
    if (prefix == "residual.") settings.residual = {};
    if (prefix == "influence.") settings.choose(metricSetting, ""), settings.choose(countedPositions, "");
    std::erase_if(settings.choices, [&](const auto& choice) { return choice.first.starts_with(prefix); });
  });
}

std::vector<Choice> View::tabs(const SceneInput& input) const {
  if (pictures.size() < 2 || !input.snapshot.model->config) return {};
  const Picture& shown = picture(input.workspace.settings);
  std::vector<Choice> all;
  const char* group = nullptr;  // of the last of them
  for (const Picture& each : pictures) {
    const bool isChosen = &each == &shown;
    if (each.isOf && !each.isOf(input.config()) && !isChosen) continue;
    Choice choice{each.label, each.tip, isChosen, commands::choosePicture(id, std::string(each.id))};
    if (!isChosen) choice.missing = whyNotDrawn(each, input.workspace, input);
    const bool goesOn = each.group && group && std::string_view(group) == each.group;
    if (!goesOn) all.push_back(choice);
    all.back().members.push_back(std::move(choice));
    all.back().on |= isChosen;
    group = each.group;
    if (!goesOn) continue;
    Choice& tab = all.back();
    tab.label = group, tab.missing.clear(), tab.tip.clear();
    for (const Choice& member : tab.members) tab.tip += (tab.tip.empty() ? "" : ", ") + member.label;
  }
  for (Choice& tab : all)
    if (tab.members.size() == 1 || !tab.on) tab.members.clear();
  return all;
}

}  // namespace glassformer
