#include "app/views/influence/distance_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "app/views/influence/influence_sentence_picture.h"
#include "core/lens/influence.h"

namespace glassformer {

namespace {

constexpr float titleHeight = 32, distanceTickHeight = 56, tallestRow = 640;

// Lines that share an axis; rows stand below each other.
struct DistanceRow {
  std::vector<std::string> title;  ///< the longest wording first
  const char* name;                ///< of its hit region
  std::vector<PlotLine> lines;
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
    influence.lines.push_back({byDistance("lens.influence_by_distance"), theme_.attention});
    if (picture_.isThere("lens.influence_by_distance_ahead")) {
      influence.lines.front().name = "tokens before";
      influence.lines.push_back(
          {byDistance("lens.influence_by_distance_ahead"), theme_.feedForward, 2, "tokens after"});
    }
    rows_ = {influence,
             {{"Shortest path from the token to the prediction, in operations"},
              "steps by distance",
              {{byDistance("lens.path_length_by_distance"), theme_.feedForward}}}};
  }

  void draw(Box area) {
    if (isTooLong(picture_)) return drawOneInfluence(picture_, area);
    const bool isThere = picture_.isThere(tensor());
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

  TensorRef byDistance(const char* tensor) const { return {tensor, {}, -1, 0, -1, count_}; }
  const std::string& tensor() const { return rows_.front().lines.front().values.tensor; }

  std::vector<TensorRef> refsOf(const DistanceRow& row) const {
    std::vector<TensorRef> refs;
    for (const PlotLine& line : row.lines) refs.push_back(line.values);
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

  // Returns where its lines are.
  Box addRow(Box box, const DistanceRow& row) {
    const Box title = box.takeTop(titleHeight);
    box.takeBottom(8);
    const Target& hover = picture_.input.hover;
    const bool isPointed = hover.cell.tensor == row.lines.front().values.tensor;
    addPlot(picture_.scene, picture_.input,
            {box, rangeOf(row), row.lines, isPointed ? hover.cell.index[0] : -1}, row.name, [](int distance) {
              return distance == 0 ? "the token itself" : countWords(distance, "token") + " away";
            });
    const Box line{title.x, title.y, title.width, 24};
    const float room = addLegend(picture_.scene, picture_.input, line, row.lines, Align::End).x - line.x - 8;
    addText(picture_.scene, {line.x, line.center().y},
            wordingFor(room, picture_.input, theme_.strong(), row.title), theme_.strong())
        .maxWidth = room;
    return box;
  }

  void addDistances(const Box& plot) {
    AxisLabels labels{plot, Side::Bottom, count_, 32};
    labels.label = [](int i) { return std::to_string(i); };
    labels.strong = [&](int i) {
      const Target& hover = picture_.input.hover;
      return hover.cell.tensor == tensor() && hover.cell.index[0] == i;
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
