#pragma once
#include <vector>

#include "app/scene/scene.h"

namespace glassformer {

/// The shapes that diagrams of a model are drawn with: the residual stream and what flows from and to it, the
/// sums on it, and boxes for what is computed.
class MapInk {
 public:
  MapInk(Scene& scene, const Theme& theme) : scene_(scene), theme_(theme) {}

  Rgba stream() const { return mix(theme_.panel, theme_.quiet, 0.7f); }
  void flow(std::vector<Point> points, bool arrow) {
    scene_.add(Line{std::move(points), stream(), 1.5f, arrow});
  }
  /// The ground of a block, behind its boxes; of one that is `lit`, which shows more of it.
  void block(const Box& frame, bool lit);
  /// A box of the diagram; without a frame only as far as it is lit, pointed at or outlined.
  struct Marks {
    bool lit = false, pointed = false, outlined = false;
  };
  void box(const Box& box, Marks marks, bool framed = true);
  /// ⊕ on the stream.
  void sum(Point center, float radius, bool lit);
  /// The stream ends here, below a sum that takes its place, in a block that is lit or not.
  void cut(Point at, bool lit);

 private:
  Scene& scene_;
  const Theme& theme_;
};

}  // namespace glassformer
