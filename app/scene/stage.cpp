#include "app/scene/stage.h"

#include "app/document/text_edit.h"
#include "app/scene/compared_side.h"
#include "app/scene/views.h"

namespace glassformer {

std::vector<StagePart> stageParts(const View& view, const Workspace& workspace, const Snapshot& snapshot,
                                  Box area) {
  constexpr float titleHeight = 40;
  using Source = Target::Source;
  const Comparison& comparison = workspace.comparison;
  if (!comparison.isOn() || !snapshot.other) return {{Source::This, area, {}, ""}};
  const bool plain = comparison.with == Comparison::withoutInterventions;
  const std::string mine = displayable(snapshot.text), other = displayable(snapshot.other->text);
  const auto part = [&](Source source, Box box, const std::string& words) {
    const Box title = box.takeTop(titleHeight);
    return StagePart{source, box, title, words};
  };
  if (comparison.view == ComparisonView::Difference && view.subtracts && snapshot.difference)
    return {
        part(Source::Difference, area, plain ? "with interventions  −  without" : mine + "  −  " + other)};
  const Box right = area.takeRight(area.width / 2);
  return {part(Source::This, area, plain ? "with interventions" : mine),
          part(Source::Other, right, plain ? "without" : other)};
}

Scene stageScene(const View& view, const StagePart& part, const SceneInput& input) {
  const ComparedSide side(input.snapshot, part.source);
  const Workspace workspace = side.seen(input.workspace);
  const Target hover = side.seen(input.hover);
  Scene scene = view.scene({workspace,
                            side.snapshot(),
                            {part.picture.width, part.picture.height},
                            input.theme,
                            input.metrics,
                            view.readsSource ? hover : hover.in(Stream::Text),
                            input.still});
  side.adapt(scene);
  if (side.snapshot().isDifference())
    for (Shape& shape : scene.shapes)
      if (auto* matrix = std::get_if<Matrix>(&shape)) matrix->gaps = true;
  return scene;
}

}  // namespace glassformer
