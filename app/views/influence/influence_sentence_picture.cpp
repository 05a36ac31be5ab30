#include "app/views/influence/influence_sentence_picture.h"

#include <algorithm>

#include "app/document/view_commands.h"
#include "app/drawing/entry_list.h"
#include "app/views/influence/attributed_text.h"
#include "core/lens/influence.h"

namespace glassformer {

namespace {

// Title and explanation, what can be asked about and the colours, and the text.
void drawInfluenceSentence(InfluencePicture& picture, Box area, const std::string& about) {
  const Snapshot& snapshot = picture.input.snapshot;
  const std::string prediction =
      picture.prediction(snapshot.model->entryLabel(snapshot.pass->predicted.entry), picture.position);
  AttributedText text;
  for (const Stream stream : picture.streams)
    text.numbers.push_back({picture.tensor(stream), {}, -1, 0, -1, -1});
  text.scale = influenceScale(picture, text.numbers, picture.settings.byInput);
  text.say = [&](int token, Stream stream, float number) {
    return influenceWords(picture.quoted(token, stream), prediction, number);
  };
  addInfluenceHeader(picture, area, picture.titleOf("Saliency map", prediction), about,
                     {influenceKinds(picture)});
  area.takeTop(8);
  Box column = area.takeRight(std::clamp(area.width * 0.24f, 168.0f, 264.0f));
  area.takeRight(24);
  addEntryList(picture.scene, picture.input, column,
               {picture.position, snapshot.pass->predicted.entry, [](int entry) {
                  return commands::changeSettings([=](ViewSettings& s) { s.influence.entry = entry; });
                }});
  if (!picture.isThere(text.numbers.front().tensor)) return addInfluenceWaiting(picture, area);
  addColorScale(picture.scene, picture.input,
                {column.x + 8, column.y, column.width, std::min(column.height, 160.0f)}, text.scale.map,
                text.scale.range);
  addAttributedText(picture, area, text);
}

}  // namespace

void drawInfluenceSentencePicture(InfluencePicture& picture, Box area) {
  drawInfluenceSentence(picture, area,
                        picture.settings.byInput
                            ? "x_s · ∂logit / ∂x_s: gradient times input, for each token"
                            : "‖∂logit / ∂x_s‖: norm of the gradient by each token's embedding");
}

void drawOneInfluence(InfluencePicture& picture, Box area) {
  drawInfluenceSentence(
      picture, area, "more than " + std::to_string(mostInfluenceRows) + " tokens: one prediction at a time");
}

}  // namespace glassformer
