#include "tests/app/views/held_to_numbers.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/engine/engine.h"
#include "app/scene/format.h"
#include "app/scene/surface_plot.h"
#include "tests/sanitized.h"

namespace glassformer {

using Catch::Approx;

namespace {

// The number at an index, read from the snapshot's sets without the scene's own way of doing so.
std::optional<float> readDirectly(const Snapshot& snapshot, const std::string& name,
                                  const std::array<int, maxRank>& index) {
  const TensorSet* sets[] = {snapshot.pass->trace.get(),
                             snapshot.pass->measurements.get(),
                             snapshot.model->measurements.get(),
                             snapshot.decoded->beamMeasurements.get(),
                             snapshot.kept.measured.get(),
                             snapshot.training->side ? snapshot.training->side->curves.get() : nullptr,
                             snapshot.training->optimizer.get(),
                             snapshot.pass->trace ? snapshot.pass->trace->weights() : nullptr};
  for (const TensorSet* set : sets) {
    if (!set || !set->contains(name)) continue;
    const TensorView tensor = (*set)[name];
    std::array<int, maxRank> at{};
    for (int d = 0; d < tensor.rank; ++d) {
      const auto i = static_cast<std::size_t>(d);
      if (index[i] < 0 || index[i] >= tensor.extent[i]) return std::nullopt;
      at[i] = index[i];
    }
    return tensor.at(at);
  }
  return std::nullopt;
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool within(Range range, float value) {
  const float slack = 1e-4f * (range.high - range.low);
  return value >= range.low - slack && value <= range.high + slack;
}

// Holds every shape of a scene to the tensors it refers to; anything that does not agree is told by name.
struct Checker {
  const ViewCase& view;
  int numbers = 0;
  std::string fault;

  void fail(const std::string& what) {
    if (fault.empty()) fault = view.name + ": " + what;
  }
  std::optional<float> value(const TensorRef& ref, int row, int column) {
    const auto drawn = valueOf(view.scene.sources, ref.cell(row, column));
    const auto expected = readDirectly(view.input.snapshot, ref.tensor, ref.cell(row, column).index);
    ++numbers;
    if (!drawn || !expected || !same(*drawn, *expected)) {
      fail(ref.tensor + " " + formattedIndex(ref.cell(row, column).index.data(), maxRank) + " is not there");
      return std::nullopt;
    }
    return drawn;
  }
  template <typename Visit>
  void cells(const TensorRef& ref, Visit visit) {
    const auto spanned = plane(view.scene.sources, ref);
    if (!spanned || spanned->size() == 0) return fail(ref.tensor + " spans nothing");
    int cell = 0;
    spanned->forEach([&](const auto& index, float drawn) {
      if (isSanitized && cell++ % 7 != 0) return;  // every one is read there, too, where it is drawn
      const auto expected = value(ref, index[0], index[1]);
      if (expected && !same(drawn, *expected)) fail(ref.tensor + " is drawn with another cell's value");
      if (expected) visit(index[0], index[1], drawn);
    });
  }

  void operator()(const Matrix& matrix) {
    cells(matrix.values, [&](int row, int column, float v) {
      if (!isMasked(matrix, row, column, v) && std::isfinite(v) && !within(matrix.range, v))
        fail(matrix.values.tensor + " leaves its colour scale");
    });
  }
  void operator()(const Curve& curve) {
    const int count =
        plane(view.scene.sources, curve.values) ? plane(view.scene.sources, curve.values)->extent[1] : 0;
    cells(curve.values, [&](int, int i, float v) {
      if (!std::isfinite(v)) return;  // left out: there is nothing to compare
      if (!within(curve.range, v)) fail(curve.values.tensor + " leaves its axis");
      const float height = (curve.box.bottom() - curvePoint(curve, i, count, v).y) / curve.box.height;
      const float drawn = curve.range.logarithmic
                              ? curve.range.low * std::pow(curve.range.high / curve.range.low, height)
                              : curve.range.low + height * (curve.range.high - curve.range.low);
      if (drawn != Approx(v).margin(1e-3 * (curve.range.high - curve.range.low)))
        fail(curve.values.tensor + " is drawn at another height");
    });
  }
  void operator()(const Bar& bar) {
    const auto v = value(bar.value, 0, 0);
    if (!v || !std::isfinite(*v)) return;  // left out
    const float share =
        bar.vertical ? barBox(bar, *v).height / bar.track.height : barBox(bar, *v).width / bar.track.width;
    if (share * (bar.range.high - bar.range.low) != Approx(std::abs(*v)).margin(1e-3))
      fail(bar.value.tensor + " is drawn with another length");
  }
  void operator()(const Ribbon& ribbon) {
    if (const auto v = value(ribbon.value, 0, 0);
        v && std::isfinite(*v) && !within(ribbon.range, std::abs(*v)))
      fail(ribbon.value.tensor + " is drawn with another width");
  }
  void operator()(const Phasor& phasor) {
    const auto pair = plane(view.scene.sources, phasor.pair);
    if (!pair || pair->extent[1] < 2) return fail(phasor.pair.tensor + " has no pair there");
    const auto sine = value(phasor.pair, 0, 0), cosine = value(phasor.pair, 0, pair->extent[1] - 1);
    if (!sine || !cosine) return;
    const Point tip = phasorTip(phasor, *sine, *cosine);
    const float dx = tip.x - phasor.center.x, dy = phasor.center.y - tip.y;
    if (std::hypot(dx, dy) != Approx(phasor.length).epsilon(1e-3)) fail("an arrow has another length");
    if (dx * *sine != Approx(dy * *cosine).margin(1e-3)) fail("an arrow points elsewhere");
  }
  void operator()(const Dot& dot) {
    const auto pair = plane(view.scene.sources, dot.pair);
    if (!pair || pair->extent[1] < 2) return fail(dot.pair.tensor + " has no pair there");
    const auto across = value(dot.pair, 0, 0), up = value(dot.pair, 0, pair->extent[1] - 1);
    if (!across || !up) return;
    if (!within(dot.across, *across) || !within(dot.up, *up)) fail(dot.pair.tensor + " leaves its axes");
    const Point at = dotCenter(dot, *across, *up);
    if (valueAcross(dot, at.x) != Approx(*across).margin(1e-3 * (dot.across.high - dot.across.low)) ||
        valueUp(dot, at.y) != Approx(*up).margin(1e-3 * (dot.up.high - dot.up.low)))
      fail(dot.pair.tensor + " is drawn elsewhere");
  }
  // Its own rotation, one angle after the other: first around the second direction, then down towards us.
  void operator()(const SpaceDot& dot) {
    const auto z = plane(view.scene.sources, dot.triple);
    if (!z || z->extent[1] != 3) return fail(dot.triple.tensor + " has no three values there");
    const Space& space = dot.space;
    const double yaw = space.yaw * M_PI / 180, pitch = space.pitch * M_PI / 180;
    const double x = (*z)(0, 0) - space.center[0], y = (*z)(0, 1) - space.center[1],
                 near = (*z)(0, 2) - space.center[2];
    const double across = std::cos(yaw) * x + std::sin(yaw) * near,
                 front = -std::sin(yaw) * x + std::cos(yaw) * near;
    const double up = std::cos(pitch) * y - std::sin(pitch) * front;
    const auto at = dotCenter(dot, view.scene.sources);
    if (!at) return fail(dot.triple.tensor + " is drawn nowhere");
    if (at->x != Approx(space.middle.x + space.scale * across).margin(0.05) ||
        at->y != Approx(space.middle.y - space.scale * up).margin(0.05))
      fail(dot.triple.tensor + " is drawn elsewhere");
  }
  // What a place of a dot's axes stands for.
  static float valueAcross(const Dot& dot, float x) {
    return dot.across.low + (x - dot.box.x) / dot.box.width * (dot.across.high - dot.across.low);
  }
  static float valueUp(const Dot& dot, float y) {
    return dot.up.low + (dot.box.bottom() - y) / dot.box.height * (dot.up.high - dot.up.low);
  }
  void operator()(const SurfacePlot& surface) {
    cells(surface.values, [&](int, int, float v) {
      if (std::isfinite(v) && !within(surface.range, v)) fail(surface.values.tensor + " leaves its scale");
    });
    const auto values = plane(view.scene.sources, surface.values);
    if (!values) return;
    // Every facet has the colour of its point, and stands on it: as far above the point's projection on the
    // floor as its value is above the range's lower end.
    const SurfaceProjection projection(surface);
    const float whole = projection.at(0, 0, 0).y - projection.at(0, 0, 1).y;
    std::set<std::pair<int, int>> drawn;
    for (const SurfaceFacet& facet : facetsOf(surface, *values)) {
      const float v = (*values)(facet.row, facet.column);
      drawn.insert({facet.row, facet.column});
      const Point ground = projection.at(2 * static_cast<float>(facet.column) / (values->extent[1] - 1) - 1,
                                         1 - 2 * static_cast<float>(facet.row) / (values->extent[0] - 1), 0);
      const float share = (ground.y - facet.corners[0].y) / whole;
      const Range r = surface.range;
      const float shown =
          r.logarithmic ? r.low * std::pow(r.high / r.low, share) : r.low + share * (r.high - r.low);
      if (shown != Approx(v).epsilon(1e-3).margin(1e-5 * (r.high - r.low)))
        fail(surface.values.tensor + " is drawn at another height");
      if (facet.corners[0].x != Approx(ground.x).margin(1e-2)) fail("a facet stands elsewhere");
      if (facetColor(surface, v, view.input.theme) !=
          colorAt(surface.map, surface.range.fraction(v), view.input.theme.dark))
        fail("a facet has another colour");
    }
    if (static_cast<std::int64_t>(drawn.size()) != values->size()) fail("points are ablated");
  }
  void operator()(const Text& text) {
    if (text.value.empty()) return decimals(text);
    const auto v = value(text.value, 0, 0);
    if (!v) return;
    std::set<std::string> spellings{formatted(*v), formattedPercent(*v), formattedTight(*v)};
    for (int decimals = 0; decimals < 5; ++decimals) spellings.insert(formattedFixed(*v, decimals));
    for (const std::string& spelling : spellings)
      if (text.text.find(spelling) != std::string::npos) return;
    fail("\"" + text.text + "\" is not " + formatted(*v));
  }
  // A number with decimals and without a reference can only be the end or middle of a scale, or stand at its
  // place along an axis of dots.
  void decimals(const Text& of) {
    const std::string& text = of.text;
    if (text.find_first_not_of("0123456789.−") != std::string::npos || text.find('.') == std::string::npos ||
        text.size() < 3)
      return;
    for (const Shape& shape : view.scene.shapes) {
      const Range* range = nullptr;
      if (const auto* matrix = std::get_if<Matrix>(&shape)) range = &matrix->range;
      if (const auto* curve = std::get_if<Curve>(&shape)) range = &curve->range;
      if (const auto* bar = std::get_if<Bar>(&shape)) range = &bar->range;
      if (const auto* surface = std::get_if<SurfacePlot>(&shape)) range = &surface->range;
      if (range && (text == formattedShort(range->low) || text == formattedShort(range->high))) return;
      // A tick of an axis stands where it says.
      const auto standsAt = [&](const Box& box, const Range& scale) {
        return std::abs(box.bottom() - scale.fraction(numberOf(text)) * box.height - of.at.y) < 1;
      };
      const auto* curve = std::get_if<Curve>(&shape);
      if (curve && standsAt(curve->box, curve->range)) return;
      if (const auto* bar = std::get_if<Bar>(&shape); bar && bar->vertical && standsAt(bar->track, *range))
        return;
      const auto* dot = std::get_if<Dot>(&shape);
      if (dot && (text == tick(dot->across, valueAcross(*dot, of.at.x)) ||
                  text == tick(dot->up, valueUp(*dot, of.at.y))))
        return;
      if (const auto* mark = std::get_if<SpaceDot>(&shape); mark && isTickOf(mark->space, of)) return;
    }
    fail("\"" + text + "\" comes from nowhere");
  }
  static float numberOf(std::string text) {
    if (text.starts_with("−")) text.replace(0, std::string("−").size(), "-");
    return std::stof(text);
  }
  // A number beside a space stands next to its place on an edge of the box around all marks.
  bool isTickOf(const Space& space, const Text& of) const {
    constexpr float gap = 12;
    std::array<Range, 3> box;
    box.fill({std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()});
    std::set<std::string> tensors;
    for (const Shape& shape : view.scene.shapes)
      if (const auto* dot = std::get_if<SpaceDot>(&shape)) tensors.insert(dot->triple.tensor);
    for (const std::string& tensor : tensors)
      for (int c = 0; c < 3; ++c) {
        const bool isPath = view.scene.sources.find(tensor)->rank == 3;
        const TensorRef all = isPath ? TensorRef{tensor, {0, 0, c}, 0, 1} : TensorRef{tensor, {0, c}, 0, -1};
        const Range of = rangeOf(view.scene.sources, all);
        Range& range = box[static_cast<std::size_t>(c)];
        range = {std::min(range.low, of.low), std::max(range.high, of.high)};
      }
    float longest = 0;
    for (const Range& range : box) longest = std::max(longest, range.high - range.low);
    const float margin = longest > 0 ? 0.04f * longest : 1;
    for (std::size_t c = 0; c < 3; ++c)
      for (const int side : {0, 1, 2, 3}) {
        const std::size_t others[] = {(c + 1) % 3, (c + 2) % 3};
        std::array<float, 3> z{};
        z[c] = numberOf(of.text);
        for (const int i : {0, 1}) {
          const Range& range = box[others[i]];
          z[others[i]] = (side >> i & 1) == 0 ? range.low - margin : range.high + margin;
        }
        const Point at = space.at(z);
        if (std::hypot(at.x - of.at.x, at.y - of.at.y) < gap + 0.5f) return true;
      }
    return false;
  }
  // What a place is called, to less than a hundredth of the axis: no step between two numbers is smaller.
  static std::string tick(Range range, float value) {
    const float power = std::pow(10.0f, std::floor(std::log10((range.high - range.low) / 100)));
    return formattedShort(std::round(value / power) * power);
  }
  template <typename Decoration>
  void operator()(const Decoration&) {}
};

// Where a text lands, by the same metrics that laid it out; smaller than its line so that neighbours may
// touch.
Box placeOf(const Text& text, const TextMetrics& metrics) {
  float width = metrics.width(text.text, text.style.face, text.style.size);
  if (text.maxWidth > 0) width = std::min(width, text.maxWidth);
  const float height = text.style.size * 0.9f;
  const auto from = [](Align align, float extent) {
    return align == Align::Start ? 0 : align == Align::Middle ? -extent / 2 : -extent;
  };
  if (!text.upright)
    return {text.at.x + from(text.horizontal, width), text.at.y + from(text.vertical, height), width, height};
  return {text.at.x + from(text.horizontal, height), text.at.y - width - from(text.vertical, width), height,
          width};
}

bool overlapping(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

void checkNumbers(const ViewCase& view) {
  Checker checker{view, 0, ""};
  for (const Shape& shape : view.scene.shapes) std::visit(checker, shape);
  for (const HitRegion& hit : view.scene.hits) {
    if (hit.target.cell.empty()) continue;
    checker.value(targetAt(hit, {hit.box.x, hit.box.y}).cell, 0, 0);
    checker.value(targetAt(hit, {hit.box.right() - 0.01f, hit.box.bottom() - 0.01f}).cell, 0, 0);
  }
  INFO(view.name);
  CHECK(checker.fault == "");
  CHECK(checker.numbers > 0);
}

namespace {
// A sentence of ours, and not an equation or what a token, a text or a number makes long, ends in an
// ellipsis. Widths are a little larger than those of the real fonts.
bool isCutSentence(const Text& text, const SceneInput& input) {
  constexpr float realWidth = 0.93f;
  return text.maxWidth > 0 && text.value.empty() && text.style.face != FontFace::Mono &&
         input.size.x >= 616 && std::ranges::count(text.text, ' ') >= 3 &&
         text.text.find("“") == std::string::npos &&
         realWidth * input.metrics.width(text.text, text.style.face, text.style.size) > text.maxWidth;
}
}  // namespace

void checkTexts(const ViewCase& view) {
  std::vector<std::pair<Box, std::string>> placed;
  std::string fault;
  for (const Shape& shape : view.scene.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (!text || text->text.empty()) continue;
    if (isCutSentence(*text, view.input)) fault += "\"" + text->text + "\" is cut; ";
    const Box box = placeOf(*text, view.input.metrics);
    if (box.x < 0 || box.y < 0 || box.right() > view.scene.size.x || box.bottom() > view.scene.size.y)
      fault += "\"" + text->text + "\" leaves the picture; ";
    for (const auto& [other, words] : placed)
      if (overlapping(box, other)) fault += "\"" + text->text + "\" lies on \"" + words + "\"; ";
    placed.push_back({box, text->text});
  }
  INFO(view.name);
  CHECK(fault.substr(0, 300) == "");
}

}  // namespace glassformer
