#include "app/scene/attention/sentence_layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/attention/head_grid.h"
#include "app/scene/attention/strongest_keys.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float scaleWidth = 80, headingHeight = 28, blockGap = 24;

// The two ways to read a plane from one token's place.
enum class Reading { LooksAt, LookedAtBy };

// Where every token stands when the text is broken into lines of a width.
struct Flow {
  std::vector<Box> boxes;
  float height = 0;
};

class SentenceBuilder {
 public:
  SentenceBuilder(AttentionView& view, const AttentionPlane& plane)
      : view_(view), plane_(plane), scale_(scaleOf(view, plane)), chosen_(view.input.query()) {}

  // Both readings below each other, in the largest type that fits; a text too long for any makes the picture
  // taller.
  void draw(Box area) {
    Flow flow;
    for (const float size :
         {36.0f, 32.0f, Theme::large, 24.0f, Theme::title, Theme::body, 14.0f, Theme::small}) {
      size_ = size;
      flow = flowOf(area.width);
      if (2 * (headingHeight + flow.height) + blockGap <= area.height) break;
    }
    const float needed = 2 * (headingHeight + flow.height) + blockGap;
    view_.scene.size.y = std::max(view_.scene.size.y, area.y + needed + 16);
    addReading({area.x, area.y, area.width, headingHeight}, flow, Reading::LooksAt);
    addReading({area.x, area.y + headingHeight + flow.height + blockGap, area.width, headingHeight}, flow,
               Reading::LookedAtBy);
  }

 private:
  // Large words have their numbers below them, and room for these.
  bool hasNumbers() const { return size_ >= Theme::title; }
  float wordHeight() const { return std::ceil(size_ * 1.6f); }

  Flow flowOf(float width) const {
    const float height = wordHeight() + (hasNumbers() ? 20.0f : 0.0f),
                gap = size_ > Theme::small ? 4.0f : 1.0f;
    const float least = hasNumbers() ? 40.0f : 0.0f;
    Flow flow;
    float x = 0, y = 0;
    for (int i = 0; i < view_.count; ++i) {
      const float text = view_.input.metrics.width(view_.input.label(i), FontFace::Mono, size_);
      const float own = std::min(width, std::max(least, std::ceil(text) + 8));
      if (x > 0 && x + own > width) x = 0, y += height + gap;
      flow.boxes.push_back({x, y, own, height});
      x += own + gap;
    }
    flow.height = y + height;
    return flow;
  }

  void addReading(const Box& heading, const Flow& flow, Reading reading) {
    const std::string token = quoted(view_, chosen_);
    std::string title =
        reading == Reading::LooksAt ? relationOf(plane_, token, "…") : relationOf(plane_, "…", token);
    if (reading == Reading::LookedAtBy && chosen_ == view_.count - 1 && view_.count > 1)
      title += "   (nothing comes after it)";
    addText(view_.scene, {heading.x, heading.y + 10}, title,
            {FontFace::Strong, Theme::body, view_.theme.text})
        .maxWidth = heading.width;
    for (int i = 0; i < view_.count; ++i) {
      Box box = flow.boxes[static_cast<std::size_t>(i)];
      box.x += heading.x, box.y += heading.bottom();
      addToken(box, i, reading);
    }
  }

  void addToken(const Box& box, int i, Reading reading) {
    const int query = reading == Reading::LooksAt ? chosen_ : i,
              key = reading == Reading::LooksAt ? i : chosen_;
    const TensorRef cell = refOf(plane_).cell(query, key);
    const auto value = key <= query ? valueOf(view_.scene.sources, cell) : std::nullopt;
    Rgba ink = view_.theme.quiet.faded(0.7f);
    if (value) {
      Matrix matrix;
      matrix.box = box;
      matrix.values = cell;
      matrix.map = scale_.map, matrix.range = scale_.range;
      if (std::isfinite(*value)) ink = inkOn(cellColor(matrix, *value, view_.theme.dark));
      view_.scene.add(matrix);
    }
    const bool chosen = i == chosen_;
    Box rest = box;
    const Box word = rest.takeTop(wordHeight());
    addText(view_.scene, word.center(), view_.input.label(i), {FontFace::Mono, size_, ink}, Align::Middle)
        .maxWidth = box.width;
    if (value && hasNumbers())
      addText(view_.scene, {box.center().x, rest.y + 8}, formattedFixed(*value, 2),
              {FontFace::Mono, Theme::small, ink}, Align::Middle)
          .value = cell;
    if (chosen) addOutline(view_.scene, box, view_.theme.accent, 2);
    if (!chosen && view_.input.hover.touches(i)) addOutline(view_.scene, box, view_.theme.text, 1);
    addHit(box, i, query, key, value ? cell : TensorRef{}, reading);
  }

  void addHit(const Box& box, int i, int query, int key, TensorRef cell, Reading reading) {
    HitRegion hit;
    hit.box = box;
    hit.target.cell = std::move(cell);
    hit.target.query = query, hit.target.key = key, hit.target.token = i;
    if (plane_.fold == HeadFold::One)
      hit.target.layer = plane_.heads.front().layer, hit.target.head = plane_.heads.front().head;
    const std::string q = quoted(view_, query), k = quoted(view_, key);
    hit.target.text = key > query ? q + " cannot see " + k : relationOf(plane_, q, k);
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    hit.name = (reading == Reading::LooksAt ? "key " : "query ") + std::to_string(i);
    // One stop per token; of a long text none, there are too many.
    hit.tabStop = reading == Reading::LooksAt && view_.count <= 64;
    view_.scene.hits.push_back(std::move(hit));
  }

  AttentionView& view_;
  const AttentionPlane& plane_;
  Coloring scale_;
  int chosen_;
  float size_ = Theme::small;
};

}  // namespace

void drawSentenceLayout(AttentionView& view, Box area) {
  const AttentionPlane plane = shownPlane(view.input.workspace, view.config);
  addHeader(view, area, plane, titleOf(view, plane), {stageChoices(view)});
  area.takeTop(16);
  Box column = area.takeRight(columnWidth(view));
  const Box scale = area.takeRight(scaleWidth);
  if (isThere(view, plane)) {
    SentenceBuilder(view, plane).draw(area);
    addColorScale(view.scene, view.input,
                  {scale.x + 16, scale.y + headingHeight, scale.width, std::min(160.0f, area.height)},
                  scaleOf(view, plane).map, scaleOf(view, plane).range);
  }
  addChoices(view.scene, view.input, {column.right(), column.y}, foldChoices(view));
  column.takeTop(Theme::control + 8);
  addHeadGrid(view, column, HeadUse::Fold);
  column.takeTop(16);
  column.takeLeft(20);
  addStrongestKeys(view, column, plane);
}

}  // namespace glassformer
