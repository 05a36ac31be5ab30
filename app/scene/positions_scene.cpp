#include "app/scene/positions_scene.h"

#include "app/scene/format.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

constexpr float scaleWidth = 76, tickWidth = 40, tickHeight = 24, gap = 24;

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
        dimension_(std::clamp(input.workspace.selection.dimension, 0, width_ - 1)) {
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
    const std::string about =
        part_ == PositionsPart::Similarity
            ? "cosine between any two positions"
            : "one row per position, one column per dimension; click a column to see it as a curve";
    addHeading(scene_, input_, {box.x, box.y, choices.x - box.x - 16, box.height}, "Positions", about);
  }

  // Half of the area for each encoding: ticks, heatmap, colour scale.
  Box half(const Box& area, int i) const {
    const float width = (area.width - gap) / 2;
    return {area.x + static_cast<float>(i) * (width + gap), area.y, width, area.height};
  }

  void addTitle(const Box& box, const Encoding& encoding) {
    addText(scene_, {box.x, box.y - 14}, encoding.title, {FontFace::Strong, Theme::small, theme_.text})
        .maxWidth = box.width;
  }

  void addEncodings(Box area) {
    Box plot = area.takeBottom(std::clamp(area.height * 0.36f, 132.0f, 300.0f));
    area.takeBottom(16);
    for (int i = 0; i < 2; ++i) {
      Box box = half(area, i);
      box.takeTop(28), box.takeLeft(tickWidth), box.takeRight(scaleWidth), box.takeBottom(tickHeight);
      addTitle(box, encodings[i]);
      addTable(box, encodings[i]);
    }
    addCurves(plot);
  }

  void addTable(const Box& box, const Encoding& encoding) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {encoding.table, {}, 0, 1, -1, -1};
    matrix.map = ColorMap::Diverging;
    matrix.range = symmetric(rangeOf(scene_.sources, matrix.values));
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    markColumn(box);
    markRow(box, context_);
    const auto number = [](int i) { return std::to_string(i); };
    const auto pointedRow = [&](int i) { return input_.hover.touches(i); };
    const auto pointedColumn = [&](int i) { return i == dimension_ || i == input_.hover.dimension; };
    addLabels(scene_, input_,
              {box, Side::Left, context_, tickWidth, number, pointedRow, FontFace::Mono, true});
    addLabels(scene_, input_,
              {box, Side::Bottom, width_, tickWidth + 8, number, pointedColumn, FontFace::Mono, true});
    addColorScale(scene_, input_, {box.right() + 12, box.y, scaleWidth, std::min(box.height, 180.0f)},
                  matrix.map, matrix.range);
    addTableHit(matrix, encoding);
  }

  void markColumn(const Box& box) {
    const auto column = [&](int d) {
      const Box cell = box.cell(0, d, 1, width_);
      return Box{cell.center().x - std::max(cell.width, 3.0f) / 2 - 1, box.y - 2,
                 std::max(cell.width, 3.0f) + 2, box.height + 4};
    };
    addOutline(scene_, column(dimension_), theme_.accent, 1.5f);
    if (const int d = input_.hover.dimension; d >= 0 && d < width_ && d != dimension_)
      addOutline(scene_, column(d), theme_.text.faded(0.6f), 1);
  }

  void markRow(const Box& box, int count) {
    for (const int t : {input_.hover.query, input_.hover.key, input_.hover.token})
      if (t >= 0 && t < count) {
        const Box cell = box.cell(t, 0, count, 1);
        const float height = std::max(cell.height, 3.0f);
        addOutline(scene_, {box.x, cell.center().y - height / 2, box.width, height},
                   theme_.text.faded(0.6f), 1);
      }
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

  TensorRef columnOf(const Encoding& encoding, int d) const {
    return {encoding.table, {0, d}, -1, 0, -1, -1};
  }

  // The chosen dimension of both encodings over position, and thinner the one that is pointed at.
  void addCurves(Box box) {
    const Box title = box.takeTop(28);
    box.takeLeft(tickWidth + 16), box.takeBottom(tickHeight), box.takeRight(8);
    const int pointed = input_.hover.dimension >= 0 && input_.hover.dimension < width_
                            ? input_.hover.dimension
                            : dimension_;
    Range range = rangeOf(scene_.sources, columnOf(encodings[0], dimension_));
    for (const Encoding& encoding : encodings)
      for (const int d : {dimension_, pointed})
        range = unionOf(range, rangeOf(scene_.sources, columnOf(encoding, d)));
    range = symmetric(range);
    addPlotFrame(box, title, range, pointed);
    for (const Encoding& encoding : encodings) {
      const Rgba color = headColor(encoding.color, theme_.dark);
      if (pointed != dimension_)
        scene_.add(Curve{box, columnOf(encoding, pointed), range, color.faded(0.5f), 1.25f});
      scene_.add(Curve{box, columnOf(encoding, dimension_), range, color, 2.5f});
    }
    addCurveHits(box, range);
  }

  void addPlotFrame(const Box& box, const Box& title, Range range, int pointed) {
    scene_.add(Rect{box, theme_.panel, theme_.line, 0, 1});
    scene_.add(Line{{{box.x, box.center().y}, {box.right(), box.center().y}}, theme_.line, 1, false});
    if (const int t = input_.hover.token; t >= 0 && t < context_) {
      const float x = box.cell(0, t, 1, context_).center().x;
      scene_.add(Line{{{x, box.y}, {x, box.bottom()}}, theme_.quiet, 1, false});
    }
    const TextStyle quiet{FontFace::Mono, Theme::small, theme_.quiet};
    addText(scene_, {box.x - 8, box.y + 7}, formatted(range.high), quiet, Align::End);
    addText(scene_, {box.x - 8, box.center().y}, "0", quiet, Align::End);
    addText(scene_, {box.x - 8, box.bottom() - 7}, formatted(range.low), quiet, Align::End);
    const auto number = [](int i) { return std::to_string(i); };
    const auto touched = [&](int i) { return input_.hover.touches(i); };
    addLabels(scene_, input_, {box, Side::Bottom, context_, 48, number, touched, FontFace::Mono, true});
    std::string name = "Dimension " + std::to_string(dimension_);
    if (pointed != dimension_) name += " · " + std::to_string(pointed) + " (thin)";
    name += " over position";
    addText(scene_, {box.x, title.y + 14}, name, {FontFace::Strong, Theme::small, theme_.text});
    float x = box.right();
    for (int i = 1; i >= 0; --i) {
      const float width = input_.metrics.width(encodings[i].title, FontFace::Ui, Theme::small);
      addText(scene_, {x - width, title.y + 14}, encodings[i].title,
              {FontFace::Ui, Theme::small, theme_.quiet});
      scene_.add(Line{{{x - width - 26, title.y + 14}, {x - width - 8, title.y + 14}},
                      headColor(encodings[i].color, theme_.dark), 2.5f, false});
      x -= width + 44;
    }
  }

  // Over each position the plot answers for the curve that is nearer.
  void addCurveHits(const Box& box, Range range) {
    const auto model = glassformer::plane(scene_.sources, columnOf(encodings[0], dimension_));
    const auto sinusoidal = glassformer::plane(scene_.sources, columnOf(encodings[1], dimension_));
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
    hit.target.cell = {encoding.table, {t, dimension_}, -1, -1, -1, -1};
    hit.target.token = t, hit.target.dimension = dimension_;
    hit.target.text = std::string(encoding.title) + ", " + positionName(t);
    scene_.hits.push_back(std::move(hit));
  }

  void addSimilarities(const Box& area) {
    for (int i = 0; i < 2; ++i) {
      Box box = half(area, i);
      box.takeTop(28), box.takeLeft(tickWidth), box.takeRight(scaleWidth), box.takeBottom(tickHeight);
      box.width = box.height = std::min(box.width, box.height);
      addTitle(box, encodings[i]);
      addSimilarity(box, encodings[i]);
    }
  }

  void addSimilarity(const Box& box, const Encoding& encoding) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {encoding.similarity, {}, 0, 1, -1, -1};
    matrix.map = ColorMap::Diverging;
    matrix.range = {-1, 1};
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    markRow(box, context_);
    const auto number = [](int i) { return std::to_string(i); };
    const auto row = [&](int i) { return i == input_.hover.query || i == input_.hover.token; };
    const auto column = [&](int i) { return i == input_.hover.key || i == input_.hover.token; };
    addLabels(scene_, input_, {box, Side::Left, context_, tickWidth, number, row, FontFace::Mono, true});
    addLabels(scene_, input_, {box, Side::Bottom, context_, 48, number, column, FontFace::Mono, true});
    addColorScale(scene_, input_, {box.right() + 12, box.y, scaleWidth, std::min(box.height, 180.0f)},
                  matrix.map, matrix.range);
    HitRegion hit;
    hit.box = box;
    hit.target.cell = matrix.values;
    hit.rows = hit.columns = context_;
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
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
  int context_, width_, dimension_;
  Scene scene_;
};

}  // namespace

Scene positionsScene(const SceneInput& input) {
  if (!input.snapshot.config || !input.sources().contains("positions.model"))
    return emptyScene(input, "No model", input.snapshot.error);
  return PositionsBuilder(input).build();
}

}  // namespace glassformer
