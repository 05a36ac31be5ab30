#include "app/drawing/parts.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "app/scene/format.h"
#include "tests/app/views/plain_metrics.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("axes end at a number with two digits that holds the value") {
  CHECK(roundedUp(5.237f) == Approx(5.4f));
  CHECK(roundedUp(1) == Approx(1));
  CHECK(roundedUp(0.0301f) == Approx(0.032f));
  CHECK(roundedUp(0) == 1);
  CHECK(roundedDown(5.237f) == Approx(5.2f));
  CHECK(roundedDown(1) == Approx(1));
}

TEST_CASE("axes and scales spell numbers without trailing zeros") {
  CHECK(formattedShort(1) == "1");
  CHECK(formattedShort(-0.5f) == "−0.5");
  CHECK(formattedShort(100) == "100");
  CHECK(formattedShort(5.237f) == "5.237");
  CHECK(formattedShort(2e-5f) == "2e−5");
  CHECK(formattedShort(-3.2e-5f) == "−3.2e−5");
  CHECK(formatted(-3.2e-5f) == "−3.20e−5");
  CHECK(formatted(1.5e10f) == "1.50e+10");
  CHECK(formattedShort(1.5e10f) == "1.5e+10");
}

TEST_CASE("hatching lies on the cells that a mask forbids, and on no others") {
  const Box box{10, 20, 240, 240};
  constexpr int count = 12, firstQuery = 3, firstKey = 1;
  for (const AttentionMask& mask :
       {AttentionMask{}, AttentionMask{MaskKind::Window, 3, {{5, 1, true}, {9, 9, false}}},
        AttentionMask{MaskKind::Prefix, 6, {}}, AttentionMask{MaskKind::None, 0, {{7, 7, false}}}}) {
    Scene scene;
    addMaskHatch(scene, box, count, firstQuery, firstKey, mask, rgb(0xFFFFFF));
    std::set<std::pair<int, int>> hatched;
    for (const Shape& shape : scene.shapes) {
      const auto& points = std::get<Line>(shape).points;
      const float length = points[0].x - points[1].x;
      for (float along = 0.25f; along < length; along += 0.5f) {
        const float x = points[0].x - along - box.x, y = points[0].y + along - box.y;
        const std::pair cell{static_cast<int>(y / 20), static_cast<int>(x / 20)};
        const bool atEdge = std::fmod(x, 20.0f) < 0.01f || std::fmod(y, 20.0f) < 0.01f;
        if (!atEdge) CHECK_FALSE(mask.allows(firstQuery + cell.first, firstKey + cell.second));
        hatched.insert(cell);
      }
    }
    for (int query = 0; query < count; ++query)
      for (int key = 0; key < count; ++key)
        if (!mask.allows(firstQuery + query, firstKey + key)) CHECK(hatched.contains({query, key}));
  }
}

TEST_CASE("while a run goes on what waits for its end says so, and how to have it") {
  Workspace workspace = initialWorkspace();
  const auto run = std::make_shared<RunReport>();
  Snapshot snapshot;
  snapshot.training = std::make_shared<const ShownTraining>(ShownTraining{.run = run});
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const auto said = [&] { return waitingWords({workspace, snapshot, {100, 100}, theme, metrics, {}}); };
  run->state = RunReport::State::Running;
  CHECK(said() == "Measuring …");  // the open model is another one
  workspace.model = "run:copy-1";
  CHECK(said() == "Measured when the run pauses (Ctrl+Space).");
  workspace.settings.training.at = 7;  // a step of the past stays as it is
  CHECK(said() == "Measuring …");
  workspace.settings.training.at = TrainingSettings::newest;
  run->state = RunReport::State::Paused;
  CHECK(said() == "Measuring …");
}

TEST_CASE("numbers in small cells show digits that say something") {
  CHECK(formattedCell(0.344f) == "0.34");
  CHECK(formattedCell(1) == "1.00");
  CHECK(formattedCell(-0.25f) == "−0.25");
  CHECK(formattedCell(0.0031f) == ".003");
  CHECK(formattedCell(-0.0031f) == "−.003");
  CHECK(formattedCell(0.0001f) == "0");
  CHECK(formattedCell(0) == "0");
  CHECK(formattedTight(0.344f) == ".34");
  CHECK(formattedTight(-0.071f) == "−.07");
  CHECK(formattedTight(1.524f) == "1.52");
  CHECK(formattedTight(-1.524f) == "−1.5");
  CHECK(formattedTight(0.999f) == "1.0");
  CHECK(formattedTight(15.82f) == "15.8");
  CHECK(formattedTight(-15.82f) == "−16");
  CHECK(formattedTight(-99.7f) == "−100");
  CHECK(formattedTight(24) == "24");
  CHECK(formattedTight(1) == "1");
  CHECK(formattedTight(0.0049f) == "0");
}

TEST_CASE("a single sign above a column stands upright, longer labels are turned") {
  class Metrics : public TextMetrics {
   public:
    float width(std::string_view text, FontFace, float size) const override {
      return static_cast<float>(text.size()) * size * 0.6f;
    }
  };
  const Metrics metrics;
  const Workspace workspace = initialWorkspace();
  const Snapshot snapshot;
  const Theme theme = darkTheme();
  Scene scene;
  const char* const words[] = {"?", "street"};
  addLabels(scene, {workspace, snapshot, {400, 400}, theme, metrics, {}},
            {{0, 100, 100, 100}, Side::Top, 2, 60, [&](int i) { return words[i]; }, {}, FontFace::Mono, 13});
  REQUIRE(scene.shapes.size() == 2);
  CHECK_FALSE(std::get<Text>(scene.shapes[0]).upright);
  CHECK(textBox(metrics, std::get<Text>(scene.shapes[0])).bottom() <= 100);
  CHECK(std::get<Text>(scene.shapes[1]).upright);
}

TEST_CASE("where what is measured has no number, words say so, and a pass's own is told as it is") {
  CHECK(formattedValue("hypothesis.agreement", NAN) == "has no effect here");
  CHECK(formattedValue("hypothesis.named_of_texts", NAN) == "has no effect here");
  CHECK(formattedValue("biography.agreement", NAN) == "has no effect here");
  CHECK(formattedValue("hypothesis.recovered", NAN) == "—");
  CHECK(formattedValue("effects.loss_here", NAN) == "—");
  CHECK(formattedValue("training.loss", NAN) == "—");
  CHECK(formattedValue("logits", NAN) == "NaN");
  CHECK(formattedValue("hypothesis.agreement", 0.5f) == formatted(0.5f));
  CHECK(formattedBin(17, 20) == "0.85 to 0.90");
}
