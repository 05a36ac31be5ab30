#include "app/scene/attention_scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/scene/format.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float largestCell = 96;
constexpr float scaleWidth = 96;  // colour scale with the room around it

std::string headName(int layer, int head) {
  return "Block " + std::to_string(layer) + " · head " + std::to_string(head);
}

TensorRef headPlane(const char* point, int layer, int head) {
  return {"blocks." + std::to_string(layer) + ".attn." + point, {head, 0, 0}, 1, 2, -1, -1};
}

// What is pointed at, else what was clicked last; none when that is not in this text.
struct Pair {
  int query = Target::none, key = Target::none;
};

class AttentionBuilder {
 public:
  explicit AttentionBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        stage_(input.workspace.settings.attention),
        layer_(input.layer()),
        head_(input.head()),
        count_(input.tokenCount()) {
    scene_.size = {std::max(input.size.x, 560.0f), std::max(input.size.y, 420.0f)};
    scene_.sources = input.sources();
    pair_ = findPair();
    if (scene_.size.y >= 700 && scene_.size.x >= 1000 && count_ <= 20) labelSize_ = Theme::body;
  }

  Scene build() {
    const float margin = scene_.size.x < 800 ? 16.0f : 24.0f;
    Box area = Box{0, 0, scene_.size.x, scene_.size.y}.inset(margin);
    addTop(area.takeTop(72));
    const float depth = labelDepth(area);
    const float side =
        std::max(120.0f, std::min(area.height - depth, area.width - depth - scaleWidth - leastColumn()));
    const float shown = std::min(side, largestCell * static_cast<float>(count_));
    addHead({area.x + depth, area.y + depth, shown, shown}, depth);
    Box column = area;
    column.takeLeft(depth + side + scaleWidth);
    column.takeTop(depth - gridLabel - 18);
    addThumbnails(column);
    column.takeTop(24);
    column.takeLeft(gridLabel);
    addStrongest(column);
    return std::move(scene_);
  }

 private:
  static constexpr float gridLabel = 20;

  // Of the column with the thumbnails.
  float leastColumn() const {
    return std::clamp(gridLabel + 14 * static_cast<float>(input_.snapshot.config->heads), 148.0f, 200.0f);
  }

  Pair findPair() const {
    const auto inText = [&](int i) { return i >= 0 && i < count_; };
    const Target& hover = input_.hover;
    if (inText(hover.query) && inText(hover.key)) return {hover.query, hover.key};
    const Selection& chosen = input_.workspace.selection;
    if (hover.query == Target::none && inText(chosen.query) && inText(chosen.key))
      return {chosen.query, chosen.key};
    return {};
  }

  TensorRef plane(AttentionStage stage) const {
    switch (stage) {
      case AttentionStage::Scores:
        return {"lens.scores", {}, 0, 1, -1, -1};
      case AttentionStage::Masked:
        return headPlane("hook_attn_scores", layer_, head_);
      case AttentionStage::Pattern:
        break;
    }
    return headPlane("hook_pattern", layer_, head_);
  }

  void addTop(Box box) {
    const auto choice = [&](const char* label, const char* tip, AttentionStage stage) {
      return Choice{label, tip, stage_ == stage, commands::setAttentionStage(stage)};
    };
    const Box choices = addChoices(
        scene_, input_, {box.right(), box.y},
        {choice("Scores", "how well each query matches each key", AttentionStage::Scores),
         choice("Masked", "the scores a query may see: none of later tokens", AttentionStage::Masked),
         choice("Pattern", "the shares that softmax makes of them; every row sums to 1",
                AttentionStage::Pattern)});
    const TracePoint* point = scene_.sources.point(plane(stage_).tensor);
    addHeading(scene_, input_, {box.x, box.y, choices.x - box.x - 16, box.height}, headName(layer_, head_),
               point ? point->equation : "", FontFace::Mono);
  }

  // As much as the longest label needs, in steps, so that typing does not move the picture all the time.
  float labelDepth(const Box& area) const {
    float widest = 0;
    for (int i = 0; i < count_; ++i)
      widest = std::max(widest, input_.metrics.width(input_.label(i), FontFace::Mono, labelSize_));
    return std::clamp(std::ceil((widest + 16) / 16) * 16, 72.0f, area.width < 800 ? 88.0f : 120.0f);
  }

  Matrix matrixAt(Box box) const {
    Matrix matrix;
    matrix.box = box;
    matrix.values = plane(stage_);
    matrix.causal = stage_ == AttentionStage::Pattern;
    matrix.range = {0, 1};
    if (stage_ == AttentionStage::Pattern) return matrix;
    // One scale with and without the mask, so that masking changes nothing but what it takes away.
    matrix.map = ColorMap::Diverging;
    matrix.range = symmetric(unionOf(rangeOf(scene_.sources, plane(AttentionStage::Scores)),
                                     rangeOf(scene_.sources, plane(AttentionStage::Masked))));
    return matrix;
  }

  void addHead(Box box, float depth) {
    const Matrix matrix = matrixAt(box);
    scene_.add(matrix);
    if (stage_ != AttentionStage::Scores)
      addCausalHatch(scene_, box, count_, mix(theme_.line, theme_.quiet, 0.15f));
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addNumbers(matrix);
    addCrosshair(box);
    addAxes(box, depth);
    const Box scale{box.right() + 16, box.y, scaleWidth, std::clamp(box.height - 40, 48.0f, 200.0f)};
    addColorScale(scene_, input_, scale, matrix.map, matrix.range);
    if (stage_ != AttentionStage::Scores && count_ > 1)
      addMaskedLegend(scene_, input_, {scale.x - 1, scale.bottom() + 16});
    addHeadHit(matrix);
  }

  void addNumbers(const Matrix& matrix) {
    const float least = labelSize_ * (stage_ == AttentionStage::Pattern ? 2.4f : 3.0f) + 8;
    if (matrix.box.width / static_cast<float>(count_) < least) return;
    const auto cells = glassformer::plane(scene_.sources, matrix.values);
    if (!cells) return;
    cells->forEach([&](const auto& index, float value) {
      const int row = index[0], column = index[1];
      if (!std::isfinite(value) || isMasked(matrix, row, column, value)) return;
      Text& text =
          addText(scene_, matrix.box.cell(row, column, count_, count_).center(), formattedFixed(value, 2),
                  {FontFace::Mono, labelSize_, inkOn(cellColor(matrix, value, theme_.dark))}, Align::Middle);
      text.value = matrix.values.cell(row, column);
    });
  }

  void addCrosshair(const Box& box) {
    const Box chosen = box.cell(input_.query(), 0, count_, 1);
    scene_.add(Rect{{box.x - 4, chosen.y, 3, chosen.height}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    const auto band = [&](const Box& strip) { addOutline(scene_, strip, theme_.text.faded(0.45f), 1); };
    if (pair_.query == Target::none) {
      for (const int i : {input_.hover.token, input_.hover.query})
        if (i >= 0 && i < count_) band(box.cell(i, 0, count_, 1));
      return;
    }
    band(box.cell(pair_.query, 0, count_, 1));
    band(box.cell(0, pair_.key, 1, count_));
    addOutline(scene_, box.cell(pair_.query, pair_.key, count_, count_), theme_.text, 2);
  }

  void addAxes(const Box& box, float depth) {
    const TextStyle quiet{FontFace::Ui, Theme::small, theme_.quiet};
    addText(scene_, {box.x - 8, box.y - 33}, "keys →", quiet, Align::End);
    addText(scene_, {box.x - 8, box.y - 16}, "queries ↓", quiet, Align::End);
    const auto label = [&](int i) { return input_.label(i); };
    const auto isQuery = [&](int i) {
      return i == pair_.query || i == input_.hover.token || i == input_.query();
    };
    const auto isKey = [&](int i) { return i == pair_.key || i == input_.hover.token; };
    addLabels(scene_, input_, {box, Side::Left, count_, depth, label, isQuery, FontFace::Mono, labelSize_});
    addLabels(scene_, input_, {box, Side::Top, count_, depth, label, isKey, FontFace::Mono, labelSize_});
  }

  void addHeadHit(const Matrix& matrix) {
    HitRegion hit;
    hit.box = matrix.box;
    hit.target.cell = matrix.values;
    hit.target.layer = layer_, hit.target.head = head_;
    hit.rows = hit.columns = count_;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target& target) { return commands::selectCell(target.query, target.key); };
    hit.say = [labels = labelsOf(), stage = stage_](const Target& target) {
      const std::string query = "“" + labels[static_cast<std::size_t>(target.query)] + "”";
      const std::string key = "“" + labels[static_cast<std::size_t>(target.key)] + "”";
      if (stage == AttentionStage::Scores) return query + " compared with " + key;
      return query + (target.key > target.query ? " cannot see " : " looks at ") + key;
    };
    hit.name = "attention";
    scene_.hits.push_back(std::move(hit));
  }

  std::vector<std::string> labelsOf() const {
    std::vector<std::string> labels;
    for (int i = 0; i < count_; ++i) labels.push_back(input_.label(i));
    return labels;
  }

  // All layers down, all heads across. Leaves in `column` what is below.
  void addThumbnails(Box& column) {
    const int layers = input_.snapshot.config->layers, heads = input_.snapshot.config->heads;
    const TextStyle quiet{FontFace::Ui, Theme::small, theme_.quiet};
    const Box titles = column.takeTop(18 + gridLabel);
    Box grid = column;
    grid.takeLeft(gridLabel);
    const float pitch = std::floor(std::min(
        {grid.width / static_cast<float>(heads), grid.height * 0.7f / static_cast<float>(layers), 104.0f}));
    grid.width = pitch * static_cast<float>(heads), grid.height = pitch * static_cast<float>(layers);
    addText(scene_, {grid.x, titles.y + 8}, "heads →", quiet);
    addText(scene_, {column.x + 8, grid.y + grid.height + 12}, "blocks ↓", quiet);
    for (int head = 0; head < heads; ++head)
      if (pitch >= 16 || head % 4 == 0)
        addGridLabel({thumbnailIn(grid.cell(0, head, layers, heads)).center().x, titles.bottom() - 10}, head,
                     head_, input_.hover.head);
    for (int layer = 0; layer < layers; ++layer) {
      if (pitch >= 16 || layer % 4 == 0)
        addGridLabel({column.x + 8, thumbnailIn(grid.cell(layer, 0, layers, heads)).center().y}, layer,
                     layer_, input_.hover.layer);
      for (int head = 0; head < heads; ++head)
        addThumbnail(thumbnailIn(grid.cell(layer, head, layers, heads)), layer, head);
    }
    column.takeTop(grid.height + 20);
  }

  // The gap lies right and below, so that the grid starts where the large picture does.
  static Box thumbnailIn(const Box& cell) {
    const float space = cell.width > 48 ? 8 : cell.width > 20 ? 4 : 2;
    return {cell.x, cell.y, cell.width - space, cell.height - space};
  }

  void addGridLabel(Point at, int i, int selected, int hovered) {
    const bool strong = i == selected || i == hovered;
    addText(scene_, at, std::to_string(i),
            {strong ? FontFace::Strong : FontFace::Ui, Theme::small, strong ? theme_.text : theme_.quiet},
            Align::Middle);
  }

  void addThumbnail(Box box, int layer, int head) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = headPlane("hook_pattern", layer, head);
    matrix.causal = true;
    scene_.add(matrix);
    const bool selected = layer == layer_ && head == head_;
    const bool pointed = input_.hover.layer == layer && input_.hover.head == head;
    if (selected)
      addOutline(scene_, box.inset(-1), theme_.accent, 2);
    else
      scene_.add(Rect{box, {0, 0, 0, 0}, pointed ? theme_.text : theme_.line, 0, 1});
    HitRegion hit;
    hit.box = box;
    hit.target.layer = layer, hit.target.head = head;
    hit.target.text = headName(layer, head);
    hit.click = [](const Target& target) { return commands::selectHead(target.layer, target.head); };
    hit.name = "head " + std::to_string(layer) + "." + std::to_string(head);
    scene_.hits.push_back(std::move(hit));
  }

  // Where the query under the pointer, else the selected one, looks most: the row as sorted bars.
  void addStrongest(Box box) {
    const bool narrow = box.width < 200;
    const float rowHeight = narrow ? 30.0f : 26.0f;
    if (box.height < 28 + rowHeight) return;
    const int query = pair_.query != Target::none ? pair_.query : input_.query();
    const Box title = box.takeTop(28);
    addText(scene_, {title.x, title.y + 10}, "“" + input_.label(query) + "” looks at",
            {FontFace::Strong, Theme::small, theme_.text})
        .maxWidth = title.width;
    const auto keys = strongestKeys(query, std::min(8.0f, box.height / rowHeight));
    float depth = 0;
    for (const int key : keys)
      depth = std::max(depth, input_.metrics.width(input_.label(key), FontFace::Mono, Theme::small) + 10);
    for (const int key : keys)
      addShare(box.takeTop(rowHeight), narrow ? 0 : std::min(depth, box.width / 2), {query, key});
  }

  std::vector<int> strongestKeys(int query, float most) const {
    const auto cells = glassformer::plane(scene_.sources, headPlane("hook_pattern", layer_, head_));
    if (!cells) return {};
    const auto share = [&](int key) { return std::isnan((*cells)(query, key)) ? 0 : (*cells)(query, key); };
    std::vector<int> keys(static_cast<std::size_t>(count_));
    std::iota(keys.begin(), keys.end(), 0);
    std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) { return share(a) > share(b); });
    keys.resize(static_cast<std::size_t>(std::min(most, static_cast<float>(query + 1))));
    return keys;
  }

  // Label, bar and number in a row; where `depth` leaves the label no column of its own, the bar lies below.
  void addShare(Box row, float depth, const Pair& pair) {
    const TensorRef cell = headPlane("hook_pattern", layer_, head_).cell(pair.query, pair.key);
    const auto value = valueOf(scene_.sources, cell);
    if (!value) return;
    const Box whole = row;
    const bool pointed = pair.key == pair_.key;
    const TextStyle style{FontFace::Mono, Theme::small, pointed ? theme_.text : theme_.quiet};
    Box track = row.inset(0, 6);
    if (depth > 0)
      track.takeLeft(depth), track.takeRight(40);
    else
      track = {row.x, row.bottom() - 9, row.width, 4};
    const float line = depth > 0 ? row.center().y : row.y + 10;
    addText(scene_, {row.x, line}, input_.label(pair.key), style).maxWidth =
        depth > 0 ? depth - 6 : row.width - 40;
    addText(scene_, {row.right(), line}, formattedFixed(*value, 2), style, Align::End).value = cell;
    scene_.add(Rect{track, theme_.raised, {0, 0, 0, 0}, 2, 1});
    scene_.add(Bar{track, cell, {0, 1}, pointed ? theme_.text : theme_.attention});
    HitRegion hit;
    hit.box = whole;
    hit.target.cell = cell;
    hit.target.query = pair.query, hit.target.key = pair.key;
    hit.target.layer = layer_, hit.target.head = head_;
    hit.target.text = "“" + input_.label(pair.query) + "” looks at “" + input_.label(pair.key) + "”";
    hit.click = [](const Target& target) { return commands::selectCell(target.query, target.key); };
    scene_.hits.push_back(std::move(hit));
  }

  const SceneInput& input_;
  const Theme& theme_;
  AttentionStage stage_;
  int layer_, head_, count_;
  Pair pair_;
  float labelSize_ = Theme::small;  // larger where a large stage shows few tokens
  Scene scene_;
};

}  // namespace

Scene attentionScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config)
    return emptyScene(input, "No forward pass yet",
                      input.snapshot.error.empty() ? "Write a text on the left." : input.snapshot.error);
  return AttentionBuilder(input).build();
}

}  // namespace glassformer
