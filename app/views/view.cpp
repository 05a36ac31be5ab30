#include <algorithm>
#include <iterator>

#include "app/document/comparison_commands.h"
#include "app/document/metric_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
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
  const bool hasOthers = view.pictures.size() > 1 && input.snapshot.model->config;
  const auto others = hasOthers ? pictureChoices(input, view.id) : std::vector<Choice>{};
  constexpr float words = 40;  // of what stands in the middle, above that
  Scene above;
  Box area = contentOf(input, scene.size);
  addViewHeader(above, input, area, {view.picture(input.workspace.settings).label, "", others, {}});
  scene.choices = std::move(above.choices);
  if (area.y > scene.size.y / 2 - words) return;
  std::ranges::move(above.shapes, std::back_inserter(scene.shapes));
  std::ranges::move(above.hits, std::back_inserter(scene.hits));
}

}  // namespace

Scene View::scene(const SceneInput& input) const {
  const Picture& chosen = picture(input.workspace.settings);
  if (const std::string reason = whyNotDrawn(chosen, input.workspace, input); !reason.empty())
    return sentence(input, reason);
  Scene scene = chosen.draw(input);
  const bool isNothing = scene.hits.empty();  // words in the middle, and why
  if (isNothing && !input.isStill()) addWaysOut(*this, input, scene);
  return scene;
}

Scene View::sentence(const SceneInput& input, const std::string& reason) const {
  const Picture& chosen = picture(input.workspace.settings);
  Scene scene;
  scene.size = input.pictureSize();
  Box area = contentOf(input, scene.size);
  const auto choices = pictures.size() > 1 ? pictureChoices(input, id) : std::vector<Choice>{};
  addViewHeader(scene, input, area, {chosen.label, "", choices, {waysBack(*this, chosen, input)}});
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

std::vector<Choice> pictureChoices(const SceneInput& input, std::string_view view) {
  const View& of = viewOf(view);
  std::vector<Choice> choices;
  for (const Picture& picture : of.pictures) {
    const bool isChosen = &picture == &of.picture(input.workspace.settings);
    if (picture.isOf && !picture.isOf(input.config()) && !isChosen) continue;
    Choice choice{picture.label, picture.tip, isChosen,
                  commands::choosePicture(of.id, std::string(picture.id))};
    if (!isChosen) choice.missing = whyNotDrawn(picture, input.workspace, input);
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace glassformer
