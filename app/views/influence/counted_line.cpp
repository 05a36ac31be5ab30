#include "app/views/influence/counted_line.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

namespace {

constexpr float mostCountedCell = 72, countedMark = 3;
constexpr const char* countedWordsBefore = "Mean over";

}  // namespace

void addCountedLine(InfluencePicture& picture, const Box& line) {
  const SceneInput& input = picture.input;
  const int tokens = picture.count(Stream::Text);
  if (tokens < 2 || input.snapshot.isDifference()) return;
  const auto size = static_cast<std::size_t>(tokens);
  CountedTokens counted =
      countedTokens(input.workspace.settings.chosen(countedPositions), size, input.snapshot.pass->trained);
  counted.resize(size - 1, counted.empty());
  Box rest = line;
  const TextStyle note = picture.theme.note();
  addText(picture.scene, {rest.x, rest.center().y}, countedWordsBefore, note);
  rest.takeLeft(std::ceil(input.metrics.width(countedWordsBefore, note.face, note.size)) + 12);
  const float cell = std::min(rest.width / static_cast<float>(tokens - 1), mostCountedCell);
  rest.width = cell * static_cast<float>(tokens - 1);
  for (int t = 1; t < tokens; ++t) {
    const bool on = counted[static_cast<std::size_t>(t) - 1];
    const Box box = rest.cell(0, t - 1, 1, tokens - 1);
    addText(picture.scene, {box.center().x, box.center().y - 1}, input.label(t),
            {FontFace::Mono, Theme::small, on ? picture.theme.text : picture.theme.quiet}, Align::Middle)
        .maxWidth = cell - 2;
    if (on)
      picture.scene.add(
          Rect{{box.x + 1, box.bottom() - countedMark, cell - 2, countedMark}, picture.theme.accent});
  }
  HitRegion& hit = addHitRegion(picture.scene, rest, {}, "counted tokens");
  hit.columns = tokens - 1, hit.columnAxis = Axis::Token, hit.firstColumn = 1;
  hit.say = [counted](const Target& at) {
    const auto i = static_cast<std::size_t>(at.token) - 1;
    return std::string(i < counted.size() && counted[i] ? "in the mean; drag to leave tokens out"
                                                        : "not in the mean; drag to count tokens");
  };
  const auto paint = [counted](int from, int to) {
    return commands::paintCounted(counted, from, to,
                                  !counted[static_cast<std::size_t>(std::max(from, 1)) - 1]);
  };
  hit.click = [paint](const Target& at) { return paint(at.token, at.token); };
  hit.draw = [paint](const Target& first, int) -> Stroke {
    return [=, from = first.token](const Target&, const Target& to) { return paint(from, to.token); };
  };
}

}  // namespace glassformer
