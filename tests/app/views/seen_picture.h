#pragma once
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/engine/latest_for.h"
#include "tests/app/views/view_cases.h"

namespace glassformer {

/// A picture as it is drawn for a workspace, with the models that ship.
struct SeenPicture {
  explicit SeenPicture(Workspace of, const Target& hover = {}, Point size = {1296, 872})
      : workspace(std::move(of)), snapshot(latestFor(workspace)) {
    draw(hover, size);
  }

  void draw(const Target& hover, Point size) {
    const PlainMetrics metrics;
    const Theme theme = darkTheme();
    scene = viewOf(workspace.view).scene({workspace, *snapshot, size, theme, metrics, hover});
  }
  /// Does something, and draws what comes of it.
  void act(const Command& command) {
    command.apply(workspace);
    snapshot = latestFor(workspace);
    draw({}, {1296, 872});
  }
  const HitRegion& hit(std::string_view name) const {
    const auto found = std::ranges::find(scene.hits, name, &HitRegion::name);
    REQUIRE(found != scene.hits.end());
    return *found;
  }
  void click(std::string_view name) {
    const HitRegion& region = hit(name);
    act(region.click(targetAt(region, region.box.center())));
  }
  bool says(std::string_view words) const {
    return std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->text.find(words) != std::string::npos;
    });
  }
  float at(const TensorRef& ref) const {
    const auto value = valueOf(scene.sources, ref);
    REQUIRE(value);
    return *value;
  }

  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
  Scene scene;
};

/// The workspace of a first start, with a picture open.
inline Workspace openedOn(const char* view, const char* picture) {
  Workspace workspace = initialWorkspace();
  workspace.view = view, workspace.settings.pictures[view] = picture;
  workspace.look.allControls = true;
  return workspace;
}

}  // namespace glassformer
