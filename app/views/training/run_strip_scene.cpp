#include "app/views/training/run_strip_scene.h"

#include <cmath>

#include "app/document/training_commands.h"
#include "app/drawing/parts.h"
#include "app/scene/format.h"
#include "app/views/training/training_picture.h"

namespace glassformer {

namespace {

constexpr float knob = 10;

std::string sayStep(const TensorSources& sources, int step, int column, int newest) {
  if (step > newest) return "step " + std::to_string(step) + " is still to come";
  std::string words = "values after step " + std::to_string(step);
  const auto loss = valueOf(sources, {"training.loss", {column}});
  if (loss && std::isfinite(*loss)) words += ", loss " + formatted(*loss);
  return words;
}

}  // namespace

Scene runStripScene(const SceneInput& input) {
  Scene scene;
  scene.size = input.size;
  scene.sources = input.sources();
  if (!input.snapshot.training->run) return scene;
  const RunReport& run = *input.snapshot.training->run;
  const TrainingAxis& axis = run.axis;
  const Theme& theme = input.theme;
  const Box track = Box{0, 0, input.size.x, input.size.y}.inset(knob / 2, 0);
  scene.add(Rect{track, theme.raised, {0, 0, 0, 0}, 4});
  const TensorRef loss{"training.loss", {}, -1, 0, -1, axis.columns};
  const Range found = rangeOf(scene.sources, loss);
  const Range range{0, std::isfinite(found.high) && found.high > 0 ? found.high : 1};
  scene.add(Curve{track.inset(0, 4), loss, range, theme.attention});
  const auto placeOf = [&](int step) {
    return track.x + track.width * static_cast<float>(step) / static_cast<float>(axis.columns * axis.stride);
  };
  scene.add(Rect{{track.x, track.bottom() - 2, placeOf(run.step) - track.x, 2}, theme.quiet});
  const float x = placeOf(input.snapshot.training->step);
  scene.add(Line{{{x, track.y}, {x, track.bottom()}}, theme.accent, 2});
  scene.add(
      Rect{{x - knob / 2, track.center().y - knob / 2, knob, knob}, theme.accent, {0, 0, 0, 0}, knob / 2});

  HitRegion& hit = addHitRegion(scene, track, loss, "history of the run");
  hit.columns = axis.columns;
  const auto show = [axis, newest = run.step](const Target& target) {
    const int step = axis.stepOf(target.cell.index[0]);
    return commands::showStepOfRun(step >= newest ? TrainingSettings::newest : step);
  };
  hit.click = show;
  hit.draw = [show](const Target&, int) {
    return [show](const Target&, const Target& to) { return show(to); };
  };
  hit.say = [axis, sources = scene.sources, newest = run.step](const Target& target) {
    const int column = target.cell.index[0];
    return sayStep(sources, axis.stepOf(column), column, newest);
  };
  return scene;
}

}  // namespace glassformer
