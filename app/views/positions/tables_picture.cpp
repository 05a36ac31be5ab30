#include "app/views/positions/tables_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

class TablesBuilder {
 public:
  TablesBuilder(PositionsPicture& picture, bool similar)
      : picture_(picture), theme_(picture.theme), similar_(similar) {}

  void draw(Box area) {
    addHeader(area);
    const Box plot = area.takeBottom(std::clamp(area.height * 0.36f, 132.0f, 300.0f));
    area.takeBottom(16);
    for (int i = 0; i < 2; ++i) addHalf(area, i);
    addCurves(plot);
  }

 private:
  void addHeader(Box& area) {
    if (!similar_)
      return addPositionsHeader(picture_, area,
                                "a row per position, a column per dimension: click one to plot it");
    const auto choice = [&](const char* label, const char* tip, bool dot) {
      return Choice{label, tip, picture_.settings.dotProduct == dot,
                    commands::changeSettings([=](ViewSettings& s) { s.positions.dotProduct = dot; })};
    };
    addPositionsHeader(
        picture_, area,
        std::string("the ") + (picture_.settings.dotProduct ? "dot product" : "cosine") +
            " of any two positions: click a row to plot it",
        {{choice("Cosine", "p_t · p_u / (‖p_t‖ ‖p_u‖)", false), choice("Dot product", "p_t · p_u", true)}});
  }

  // Half of the area for each encoding: ticks, heatmap, colour scale.
  void addHalf(const Box& area, int i) {
    const EncodingTable& table = encodingTables()[static_cast<std::size_t>(i)];
    const float width = (area.width - halvesGap) / 2;
    Box box{area.x + static_cast<float>(i) * (width + halvesGap), area.y, width, area.height};
    box.takeTop(28), box.takeLeft(tickWidth), box.takeRight(similar_ ? 60 : 76), box.takeBottom(tickHeight);
    addText(picture_.scene, {box.x, box.y - 14}, table.title, theme_.strong()).maxWidth = box.width;
    if (!similar_) return addDimensionTable(picture_, {box, table.tensor, table.name, picture_.context});
    box.width = box.height = std::min(box.width, box.height);
    addSimilarity(box, table);
  }

  std::string similarityOf(const EncodingTable& table) const {
    return table.tensor + (picture_.settings.dotProduct ? "_dot" : "_similarity");
  }

  void addSimilarity(const Box& box, const EncodingTable& table) {
    const Target& hover = picture_.input.hover;
    const int n = picture_.context;
    Matrix matrix;
    matrix.box = box;
    matrix.values = {similarityOf(table), {}, 0, 1, -1, -1};
    matrix.map = ColorMap::Diverging;
    matrix.range = rangeOfSimilarity(table);
    picture_.scene.add(matrix);
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    markRow(picture_, box, picture_.position, n, true);
    if (hover.query != picture_.position) markRow(picture_, box, hover.query, n, false);
    markRow(picture_, box, hover.token, n, false);
    markColumn(picture_, box, hover.key, n, false);
    const auto row = [&](int i) { return i == picture_.position || i == hover.query || i == hover.token; };
    const auto column = [&](int i) { return i == hover.key || i == hover.token; };
    addNumbers(picture_, box, Side::Left, n, tickWidth, row);
    addNumbers(picture_, box, Side::Bottom, n, 48, column);
    addColorScale(picture_.scene, picture_.input, {box.right() + 12, box.y, 0, std::min(box.height, 180.0f)},
                  matrix.map, matrix.range);
    addSimilarityHit(matrix, table);
  }

  Range rangeOfSimilarity(const EncodingTable& table) const {
    if (!picture_.settings.dotProduct) return {-1, 1};
    const Range found = rangeOf(picture_.scene.sources, {similarityOf(table), {}, 0, 1, -1, -1});
    return symmetric({0, roundedUp(symmetric(found).high)});
  }

  void addSimilarityHit(const Matrix& matrix, const EncodingTable& table) {
    HitRegion& hit = addHitRegion(picture_.scene, matrix.box, matrix.values, table.name);
    hit.rows = hit.columns = picture_.context;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target& target) { return commands::selectQuery(target.query); };
    hit.say = [names = picture_.positionNames()](const Target& target) {
      return names[static_cast<std::size_t>(target.query)] + " and " +
             names[static_cast<std::size_t>(target.key)];
    };
  }

  // What the plot shows: a dimension of both encodings over position, or how similar one position is to every
  // other; the chosen one, and thinner the one that is pointed at.
  int chosen() const { return similar_ ? picture_.position : picture_.dimension; }
  int pointed() const {
    const int i = similar_ ? picture_.input.hover.query : picture_.input.hover.dimension;
    return i >= 0 && i < (similar_ ? picture_.context : picture_.width) ? i : chosen();
  }
  TensorRef lineOf(const EncodingTable& table, int i) const {
    if (similar_) return {similarityOf(table), {i, 0}, -1, 1, -1, -1};
    return {table.tensor, {0, i}, -1, 0, -1, -1};
  }
  Range axis() const {
    if (similar_ && !picture_.settings.dotProduct) return {-1, 1};
    float reach = 0;
    for (const EncodingTable& table : encodingTables())
      for (const int i : {chosen(), pointed()})
        reach = std::max(reach, symmetric(rangeOf(picture_.scene.sources, lineOf(table, i))).high);
    return symmetric({0, roundedUp(reach)});
  }

  void addCurves(Box box) {
    const Box title = box.takeTop(28);
    box.takeLeft(tickWidth), box.takeBottom(tickHeight);
    const Target& hover = picture_.input.hover;
    Plot plot{box, axis(), {}, similar_ && hover.key != Target::none ? hover.key : hover.token};
    for (const EncodingTable& table : encodingTables())
      plot.lines.push_back({lineOf(table, chosen()), headColor(table.color, theme_.dark), 2.5f, table.title});
    for (std::size_t i = 0; i < 2 && pointed() != chosen(); ++i)
      plot.lines.push_back({lineOf(encodingTables()[i], pointed()), plot.lines[i].color.faded(0.5f), 1.25f});
    const float left = addLegend(picture_.scene, picture_.input, title, plot.lines, Align::End).x;
    addPlotTitle({box.x, title.y, left - box.x - 18, title.height});
    HitRegion& hit =
        addPlot(picture_.scene, picture_.input, plot, "",
                [names = picture_.positionNames()](int t) { return names[static_cast<std::size_t>(t)]; });
    hit.columnAxis = similar_ ? Axis::Key : Axis::Token;
    (similar_ ? hit.target.query : hit.target.dimension) = chosen();
    addNumbers(picture_, box, Side::Bottom, picture_.context, 48, [&](int t) { return t == plot.pointed; });
  }

  void addPlotTitle(const Box& title) {
    std::string name = similar_
                           ? "Position " + std::to_string(picture_.position) + " compared with every other"
                           : "Dimension " + std::to_string(picture_.dimension) + " over position";
    if (pointed() != chosen()) name += ", thin: " + std::to_string(pointed());
    addText(picture_.scene, {title.x, title.y + 14}, name, theme_.strong()).maxWidth = title.width;
  }

  PositionsPicture& picture_;
  const Theme& theme_;
  bool similar_;
};

}  // namespace

void drawEncodingPicture(PositionsPicture& picture, Box area) { TablesBuilder(picture, false).draw(area); }

void drawSimilarityPicture(PositionsPicture& picture, Box area) { TablesBuilder(picture, true).draw(area); }

}  // namespace glassformer
