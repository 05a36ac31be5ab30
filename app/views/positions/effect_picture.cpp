#include "app/views/positions/effect_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/drawing/head_choices.h"
#include "app/drawing/view_header.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "app/views/positions/positions_picture.h"
#include "core/lens/attention_stages.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

// One head, and what its positions do.
class PositionEffect {
 public:
  explicit PositionEffect(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        config_(input.config()),
        head_(selectedHead(input.workspace, config_)) {
    scene_.size = input.pictureSize();
    scene_.sources = input.sources();
    tokens_ = input.countOf(queriesOf(head_.site));
    query_ = input.query(queriesOf(head_.site));
    key_ = std::clamp(chosenKey(), 0, std::max(tokens_ - 1, 0));
  }

  Scene turned() {
    Box area = begin(
        "queries and keys are rotated, each pair of dimensions at its own frequency; their product depends "
        "on the distance alone");
    constexpr float least = 96;
    const int most = std::max(1, config_.positions->turnedPairs(config_));
    const int pairs = std::clamp(static_cast<int>(area.width / least), 1, most);
    area.takeLeft(96);
    const Box words = area.takeTop(24);
    const float width = area.width / static_cast<float>(pairs), height = std::min(area.height / 3, 200.0f);
    for (int pair = 0; pair < pairs; ++pair) {
      const float x = area.x + (static_cast<float>(pair) + 0.5f) * width;
      addText(scene_, {x, words.center().y}, "pair " + std::to_string(pair), theme_.quietMono(),
              Align::Middle);
      const float length = std::min(width, height) / 2 - 14;
      const auto circle = [&](int row) {
        return Point{x, area.y + (static_cast<float>(row) + 0.5f) * height};
      };
      addTurn(circle(0), length, "q", query_, pair, queryColor());
      addTurn(circle(1), length, "k", key_, pair, keyColor());
      addCircle(circle(2), length);
      addArrow(circle(2), length, turnedPoint(scene_.sources, head_.layer, head_.site, "q"), query_, pair,
               queryColor());
      addArrow(circle(2), length, turnedPoint(scene_.sources, head_.layer, head_.site, "k"), key_, pair,
               keyColor());
      addAngleLeft({x, circle(2).y + length + 9}, length, pair);
    }
    const auto rowWords = [&](int row, const std::string& what, const std::string& token) {
      const float y = area.y + (static_cast<float>(row) + 0.5f) * height;
      addText(scene_, {area.x - 96, y - 9}, what, theme_.strong());
      addText(scene_, {area.x - 96, y + 9}, token, theme_.quietMono()).maxWidth = 92;
    };
    rowWords(0, "query", std::to_string(query_) + " " + input_.label(query_));
    rowWords(1, "key", std::to_string(key_) + " " + input_.label(key_));
    rowWords(2, "both, turned", std::to_string(query_ - key_) + " apart");
    return std::move(scene_);
  }

  Scene added() {
    Box area = begin("added to the scores of head " + nameOf(head_) +
                     ", before the mask: " + std::string(config_.positions->description().equation));
    const std::string name = stageTensor(stages::bias, head_);
    const float labels = 88;
    const float side = std::min(area.width * 0.5f - labels, area.height - labels);
    Matrix matrix;
    matrix.box = {area.x + labels, area.y + labels, side, side};
    matrix.values = {name, {}, 0, 1};
    const Coloring colors = coloring(
        input_, {matrix.values}, {ColorMap::Diverging, symmetric(rangeOf(scene_.sources, matrix.values))});
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line});
    addOutline(scene_, matrix.box.cell(query_, 0, tokens_, 1), theme_.accent);
    addColorScale(scene_, input_, {matrix.box.right() + 12, matrix.box.y, 0, std::min(side, 180.0f)},
                  matrix.map, matrix.range);
    for (const Side at : {Side::Left, Side::Top})
      addLabels(scene_, input_,
                {matrix.box, at, tokens_, labels, [&](int i) { return input_.label(i); },
                 [&](int i) { return input_.hover.touches(i); }});
    addHits(matrix);
    Box beside{matrix.box.right() + 96, area.y, area.right() - matrix.box.right() - 96, area.height};
    const bool hasMore = scene_.sources.contains(slopesName) || scene_.sources.contains(distancesName());
    if (!hasMore) beside.y = matrix.box.y - 32;
    beside.takeTop(32);
    const float height = hasMore ? std::clamp(area.height * 0.26f, 60.0f, 220.0f) : std::min(side, 260.0f);
    addCurve(beside.takeTop(height), name, matrix.range);
    beside.takeTop(curveLabels + 8);
    if (scene_.sources.contains(slopesName)) addSlopes(beside);
    if (scene_.sources.contains(distancesName())) addDistances(beside);
    return std::move(scene_);
  }

 private:
  static constexpr const char* slopesName = "positions.alibi_slopes";
  static constexpr float curveLabels = 88;

  // Shaw's table a[s − t] of this block, where it has one.
  std::string distancesName() const { return attentionWeights(head_.layer, head_.site) + "relative"; }

  Rgba queryColor() const { return theme_.accent; }
  Rgba keyColor() const { return theme_.feedForward; }

  // The chosen key, or the first token: the farthest from the last.
  int chosenKey() const {
    const int pointed = input_.hover.key, chosen = input_.workspace.selection.keyAt(head_.site);
    return pointed >= 0 ? pointed : chosen >= 0 ? chosen : 0;
  }

  Box begin(const std::string& about) {
    Box area = contentOf(input_, scene_.size);
    ViewHeader header{
        std::string(config_.positions->description().name) + " positions, head " + nameOf(head_),
        about,

        {}};
    header.choices = {neighbouringHeads(config_, head_)};
    addViewHeader(scene_, input_, area, header);
    return area;
  }

  void addCircle(Point center, float length) {
    scene_.add(Rect{
        {center.x - length, center.y - length, 2 * length, 2 * length}, {0, 0, 0, 0}, theme_.line, length});
  }
  void addArrow(Point center, float length, const std::string& point, int token, int pair, Rgba color) {
    const auto [first, second] = config_.positions->turnedPair(config_, pair);
    TensorRef values{point, {token, 0, first}, -1, 2};
    const auto table = scene_.sources.find(values.tensor);
    if (!table) return;
    values.index[1] = head_.head * table->extent[1] / config_.heads;
    values.columnCount = second - first + 1;
    scene_.add(Phasor{center, length, values, color, 2});
    for (const int column : {first, second}) {  // the left half tells of the one, the right half of the other
      HitRegion& hit = addHitRegion(
          scene_, {column == first ? center.x - length : center.x, center.y - length, length, 2 * length},
          values, "turned pair");
      hit.target.cell.index[2] = column, hit.target.cell.columnCount = 1;
      hit.columns = 1, hit.columnAxis = Axis::Dimension;
      hit.target.token = token, hit.tabStop = false;
    }
  }
  // The angle of a pair of the turned or unturned "q" or "k" of this head, in radians.
  double angleOf(const std::string& point, int token, int pair) const {
    const auto [first, second] = config_.positions->turnedPair(config_, pair);
    const auto table = scene_.sources.find(point);
    const int head = table ? head_.head * table->extent[1] / config_.heads : 0;
    const auto at = [&](int column) {
      return static_cast<double>(valueOf(scene_.sources, {point, {token, head, column}}).value_or(0));
    };
    return std::atan2(at(second), at(first));
  }
  // "37.2°": from one angle to another, as small as it can be.
  static std::string degreesBetween(double from, double to) {
    const double degrees = std::abs(std::remainder(to - from, 2 * std::numbers::pi)) * 180 / std::numbers::pi;
    return formattedFixed(static_cast<float>(degrees), 1) + "°";
  }
  void addAngleLeft(Point at, float length, int pair) {
    const auto between = [&](auto point) {
      return degreesBetween(angleOf(point("q"), query_, pair), angleOf(point("k"), key_, pair));
    };
    const std::string left = between(
        [&](const char* which) { return turnedPoint(scene_.sources, head_.layer, head_.site, which); });
    const std::string before = between(
        [&](const char* which) { return unturnedPoint(scene_.sources, head_.layer, head_.site, which); });
    addText(scene_, at, left, theme_.mono(), Align::Middle);
    HitRegion& hit = addHitRegion(scene_, {at.x - length, at.y - 8, 2 * length, 16}, {},
                                  "angle left " + std::to_string(pair));
    hit.target.text = "query and key are " + left + " apart in pair " + std::to_string(pair) + "; " + before +
                      " before they were turned";
    hit.tabStop = false;
  }
  // A pair as it was, and turned.
  void addTurn(Point center, float length, const char* which, int token, int pair, Rgba color) {
    const auto& sources = scene_.sources;
    addCircle(center, length);
    addArrow(center, length, unturnedPoint(sources, head_.layer, head_.site, which), token, pair,
             theme_.quiet);
    addArrow(center, length, turnedPoint(sources, head_.layer, head_.site, which), token, pair, color);
  }

  void addHits(const Matrix& matrix) {
    HitRegion& hit = addHitRegion(scene_, matrix.box, matrix.values, "position bias");
    hit.rows = hit.columns = tokens_, hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.target.layer = head_.layer, hit.target.head = head_.head;
    hit.click = [](const Target& target) { return commands::selectQuery(target.query); };
  }

  // m of every head, side by side.
  void addSlopes(Box area) {
    const Box title = area.takeTop(24);
    addText(scene_, {title.x, title.y + 10}, "slope m of every head", theme_.strong()).maxWidth = title.width;
    const int H = config_.heads;
    area.height = std::min(area.height, 24.0f * static_cast<float>(H));
    const Range range{0, roundedUp(rangeOf(scene_.sources, {slopesName, {}, -1, 0}).high)};
    const bool hasRoom = area.height >= 14 * static_cast<float>(H);
    const BarTable table{range, hasRoom ? 64.0f : 0, hasRoom ? 64.0f : 0,
                         area.height * 0.6f / static_cast<float>(H), formatted};
    for (int head = 0; head < H; ++head) {
      const bool isShown = head == head_.head;
      HitRegion& hit = addBarRow(scene_, input_, table,
                                 {area.cell(head, 0, H, 1),
                                  {slopesName, {head}},
                                  hasRoom ? "head " + std::to_string(head) : "",
                                  isShown ? theme_.accent : theme_.attention,
                                  isShown ? theme_.strong() : theme_.note(),
                                  isShown ? theme_.mono() : theme_.quietMono()},
                                 "slope " + std::to_string(head));
      hit.target.head = head;
      hit.click = [layer = head_.layer, head, site = head_.site](const Target&) {
        return commands::selectHead(HeadId{layer, head, site});
      };
    }
  }

  // A learned vector for each distance, a column each.
  void addDistances(Box area) {
    const Box title = area.takeTop(24);
    area.takeBottom(24);
    addText(scene_, {title.x, title.y + 10},
            "a[s − t] of block " + std::to_string(head_.layer) + ", all heads", theme_.strong())
        .maxWidth = title.width;
    if (area.height < 24) return;
    area.height = std::min(area.height, 260.0f);
    const Box scale = area.takeRight(80);
    Matrix matrix;
    matrix.box = area;
    matrix.values = {distancesName(), {}, 1, 0};
    matrix.map = ColorMap::Diverging, matrix.range = symmetric(rangeOf(scene_.sources, matrix.values));
    const TensorView table = *scene_.sources.find(distancesName());
    const int distances = table.extent[0], reach = distances / 2, K = table.extent[1];
    scene_.add(matrix);
    scene_.add(Rect{area, {0, 0, 0, 0}, theme_.line});
    const int pointed = std::clamp(key_ - query_, -reach, reach) + reach;
    addColorScale(scene_, input_, {scale.x + 12, scale.y, 0, std::min(scale.height, 180.0f)}, matrix.map,
                  matrix.range);
    addOutline(scene_, area.cell(0, pointed, 1, distances), theme_.accent);
    addLabels(scene_, input_,
              {.box = area,
               .side = Side::Bottom,
               .count = distances,
               .depth = 48,
               .label = [reach](int i) { return formattedShort(static_cast<float>(i - reach)); },
               .strong = [pointed](int i) { return i == pointed; },
               .numbers = true});
    HitRegion& hit = addHitRegion(scene_, area, matrix.values, "distances");
    hit.rows = K, hit.columns = distances;
    hit.say = [reach](const Target& target) {
      const int s = target.cell.index[0] - reach;
      return "s − t = " + formattedShort(static_cast<float>(s)) +
             (std::abs(s) == reach ? ", and all larger distances" : "") + ", dimension " +
             std::to_string(target.cell.index[1]);
    };
  }

  void addCurve(const Box& box, const std::string& name, Range range) {
    if (box.width < 120) return;
    addText(scene_, {box.x, box.y - 20}, "query “" + input_.label(query_) + "”, over the keys",
            theme_.plain())
        .maxWidth = box.width;
    addPlotLines(scene_, input_, {box, range, {{{name, {query_, 0}, -1, 1}, theme_.attention}}});
    addLabels(scene_, input_,
              {box, Side::Bottom, tokens_, curveLabels, [&](int i) { return input_.label(i); },
               [&](int i) { return input_.hover.touches(i) || i == query_; }});
  }

  const SceneInput& input_;
  const Theme& theme_;
  const ModelConfig& config_;
  HeadId head_;
  Scene scene_;
  int tokens_ = 0, query_ = 0, key_ = 0;
};

}  // namespace

std::optional<Scene> positionEffectScene(const SceneInput& input) {
  const ModelConfig& config = input.config();
  if (!config.hasAttention() || !input.snapshot.pass->hasTrace()) return std::nullopt;
  const HeadId head = selectedHead(input.workspace, config);
  const TensorSources sources = input.sources();
  if (config.positions->rotates() && sources.contains(attentionPoint(head.layer, head.site, "hook_rot_q")))
    return PositionEffect(input).turned();
  if (sources.contains(stageTensor(stages::bias, head))) return PositionEffect(input).added();
  return std::nullopt;
}

}  // namespace glassformer
