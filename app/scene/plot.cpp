#include "app/scene/plot.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float tickApart = 40, logarithmicApart = 26, tickCorner = 18, leastForBothEnds = 16;

// The next of 1, 2, 5, 10, ... times a power of ten.
float niceStep(float least) {
  const float power = std::pow(10.0f, std::floor(std::log10(least)));
  for (const float step : {1.0f, 2.0f, 5.0f})
    if (step * power >= least) return step * power;
  return 10 * power;
}

// "0.0012" beside "0.0008": only what is smaller still has an exponent.
std::string axisNumber(float value) {
  const float size = std::abs(value);
  if (size >= 1e-2f || size < 1e-4f) return formattedShort(value);
  std::string words = formattedFixed(value, 6);
  words.erase(words.find_last_not_of('0') + 1);
  return words;
}

std::vector<float> roundNumbers(const Range& range, float pixels, float apart) {
  std::vector<float> numbers;
  if (!range.logarithmic) {
    const float step = niceStep(apart * (range.high - range.low) / pixels);
    const auto last = static_cast<int>(std::floor(range.high / step));
    for (int i = static_cast<int>(std::ceil(range.low / step)); i <= last; ++i)
      numbers.push_back(static_cast<float>(i) * step);
    return numbers;
  }
  const auto exponentOf = [](float value) { return static_cast<int>(std::floor(std::log10(value))); };
  const float decade = pixels / std::log10(range.high / range.low);
  const int every = std::max(1, static_cast<int>(std::ceil(apart / decade)));
  const bool isFine = decade * std::log10(2.0f) >= apart;
  for (int exponent = exponentOf(range.low); exponent <= exponentOf(range.high); ++exponent) {
    const float power = std::pow(10.0f, static_cast<float>(exponent));
    if (exponent % every == 0) numbers.push_back(power);
    if (isFine) numbers.insert(numbers.end(), {2 * power, 5 * power});
  }
  return numbers;
}

}  // namespace

std::vector<Tick> ticksAlong(const Range& range, float pixels, float apart, float corner) {
  std::vector<Tick> ticks;
  if (!(range.high > range.low) || pixels < 2 * corner) return ticks;
  for (const float value : roundNumbers(range, pixels, apart))
    if (const float along = range.fraction(value) * pixels; along >= corner && along <= pixels - corner)
      ticks.push_back({value, along});
  return ticks;
}

std::string percentWords(float share) {
  const float percent = 100 * share, whole = std::round(percent);
  return std::abs(percent - whole) < 1e-3f ? formattedFixed(whole, 0) + " %" : formattedPercent(share);
}

Rgba gridColor(const Theme& theme, float value) {
  return value == 0 ? theme.quiet.faded(0.4f) : theme.line.faded(0.6f);
}

void addValueAxis(Scene& scene, const Typography& with, const Box& box, const Range& range,
                  const NumberWords& words) {
  const auto number = [&](float value, float y) {
    addText(scene, {box.x - 8, y}, words ? words(value) : axisNumber(value), with.theme.quietMono(),
            Align::End);
  };
  const auto line = [&](float value) {
    const float y = box.bottom() - range.fraction(value) * box.height;
    scene.add(Line{{{box.x, y}, {box.right(), y}}, gridColor(with.theme, value)});
  };
  for (const Tick& tick :
       ticksAlong(range, box.height, range.logarithmic ? logarithmicApart : tickApart, tickCorner)) {
    number(tick.value, box.bottom() - tick.along);
    if (tick.value != 0) line(tick.value);
  }
  if (!range.logarithmic && range.low < 0 && range.high > 0) line(0);
  number(range.high, box.y);
  if (box.height >= leastForBothEnds) number(range.low, box.bottom());
}

void addStepAxis(Scene& scene, const Typography& with, const Box& box, int steps, int last) {
  const auto all = static_cast<float>(steps);
  const float apart = std::max(80.0f, box.width / all);  // no number between two steps
  for (const Tick& tick : ticksAlong({0, all}, box.width, apart, 0)) {
    if (tick.value > static_cast<float>(last)) break;
    const float x = box.x + tick.along;
    scene.add(Line{{{x, box.bottom()}, {x, box.bottom() + 4}}, with.theme.line});
    addText(scene, {x, box.bottom() + 14}, formattedCounted(tick.value), with.theme.quietMono(),
            Align::Middle);
  }
}

Box linesIn(const Box& frame) { return frame.inset(0, std::min(7.0f, frame.height * 0.2f)); }

namespace {

int columnsOf(const Scene& scene, const PlotLine& line) {
  const auto cells = plane(scene.sources, line.values);
  return cells ? cells->extent[1] : 1;
}

void addLine(Scene& scene, const Plot& plot, const PlotLine& line) {
  Curve curve{linesIn(plot.box), line.values, plot.range, line.color, line.width};
  curve.box.width *= line.extent;
  scene.add(curve);
  const auto cells = plane(scene.sources, line.values);
  const float r = line.width + 0.5f;
  for (int i = 0; line.dots && cells && i < cells->extent[1]; ++i)
    if (const float value = (*cells)(0, i); std::isfinite(value)) {
      const Point at = curvePoint(curve, i, cells->extent[1], value);
      scene.add(Rect{{at.x - r, at.y - r, 2 * r, 2 * r}, line.color, {0, 0, 0, 0}, r});
    }
}

}  // namespace

void addPlotLines(Scene& scene, const Typography& with, const Plot& plot) {
  const Box& box = plot.box;
  scene.add(Rect{box, with.theme.panel, with.theme.line});
  addValueAxis(scene, with, linesIn(box), plot.range, plot.numbers);
  scene.add(PushClip{box});
  if (const int columns = columnsOf(scene, plot.lines.front()); plot.pointed >= 0 && plot.pointed < columns) {
    const float x = box.cell(0, plot.pointed, 1, columns).center().x;
    scene.add(Line{{{x, box.y}, {x, box.bottom()}}, with.theme.quiet});
  }
  for (std::size_t i = plot.lines.size(); i-- > 0;) addLine(scene, plot, plot.lines[i]);
  scene.add(PopClip{});
}

HitRegion& addPlot(Scene& scene, const Typography& with, const Plot& plot, std::string name,
                   std::function<std::string(int column)> say) {
  addPlotLines(scene, with, plot);
  const TensorRef first = plot.lines.front().values;
  HitRegion& hit = addHitRegion(scene, plot.box, first, std::move(name));
  hit.columns = columnsOf(scene, plot.lines.front());
  hit.say = [say = std::move(say), lines = plot.lines, number = plot.numbers, sources = scene.sources,
             first](const Target& target) {
    const auto dimension = static_cast<std::size_t>(first.columnDimension);
    const int column = target.cell.index[dimension] - first.index[dimension];
    std::string words = say(column);
    for (const PlotLine& line : lines)
      if (const auto value = valueOf(sources, line.values.cell(0, column));
          !line.name.empty() && value && std::isfinite(*value))
        words += "\n" + line.name + ": " + (number ? number(*value) : formatted(*value));
    return words;
  };
  return hit;
}

Box addLegend(Scene& scene, const Typography& with, const Box& box, const std::vector<PlotLine>& lines,
              Align align) {
  std::vector<LegendEntry> entries;
  for (const PlotLine& line : lines)
    if (!line.name.empty()) entries.push_back({line.name, line.color});
  return addLegend(scene, with, box, entries, align);
}

}  // namespace glassformer
