#include "app/scene/positions_scene.h"

#include "app/scene/format.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float tickWidth = 40, tickHeight = 24, gap = 24;

// One of the two encodings that stand side by side.
struct Encoding {
  const char* title;
  std::string table, similarity;
  const char* name;  // of its hit regions
  int color;         // head colour of its curves
};
const Encoding encodings[] = {
    {"This model", "positions.model", "positions.model_similarity", "model positions", 0},
    {"Sinusoidal", "positions.sinusoidal", "positions.sinusoidal_similarity", "sinusoidal positions", 1},
};

class PositionsBuilder {
 public:
  explicit PositionsBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        part_(input.workspace.settings.positions),
        context_(input.snapshot.config->context),
        width_(input.snapshot.config->width),
        dimension_(std::clamp(input.workspace.selection.dimension, 0, width_ - 1)),
        position_(std::clamp(
            input.workspace.selection.query < 0 ? input.tokenCount() - 1 : input.workspace.selection.query, 0,
            context_ - 1)) {
    scene_.size = {std::max(input.size.x, 560.0f), std::max(input.size.y, 420.0f)};
    scene_.sources = input.sources();
  }

  Scene build() {
    const float margin = scene_.size.x < 800 ? 16.0f : 24.0f;
    Box area = Box{0, 0, scene_.size.x, scene_.size.y}.inset(margin);
    addTop(area.takeTop(64));
    if (part_ == PositionsPart::Similarity)
      addSimilarities(area);
    else
      addEncodings(area);
    return std::move(scene_);
  }

 private:
  void addTop(Box box) {
    const auto choice = [&](const char* label, const char* tip, PositionsPart part) {
      return Choice{label, tip, part_ == part, commands::setPositionsPart(part)};
    };
    const Box choices = addChoices(
        scene_, input_, {box.right(), box.y},
        {choice("Encoding", "what is added to the embedding at each position", PositionsPart::Encoding),
         choice("Similarity", "how alike any two positions are: the cosine of their encodings",
                PositionsPart::Similarity)});
    std::string about = part_ == PositionsPart::Similarity
                            ? "the cosine between any two positions: click a row to plot it"
                            : "a row per position, a column per dimension: click one to plot it";
    if (input_.still) about.resize(about.find(':'));
    addHeading(scene_, input_, {box.x, box.y, choices.x - box.x - 16, box.height}, "Positions", about);
  }

  // Half of the area for each encoding: ticks, heatmap, colour scale.
  Box half(const Box& area, int i) const {
    const float width = (area.width - gap) / 2;
    return {area.x + static_cast<float>(i) * (width + gap), area.y, width, area.height};
  }

  void addEncodings(Box area) {
    const Box plot = takePlot(area);
    for (int i = 0; i < 2; ++i) addTable(heatmapIn(half(area, i), i, 76), encodings[i]);
    addCurves(plot);
  }

  void addSimilarities(Box area) {
    const Box plot = takePlot(area);
    for (int i = 0; i < 2; ++i) {
      Box box = heatmapIn(half(area, i), i, 52);
      box.width = box.height = std::min(box.width, box.height);
      addSimilarity(box, encodings[i]);
    }
    addCurves(plot);
  }

  static Box takePlot(Box& area) {
    const Box plot = area.takeBottom(std::clamp(area.height * 0.36f, 132.0f, 300.0f));
    area.takeBottom(16);
    return plot;
  }

  // Writes the title above; what remains between ticks and colour scale is the heatmap's.
  Box heatmapIn(Box box, int i, float scaleWidth) {
    box.takeTop(28), box.takeLeft(tickWidth), box.takeRight(scaleWidth), box.takeBottom(tickHeight);
    addText(scene_, {box.x, box.y - 14}, encodings[i].title, {FontFace::Strong, Theme::small, theme_.text})
        .maxWidth = box.width;
    return box;
  }

  void addTable(const Box& box, const Encoding& encoding) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {encoding.table, {}, 0, 1, -1, -1};
    matrix.map = ColorMap::Diverging;
    matrix.range = symmetric(rangeOf(scene_.sources, matrix.values));
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    markColumn(box, dimension_, width_, true);
    if (input_.hover.dimension != dimension_) markColumn(box, input_.hover.dimension, width_, false);
    for (const int t : {input_.hover.query, input_.hover.key, input_.hover.token}) markRow(box, t, false);
    const auto number = [](int i) { return std::to_string(i); };
    const auto pointedRow = [&](int i) { return input_.hover.touches(i); };
    const auto pointedColumn = [&](int i) { return i == dimension_ || i == input_.hover.dimension; };
    addLabels(scene_, input_,
              {box, Side::Left, context_, tickWidth, number, pointedRow, FontFace::Mono, Theme::small, true});
    addLabels(scene_, input_,
              {box, Side::Bottom, width_, tickWidth + 8, number, pointedColumn, FontFace::Mono, Theme::small,
               true});
    addColorScale(scene_, input_, {box.right() + 12, box.y, 0, std::min(box.height, 180.0f)}, matrix.map,
                  matrix.range);
    addTableHit(matrix, encoding);
  }

  void mark(const Box& part, bool chosen) {
    addOutline(scene_, part, chosen ? theme_.accent : theme_.text.faded(0.6f), chosen ? 1.5f : 1.0f);
  }
  void markColumn(const Box& box, int i, int count, bool chosen) {
    if (i < 0 || i >= count) return;
    const Box cell = box.cell(0, i, 1, count);
    const float width = std::max(cell.width, 3.0f);
    mark({cell.center().x - width / 2, box.y, width, box.height}, chosen);
  }
  void markRow(const Box& box, int i, bool chosen) {
    if (i < 0 || i >= context_) return;
    const Box cell = box.cell(i, 0, context_, 1);
    const float height = std::max(cell.height, 3.0f);
    mark({box.x, cell.center().y - height / 2, box.width, height}, chosen);
  }

  // "position 5 · “animal”"
  std::string positionName(int t) const {
    const std::string& token = input_.label(t);
    return "position " + std::to_string(t) + (token.empty() ? "" : " · “" + token + "”");
  }

  std::vector<std::string> positionNames() const {
    std::vector<std::string> names;
    for (int t = 0; t < context_; ++t) names.push_back(positionName(t));
    return names;
  }

  void addTableHit(const Matrix& matrix, const Encoding& encoding) {
    HitRegion hit;
    hit.box = matrix.box;
    hit.target.cell = matrix.values;
    hit.rows = context_, hit.columns = width_;
    hit.rowAxis = Axis::Token, hit.columnAxis = Axis::Dimension;
    hit.click = [](const Target& target) { return commands::selectDimension(target.dimension); };
    hit.say = [names = positionNames()](const Target& target) {
      return names[static_cast<std::size_t>(target.token)] + ", dimension " +
             std::to_string(target.dimension);
    };
    hit.name = encoding.name;
    scene_.hits.push_back(std::move(hit));
  }

  // What the plot shows: a dimension of both encodings over position, or how similar one position is to every
  // other; the chosen one, and thinner the one that is pointed at.
  bool similarity() const { return part_ == PositionsPart::Similarity; }
  int chosen() const { return similarity() ? position_ : dimension_; }
  int pointed() const {
    const int i = similarity() ? input_.hover.query : input_.hover.dimension;
    return i >= 0 && i < (similarity() ? context_ : width_) ? i : chosen();
  }
  TensorRef lineOf(const Encoding& encoding, int i) const {
    if (similarity()) return {encoding.similarity, {i, 0}, -1, 1, -1, -1};
    return {encoding.table, {0, i}, -1, 0, -1, -1};
  }
  Range axis() const {
    if (similarity()) return {-1, 1};
    float reach = 0;
    for (const Encoding& encoding : encodings)
      for (const int i : {chosen(), pointed()})
        reach = std::max(reach, symmetric(rangeOf(scene_.sources, lineOf(encoding, i))).high);
    return symmetric({0, roundedUp(reach)});
  }

  void addCurves(Box box) {
    const Box title = box.takeTop(28);
    box.takeLeft(tickWidth), box.takeBottom(tickHeight);
    const Range range = axis();
    scene_.add(Rect{box, theme_.panel, theme_.line, 0, 1});
    box = box.inset(0, 8);  // sharp peaks stay inside
    addPlotFrame(box, title, range);
    for (const Encoding& encoding : encodings) {
      const Rgba color = headColor(encoding.color, theme_.dark);
      if (pointed() != chosen())
        scene_.add(Curve{box, lineOf(encoding, pointed()), range, color.faded(0.5f), 1.25f});
      scene_.add(Curve{box, lineOf(encoding, chosen()), range, color, 2.5f});
    }
    addCurveHits(box, range);
  }

  void addPlotFrame(const Box& box, const Box& title, Range range) {
    scene_.add(Line{{{box.x, box.center().y}, {box.right(), box.center().y}}, theme_.line, 1, false});
    const int here = similarity() && input_.hover.key != Target::none ? input_.hover.key : input_.hover.token;
    if (here >= 0 && here < context_) {
      const float x = box.cell(0, here, 1, context_).center().x;
      scene_.add(Line{{{x, box.y - 8}, {x, box.bottom() + 8}}, theme_.quiet, 1, false});
    }
    const TextStyle quiet{FontFace::Mono, Theme::small, theme_.quiet};
    addText(scene_, {box.x - 8, box.y}, formattedShort(range.high), quiet, Align::End);
    addText(scene_, {box.x - 8, box.center().y}, "0", quiet, Align::End);
    addText(scene_, {box.x - 8, box.bottom()}, formattedShort(range.low), quiet, Align::End);
    const auto number = [](int i) { return std::to_string(i); };
    const auto strong = [&](int i) { return i == here; };
    addLabels(scene_, input_,
              {{box.x, box.y, box.width, box.height + 8},
               Side::Bottom,
               context_,
               48,
               number,
               strong,
               FontFace::Mono,
               Theme::small,
               true});
    std::string name = similarity() ? "Position " + std::to_string(position_) + " compared with every other"
                                    : "Dimension " + std::to_string(dimension_) + " over position";
    if (pointed() != chosen()) name += ", thin: " + std::to_string(pointed());
    addText(scene_, {box.x, title.y + 14}, name, {FontFace::Strong, Theme::small, theme_.text});
    addPlotLegend(title);
  }

  void addPlotLegend(const Box& title) {
    float x = title.right();
    for (const int i : {1, 0}) {
      const float width = input_.metrics.width(encodings[i].title, FontFace::Ui, Theme::small),
                  y = title.y + 14;
      addText(scene_, {x - width, y}, encodings[i].title, {FontFace::Ui, Theme::small, theme_.quiet});
      scene_.add(Line{{{x - width - 26, y}, {x - width - 8, y}},
                      headColor(encodings[i].color, theme_.dark),
                      2.5f,
                      false});
      x -= width + 44;
    }
  }

  // Over each position the plot answers for the curve that is nearer.
  void addCurveHits(const Box& box, Range range) {
    const auto model = plane(scene_.sources, lineOf(encodings[0], chosen()));
    const auto sinusoidal = plane(scene_.sources, lineOf(encodings[1], chosen()));
    if (!model || !sinusoidal) return;
    const Curve scale{box, {}, range, {}, 1};
    for (int t = 0; t < context_; ++t) {
      const float a = curvePoint(scale, t, context_, (*model)(0, t)).y;
      const float b = curvePoint(scale, t, context_, (*sinusoidal)(0, t)).y;
      Box upper = box.cell(0, t, 1, context_);
      const Box lower = upper.takeBottom(box.bottom() - (a + b) / 2);
      addCurveHit(upper, encodings[a <= b ? 0 : 1], t);
      addCurveHit(lower, encodings[a <= b ? 1 : 0], t);
    }
  }

  void addCurveHit(const Box& box, const Encoding& encoding, int t) {
    HitRegion hit;
    hit.box = box;
    hit.target.cell = lineOf(encoding, chosen()).cell(0, t);
    hit.target.text = std::string(encoding.title) + ", " + positionName(t);
    if (similarity())
      hit.target.query = position_, hit.target.key = t;
    else
      hit.target.token = t, hit.target.dimension = dimension_;
    scene_.hits.push_back(std::move(hit));
  }

  void addSimilarity(const Box& box, const Encoding& encoding) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {encoding.similarity, {}, 0, 1, -1, -1};
    matrix.map = ColorMap::Diverging;
    matrix.range = {-1, 1};
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    markRow(box, position_, true);
    if (input_.hover.query != position_) markRow(box, input_.hover.query, false);
    markRow(box, input_.hover.token, false);
    markColumn(box, input_.hover.key, context_, false);
    const auto number = [](int i) { return std::to_string(i); };
    const auto row = [&](int i) {
      return i == position_ || i == input_.hover.query || i == input_.hover.token;
    };
    const auto column = [&](int i) { return i == input_.hover.key || i == input_.hover.token; };
    addLabels(scene_, input_,
              {box, Side::Left, context_, tickWidth, number, row, FontFace::Mono, Theme::small, true});
    addLabels(scene_, input_,
              {box, Side::Bottom, context_, 48, number, column, FontFace::Mono, Theme::small, true});
    addColorScale(scene_, input_, {box.right() + 12, box.y, 0, std::min(box.height, 180.0f)}, matrix.map,
                  matrix.range);
    HitRegion hit;
    hit.box = box;
    hit.target.cell = matrix.values;
    hit.rows = hit.columns = context_;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target& target) { return commands::selectQuery(target.query); };
    hit.say = [names = positionNames()](const Target& target) {
      return names[static_cast<std::size_t>(target.query)] + " and " +
             names[static_cast<std::size_t>(target.key)];
    };
    hit.name = encoding.name;
    scene_.hits.push_back(std::move(hit));
  }

  const SceneInput& input_;
  const Theme& theme_;
  PositionsPart part_;
  int context_, width_;
  int dimension_, position_;  // chosen for the plot
  Scene scene_;
};

}  // namespace

Scene positionsScene(const SceneInput& input) {
  if (!input.snapshot.config || !input.sources().contains("positions.model"))
    return emptyScene(input, "No model", input.snapshot.error);
  return PositionsBuilder(input).build();
}

}  // namespace glassformer
