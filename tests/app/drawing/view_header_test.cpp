#include "app/drawing/view_header.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/plain_metrics.h"

using namespace glassformer;

namespace {

struct Written {
  std::string about;   // all that is written below the title, choices aside
  bool isCut = false;  // something of it
  float taken = 0;     // of the area, from its top
};

Written header(const ViewHeader& header, float width) {
  const Workspace workspace;
  const Snapshot snapshot;
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const SceneInput input{workspace, snapshot, {width, 500}, theme, metrics, {}};
  Scene scene;
  Box area{0, 0, width, 500};
  addViewHeader(scene, input, area, header);
  Written written;
  for (const Shape& shape : scene.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (!text || !(text->style.color == theme.quiet) || text->horizontal != Align::Start) continue;
    written.about += (written.about.empty() ? "" : " ") + text->text;
    written.isCut |= isShortened(metrics, *text);
    CHECK(textBox(metrics, *text).right() <= width + 0.5f);
    CHECK(textBox(metrics, *text).bottom() <= area.y);
  }
  written.taken = area.y;
  return written;
}

}  // namespace

TEST_CASE("an explanation that has no room beside the choices has lines of its own, and is there whole") {
  const std::string few = "what it says",
                    many =
                        "the first of some twenty words of an explanation that is as long as two lines are, "
                        "and no longer than that";
  const std::vector<Choice> choices{
      {"One", "", true, {}}, {"Another", "", false, {}}, {"A third", "", false, {}}};
  for (const ViewHeader& kind : {ViewHeader{"Title", "", {choices}}, ViewHeader{"Title", "", {}},
                                 ViewHeader{"Title", "", {choices}, FontFace::Ui, choices}}) {
    ViewHeader short_ = kind, long_ = kind;
    short_.about = few, long_.about = many;
    const Written beside = header(short_, 500), below = header(long_, 500), wide = header(long_, 1400);
    CHECK(beside.about == few);
    CHECK(below.about == many);
    CHECK(wide.about == many);
    CHECK_FALSE((beside.isCut || below.isCut || wide.isCut));
    CHECK(wide.taken == beside.taken);  // there is room enough
  }
}
