#include "app/views/positions/scores_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "core/lens/position_scores.h"

namespace glassformer {

namespace {

constexpr float positionScoresGap = 24, scoresTitleHeight = 28, positionScoresLegendHeight = 40,
                chooserCell = 20;

struct Panel {
  const char* title;
  std::string tensor;
  const char* name;
};

class ScoresBuilder {
 public:
  explicit ScoresBuilder(PositionsPicture& picture)
      : picture_(picture),
        theme_(picture.theme),
        head_(selectedHead(picture.input.workspace, picture.config)),
        stream_(queriesOf(head_.site)),
        count_(picture.input.countOf(stream_)),
        panels_{Panel{"All", "lens.scores." + nameOf(head_), "all scores"},
                Panel{"Positions alone", positionScoresOf(head_), "position scores"},
                Panel{"The rest", otherScoresOf(head_), "other scores"}} {}

  void draw(Box area) {
    if (!picture_.config.hasAttention()) {
      addPositionsHeader(picture_, area, "No head compares positions");
      return sayInMiddle(area, "This model has no attention, and so no scores.");
    }
    addPositionsHeader(picture_, area,
                       "head " + nameOf(head_) +
                           (head_.layer == 0 ? ", exact with the norm's σ held fixed"
                                             : ", the part of the position in the residual stream"));
    if (!hasPositionScores(picture_.config, head_)) {
      return sayInMiddle(
          area, "This head compares something other than a product of a stream with positions in it.");
    }
    const bool there = std::all_of(panels_.begin(), panels_.end(), [&](const Panel& panel) {
      return picture_.scene.sources.contains(panel.tensor);
    });
    if (count_ == 0 || !there) {
      return sayInMiddle(area,
                         count_ == 0 ? std::string("Type in the Text box.") : waitingWords(picture_.input));
    }
    std::vector<TensorRef> planes;
    for (const Panel& panel : panels_) planes.push_back({panel.tensor, {}, 0, 1, -1, -1});
    Range all = rangeOf(picture_.scene.sources, planes[0]);
    for (const TensorRef& plane : planes) all = unionOf(all, rangeOf(picture_.scene.sources, plane));
    scale_ = coloring(picture_.input, planes,
                      {ColorMap::Diverging, symmetric({0, roundedUp(symmetric(all).high)})});
    addEquation(area.takeTop(28));
    addPanels(area);
  }

 private:
  void sayInMiddle(const Box& area, std::string words) {
    addText(picture_.scene, area.center(), std::move(words), theme_.note(), Align::Middle).maxWidth =
        area.width;
  }

  // Of what stands below the panels: the colour scale, and at the right the choice of the head.
  float bandHeight() const {
    const float chooser =
        std::min(chooserCell * static_cast<float>(blocksAt(picture_.config, head_.site)), 144.0f);
    return 10 + (picture_.input.isStill() ? positionScoresLegendHeight
                                          : std::max(positionScoresLegendHeight, chooser));
  }

  void addEquation(const Box& box) {
    const TracePoint* point = picture_.scene.sources.point(panels_[1].tensor);
    addText(picture_.scene, {box.x, box.y + 10}, point->equation, theme_.quietMono()).maxWidth = box.width;
  }

  float labelDepth() const {
    const float widest = picture_.input.widestLabel(stream_, Theme::small);
    return std::clamp(std::ceil((widest + 16) / 16) * 16, 64.0f, 104.0f);
  }

  void addPanels(Box area) {
    const float depth = labelDepth();
    const float side = std::max(96.0f, std::min((area.width - depth - 2 * positionScoresGap) / 3,
                                                area.height - scoresTitleHeight - depth - bandHeight()));
    for (int i = 0; i < 3; ++i) {
      const Panel& panel = panels_[static_cast<std::size_t>(i)];
      const Box box{area.x + depth + static_cast<float>(i) * (side + positionScoresGap),
                    area.y + scoresTitleHeight + depth, side, side};
      addText(picture_.scene, {box.x, area.y + 14}, panel.title, theme_.strong()).maxWidth = side;
      addPanel(panel, box);
      addTokens(box, depth, i == 0);
    }
    Box band{area.x + depth, area.y + scoresTitleHeight + depth + side, 3 * side + 2 * positionScoresGap,
             bandHeight()};
    band.takeTop(10);
    addLegend({band.x, band.y, std::min(side, 240.0f), 8});
    addHeadChooser(band);
  }

  void addPanel(const Panel& panel, const Box& box) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {panel.tensor, {}, 0, 1, -1, -1};
    matrix.map = scale_.map, matrix.range = scale_.range;
    picture_.scene.add(matrix);
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    const Target& hover = picture_.input.hover;
    const int query = hover.query != Target::none ? hover.query : hover.token;
    markRow(picture_, box, query, count_, false);
    markColumn(picture_, box, hover.key, count_, false);
    std::vector<std::string> labels;
    for (int i = 0; i < count_; ++i) labels.push_back(picture_.input.label(i, stream_));
    HitRegion& hit = addHitRegion(picture_.scene, box, matrix.values, panel.name);
    hit.target.layer = head_.layer, hit.target.head = head_.head;
    hit.rows = hit.columns = count_;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.target.queries = hit.target.keys = stream_;
    hit.click = [site = head_.site](const Target& target) {
      return commands::selectCell(target.query, target.key, site);
    };
    hit.say = [labels](const Target& target) {
      return "“" + labels[static_cast<std::size_t>(target.query)] + "” compared with “" +
             labels[static_cast<std::size_t>(target.key)] + "”";
    };
  }

  // The keys above each panel, the queries once at the left.
  void addTokens(const Box& box, float depth, bool queries) {
    const auto label = [&](int i) { return picture_.input.label(i, stream_); };
    const auto strong = [&](int i) {
      return i == picture_.input.query(stream_) || picture_.input.hover.touches(i, stream_);
    };
    const auto isKey = [&](int i) {
      return i == picture_.input.hover.key || i == picture_.input.hover.token;
    };
    addLabels(picture_.scene, picture_.input, {box, Side::Top, count_, depth, label, isKey});
    if (!queries) return;
    addText(picture_.scene, {box.x - 8, box.y - 33}, "keys →", theme_.note(), Align::End);
    addText(picture_.scene, {box.x - 8, box.y - 16}, "queries ↓", theme_.note(), Align::End);
    addLabels(picture_.scene, picture_.input, {box, Side::Left, count_, depth, label, strong});
  }

  void addLegend(const Box& strip) {
    picture_.scene.add(ColorScale{strip, scale_.map, false});
    picture_.scene.add(Rect{strip, {0, 0, 0, 0}, theme_.line});
    addText(picture_.scene, {strip.x, strip.bottom() + 12}, formattedShort(scale_.range.low),
            theme_.quietMono());
    addText(picture_.scene, {strip.right(), strip.bottom() + 12}, formattedShort(scale_.range.high),
            theme_.quietMono(), Align::End);
  }

  // Blocks down, heads across: which head is taken apart.
  void addHeadChooser(const Box& box) {
    if (picture_.input.isStill()) return;
    const int L = blocksAt(picture_.config, head_.site), H = picture_.config.heads;
    const float cell = std::min(chooserCell, box.height / static_cast<float>(L));
    const Box grid = Box{box.x, box.y, box.width, cell * static_cast<float>(L)}.takeRight(
        std::min(cell * static_cast<float>(H) * 1.4f, box.width / 2));
    addText(picture_.scene, {grid.x - 12, grid.y + 10}, "Head", theme_.note(), Align::End);
    for (int layer = 0; layer < L; ++layer)
      for (int head = 0; head < H; ++head) {
        const bool on = layer == head_.layer && head == head_.head;
        picture_.scene.add(
            Rect{grid.cell(layer, head, L, H).inset(1), on ? theme_.accent : theme_.raised, {0, 0, 0, 0}, 2});
      }
    HitRegion& hit = addHitRegion(picture_.scene, grid, {}, "heads");
    hit.rows = L, hit.columns = H;
    hit.rowAxis = Axis::Layer, hit.columnAxis = Axis::Head;
    hit.click = [](const Target& target) { return commands::selectHead(target.layer, target.head); };
    hit.say = [site = head_.site](const Target& target) {
      return "head " + nameOf(HeadId{target.layer, target.head, site});
    };
  }

  PositionsPicture& picture_;
  const Theme& theme_;
  HeadId head_;
  Stream stream_;
  int count_;
  std::array<Panel, 3> panels_;
  Coloring scale_;
};

}  // namespace

void drawScoresPicture(PositionsPicture& picture, Box area) { ScoresBuilder(picture).draw(area); }

}  // namespace glassformer
