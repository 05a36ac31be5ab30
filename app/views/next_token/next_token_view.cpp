#include "app/views/next_token/next_token_view.h"

#include <algorithm>

#include "app/document/view_commands.h"
#include "app/views/views.h"

namespace glassformer {

NextTokenView::NextTokenView(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      settings(sceneInput.workspace.settings.nextToken),
      count(sceneInput.tokenCount()),
      window(clamped(settings.window, count)) {
  scene.size = input.pictureSize();
  scene.sources = input.sources();
}

std::optional<Scene> withoutPrediction(const SceneInput& input) {
  if (input.snapshot.pass->hasTrace() && input.snapshot.model->config) return std::nullopt;
  return emptyScene(input, "No next token yet", input.snapshot.standing.errorOr("Type a text on the left."));
}

void addNextTokenHeader(NextTokenView& view, Box& area, const std::string& title, const std::string& about) {
  std::string words = about;
  if (view.window.count < view.count)
    words += ", tokens " + std::to_string(view.window.firstKey) + " to " +
             std::to_string(view.window.firstKey + view.window.count - 1) + " of " +
             std::to_string(view.count);
  addViewHeader(view.scene, view.input, area, {title, words, pictureChoices(view.input, "next_token"), {}});
}

void addTextZoom(const NextTokenView& view, HitRegion& hit, bool across) {
  const auto show = [](const PositionWindow& window) {
    return commands::changeSettings([=](ViewSettings& s) { s.nextToken.window = window; });
  };
  const PositionWindow window = view.window;
  const int total = view.count;
  hit.zoom = [=](float notches, Point at) {
    const float where = across ? at.x : at.y;
    return show(zoomed(window, total, notches, where, where));
  };
  hit.reset = [=] { return show({}); };
  if (window.count < total)
    hit.pan = [=](Point by) {
      const float moved = across ? -by.x : -by.y;
      return show(panned(window, total, moved, moved));
    };
}

void addTextMark(NextTokenView& view, const Box& box, bool across) {
  if (view.window.count >= view.count) return;
  const auto share = [&](int i) { return static_cast<float>(i) / static_cast<float>(view.count); };
  const float from = share(view.window.firstKey), part = share(view.window.count);
  const Box track =
      across ? Box{box.x, box.bottom() + 4, box.width, 4} : Box{box.right() + 4, box.y, 4, box.height};
  const Box thumb = across ? Box{track.x + from * track.width, track.y, part * track.width, track.height}
                           : Box{track.x, track.y + from * track.height, track.width, part * track.height};
  view.scene.add(Rect{track, view.theme.raised, {0, 0, 0, 0}, 2, 1});
  view.scene.add(Rect{thumb, view.theme.quiet, {0, 0, 0, 0}, 2, 1});
}

}  // namespace glassformer
