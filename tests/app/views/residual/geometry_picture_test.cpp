#include "app/views/residual/geometry_picture.h"

#include <catch2/catch_approx.hpp>
#include <cmath>
#include <set>

#include "app/drawing/number_tables.h"
#include "core/lens/principal_components.h"
#include "core/lens/residual_stream.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

namespace {

std::vector<Dot> dotsOf(const SeenPicture& seen, const char* tensor) {
  std::vector<Dot> dots;
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* dot = std::get_if<Dot>(&shape); dot && dot->pair.tensor == tensor) dots.push_back(*dot);
  return dots;
}

std::vector<SpaceDot> spaceDotsOf(const SeenPicture& seen, const char* tensor) {
  std::vector<SpaceDot> dots;
  for (const Shape& shape : seen.scene.shapes)
    if (const auto* dot = std::get_if<SpaceDot>(&shape); dot && dot->triple.tensor == tensor)
      dots.push_back(*dot);
  return dots;
}

float perPixel(const Range& range, float pixels) { return (range.high - range.low) / pixels; }

}  // namespace

TEST_CASE("every token has a dot at its coordinates, and a unit is as long across as upwards") {
  const SeenPicture seen(openedOn("residual", "geometry"));
  const auto dots = dotsOf(seen, geometry::tokens);
  std::set<int> tokens;
  for (const Dot& dot : dots) {
    const int token = dot.pair.index[0];
    tokens.insert(token);
    const Point middle = seen.hit("dot " + std::to_string(token)).box.center();
    const float unit = perPixel(dot.across, dot.box.width);
    CHECK(perPixel(dot.up, dot.box.height) == Approx(unit).epsilon(1e-4));
    const auto margin = [&](float pixels) { return Approx(pixels).margin(0.05); };
    CHECK((seen.at({geometry::tokens, {token, 0}}) - dot.across.low) / unit == margin(middle.x - dot.box.x));
    CHECK((seen.at({geometry::tokens, {token, 1}}) - dot.up.low) / unit ==
          margin(dot.box.bottom() - middle.y));
    CHECK(dot.box.contains(middle));
  }
  CHECK(static_cast<int>(tokens.size()) == seen.snapshot->pass->trace->tokenCount());
  CHECK(dots.size() == tokens.size());
}

TEST_CASE("distances along all components are those of the stream at the chosen place") {
  SeenPicture seen(openedOn("residual", "geometry"));
  for (const auto& [place, point] :
       {std::pair{"place 0", "blocks.0.hook_resid_pre"}, std::pair{"place 3", "blocks.1.hook_resid_mid"}}) {
    seen.click(place);
    const TensorView x = (*seen.snapshot->pass->trace)[point];
    const TensorView mean = *seen.scene.sources.find(geometry::mean),
                     axes = *seen.scene.sources.find(geometry::axes);
    for (int c = 0; c < 2; ++c) {
      double z = 0;
      for (int d = 0; d < x.extent[1]; ++d) z += static_cast<double>(x(4, d) - mean(d)) * axes(c, d);
      CHECK(seen.at({geometry::tokens, {4, c}}) == Approx(z).epsilon(1e-3).margin(1e-4));
    }
  }
}

TEST_CASE("a click on a dot selects its token, which the line above then spells") {
  SeenPicture seen(openedOn("residual", "geometry"));
  seen.click("dot 7");
  CHECK(seen.workspace.selection.query == 7);
  const auto spelled = [&](int component) {
    return std::ranges::any_of(seen.scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->value == TensorRef{geometry::tokens, {7, component}};
    });
  };
  CHECK(spelled(0));
  CHECK(spelled(1));
  CHECK_FALSE(spelled(2));
  seen.click("3D");
  CHECK(spelled(2));
}

TEST_CASE("queries and keys of the selected head lie in one projection, each with a mark of its own") {
  SeenPicture seen(openedOn("residual", "geometry"));
  seen.click("Queries and keys");
  const auto queries = dotsOf(seen, geometry::queries), keys = dotsOf(seen, geometry::keys);
  REQUIRE(queries.size() == keys.size());
  REQUIRE_FALSE(queries.empty());
  CHECK(queries[0].across == keys[0].across);
  CHECK(queries[0].up == keys[0].up);
  CHECK(queries[0].square != keys[0].square);
  const float before = seen.at({geometry::keys, {3, 0}});
  seen.click("Head after");
  CHECK(seen.at({geometry::keys, {3, 0}}) != before);
}

TEST_CASE("of many tokens labels are left out, and the selected one keeps its own") {
  Workspace workspace = openedOn("residual", "geometry");
  workspace.text.clear();
  for (int i = 0; i < 40; ++i) workspace.text += "The cat and the dog ran. ";
  const SeenPicture seen(workspace);
  const auto count = std::ranges::count_if(seen.scene.shapes, [](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return text && text->maxWidth > 0 && text->style.face == FontFace::Mono;
  });
  const auto dots = dotsOf(seen, geometry::tokens);
  CHECK(count > 0);
  CHECK(count < static_cast<std::ptrdiff_t>(dots.size()));
  CHECK(dots.back().pair.index[0] == seen.snapshot->pass->trace->tokenCount() - 1);  // on top of all
}

TEST_CASE("the plane comes closer around the pointer, is moved, and shows all of it again") {
  SeenPicture seen(openedOn("residual", "geometry"));
  const auto boxOf = [&](int token) { return seen.hit("dot " + std::to_string(token)).box.center(); };
  const Point before = boxOf(3);
  const auto all = dotsOf(seen, geometry::tokens).size();
  const float unit = perPixel(dotsOf(seen, geometry::tokens).front().across, 1);
  const Box plane = seen.hit("geometry plane").box;
  const Point at{(before.x - plane.x) / plane.width, (before.y - plane.y) / plane.height};
  seen.act(seen.hit("geometry plane").zoom(3, at));
  // What lies under the pointer stays there, unless that would show what is beyond the plane.
  const auto closer = dotsOf(seen, geometry::tokens);
  CHECK(perPixel(closer.front().across, 1) == Approx(unit / std::pow(1.25f, 3.0f)).epsilon(1e-3));
  CHECK(boxOf(3).x == Approx(before.x).margin(0.5));
  CHECK(boxOf(3).y == Approx(before.y).margin(0.5));
  seen.act(seen.hit("geometry plane").zoom(5, at));
  CHECK(dotsOf(seen, geometry::tokens).size() < all);
  for (const Dot& dot : dotsOf(seen, geometry::tokens)) {
    const Point middle = seen.hit("dot " + std::to_string(dot.pair.index[0])).box.center();
    CHECK(plane.contains(middle));
    if (!plane.inset(8).contains(middle)) continue;  // what answers to the pointer ends at the edge
    const float z = seen.at({geometry::tokens, {dot.pair.index[0], 0}});
    CHECK(dot.across.fraction(z) * plane.width == Approx(middle.x - plane.x).margin(0.5));
  }
  const Point now = boxOf(3);
  seen.act(seen.hit("geometry plane").pan({0.05f, 0}));
  CHECK(boxOf(3).x == Approx(now.x + 0.05f * plane.width).margin(0.5));
  CHECK(boxOf(3).y == Approx(now.y).margin(0.5));
  seen.act(seen.hit("geometry plane").reset());
  CHECK(dotsOf(seen, geometry::tokens).size() == all);
  CHECK(boxOf(3).x == Approx(before.x).margin(0.01));
  // However far it is turned, it stays within reach, and can be shown whole by a button.
  seen.act(seen.hit("geometry plane").zoom(200, {0, 0}));
  seen.act(seen.hit("geometry plane").pan({-30, 12}));
  CHECK(seen.says("Reset view"));
  seen.click("Reset view");
  CHECK(dotsOf(seen, geometry::tokens).size() == all);
  CHECK_FALSE(seen.says("Reset view"));
}

TEST_CASE("two texts are projected together: every token of both is where its own stream lies") {
  Workspace workspace = openedOn("residual", "geometry");
  workspace.aside = {"The dog was too wide."};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->difference);
  const Snapshot& both = *snapshot->difference;
  const TensorSet& set = *both.pass->measurements;
  const TensorView mean = set[geometry::ofBoth(geometry::mean)], axes = set[geometry::ofBoth(geometry::axes)];
  const auto& columns = both.sides->alignments.text.columns;
  const std::string point = "blocks.3.hook_resid_post";
  int there = 0, alone = 0;
  for (const bool isOther : {false, true}) {
    const TensorView
        x = (*(isOther ? both.sides->b : both.sides->a)->pass->trace)[point],
        z = set[isOther ? geometry::ofOther(geometry::tokens) : geometry::ofBoth(geometry::tokens)];
    REQUIRE(z.extent[0] == static_cast<int>(columns.size()));
    for (int column = 0; column < z.extent[0]; ++column) {
      const int row =
          isOther ? columns[static_cast<std::size_t>(column)].b : columns[static_cast<std::size_t>(column)].a;
      for (int c = 0; c < 2; ++c) {
        double expected = row < 0 ? NAN : 0;
        for (int d = 0; row >= 0 && d < x.extent[1]; ++d)
          expected += static_cast<double>(x(row, d) - mean(d)) * axes(c, d);
        if (row < 0)
          CHECK(std::isnan(z(column, c)));
        else
          CHECK(z(column, c) == Approx(expected).epsilon(1e-3).margin(1e-4));
        row < 0 ? ++alone : ++there;
      }
    }
  }
  CHECK(there == 2 * (both.sides->a->pass->trace->tokenCount() + both.sides->b->pass->trace->tokenCount()));
  CHECK(alone > 0);
  // The mean is that of all vectors of both.
  double sum = 0;
  for (const auto& side : {both.sides->a, both.sides->b}) {
    const TensorView x = (*side->pass->trace)[point];
    for (int t = 0; t < x.extent[0]; ++t) sum += x(t, 7);
  }
  CHECK(mean(7) == Approx(2 * sum / there).epsilon(1e-4));
}

TEST_CASE(
    "in three dimensions every token lies where its three coordinates are, turned, nearer ones on top") {
  SeenPicture seen(openedOn("residual", "geometry"));
  seen.click("3D");
  const auto dots = spaceDotsOf(seen, geometry::tokens);
  CHECK(static_cast<int>(dots.size()) == seen.snapshot->pass->trace->tokenCount());
  CHECK(dotsOf(seen, geometry::tokens).empty());
  float before = -1e9f;
  for (std::size_t i = 0; i + 1 < dots.size(); ++i) {  // the last is the selected one
    const int token = dots[i].triple.index[0];
    const std::array z{seen.at({geometry::tokens, {token, 0}}), seen.at({geometry::tokens, {token, 1}}),
                       seen.at({geometry::tokens, {token, 2}})};
    const float nearness = dots[i].space.turned(z)[2];
    CHECK(nearness >= before);
    if (i > 0) CHECK(dots[i].radius >= dots[i - 1].radius);
    before = nearness;
    const Point middle = seen.hit("dot " + std::to_string(token)).box.center(),
                seenAt = dotCenter(dots[i], seen.scene.sources).value();
    CHECK(middle.x == Approx(seenAt.x).margin(1e-2));
    CHECK(middle.y == Approx(seenAt.y).margin(1e-2));
  }
  CHECK(dots.back().triple.index[0] == seen.snapshot->pass->trace->tokenCount() - 1);
  CHECK(seen.says("third component, "));
  // A turn leaves distances in space as they are, and the numbers.
  const float z = seen.at({geometry::tokens, {3, 2}});
  const Space first = dots[0].space;
  seen.act(seen.hit("geometry space").arrows(3, 0));
  const Space turned = spaceDotsOf(seen, geometry::tokens)[0].space;
  CHECK(turned.yaw == Approx(first.yaw + 30));
  CHECK(turned.scale == Approx(first.scale));
  CHECK(seen.at({geometry::tokens, {3, 2}}) == z);
  CHECK(seen.says("Reset view"));
  seen.act(seen.hit("geometry space").pan({0, 0.5f}));
  CHECK(spaceDotsOf(seen, geometry::tokens)[0].space.pitch == Approx(first.pitch + 45));
  seen.act(seen.hit("geometry space").zoom(6, {0.5f, 0.5f}));
  CHECK(spaceDotsOf(seen, geometry::tokens).size() < dots.size());
  seen.act(seen.hit("geometry space").reset());
  CHECK(spaceDotsOf(seen, geometry::tokens)[0].space.yaw == first.yaw);
  CHECK(spaceDotsOf(seen, geometry::tokens).size() == dots.size());
  CHECK_FALSE(seen.says("Reset view"));
  seen.click("2D");
  CHECK(spaceDotsOf(seen, geometry::tokens).empty());
}

TEST_CASE("whichever way the space is turned, all of it is seen, and what is written lies beside it") {
  Workspace workspace = openedOn("residual", "geometry");
  workspace.settings.choose("residual.dimensions", "3");
  for (const char* angle : {"0 10", "90 10", "-170 45", "45 80", "nan 20", "1e30 -5", "east"}) {
    workspace.settings.choose("residual.geometry_angle", angle);
    const SeenPicture seen(workspace);
    INFO(angle);
    const Box room = seen.hit("geometry space").box;
    const auto dots = spaceDotsOf(seen, geometry::tokens);
    CHECK(static_cast<int>(dots.size()) == seen.snapshot->pass->trace->tokenCount());
    for (const SpaceDot& dot : dots) CHECK(room.contains(dotCenter(dot, seen.scene.sources).value()));
    CHECK(seen.says("first"));
    CHECK(seen.says("second"));
  }
}

TEST_CASE("queries and keys, and two texts, lie in one space; the table lists three numbers") {
  SeenPicture seen(openedOn("residual", "geometry"));
  seen.click("3D");
  seen.click("Queries and keys");
  const auto queries = spaceDotsOf(seen, geometry::queries), keys = spaceDotsOf(seen, geometry::keys);
  REQUIRE(queries.size() == keys.size());
  REQUIRE_FALSE(queries.empty());
  CHECK(queries[0].space.center == keys[0].space.center);
  CHECK(queries[0].square != keys[0].square);
  const auto tables = numberTables(seen.scene, *seen.snapshot);
  const auto table =
      std::ranges::find_if(tables, [](const NumberTable& of) { return of.tensor == geometry::keys; });
  REQUIRE(table != tables.end());
  CHECK(table->columns.size() == 3);
  CHECK(table->values.view().extent[1] == 3);
  for (int token = 0; token < static_cast<int>(keys.size()); ++token)  // however they are turned
    CHECK(table->values(token, 2) == seen.at({geometry::keys, {token, 2}}));

  Workspace two = openedOn("residual", "geometry");
  two.settings.choose("residual.dimensions", "3");
  two.aside = {"The dog was too wide."};
  two.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = latestFor(two);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = viewOf("residual").scene({two, *snapshot->difference, {1296, 872}, theme, metrics, {}});
  std::set<std::string> drawn;
  for (const Shape& shape : scene.shapes)
    if (const auto* dot = std::get_if<SpaceDot>(&shape)) drawn.insert(dot->triple.tensor);
  CHECK(drawn == std::set{geometry::ofBoth(geometry::tokens), geometry::ofOther(geometry::tokens)});
}

TEST_CASE(
    "the path of a token leads through all places, in one projection, and a click on it shows a place") {
  for (const char* dimensions : {"2D", "3D"}) {
    SeenPicture seen(openedOn("residual", "geometry"));
    seen.click(dimensions);
    seen.click("dot 4");
    seen.click("Trajectory");
    const TensorView path = *seen.scene.sources.find(geometry::path);
    REQUIRE(path.rank == 3);
    const auto places = residualPlaces(*seen.snapshot->model->transformer);
    REQUIRE(path.extent[0] == static_cast<int>(places.size()));
    const TensorView mean = *seen.scene.sources.find(geometry::mean),
                     axes = *seen.scene.sources.find(geometry::axes);
    const int last = path.extent[0] - 1;
    for (int p = 0; p < last; ++p) {
      const TensorView x = (*seen.snapshot->pass->trace)[places[static_cast<std::size_t>(p)].point];
      for (int c = 0; c < 3; ++c) {
        double z = 0;
        for (int d = 0; d < x.extent[1]; ++d) z += static_cast<double>(x(4, d) - mean(d)) * axes(c, d);
        CHECK(path(p, 4, c) == Approx(z).epsilon(1e-3).margin(1e-3));
      }
      CHECK(seen.hit("path 4 at " + std::to_string(p)).target.cell == TensorRef{geometry::path, {p, 4, 0}});
    }
    const Point there = seen.hit("path 4 at 2").box.center();
    seen.click("path 4 at 2");
    CHECK(seen.workspace.settings.chosen("residual.place") == "2");
    CHECK(seen.hit("dot 4").box.center().x == Approx(there.x).margin(1));
    CHECK(seen.hit("dot 4").box.center().y == Approx(there.y).margin(1));
    seen.click("Trajectory");
    CHECK_FALSE(seen.scene.sources.contains(geometry::path));
  }
}

TEST_CASE("the paths of two texts lie in one projection, each where its own stream leads") {
  Workspace workspace = openedOn("residual", "geometry");
  workspace.settings.choose("residual.path", "all places");
  workspace.settings.choose("residual.place", "2");
  workspace.aside = {"The dog was too wide."};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->difference);
  const Snapshot& both = *snapshot->difference;
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = viewOf("residual").scene({workspace, both, {1296, 872}, theme, metrics, {}});
  const auto& columns = both.sides->alignments.text.columns;
  const auto places = residualPlaces(*snapshot->model->transformer);
  const TensorView mean = *scene.sources.find(geometry::ofBoth(geometry::mean)),
                   axes = *scene.sources.find(geometry::ofBoth(geometry::axes));
  for (const bool isOther : {false, true}) {
    const std::string name = isOther ? geometry::ofOther(geometry::path) : geometry::ofBoth(geometry::path);
    const TensorView path = *scene.sources.find(name);
    REQUIRE(path.extent[0] == static_cast<int>(places.size()));
    REQUIRE(path.extent[1] == static_cast<int>(columns.size()));
    for (int p = 0; p < path.extent[0]; ++p)
      for (int column = 0; column < path.extent[1]; ++column) {
        const auto& [a, b] = columns[static_cast<std::size_t>(column)];
        const int row = isOther ? b : a;
        const TensorView x = (*(isOther ? both.sides->b : both.sides->a)
                                   ->pass->trace)[places[static_cast<std::size_t>(p)].point];
        double z = 0;
        for (int d = 0; row >= 0 && d < x.extent[1]; ++d)
          z += static_cast<double>(x(row, d) - mean(d)) * axes(0, d);
        if (row < 0)
          CHECK(std::isnan(path(p, column, 0)));
        else
          CHECK(path(p, column, 0) == Approx(z).epsilon(1e-3).margin(1e-3));
      }
    // Of the selected token every place that is not shown has a mark that says which text it is of.
    int marks = 0;
    for (const HitRegion& hit : scene.hits)
      if (hit.target.cell.tensor == name && hit.name.starts_with(isOther ? "other path " : "path ")) ++marks;
    CHECK(marks == path.extent[0] - 1);
  }
  const auto hasPath = [](const HitRegion& hit) { return hit.name == "Trajectory"; };
  CHECK(std::ranges::any_of(scene.hits, hasPath));
}

TEST_CASE("embeddings and the encodings of positions have a projection of their own") {
  SeenPicture seen(openedOn("residual", "geometry"));
  for (const auto& [name, point] :
       {std::pair{"place tokens", "hook_embed"}, std::pair{"place positions", "hook_pos_embed"}}) {
    seen.click(name);
    const TensorView x = (*seen.snapshot->pass->trace)[point];
    const TensorView mean = *seen.scene.sources.find(geometry::mean),
                     axes = *seen.scene.sources.find(geometry::axes);
    for (int c = 0; c < 3; ++c) {
      double z = 0;
      for (int d = 0; d < x.extent[1]; ++d) z += static_cast<double>(x(4, d) - mean(d)) * axes(c, d);
      CHECK(seen.at({geometry::tokens, {4, c}}) == Approx(z).epsilon(1e-3).margin(1e-4));
    }
  }
  CHECK(seen.says("encodings of the positions"));
}
