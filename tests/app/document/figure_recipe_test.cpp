#include "app/document/figure_recipe.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/io/picture_note.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// Somebody at work on more than the figure shows.
Workspace busyWorkspace() {
  Workspace w = initialWorkspace();
  w.text = "The fig\xff is \"mine\" <ü>.";
  w.aside = {TabText("a private letter"), TabText("the other text")};
  w.tab = 0;
  w.comparison = {OtherText{2}, ComparisonMode::Difference};
  w.desks["translate"].tabs = {TabText("secret")};
  w.branches = {{.name = "kept", .writing = TabText("a private branch")}};
  w.lesson.lesson = "01_first_five_minutes", w.lesson.before = "{\"private\": 1}";
  w.figure.folder = "/home/somebody", w.recordedTrace = "/home/somebody/mine.npz";
  w.view = "residual", w.selection.layer = 2;
  w.interventions.push_back({.point = "blocks.1.attn.hook_z", .index = {-1, -1, -1, 0}});
  return w;
}

FigureRecipe recipe() { return {shownBy(busyWorkspace()), 960, 540.5f, {"0a1b2c3d", {"4e5f6a7b"}}, ""}; }

}  // namespace

TEST_CASE("what made a figure is one line of ASCII, and comes back whole") {
  const std::string line = toJsonLine(recipe());
  for (const char c : line) REQUIRE((c >= ' ' && c <= '~'));
  const Result<FigureRecipe> read = recipeFromJson(line);
  REQUIRE(read);
  CHECK(read->workspace == recipe().workspace);
  CHECK((read->width == 960 && read->height == 540.5f));
  CHECK(read->origin.weights == "0a1b2c3d");
  CHECK(read->origin.traces == std::vector<std::string>{"4e5f6a7b"});
  CHECK_THAT(read->version, ContainsSubstring("Glassformer"));
}

TEST_CASE("a figure gives away what it shows, and nothing that lay beside it") {
  const Workspace shown = shownBy(busyWorkspace());
  CHECK(shown.tabCount() == 2);
  CHECK(shown.textOfTab(*shown.comparison.otherTab()) == "the other text");
  const std::string line = toJsonLine(recipe());
  for (const char* own : {"private", "secret", "somebody", "01_first"})
    CHECK_THAT(line, !ContainsSubstring(own));
  Workspace beside = busyWorkspace();
  beside.comparison.with = Comparison::recordedTrace;
  CHECK(shownBy(beside).recordedTrace == "/home/somebody/mine.npz");  // it is drawn from that
  Workspace branching = busyWorkspace();
  branching.view = "beam";
  CHECK(shownBy(branching).branches.size() == 1);
}

TEST_CASE("opening a figure brings what it shows, and leaves the look and the folder") {
  Workspace w = initialWorkspace();
  w.look.zoom = 2, w.figure.folder = "/mine";
  commands::openFigure(recipe()).apply(w);
  CHECK((w.look.zoom == 2 && w.figure.folder == "/mine"));
  CHECK((w.view == "residual" && w.selection.layer == 2 && w.interventions.size() == 1));
  CHECK(w.text == busyWorkspace().text);
}

TEST_CASE("what is no recipe, a damaged or a newer one is refused by name") {
  const auto refused = [](const std::string& json) {
    const Result<FigureRecipe> read = recipeFromJson(json);
    REQUIRE_FALSE(read);
    return read.error().message();
  };
  CHECK_THAT(refused("{}"), ContainsSubstring("not settings of a figure"));
  CHECK_THAT(refused("[1]"), ContainsSubstring("not settings of a figure"));
  CHECK_THAT(refused("{"), ContainsSubstring("JSON"));
  CHECK_THAT(refused(R"({"glassformer figure": 99})"), ContainsSubstring("newer Glassformer"));
  CHECK_THAT(refused(R"({"glassformer figure": 1, "layout": [0, 1]})"), ContainsSubstring("layout"));
  CHECK_THAT(refused(R"({"glassformer figure": 1, "layout": "big"})"), ContainsSubstring("layout is"));
  CHECK_THAT(refused(R"({"glassformer figure": 1, "layout": [9, 9], "session": 3})"),
             ContainsSubstring("session"));
}

TEST_CASE("a picture that others made says so with its file") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "other.svg";
  std::ofstream(file) << "<svg></svg>";
  CHECK_THAT(recipeIn(file).error().message(),
             ContainsSubstring("other.svg: this SVG does not say what made it"));
  std::ofstream(file) << withNote("<svg></svg>", "{}");
  CHECK_THAT(recipeIn(file).error().message(), ContainsSubstring("cannot read"));
  CHECK_FALSE(recipeIn(folder.path() / "nowhere.png"));
}
