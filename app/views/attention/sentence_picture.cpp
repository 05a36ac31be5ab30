#include "app/views/attention/sentence_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/drawing/token_flow.h"
#include "app/scene/format.h"
#include "app/views/attention/head_grid.h"
#include "app/views/attention/strongest_keys.h"

namespace glassformer {

namespace {

constexpr float sentenceScaleWidth = 80, headingHeight = 28, blockGap = 24, besideGap = 32;

// The two ways to read a plane from one token's place.
enum class Reading { LooksAt, LookedAtBy };

class SentenceBuilder {
 public:
  SentenceBuilder(AttentionPicture& picture, const AttentionPlane& plane, const Coloring& scale)
      : picture_(picture), plane_(plane), scale_(scale), query_(picture.query()), key_(query_) {
    if (picture.isAcross()) key_ = picture.input.query(picture.lookedAt);
  }

  // Both readings below each other, or beside each other where a text's own lines are short, in the largest
  // type that fits; a text too long for any makes the picture taller.
  void draw(Box area) {
    TokenFlow keys, queries;
    bool isBeside = false;
    const auto height = [&] {
      return isBeside ? headingHeight + std::max(keys.height, queries.height)
                      : 2 * headingHeight + keys.height + queries.height + blockGap;
    };
    for (const float size : flowSizes) {
      size_ = size;
      keys = tokenFlow(picture_.input, picture_.lookedAt, area.width, size);
      queries = tokenFlow(picture_.input, picture_.asking, area.width, size);
      isBeside = false;
      if (height() <= area.height) break;
      isBeside = std::max(keys.width, queries.width) <= (area.width - besideGap) / 2;
      if (isBeside && height() <= area.height) break;
    }
    picture_.scene.size.y = std::max(picture_.scene.size.y, area.y + height() + 16);
    const Box first{area.x, area.y, isBeside ? (area.width - besideGap) / 2 : area.width, headingHeight};
    addReading(first, keys, Reading::LooksAt);
    Box second = first;
    if (isBeside)
      second.x = first.right() + besideGap;
    else
      second.y = first.bottom() + keys.height + blockGap;
    addReading(second, queries, Reading::LookedAtBy);
  }

 private:
  void addReading(const Box& heading, const TokenFlow& flow, Reading reading) {
    std::string title = reading == Reading::LooksAt ? relationOf(plane_, picture_.quotedQuery(query_), "…")
                                                    : relationOf(plane_, "…", picture_.quotedKey(key_));
    if (reading == Reading::LookedAtBy && picture_.isCausal() && key_ == picture_.keys - 1 &&
        picture_.keys > 1)
      title += "   (last token)";
    addText(picture_.scene, {heading.x, heading.y + 10}, title, picture_.theme.heading()).maxWidth =
        heading.width;
    for (std::size_t i = 0; i < flow.boxes.size(); ++i) {
      Box box = flow.boxes[i];
      box.x += heading.x, box.y += heading.bottom();
      addToken(box, static_cast<int>(i), reading);
    }
  }

  void addToken(const Box& box, int i, Reading reading) {
    const int query = reading == Reading::LooksAt ? query_ : i, key = reading == Reading::LooksAt ? i : key_;
    const Stream stream = reading == Reading::LooksAt ? picture_.lookedAt : picture_.asking;
    const TensorRef cell = refOf(plane_).cell(query, key);
    const auto value = picture_.allows(query, key) ? valueOf(picture_.scene.sources, cell) : std::nullopt;
    Rgba ink = picture_.theme.quiet.faded(0.7f);
    if (value) {
      Matrix matrix;
      matrix.box = box;
      matrix.values = cell;
      matrix.map = scale_.map, matrix.range = scale_.range;
      if (std::isfinite(*value)) ink = inkOn(cellColor(matrix, *value, picture_.theme.dark));
      picture_.scene.add(matrix);
    }
    const bool chosen = i == (stream == picture_.asking ? query_ : key_);
    Box rest = box;
    const Box word = rest.takeTop(flowWordHeight(size_));
    addText(picture_.scene, word.center(), picture_.input.label(i, stream), {FontFace::Mono, size_, ink},
            Align::Middle)
        .maxWidth = box.width;
    if (value && flowHasNumbers(size_))
      addText(picture_.scene, {box.center().x, rest.y + 8}, formattedCell(*value),
              {FontFace::Mono, Theme::small, ink}, Align::Middle)
          .value = cell;
    if (chosen) addOutline(picture_.scene, box, picture_.theme.accent, 2);
    if (!chosen && picture_.input.hover.touches(i, stream))
      addOutline(picture_.scene, box, picture_.theme.text, 1);
    addHit(box, i, query, key, value ? cell : TensorRef{}, reading);
  }

  void addHit(const Box& box, int i, int query, int key, TensorRef cell, Reading reading) {
    const std::string q = picture_.quotedQuery(query), k = picture_.quotedKey(key);
    HitRegion& hit = addHitRegion(picture_.scene, box, {},
                                  (reading == Reading::LooksAt ? "key " : "query ") + std::to_string(i));
    hit.target = picture_.target();
    hit.target.cell = std::move(cell);
    hit.target.query = query, hit.target.key = key, hit.target.token = i;
    hit.target.tokens = reading == Reading::LooksAt ? picture_.lookedAt : picture_.asking;
    if (plane_.fold == HeadFold::One)
      hit.target.layer = plane_.heads.front().layer, hit.target.head = plane_.heads.front().head;
    hit.target.text = picture_.allows(query, key) ? relationOf(plane_, q, k) : q + " cannot see " + k;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
    // One stop per token; of a long text none, there are too many.
    hit.tabStop = (reading == Reading::LooksAt || picture_.isAcross()) && picture_.keys <= 64;
  }

  AttentionPicture& picture_;
  const AttentionPlane& plane_;
  Coloring scale_;
  int query_, key_;
  float size_ = Theme::small;
};

}  // namespace

void drawSentencePicture(AttentionPicture& picture, Box area) {
  waitForNothing(picture);
  const AttentionPlane plane = sentencePlane(picture.input.workspace, picture.config);
  addHeader(picture, area, plane, titleOf(picture, plane), {stageChoices(stageElsewhere(picture.settings))});
  area.takeTop(16);
  Box column = takeColumn(picture, area);
  const Box scale = area.takeRight(picture.input.shows(BesidePicture::Scale) ? sentenceScaleWidth : 0);
  if (isThere(picture, plane)) {
    const Coloring colors = scaleOf(picture, plane);  // reads the whole plane
    SentenceBuilder(picture, plane, colors).draw(area);
    addColorScale(picture.scene, picture.input,
                  {scale.x + 16, scale.y + headingHeight, scale.width, std::min(160.0f, area.height)},
                  colors.map, colors.range);
    addScaleWords(picture, {scale.x + 16, scale.y + headingHeight + std::min(160.0f, area.height) + 14},
                  colors.range);
  }
  addChoices(picture.scene, picture.input, {column.right(), column.y}, foldChoices(picture));
  column.takeTop(Theme::control + 8);
  addHeadGrid(picture, column, HeadUse::Fold);
  column.takeTop(16);
  column.takeLeft(20);
  addStrongestKeys(picture, column, {plane});
}

}  // namespace glassformer
