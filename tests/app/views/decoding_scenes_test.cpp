#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <map>

#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "app/engine/branch_paths.h"
#include "app/views/beam/beam_difference_scene.h"
#include "app/views/beam/beam_scene.h"
#include "app/views/beam/branches_scene.h"
#include "app/views/next_token/next_token_scene.h"
#include "app/views/timeline/timeline_scene.h"
#include "app/views/views.h"
#include "core/decode/sampling.h"
#include "tests/app/engine/latest_for.h"
#include "tests/small_model.h"

using namespace glassformer;
using Catch::Approx;

namespace {

class LetterMetrics : public TextMetrics {
 public:
  float width(std::string_view text, FontFace face, float size) const override {
    int letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return static_cast<float>(letters) * size * (face == FontFace::Mono ? 0.6f : 0.55f);
  }
};

std::shared_ptr<const Snapshot> answer(const Workspace& workspace, int layers = 4) {
  return Answering([=](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, layers, 4, 128);
  })(workspace);
}

std::string overlaps(const Scene& scene, const TextMetrics& metrics) {
  std::vector<std::pair<Box, std::string>> placed;
  std::string fault;
  for (const Shape& shape : scene.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (!text || text->text.empty()) continue;
    const Box box = textBox(metrics, *text).inset(0, text->upright ? 0 : text->style.size * 0.15f);
    for (const auto& [other, words] : placed)
      if (box.x < other.right() && other.x < box.right() && box.y < other.bottom() && other.y < box.bottom())
        fault += "\"" + text->text + "\" lies on \"" + words + "\"; ";
    placed.push_back({box, text->text});
  }
  return fault.substr(0, 400);
}

}  // namespace

TEST_CASE("labels of the beam tree never overlap, narrow and deep or wide and large") {
  const LetterMetrics metrics;
  struct Case {
    int width, depth;
    Point stage;
  };
  for (const Case& c :
       {Case{3, 6, {656, 464}}, {8, 12, {1296, 824}}, {8, 12, {656, 464}}, {1, 1, {656, 464}}}) {
    Workspace workspace = initialWorkspace();
    workspace.decoding.beamWidth = c.width, workspace.decoding.depth = c.depth;
    workspace.decoding.lengthPenalty = 0.6f;
    const auto snapshot = answer(workspace);
    const Theme theme = darkTheme();
    for (int hovered : {-1, 5}) {
      Target hover;
      hover.node = hovered;
      const Scene scene = beamScene({workspace, *snapshot, c.stage, theme, metrics, hover});
      INFO(c.width << " x " << c.depth);
      CHECK(overlaps(scene, metrics) == "");
    }
  }
}

TEST_CASE("a tree of width 3 and depth 6 fits a small stage, one of 8 and 12 a large one") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  Workspace workspace = initialWorkspace();
  const auto small = answer(workspace);
  const Scene narrow = beamScene({workspace, *small, {656, 464}, theme, metrics, {}});
  CHECK(narrow.size == Point{656, 464});
  workspace.decoding.beamWidth = 8, workspace.decoding.depth = 12;
  const auto large = answer(workspace);
  const Scene wide = beamScene({workspace, *large, {1296, 824}, theme, metrics, {}});
  CHECK(wide.size == Point{1296, 824});
}

TEST_CASE("labels of the next-token view and the strip never overlap, however many layers there are") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  for (const int layers : {1, 4, 12}) {
    const Workspace workspace = initialWorkspace();
    const auto snapshot = answer(workspace, layers);
    for (const Point stage : {Point{656, 512}, Point{1296, 872}, Point{420, 400}}) {
      INFO(layers << " layers, " << stage.x);
      CHECK(overlaps(viewOf("next_token").scene({workspace, *snapshot, stage, theme, metrics, {}}),
                     metrics) == "");
      CHECK(overlaps(timelineScene({workspace, *snapshot, {stage.x, 56}, theme, metrics, {}}), metrics) ==
            "");
    }
  }
}

TEST_CASE("the names of sampling's stages are whole, on a small stage as on a large one") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  for (const bool isConstrained : {false, true}) {
    Workspace workspace = initialWorkspace();
    workspace.view = "next_token";
    workspace.settings.pictures["next_token"] = "sampling";
    if (isConstrained) workspace.decoding.constraint.banned = {5};
    const auto snapshot = answer(workspace);
    for (const Point stage : {Point{656, 464}, Point{1296, 872}}) {
      const Scene scene = viewOf("next_token").scene({workspace, *snapshot, stage, theme, metrics, {}});
      CHECK(overlaps(scene, metrics) == "");
      std::size_t found = 0;
      for (const SamplingStage& each : samplingStages())
        for (const Shape& shape : scene.shapes) {
          const auto* text = std::get_if<Text>(&shape);
          if (!text || text->text != each.name) continue;
          INFO(each.name << " at " << stage.x);
          CHECK(metrics.width(text->text, text->style.face, text->style.size) <= text->maxWidth);
          CHECK(text->at.x + metrics.width(text->text, text->style.face, text->style.size) <= scene.size.x);
          ++found;
        }
      CHECK(found == samplingStages().size());
    }
  }
}

TEST_CASE("a tree that belongs to an older text cannot be clicked") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  const Workspace workspace = initialWorkspace();
  Snapshot old = *answer(workspace);
  const auto clickable = [&] {
    int count = 0;
    for (const HitRegion& hit : beamScene({workspace, old, {656, 464}, theme, metrics, {}}).hits)
      count += hit.click != nullptr && hit.target.node >= 0;
    return count;
  };
  CHECK(clickable() > 10);
  Decoded before = *old.decoded;
  before.text = "another text";
  old.decoded = std::make_shared<const Decoded>(before);
  CHECK(clickable() == 0);
}

TEST_CASE("what was pruned says what beat it, with both scores") {
  const Workspace workspace = initialWorkspace();
  const auto snapshot = answer(workspace);
  int pruned = 0;
  for (std::size_t i = 1; i < snapshot->decoded->beam->nodes.size(); ++i) {
    const BeamNode& node = snapshot->decoded->beam->nodes[i];
    const std::string reason = reasonOf(*snapshot, static_cast<int>(i));
    CHECK(reason.empty() == (node.state != BeamState::Pruned));
    if (node.state != BeamState::Pruned) continue;
    ++pruned;
    CHECK(snapshot->decoded->beam->nodes[static_cast<std::size_t>(node.beatenBy)].score >= node.score);
  }
  CHECK(pruned > 10);
}

TEST_CASE("texts wrap at spaces, within words only where one is too long, and can be cut off") {
  const LetterMetrics metrics;
  const float letter = 10 * 0.6f;
  const auto lines = [&](const char* text, int letters, int most = 0) {
    return wrapped(metrics, text, FontFace::Mono, 10, letter * (static_cast<float>(letters) + 0.5f), most);
  };
  CHECK(lines("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(lines("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(lines("größe größe", 5) == std::vector<std::string>{"größe", "größe"});
  CHECK(lines("one two three four", 7, 2) == std::vector<std::string>{"one two", "three …"});
  CHECK(lines("", 5).empty());
}

namespace {

// The tree in which greedy decoding loses, at the size of a window of 1280 x 720.
std::pair<Workspace, std::shared_ptr<const Snapshot>> hearsay() {
  Workspace workspace = initialWorkspace();
  commands::setModel("translate").apply(workspace);
  workspace.text.clear(), workspace.source = "People say that the dog sleeps.";
  workspace.decoding.beamWidth = 4;
  workspace.view = "beam";
  return {workspace, latestFor(workspace)};
}

int greedyMarks(const Scene& scene) {
  int marks = 0;
  for (const Shape& shape : scene.shapes) {
    const Line* line = std::get_if<Line>(&shape);
    marks += line && line->points.size() == 5;
  }
  return marks - 1;  // one explains them
}

}  // namespace

TEST_CASE("greedy's path is marked as far as it can be seen, at the edge of the tree too") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  auto [workspace, snapshot] = hearsay();
  REQUIRE(snapshot->decoded->beam);
  for (const float y : {0.0f, 0.2f, 0.35f, 0.5f, 0.65f, 0.8f, 1.0f})
    for (const float zoom : {0.0f, 1.0f, 2.0f}) {
      workspace.settings.beam.section = {zoom, 0, y};
      const Scene scene = beamScene({workspace, *snapshot, {656, 456}, theme, metrics, {}});
      int seen = 0;
      for (const HitRegion& hit : scene.hits)
        if (hit.name.starts_with("beam ") && hit.name != "beam tree" && hit.target.node > 0)
          seen += snapshot->decoded->beam->nodes[static_cast<std::size_t>(hit.target.node)].greedy &&
                  hit.box.width > 40;  // not cut off sideways
      INFO(y << " " << zoom);
      CHECK(greedyMarks(scene) >= seen);
      CHECK(seen + greedyMarks(scene) > 0);
    }
}

// What is seen first beside a lesson: the best hypothesis along the upper edge, a word as wide as its node.
TEST_CASE("beside a lesson greedy's marks stand on no letters, and probabilities of branches are whole") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  Workspace workspace = initialWorkspace();
  workspace.view = "beam";
  const auto decoded = latestFor(workspace);
  const Scene tree = beamScene({workspace, *decoded, {616, 440}, theme, metrics, {}});
  CHECK(greedyMarks(tree) > 3);
  for (const Shape& shape : tree.shapes)
    if (const Line* mark = std::get_if<Line>(&shape); mark && mark->points.size() == 5)
      for (const Shape& other : tree.shapes)
        if (const Text* text = std::get_if<Text>(&other))
          CHECK_FALSE(textBox(metrics, *text).contains({mark->points[1].x, mark->points[0].y}));

  commands::choosePicture("beam", "branches").apply(workspace);
  const auto branched = latestFor(workspace);
  const Scene branches = branchesScene({workspace, *branched, {616, 513}, theme, metrics, {}});
  int shares = 0;
  for (const Shape& shape : branches.shapes)
    if (const Text* text = std::get_if<Text>(&shape);
        text && text->style.face == FontFace::Mono && text->maxWidth > 0) {
      INFO(text->text);
      const bool isShare = text->value.tensor == paths::probability;
      const bool fits = metrics.width(text->text, text->style.face, text->style.size) <= text->maxWidth;
      CHECK((fits || (!isShare && text->style.size == 10)));  // a word is cut at its smallest only
      shares += isShare;
    }
  CHECK(shares > 3);
}

TEST_CASE("two trees open as large as every hypothesis of theirs is named, on a small stage, too") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  Workspace workspace = initialWorkspace();
  workspace.view = "beam", workspace.text = "The animal didn't cross the street because it was too tired.";
  workspace.aside = {{"The animal didn't cross the street because it was too wide."}};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = latestFor(workspace);
  const Point stage{656, 424};
  REQUIRE(snapshot->difference);
  const Scene scene = beamDifferenceScene({workspace, *snapshot->difference, stage, theme, metrics, {}});
  int named = 0;
  for (const HitRegion& hit : scene.hits) {
    const Box& box = hit.box;
    if (!hit.name.starts_with("beam ") || hit.target.node <= 0 || box.width < 60 || box.height < 10) continue;
    INFO(hit.target.text << " at " << box.x << ", " << box.y << ": " << box.width << " x " << box.height);
    const auto isIn = [&](const Shape& shape) {
      const Text* text = std::get_if<Text>(&shape);
      return text && !text->text.empty() && box.contains(textBox(metrics, *text).center());
    };
    // At the lower edge a line may be cut.
    CHECK((std::ranges::any_of(scene.shapes, isIn) || box.height < 13));
    named += std::ranges::any_of(scene.shapes, isIn);
  }
  CHECK(named > 12);
}

TEST_CASE("a tree is seen from its beginning, with every node of the best hypothesis that its columns show") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  const auto [workspace, snapshot] = hearsay();
  REQUIRE(snapshot->decoded->beam);
  const BeamTree& tree = *snapshot->decoded->beam;
  std::vector<int> best;  // from the first token on
  for (int node = tree.best; node > 0; node = tree.nodes[static_cast<std::size_t>(node)].parent)
    best.insert(best.begin(), node);
  for (const Point size : {Point{592, 420}, Point{656, 456}, Point{900, 440}}) {
    const Scene scene = beamScene({workspace, *snapshot, size, theme, metrics, {}});
    std::map<int, Box> seen;
    float whole = 0;  // of a node that nothing cuts
    for (const HitRegion& hit : scene.hits)
      if (hit.name.starts_with("beam ") && hit.name != "beam tree" && hit.target.node > 0) {
        seen[hit.target.node] = hit.box;
        whole = std::max(whole, hit.box.height);
      }
    INFO(size.x << " x " << size.y);
    REQUIRE(seen.contains(best.front()));
    bool cut = false;  // where the columns end
    for (const int node : best) {
      const auto found = seen.find(node);
      INFO("node " << node);
      CHECK((!cut || found == seen.end()));
      cut = found == seen.end();
      if (!cut) CHECK(found->second.height == Approx(whole).margin(1.5));
    }
  }
}

TEST_CASE("a folded node shows how much is folded, wherever it stands") {
  const LetterMetrics metrics;
  const Theme theme = darkTheme();
  auto [workspace, snapshot] = hearsay();
  REQUIRE(snapshot->decoded->beam);
  const BeamTree& tree = *snapshot->decoded->beam;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].parent == 0 && tree.nodes[i].state != BeamState::Pruned)
      workspace.settings.beam.folded.push_back(tree.path(static_cast<int>(i)));
  for (const float y : {0.0f, 0.5f, 1.0f}) {
    workspace.settings.beam.section = {0, 0, y};
    const Scene scene = beamScene({workspace, *snapshot, {656, 456}, theme, metrics, {}});
    const auto shows = [&](int node) {
      return std::ranges::any_of(
          scene.hits, [&](const HitRegion& hit) { return hit.name == "fold " + std::to_string(node); });
    };
    int folded = 0;
    for (const HitRegion& hit : scene.hits) {
      const int node = hit.target.node;
      if (!hit.name.starts_with("beam ") || node <= 0) continue;
      const auto& all = workspace.settings.beam.folded;
      if (std::ranges::find(all, tree.path(node)) == all.end()) continue;
      ++folded;
      CHECK(shows(node));
      CHECK(hit.say(hit.target).find("branches follow") != std::string::npos);
    }
    CHECK(folded > 0);
  }
}
