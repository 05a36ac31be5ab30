#include "app/views/influence/distance_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/influence/influence_sentence_picture.h"
#include "core/lens/influence.h"

namespace glassformer {

namespace {

constexpr float titleHeight = 32, distanceTickHeight = 56, tallestRow = 640;

// One curve over the distance.
struct DistanceCurve {
  std::string tensor;
  const char* name;   ///< in the legend
  const char* words;  ///< "tokens before"
  Rgba color;
};
// Curves that share an axis; rows stand below each other.
struct DistanceRow {
  std::vector<std::string> title;  ///< the longest wording first
  const char* name;                ///< of its hit region
  std::vector<DistanceCurve> curves;
};

class DistanceBuilder {
 public:
  explicit DistanceBuilder(InfluencePicture& picture)
      : picture_(picture),
        theme_(picture.theme),
        count_(std::min(picture.count(Stream::Text), mostInfluenceRows)) {
    const std::string ofWhat = "Saliency ‖∂logit / ∂x_s‖",
                      token = picture.input.snapshot.model->continues() ? "next token" : "token";
    DistanceRow influence{
        {ofWhat + " for the top " + token + ", on average", ofWhat + ", on average", ofWhat, "Saliency"},
        "influence by distance",
        {}};
    influence.curves.push_back({"lens.influence_by_distance", "tokens before", "before", theme_.attention});
    if (picture.isThere("lens.influence_by_distance_ahead"))
      influence.curves.push_back(
          {"lens.influence_by_distance_ahead", "tokens after", "after", theme_.feedForward});
    rows_ = {influence,
             {{"Shortest path from the token to the prediction, in operations"},
              "steps by distance",
              {{"lens.path_length_by_distance", "steps", "steps", theme_.feedForward}}}};
  }

  void draw(Box area) {
    if (isTooLong(picture_)) return drawOneInfluence(picture_, area);
    const bool isThere = picture_.isThere(rows_.front().curves.front().tensor);
    const bool hasZeros = isThere && picture_.settings.logarithmic && spannedBy(rows_.front()).low == 0 &&
                          !picture_.input.snapshot.isDifference();
    addInfluenceHeader(picture_, area, "Saliency by distance",
                       std::string("mean over all pairs of tokens at this distance") +
                           (hasZeros ? "; linear, as it is exactly 0 beyond some distance" : ""),
                       {scaleChoices()});
    if (!isThere) return addMatrixWaiting(picture_, area);
    area.takeLeft(axisWidth()), area.takeRight(16), area.takeBottom(distanceTickHeight);
    const float height = std::min(tallestRow, area.height / static_cast<float>(rows_.size()));
    Box last;
    for (const DistanceRow& row : rows_) last = addRow(area.takeTop(height), row);
    addDistances(last);
  }

 private:
  std::vector<Choice> scaleChoices() const {
    if (picture_.input.snapshot.isDifference()) return {};
    const auto choice = [&](const char* label, const char* tip, bool logarithmic) {
      return Choice{
          label, tip, picture_.settings.logarithmic == logarithmic,
          commands::changeSettings([=](ViewSettings& s) { s.influence.logarithmic = logarithmic; })};
    };
    return {choice("Linear", "Linear scale", false),
            choice("Logarithmic", "Logarithmic scale: an exponential decay is a line", true)};
  }

  float axisWidth() const {
    float width = 0;
    for (const DistanceRow& row : rows_) width = std::max(width, scaleLabelWidth(picture_, rangeOf(row)));
    return width + 16;
  }

  TensorRef refOf(const DistanceCurve& curve) const { return {curve.tensor, {}, -1, 0, -1, count_}; }

  std::vector<TensorRef> refsOf(const DistanceRow& row) const {
    std::vector<TensorRef> refs;
    for (const DistanceCurve& curve : row.curves) refs.push_back(refOf(curve));
    return refs;
  }
  Range spannedBy(const DistanceRow& row) const {
    const std::vector<TensorRef> refs = refsOf(row);
    Range found = glassformer::rangeOf(picture_.scene.sources, refs.front());
    for (const TensorRef& ref : refs)
      found = unionOf(found, glassformer::rangeOf(picture_.scene.sources, ref));
    return found;
  }
  // Where something has no influence at all, no logarithm says so.
  bool isLogarithmic(const DistanceRow& row) const {
    return picture_.settings.logarithmic && !picture_.input.snapshot.isDifference() && spannedBy(row).low > 0;
  }

  Range rangeOf(const DistanceRow& row) const {
    const Range found = spannedBy(row);
    const Range plain = isLogarithmic(row) ? Range{roundedDown(found.low), roundedUp(found.high), true}
                                           : Range{0, found.high > 1e-6f ? roundedUp(found.high) : 1};
    return coloring(picture_.input, refsOf(row), {ColorMap::Sequential, plain}).range;
  }

  // Returns where its curves are.
  Box addRow(Box box, const DistanceRow& row) {
    const Range range = rangeOf(row);
    addTitle(box.takeTop(titleHeight), row);
    box.takeBottom(8);
    picture_.scene.add(Rect{box, theme_.panel, theme_.line, 0, 1});
    const Box plot = box.inset(0, 8);
    addAxis(plot, range);
    for (const DistanceCurve& curve : row.curves) addCurve(plot, curve, range);
    addHit(box, row);
    return box;
  }

  void addTitle(const Box& box, const DistanceRow& row) {
    const float y = box.y + 12;
    float left = box.right();
    for (auto curve = row.curves.rbegin(); curve != row.curves.rend() && row.curves.size() > 1; ++curve) {
      left -= picture_.input.metrics.width(curve->name, FontFace::Ui, Theme::small);
      addText(picture_.scene, {left, y}, curve->name, theme_.note());
      picture_.scene.add(Line{{{left - 26, y}, {left - 8, y}}, curve->color, 2.5f, false});
      left -= 44;
    }
    const float room = left - box.x - 8;
    addText(picture_.scene, {box.x, y}, wordingFor(room, picture_.input, theme_.strong(), row.title),
            theme_.strong())
        .maxWidth = room;
  }

  void addAxis(const Box& box, Range range) {
    const TextStyle quiet = theme_.quietMono();
    const float zero = box.bottom() - range.fraction(0) * box.height;
    addText(picture_.scene, {box.x - 8, box.y}, formattedShort(range.high), quiet, Align::End);
    addText(picture_.scene, {box.x - 8, box.bottom()}, formattedShort(range.low), quiet, Align::End);
    if (range.low >= 0) return;
    addText(picture_.scene, {box.x - 8, zero}, "0", quiet, Align::End);
    picture_.scene.add(Line{{{box.x, zero}, {box.right(), zero}}, theme_.line, 1, false});
  }

  void addCurve(const Box& box, const DistanceCurve& curve, Range range) {
    const TensorRef ref = refOf(curve);
    picture_.scene.add(Curve{box, ref, range, curve.color, 2});
    const Target& hover = picture_.input.hover;
    if (hover.cell.tensor == curve.tensor && hover.cell.index[0] < count_)
      if (const auto value = valueOf(picture_.scene.sources, hover.cell); value && std::isfinite(*value)) {
        const float x = box.cell(0, hover.cell.index[0], 1, count_).center().x;
        picture_.scene.add(Line{{{x, box.y}, {x, box.bottom()}}, theme_.quiet, 1, false});
      }
  }

  void addHit(const Box& box, const DistanceRow& row) {
    HitRegion& hit = addHitRegion(picture_.scene, box, refOf(row.curves.front()), row.name);
    hit.columns = count_;
    hit.say = [curves = row.curves, sources = picture_.scene.sources](const Target& target) {
      const int distance = target.cell.index[0];
      std::string words = distance == 0
                              ? "the token itself"
                              : std::to_string(distance) + (distance == 1 ? " token" : " tokens") + " away";
      for (const DistanceCurve& curve : curves)
        if (const auto value = valueOf(sources, {curve.tensor, {distance}});
            value && std::isfinite(*value) && curves.size() > 1)
          words += std::string("\n") + curve.words + ": " + formatted(*value);
      return words;
    };
  }

  void addDistances(const Box& plot) {
    AxisLabels labels{plot, Side::Bottom, count_, 32};
    labels.label = [](int i) { return std::to_string(i); };
    labels.strong = [&](int i) {
      const Target& hover = picture_.input.hover;
      return hover.cell.tensor == rows_.front().curves.front().tensor && hover.cell.index[0] == i;
    };
    labels.numbers = true;
    addLabels(picture_.scene, picture_.input, labels);
    addText(picture_.scene, {plot.center().x, plot.bottom() + 36}, "tokens away", theme_.note(),
            Align::Middle);
  }

  InfluencePicture& picture_;
  const Theme& theme_;
  int count_;  // distances that the text has
  std::vector<DistanceRow> rows_;
};

}  // namespace

void drawDistancePicture(InfluencePicture& picture, Box area) { DistanceBuilder(picture).draw(area); }

}  // namespace glassformer
