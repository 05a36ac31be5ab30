#include "app/views/next_token/next_token_picture.h"

#include <algorithm>

#include "app/document/view_commands.h"

namespace glassformer {

NextTokenPicture::NextTokenPicture(const SceneInput& sceneInput)
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
  return emptyScene(input, "No next token yet", input.snapshot.standing.errorOr("Type in the Text box."));
}

void addNextTokenHeader(NextTokenPicture& picture, Box& area, const std::string& title,
                        const std::string& about, std::vector<std::vector<Choice>> choices) {
  std::string words = about;
  if (picture.window.count < picture.count)
    words += ", tokens " + std::to_string(picture.window.firstKey) + " to " +
             std::to_string(picture.window.firstKey + picture.window.count - 1) + " of " +
             std::to_string(picture.count);
  addViewHeader(picture.scene, picture.input, area, {title, words, std::move(choices)});
}

void addTextZoom(const NextTokenPicture& picture, HitRegion& hit, bool across) {
  const auto show = [](const PositionWindow& window) {
    return commands::changeSettings([=](ViewSettings& s) { s.nextToken.window = window; });
  };
  const PositionWindow window = picture.window;
  const int total = picture.count;
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

void addTextMark(NextTokenPicture& picture, const Box& box, bool across) {
  if (picture.window.count >= picture.count) return;
  const auto share = [&](int i) { return static_cast<float>(i) / static_cast<float>(picture.count); };
  const float from = share(picture.window.firstKey), part = share(picture.window.count);
  const Box track =
      across ? Box{box.x, box.bottom() + 4, box.width, 4} : Box{box.right() + 4, box.y, 4, box.height};
  const Box thumb = across ? Box{track.x + from * track.width, track.y, part * track.width, track.height}
                           : Box{track.x, track.y + from * track.height, track.width, part * track.height};
  picture.scene.add(Rect{track, picture.theme.raised, {0, 0, 0, 0}, 2, 1});
  picture.scene.add(Rect{thumb, picture.theme.quiet, {0, 0, 0, 0}, 2, 1});
}

}  // namespace glassformer
