#include "app/views/attention/all_heads_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

// What ViewSettings::choices calls it: "" one matrix.
constexpr const char* allHeadsSetting = "attention.all_heads";
constexpr float allHeadsGap = 8, headNameHeight = 18, allHeadsLegend = 64, leastHeadSide = 40;

class AllHeadsPicture {
 public:
  explicit AllHeadsPicture(AttentionPicture& picture)
      : picture_(picture), layers_(blocksAt(picture.config, picture.site)), heads_(picture.config.heads) {}

  void draw(Box area) {
    addHeader(picture_, area, "A = softmax(s)", "All heads", {{allHeadsChoice(picture_)}});
    const Box legend = area.takeRight(allHeadsLegend);
    lay(area);
    std::vector<TensorRef> patterns;
    for (int layer = 0; layer < layers_; ++layer)
      for (int head = 0; head < heads_; ++head) patterns.push_back(patternOf({layer, head, picture_.site}));
    scale_ = coloring(picture_.input, patterns, {ColorMap::Sequential, rangeOfShares(picture_)});
    for (int layer = 0; layer < layers_; ++layer)
      for (int head = 0; head < heads_; ++head) addHead(boxOf(layer, head), {layer, head, picture_.site});
    addTokens();
    const Box first = boxOf(0, 0);
    addColorScale(picture_.scene, picture_.input,
                  {legend.x + 12, first.y, legend.width - 12, std::min(first.height, 160.0f)}, scale_.map,
                  scale_.range);
  }

 private:
  TensorRef patternOf(HeadId head) const {
    return {attentionPoint(head.layer, head.site, "hook_pattern"), {head.head, 0, 0}, 1, 2, -1, -1};
  }

  // As large as fits beside and below the labels; of many blocks the picture scrolls.
  void lay(const Box& area) {
    depth_ = labelDepth(picture_, area);
    const float across = (area.width - depth_) / static_cast<float>(heads_),
                down = (area.height - depth_) / static_cast<float>(layers_);
    const float room = std::min(across - allHeadsGap, down - headNameHeight - allHeadsGap);
    const float side = std::max(room, leastHeadSide);
    // Wider than high where there is room for it: more of the labels fit.
    size_ = {std::clamp(across - allHeadsGap, side, side * 2.4f), side};
    origin_ = {area.x + depth_, area.y + depth_};
    const float bottom = boxOf(layers_ - 1, 0).bottom();
    picture_.scene.size.y = std::max(picture_.scene.size.y, bottom + 16);
  }
  Box boxOf(int layer, int head) const {
    return {origin_.x + static_cast<float>(head) * (size_.x + allHeadsGap),
            origin_.y + static_cast<float>(layer) * (size_.y + headNameHeight + allHeadsGap) + headNameHeight,
            size_.x, size_.y};
  }

  void addHead(const Box& box, HeadId head) {
    const Theme& theme = picture_.theme;
    Matrix matrix;
    matrix.values = patternOf(head), matrix.box = box;
    matrix.map = scale_.map, matrix.range = scale_.range;
    if (picture_.lookedAt == Stream::Text) matrix.mask = picture_.config.maskOf(head.layer);
    const bool isThere = picture_.scene.sources.contains(matrix.values.tensor);
    if (isThere) picture_.scene.add(matrix);
    const bool isSelected = head == picture_.selected;
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme.line});
    if (isSelected) addOutline(picture_.scene, box.inset(-1), theme.accent, 2);
    if (isOff(picture_.input.workspace.interventions,
              {ModelPart::Kind::Head, head.layer, head.head, head.site}))
      picture_.scene.add(Line{{{box.x, box.bottom()}, {box.right(), box.y}}, theme.broken, 2});
    addText(picture_.scene, {box.x, box.y - headNameHeight / 2}, nameOf(head),
            isSelected ? theme.strong() : theme.note())
        .maxWidth = box.width;
    if (isThere) addHit(box, head, matrix.values);
  }

  void addHit(const Box& box, HeadId head, const TensorRef& pattern) {
    HitRegion& hit = addHitRegion(
        picture_.scene, box, {}, "all heads " + std::to_string(head.layer) + "." + std::to_string(head.head));
    hit.target = picture_.target();
    hit.target.layer = head.layer, hit.target.head = head.head, hit.target.cell = pattern;
    hit.rows = picture_.queries, hit.columns = picture_.keys;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.say = [name = nameOf(head)](const Target&) { return name + "\nClick: its matrix"; };
    hit.click = [head](const Target&) {
      Command open = commands::selectHead(head);
      open.apply = [select = open.apply](Workspace& w) {
        select(w);
        w.settings.choose(allHeadsSetting, "");
      };
      return open;
    };
  }

  // At the outer edges alone: queries at the left of every row of heads, keys above the first.
  void addTokens() {
    const auto isPointed = [&](int i) { return picture_.input.hover.touches(i); };
    for (int layer = 0; layer < layers_; ++layer)
      addLabels(picture_.scene, picture_.input,
                {boxOf(layer, 0), Side::Left, picture_.queries, depth_ - 4,
                 [&](int i) { return picture_.queryLabel(i); }, isPointed});
    for (int head = 0; head < heads_; ++head) {
      Box above = boxOf(0, head);
      above.y -= headNameHeight;
      addLabels(picture_.scene, picture_.input,
                {above, Side::Top, picture_.keys, depth_ - 4, [&](int i) { return picture_.keyLabel(i); },
                 isPointed});
    }
  }

  AttentionPicture& picture_;
  int layers_, heads_;
  float depth_ = 0;
  Point origin_, size_;
  Coloring scale_;
};

}  // namespace

bool showsAllHeads(const AttentionPicture& picture) {
  return !picture.input.workspace.settings.chosen(allHeadsSetting).empty();
}

Choice allHeadsChoice(const AttentionPicture& picture) {
  const bool isOn = showsAllHeads(picture);
  return {"All", "Every head as a small matrix", isOn, commands::choose(allHeadsSetting, isOn ? "" : "on")};
}

void drawAllHeads(AttentionPicture& picture, Box area) { AllHeadsPicture(picture).draw(area); }

}  // namespace glassformer
