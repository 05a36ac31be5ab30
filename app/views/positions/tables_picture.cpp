#include "app/views/positions/tables_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"

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
    addPlot(plot);
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
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
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

  void addPlot(Box box) {
    const Box title = box.takeTop(28);
    box.takeLeft(tickWidth), box.takeBottom(tickHeight);
    const Range range = axis();
    picture_.scene.add(Rect{box, theme_.panel, theme_.line, 0, 1});
    box = box.inset(0, 8);  // sharp peaks stay inside
    const Target& hover = picture_.input.hover;
    addPositionAxes(picture_, box, range, picture_.context,
                    similar_ && hover.key != Target::none ? hover.key : hover.token);
    addPlotTitle(box, title);
    for (const EncodingTable& table : encodingTables()) {
      const Rgba color = headColor(table.color, theme_.dark);
      if (pointed() != chosen())
        picture_.scene.add(Curve{box, lineOf(table, pointed()), range, color.faded(0.5f), 1.25f});
      picture_.scene.add(Curve{box, lineOf(table, chosen()), range, color, 2.5f});
    }
    addCurveHit(box);
  }

  void addPlotTitle(const Box& box, const Box& title) {
    std::string name = similar_
                           ? "Position " + std::to_string(picture_.position) + " compared with every other"
                           : "Dimension " + std::to_string(picture_.dimension) + " over position";
    if (pointed() != chosen()) name += ", thin: " + std::to_string(pointed());
    float x = title.right();
    for (const EncodingTable& table : {encodingTables()[1], encodingTables()[0]}) {
      const float width = picture_.input.metrics.width(table.title, FontFace::Ui, Theme::small),
                  y = title.y + 14;
      addText(picture_.scene, {x - width, y}, table.title, theme_.note());
      picture_.scene.add(
          Line{{{x - width - 26, y}, {x - width - 8, y}}, headColor(table.color, theme_.dark), 2.5f, false});
      x -= width + 44;
    }
    addText(picture_.scene, {box.x, title.y + 14}, name, theme_.strong()).maxWidth = x - box.x;
  }

  // Over each position the plot says what both curves are there.
  void addCurveHit(const Box& box) {
    HitRegion hit;
    hit.box = box;
    hit.target.cell = lineOf(encodingTables()[0], chosen());
    hit.columns = picture_.context;
    hit.columnAxis = similar_ ? Axis::Key : Axis::Token;
    if (similar_)
      hit.target.query = picture_.position;
    else
      hit.target.dimension = picture_.dimension;
    const std::array lines{lineOf(encodingTables()[0], chosen()), lineOf(encodingTables()[1], chosen())};
    hit.say = [names = picture_.positionNames(), sources = picture_.scene.sources, lines,
               similar = similar_](const Target& target) {
      const int t = similar ? target.key : target.token;
      std::string words = names[static_cast<std::size_t>(t)];
      for (std::size_t i = 0; i < 2; ++i)
        if (const auto value = valueOf(sources, lines[i].cell(0, t)))
          words += "\n" + std::string(encodingTables()[i].title) + ": " + formatted(*value);
      return words;
    };
    picture_.scene.hits.push_back(std::move(hit));
  }

  PositionsPicture& picture_;
  const Theme& theme_;
  bool similar_;
};

}  // namespace

void drawEncodingPicture(PositionsPicture& picture, Box area) { TablesBuilder(picture, false).draw(area); }

void drawSimilarityPicture(PositionsPicture& picture, Box area) { TablesBuilder(picture, true).draw(area); }

}  // namespace glassformer
