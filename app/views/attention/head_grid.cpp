#include "app/views/attention/head_grid.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_commands.h"
#include "app/document/selection_commands.h"
#include "app/document/switches.h"
#include "core/lens/pattern_overview.h"

namespace glassformer {

namespace {

constexpr float gridLabel = 20;

class HeadGrid {
 public:
  HeadGrid(AttentionPicture& picture, HeadUse use)
      : picture_(picture),
        use_(use),
        layers_(blocksAt(picture.config, picture.site)),
        heads_(picture.config.heads) {
    if (use == HeadUse::Compare && picture.settings.pair != AttentionPair::OneHead)
      marked_ = {otherHead(picture.input.workspace, picture.config)};
    else if (use == HeadUse::Together)
      marked_ = drawnHeads(picture.input.workspace, picture.config);
    else if (use == HeadUse::Fold)
      marked_ = picture.settings.heads;
    std::vector<TensorRef> patterns;
    for (int layer = 0; layer < layers_; ++layer)
      for (int head = 0; head < heads_; ++head) patterns.push_back(patternOf(headAt(layer, head)));
    coloring_ = coloring(picture.input, patterns, {ColorMap::Sequential, rangeOfShares(picture)});
  }

  Box draw(Box& column, float share) {
    const Box titles = column.takeTop(headGridTitles);
    Box grid = column;
    grid.takeLeft(gridLabel);
    pitch_ = std::floor(std::min({grid.width / static_cast<float>(heads_),
                                  grid.height * share / static_cast<float>(layers_), 104.0f}));
    pitch_ = std::max(pitch_, 6.0f);
    grid.width = pitch_ * static_cast<float>(heads_), grid.height = pitch_ * static_cast<float>(layers_);
    addTitles(titles, grid);
    addNumbers(titles, grid, column.x);
    for (int layer = 0; layer < layers_; ++layer)
      for (int head = 0; head < heads_; ++head)
        addThumbnail(thumbnailIn(grid.cell(layer, head, layers_, heads_)), headAt(layer, head));
    column.takeTop(grid.height + gridLabel);
    return grid;
  }

 private:
  HeadId headAt(int layer, int head) const { return {layer, head, picture_.site}; }
  // The gap lies right and below, so that the grid starts where the large picture does.
  static Box thumbnailIn(const Box& cell) {
    const float space = cell.width > 48 ? 8 : cell.width > 20 ? 4 : 2;
    return {cell.x, cell.y, cell.width - space, cell.height - space};
  }

  void addTitles(const Box& titles, const Box& grid) {
    const TextStyle quiet = picture_.theme.note();
    const Text& heads = addText(picture_.scene, {grid.x, titles.y + 8}, "heads →", quiet);
    const float used = picture_.input.metrics.width(heads.text, quiet.face, quiet.size);
    addText(picture_.scene, {titles.x + 8, grid.bottom() + 12}, "blocks ↓", quiet);
    if (use_ == HeadUse::Compare || picture_.input.isStill()) return;
    std::vector<HeadId> all;
    for (int layer = 0; layer < layers_; ++layer)
      for (int head = 0; head < heads_; ++head) all.push_back(headAt(layer, head));
    const float right = std::min(titles.right(), std::max(grid.right(), grid.x + used + 40));
    addText(picture_.scene, {right, titles.y + 8}, "all", {FontFace::Ui, Theme::small, picture_.theme.accent},
            Align::End);
    addChooser({right - 24, titles.y, 24, 18}, std::move(all), "all heads");
  }

  void addNumbers(const Box& titles, const Box& grid, float left) {
    const auto shown = [&](int i) { return pitch_ >= 16 || i % 4 == 0; };
    for (int head = 0; head < heads_; ++head) {
      const Box box = thumbnailIn(grid.cell(0, head, layers_, heads_));
      if (shown(head))
        addNumber({box.center().x, titles.bottom() - 10}, head, picture_.selected.head,
                  picture_.input.hover.head);
      std::vector<HeadId> column;
      for (int layer = 0; layer < layers_; ++layer) column.push_back(headAt(layer, head));
      addChooser({box.x, titles.bottom() - 20, box.width, 20}, std::move(column),
                 "head " + std::to_string(head) + " of all blocks");
    }
    for (int layer = 0; layer < layers_; ++layer) {
      const Box box = thumbnailIn(grid.cell(layer, 0, layers_, heads_));
      if (shown(layer))
        addNumber({left + 8, box.center().y}, layer, picture_.selected.layer, picture_.input.hover.layer);
      std::vector<HeadId> row;
      for (int head = 0; head < heads_; ++head) row.push_back(headAt(layer, head));
      addChooser({left, box.y, gridLabel - 2, box.height}, std::move(row),
                 "all heads of block " + std::to_string(layer));
    }
  }

  void addNumber(Point at, int i, int selected, int hovered) {
    const bool strong = i == selected || i == hovered;
    addText(picture_.scene, at, std::to_string(i),
            {strong ? FontFace::Strong : FontFace::Ui, Theme::small,
             strong ? picture_.theme.text : picture_.theme.quiet},
            Align::Middle);
  }

  void addChooser(const Box& box, std::vector<HeadId> heads, const std::string& name) {
    if (use_ == HeadUse::Compare) return;
    HitRegion& hit = addHitRegion(picture_.scene, box, {}, name);
    hit.target.text = name;
    hit.click = [heads = std::move(heads)](const Target&) { return commands::chooseHeads(heads); };
  }

  // Of a long text the largest share of every few tokens, so that no line is lost.
  TensorRef patternOf(HeadId head) const {
    const TensorRef pooled{"lens.pattern_overview", {head.layer, head.head, 0, 0}, 2, 3, -1, -1};
    const bool own = head.site == ownSite(picture_.config);
    if (own && !picture_.input.snapshot.isDifference() && plane(picture_.scene.sources, pooled))
      return pooled;
    return {attentionPoint(head.layer, head.site, "hook_pattern"), {head.head, 0, 0}, 1, 2, -1, -1};
  }

  void addThumbnail(Box box, HeadId head) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = patternOf(head);
    const bool isKept = picture_.scene.sources.contains(matrix.values.tensor);
    const bool pooled = matrix.values.tensor == "lens.pattern_overview";  // its cells are groups of keys
    if (picture_.lookedAt == Stream::Text && (!pooled || picture_.isCausal()))
      matrix.mask = pooled ? AttentionMask{} : picture_.config.maskOf(head.layer);
    matrix.map = coloring_.map, matrix.range = coloring_.range;
    const bool isAwaited = !isKept && !picture_.input.snapshot.model->hasNoWeights();  // not computed yet
    if (isKept) picture_.scene.add(matrix);
    if (isAwaited) picture_.scene.add(Rect{box, picture_.theme.raised});
    addMarks(box, head);
    HitRegion& hit = addHitRegion(picture_.scene, box, {},
                                  "head " + std::to_string(head.layer) + "." + std::to_string(head.head));
    hit.target.layer = head.layer, hit.target.head = head.head;
    hit.target.text = nameOf(head) + offWords(head) + (isAwaited ? "\nComputing…" : "") +
                      (use_ == HeadUse::Compare ? "\nCtrl click: next to the selected head"
                                                : "\nCtrl click: together with others");
    hit.click = [head](const Target&) { return commands::selectHead(head); };
    hit.extend = [use = use_, clicked = head](const Target&) {
      return use == HeadUse::Compare ? commands::compareWith(clicked) : commands::toggleHead(clicked);
    };
  }

  std::string offWords(HeadId head) const {
    const ModelPart part{ModelPart::Kind::Head, head.layer, head.head, head.site};
    return isOff(picture_.input.workspace.interventions, part) ? "\nablated" : "";
  }

  void addMarks(const Box& box, HeadId head) {
    const Theme& theme = picture_.theme;
    const bool inSet = std::find(marked_.begin(), marked_.end(), head) != marked_.end();
    const bool pointed = picture_.input.hover.layer == head.layer && picture_.input.hover.head == head.head;
    const float width = box.width > 24 ? 3.0f : 2.0f;
    if (!inSet && head != picture_.selected)
      picture_.scene.add(Rect{box, {0, 0, 0, 0}, pointed ? theme.text : theme.line});
    if (inSet) addOutline(picture_.scene, box.inset(width / 2), headColor(head.head, theme.dark), width);
    if (head == picture_.selected) addOutline(picture_.scene, box.inset(-1), theme.accent, 2);
    if (isOff(picture_.input.workspace.interventions,
              {ModelPart::Kind::Head, head.layer, head.head, head.site}))
      picture_.scene.add(Line{{{box.x, box.bottom()}, {box.right(), box.y}}, theme.broken, width});
  }

  AttentionPicture& picture_;
  HeadUse use_;
  int layers_, heads_;
  std::vector<HeadId> marked_;
  Coloring coloring_;
  float pitch_ = 0;
};

}  // namespace

Box addHeadGrid(AttentionPicture& picture, Box& column, HeadUse use, float share) {
  if (!picture.input.shows(BesidePicture::Heads)) return {column.x, column.y, 0, 0};
  return HeadGrid(picture, use).draw(column, share);
}

std::vector<Choice> foldChoices(const AttentionPicture& picture) {
  const auto choice = [&](const char* label, const char* tip, HeadFold fold) {
    return settingChoice(label, tip, picture.settings.fold == fold,
                         [=](AttentionSettings& s) { s.fold = fold; });
  };
  return {choice("One", "Only the selected head", HeadFold::One),
          choice("Mean", "Mean over the marked heads, or over the heads of the block", HeadFold::Average),
          choice("Max", "Maximum over the marked heads, or over the heads of the block", HeadFold::Maximum)};
}

}  // namespace glassformer
