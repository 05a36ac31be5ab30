#include "app/views/steps/made_number.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/parts.h"
#include "app/scene/format.h"
#include "core/model/feed_forward.h"
#include "core/model/head.h"

namespace glassformer {

namespace {

class MadeNumber {
 public:
  MadeNumber(StepPicture& picture, const StepEquation& equation, int innerCount, HitRegion hits)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        equation_(equation),
        innerCount_(innerCount),
        hits_(std::move(hits)) {}

  void draw(Box area) {
    const TensorRef cell = picture_.result.cell(picture_.row(), picture_.column());
    const auto derivation = scene_.sources.derive(cell);
    const auto value = valueOf(scene_.sources, cell);
    if (!value || area.height < 60) return;
    area.takeTop(12);
    scene_.add(Rect{{area.x, area.y, area.width, 1}, theme_.line, {0, 0, 0, 0}, 0, 1});
    area.takeTop(8);
    if (!equation_.function.empty()) addCurve(area.takeRight(std::min(240.0f, area.width * 0.4f)));
    const Box line = area.takeTop(24);
    const std::string name = equation_.result.symbol + "[" + rowWords() + ", " + columnWords() + "]";
    const TextStyle strong{FontFace::Mono, Theme::body, theme_.text};
    addText(scene_, {line.x, line.center().y}, name, strong).maxWidth = line.width * 0.5f;
    const float x =
        line.x + std::min(input_.metrics.width(name, strong.face, strong.size), line.width * 0.5f) + 12;
    addText(scene_, {x, line.center().y}, "= " + formatted(*value), strong).value = cell;
    if (derivation && innerCount_ > 1 && isSum(*derivation)) return addProducts(*derivation, area);
    if (readsBeside())
      addText(scene_, {area.x, area.y + 14}, "This tap reads a position without a token: 0.", theme_.note())
          .maxWidth = area.width;
    else
      addInOneLine(area);
  }

 private:
  // Whether the chosen number is made of a row that is not there.
  bool readsBeside() const {
    return std::ranges::any_of(equation_.operands, [&](const StepOperand& operand) {
      const int row = operand.rowFor(picture_.row());
      return operand.rows == Along::Row && (row < 0 || row >= picture_.cells.extent[0]);
    });
  }
  static bool isSum(const Derivation& d) {
    const bool adds = d.form == Form::Sum || d.form == Form::Function || d.form == Form::Capped;
    const bool isMean = d.terms.size() > 1 && !d.terms.front().other && d.terms.front().coefficient != 1;
    return adds && (isMean || (d.terms.size() > 2 && d.terms.front().other));
  }
  std::string rowWords() const {
    return std::to_string(picture_.row()) + " " + input_.label(picture_.row(), picture_.point->rows);
  }
  std::string columnWords() const {
    const std::string number = std::to_string(picture_.column());
    if (picture_.isOverKeys()) return number + " " + input_.label(picture_.column(), picture_.point->keys);
    return equation_.column == 'V' ? number + " " + input_.entryLabel(picture_.column()) : number;
  }

  // The products, the largest first, and what all smaller ones come to.
  void addProducts(const Derivation& derivation, Box area) {
    std::vector<Term> terms = derivation.terms;
    std::ranges::stable_sort(terms, std::ranges::greater(),
                             [](const Term& term) { return std::abs(term.value()); });
    constexpr float least = 184, high = 32;
    const int across = std::max(static_cast<int>(area.width / least), 1),
              down = std::max(static_cast<int>(area.height / high), 1);
    const auto shown = std::min(terms.size(), static_cast<std::size_t>(across * down - 1));
    const double largest = std::max(std::abs(terms.front().value()), 1e-12);
    for (std::size_t i = 0; i < shown; ++i)
      addProduct(terms[i], std::abs(terms[i].value()) / largest,
                 cellOfTable(area, static_cast<int>(i), across, high));
    const Box rest = cellOfTable(area, static_cast<int>(shown), across, high);
    double sum = 0;
    for (std::size_t i = shown; i < terms.size(); ++i) sum += terms[i].value();
    if (shown < terms.size())
      addText(scene_, {rest.x, rest.y + 10},
              "+ " + std::to_string(terms.size() - shown) + " smaller: " + formatted(static_cast<float>(sum)),
              theme_.note())
          .maxWidth = rest.width;
    if (derivation.form == Form::Function)
      addText(scene_, {rest.x, rest.y + 26},
              std::string(derivation.functionName) + " of the sum " +
                  formatted(static_cast<float>(derivation.sum())),
              theme_.note())
          .maxWidth = rest.width;
  }
  static Box cellOfTable(const Box& area, int i, int across, float high) {
    const float width = area.width / static_cast<float>(across);
    return {area.x + static_cast<float>(i % across) * width, area.y + static_cast<float>(i / across) * high,
            width - 12, high - 4};
  }

  // "0.31 · 1.20 = 0.372" over a bar as long as it is large.
  void addProduct(const Term& term, double share, Box box) {
    const Box words = box.takeTop(20);
    const std::string scale = term.coefficient == 1 ? "" : formatted(term.coefficient) + " · ";
    std::string factors = scale + formattedShort(*term.factor);
    if (term.other) factors += " · " + formattedShort(*term.other);
    addText(scene_, {words.x, words.center().y},
            factors + " = " + formattedShort(static_cast<float>(term.value())), theme_.mono())
        .maxWidth = words.width;
    const Rgba color = signColor(term.value(), theme_.dark);
    scene_.add(Rect{{box.x, box.y + 1, std::max(box.width * static_cast<float>(share), 1.0f), 4},
                    color,
                    {0, 0, 0, 0},
                    2,
                    1});
  }

  // The function as a curve, and on it what it makes of this row's numbers.
  void addCurve(const Box& box) {
    const auto from = plane(scene_.sources, equation_.operands.front().plane),
               to = plane(scene_.sources, equation_.result.plane);
    if (!from || !to || box.height < 48) return;
    const int row = picture_.row(), count = to->extent[1];
    float most = 3;  // of x, on both sides
    for (int i = 0; i < count; ++i) most = std::max(most, std::abs((*from)(row, i)));
    std::vector<float> x(96), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = most * (2 * static_cast<float>(i) / static_cast<float>(x.size() - 1) - 1);
    const ModelConfig& config = input_.config();
    const bool isHead = equation_.result.plane.tensor.starts_with("mlm_head.");
    if (equation_.cap > 0)
      std::ranges::transform(x, y.begin(), [c = equation_.cap](float u) { return c * std::tanh(u / c); });
    else
      activate(isHead ? headActivation(config) : config.activation, x, y);
    const auto [least, greatest] = std::ranges::minmax(y);
    const auto at = [=, low = least, high = greatest](float u, float g) {
      return Point{box.x + box.width * (u + most) / (2 * most),
                   box.bottom() - 6 - (box.height - 12) * (g - low) / (high - low)};
    };
    scene_.add(Line{{{box.x, at(0, 0).y}, {box.right(), at(0, 0).y}}, theme_.line, 1, false});
    scene_.add(Line{{{at(0, 0).x, box.y}, {at(0, 0).x, box.bottom()}}, theme_.line, 1, false});
    std::vector<Point> curve, dots;
    for (std::size_t i = 0; i < x.size(); ++i) curve.push_back(at(x[i], y[i]));
    scene_.add(Line{std::move(curve), theme_.quiet, 1.5f, false});
    for (int i = 0; i < count; ++i) {
      dots.push_back(at((*from)(row, i), (*to)(row, i)));
      addDot(dots.back(), 3, theme_.attention);
    }
    addDot(dots[static_cast<std::size_t>(picture_.column() - equation_.firstColumn())], 5, theme_.accent);
    addCurveHits(box, std::move(dots));
  }
  void addDot(Point at, float radius, Rgba color) {
    scene_.add(Rect{{at.x - radius, at.y - radius, 2 * radius, 2 * radius}, color, {0, 0, 0, 0}, radius, 1});
  }
  // What is next to the pointer.
  void addCurveHits(const Box& box, std::vector<Point> dots) {
    HitRegion hit = hits_;
    hit.box = box;
    hit.cellAt = [dots = std::move(dots), row = picture_.row()](Point at) {
      const auto nearest = std::ranges::min_element(
          dots, {}, [at](Point dot) { return std::hypot(dot.x - at.x, dot.y - at.y); });
      return std::array{row, static_cast<int>(nearest - dots.begin())};
    };
    hit.name = "activation curve";
    scene_.hits.push_back(std::move(hit));
  }

  // "0.31 + 0.08 = 0.39": the operands' numbers at this place.
  void addInOneLine(const Box& area) {
    std::string line;
    for (const StepOperand& operand : equation_.operands) {
      const int column = picture_.column() - operand.firstColumn;
      const bool isElsewhere =
          !operand.plane.empty() && operand.columns == Along::Column &&
          (column < equation_.firstColumn() ||
           column - equation_.firstColumn() >= plane(scene_.sources, operand.plane)->extent[1]);
      if (isElsewhere) continue;
      if (!operand.sign.empty() && operand.sign != "|") line += operand.sign + " ";
      if (operand.plane.empty()) continue;
      if (operand.rows == Along::Table)
        line += operand.symbol + "[" + std::to_string(operand.rowFor(picture_.row())) + ", " +
                std::to_string(column) + "] = ";
      const TensorRef cell =
          operand.plane.cell(operand.rowFor(picture_.row()),
                             operand.columns == Along::Column ? column - equation_.firstColumn() : 0);
      line += formatted(valueOf(scene_.sources, cell).value_or(NAN)) + " ";
    }
    if (!equation_.function.empty()) line = equation_.function + "( " + line + ")";
    addText(scene_, {area.x, area.y + 14}, line, {FontFace::Mono, Theme::body, theme_.text}).maxWidth =
        area.width;
  }

  StepPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  const StepEquation& equation_;
  int innerCount_;
  HitRegion hits_;
};

}  // namespace

void drawMadeNumber(StepPicture& picture, const StepEquation& equation, int innerCount, HitRegion resultHits,
                    Box area) {
  MadeNumber(picture, equation, innerCount, std::move(resultHits)).draw(area);
}

}  // namespace glassformer
