#include "app/views/residual/places_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

constexpr int mostLines = 40;       // that can be told apart by the pointer
constexpr int mostTokenLines = 64;  // more are a fog, and take their time

int stepBetweenLines(int tokens) { return (tokens + mostTokenLines - 1) / mostTokenLines; }

class PlacesPlotBuilder {
 public:
  PlacesPlotBuilder(ResidualPicture& picture, const PlacesPlot& plot)
      : picture_(picture), scene_(picture.scene), theme_(picture.theme), plot_(plot) {
    const TensorRef all{plot.tensor, {}, 0, 1, -1, -1};
    scale_ = coloring(picture.input, {all}, {ColorMap::Sequential, logarithmic(all)});
  }

  void draw(Box area) {
    const float depth = tokenDepth(picture_, area);
    area.takeLeft(depth), area.takeRight(scaleWidth);
    Box lines = area.takeTop(area.height * 0.44f);
    const Box axis = lines.takeBottom(axisHeight(picture_, lines.width));
    addLines(lines);
    addPlaces(picture_, axis);
    area.takeTop(8);
    area.height = std::min(area.height, 32.0f * static_cast<float>(picture_.count));
    std::vector<std::string> labels;
    for (int i = 0; i < picture_.count; ++i) labels.push_back(picture_.label(i));
    TokenHeatmap heatmap;
    heatmap.box = area;
    heatmap.values = {plot_.tensor, {}, 1, 0, -1, -1};  // tokens down, places across as in the plot above
    heatmap.scale = scale_, heatmap.depth = depth, heatmap.name = plot_.name;
    heatmap.say = [labels, config = picture_.config](const Target& target) {
      return "“" + labels[static_cast<std::size_t>(target.token)] + "” " +
             placeName(config, target.cell.index[0]);
    };
    addTokenHeatmap(picture_, heatmap);
  }

 private:
  Range logarithmic(const TensorRef& all) const {
    float least = std::numeric_limits<float>::max(), greatest = 0;
    if (const auto cells = plane(scene_.sources, all))
      cells->forEach([&](const auto&, float value) {
        if (!(value > 0) || !std::isfinite(value)) return;
        least = std::min(least, value), greatest = std::max(greatest, value);
      });
    if (!(greatest > 0)) return {0.5f, 1, true};
    return {std::min(roundedDown(least), greatest / 2), roundedUp(greatest), true};
  }
  const Range& range() const { return scale_.range; }
  TensorRef lineOf(int token) const { return {plot_.tensor, {0, token}, -1, 0, -1, -1}; }

  void addLines(const Box& box) {
    Plot plot{box, range(), {{lineOf(picture_.shown), theme_.accent, 3}}};
    if (picture_.pointed != Target::none && picture_.pointed != picture_.shown)
      plot.lines.push_back({lineOf(picture_.pointed), theme_.text});
    const float crowd = picture_.count > 40 ? 0.25f : 0.5f;
    const auto cells = plane(scene_.sources, {plot_.tensor, {}, 0, 1, -1, -1});
    for (const int token : linesDrawn(*cells))
      if (token != picture_.shown && token != picture_.pointed)
        plot.lines.push_back({lineOf(token), theme_.quiet.faded(crowd), 1.25f});
    addPlotLines(scene_, picture_.input, plot);
    addHits(box);
  }

  // Every spot over a place answers for the line that runs nearest; regions of their own for each token only
  // while they are few, else the one line that stands out answers.
  void addHits(const Box& box) {
    if (picture_.count > mostLines) {
      const int token = picture_.pointed != Target::none ? picture_.pointed : picture_.shown;
      return addHit(box, token, 0, picture_.places);
    }
    const auto cells = plane(scene_.sources, {plot_.tensor, {}, 0, 1, -1, -1});
    const Curve scale{linesIn(box), {}, range(), {}, 1};
    std::vector<int> order(static_cast<std::size_t>(picture_.count));
    for (int place = 0; place < picture_.places; ++place) {
      const auto height = [&](int token) {
        const float value = (*cells)(place, token);
        return std::isfinite(value) ? curvePoint(scale, place, picture_.places, value).y : box.bottom();
      };
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](int a, int b) { return height(a) < height(b); });
      const Box column = box.cell(0, place, 1, picture_.places);
      float top = column.y;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const float bottom =
            i + 1 < order.size() ? (height(order[i]) + height(order[i + 1])) / 2 : box.bottom();
        addHit({column.x, top, column.width, bottom - top}, order[i], place, 1);
        top = bottom;
      }
    }
  }

  void addHit(const Box& box, int token, int place, int places) {
    HitRegion& hit = addHitRegion(scene_, box, lineOf(token));
    hit.target.cell.index[0] = place;
    hit.target.token = token, hit.target.tokens = picture_.stream;
    hit.columns = places;
    hit.say = [label = picture_.quoted(token), config = picture_.config](const Target& target) {
      return label + " " + placeName(config, target.cell.index[0]);
    };
    hit.click = [](const Target& target) { return commands::selectQuery(target.token, target.tokens); };
  }

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  const PlacesPlot& plot_;
  Coloring scale_;
};

}  // namespace

std::vector<int> linesDrawn(const TensorView& values) {
  const int places = values.extent[0], tokens = values.extent[1];
  std::set<int> drawn;
  for (int token = 0; token < tokens; token += stepBetweenLines(tokens)) drawn.insert(token);
  for (int place = 0; place < places; ++place) {
    int least = -1, greatest = -1;
    for (int token = 0; token < tokens; ++token) {
      const float value = values(place, token);
      if (!std::isfinite(value)) continue;
      if (least < 0 || value < values(place, least)) least = token;
      if (greatest < 0 || value > values(place, greatest)) greatest = token;
    }
    if (least >= 0) drawn.insert({least, greatest});
  }
  return {drawn.begin(), drawn.end()};
}

std::string aboutLines(int tokens) {
  const int step = stepBetweenLines(tokens);
  if (step == 1) return "";
  const std::string ordinal = step == 2 ? "2nd" : step == 3 ? "3rd" : std::to_string(step) + "th";
  return "; lines for every " + ordinal + " token and the outermost";
}

void addPlacesPlot(ResidualPicture& picture, Box area, const PlacesPlot& plot) {
  if (!picture.isThere(plot.tensor)) return addWaiting(picture, area);
  PlacesPlotBuilder(picture, plot).draw(area);
}

}  // namespace glassformer
