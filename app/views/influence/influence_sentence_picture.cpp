#include "app/views/influence/influence_sentence_picture.h"

#include <algorithm>

#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/views/influence/attributed_text.h"
#include "core/lens/influence.h"

namespace glassformer {

namespace {

// Title and explanation, what can be asked about and the colours, and the text.
void drawInfluenceSentence(InfluenceView& view, Box area, const std::string& about) {
  const Snapshot& snapshot = view.input.snapshot;
  const std::string prediction =
      view.prediction(snapshot.model->entryLabel(snapshot.pass->predicted.entry), view.position);
  AttributedText text;
  for (const Stream stream : view.streams) text.numbers.push_back({view.tensor(stream), {}, -1, 0, -1, -1});
  text.scale = influenceScale(view, text.numbers, view.settings.byInput);
  text.say = [&](int token, Stream stream, float number) {
    return influenceWords(view.quoted(token, stream), prediction, number);
  };
  addInfluenceHeader(view, area, "What " + prediction + " depends on", about, {influenceKinds(view)});
  area.takeTop(8);
  Box column = area.takeRight(std::clamp(area.width * 0.24f, 168.0f, 264.0f));
  area.takeRight(24);
  addEntryList(view.scene, view.input, column,
               {view.position, snapshot.pass->predicted.entry, [](int entry) {
                  return commands::changeSettings([=](ViewSettings& s) { s.influence.entry = entry; });
                }});
  if (!view.isThere(text.numbers.front().tensor)) return addInfluenceWaiting(view, area);
  addColorScale(view.scene, view.input,
                {column.x + 8, column.y, column.width, std::min(column.height, 160.0f)}, text.scale.map,
                text.scale.range);
  addAttributedText(view, area, text);
}

}  // namespace

void drawInfluenceSentencePicture(InfluenceView& view, Box area) {
  drawInfluenceSentence(view, area,
                        view.settings.byInput ? "x_s · ∂logit / ∂x_s: gradient times input, for each token"
                                              : "‖∂logit / ∂x_s‖: the gradient by each token's embedding");
}

void drawOneInfluence(InfluenceView& view, Box area) {
  drawInfluenceSentence(
      view, area, "more than " + std::to_string(mostInfluenceRows) + " tokens: one prediction at a time");
}

}  // namespace glassformer
