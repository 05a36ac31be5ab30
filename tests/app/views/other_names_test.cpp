#include "app/views/other_names.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "app/lesson/lesson_patch.h"

using namespace glassformer;

namespace {

std::string inCapitals(std::string_view name) {
  std::string capitals(name);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return capitals;
}

// What a lesson opens that names its view and its picture so.
std::pair<std::string, std::string> openedBy(std::string_view view, std::string_view picture) {
  Workspace w = initialWorkspace();
  REQUIRE(applyLessonPatch(
      w, "{\"view\": \"" + std::string(view) + "\", \"picture\": \"" + std::string(picture) + "\"}"));
  return {w.view, w.settings.pictures.at(w.view)};
}

}  // namespace

TEST_CASE("every view and every picture has one row of other names") {
  std::set<std::string> ids;
  for (const View& view : views()) {
    ids.insert(view.id);
    for (const Picture& picture : view.pictures) ids.insert(view.id + ("/" + std::string(picture.id)));
  }
  for (const OtherNames& other : otherNames()) {
    INFO(other.id);
    CHECK(ids.erase(std::string(other.id)) == 1);
    CHECK_FALSE(other.words.empty());
  }
  CHECK(ids.empty());
}

TEST_CASE("a view is found by its id, its title and its former title, in any case") {
  for (const View& view : views())
    for (const std::string_view name :
         {std::string_view(view.id), std::string_view(view.title), otherNamesOf(view).formerly}) {
      if (name.empty()) continue;
      INFO(name);
      REQUIRE(findView(name));
      CHECK(findView(name)->id == view.id);
      CHECK(findView(inCapitals(name)) == findView(name));
    }
  CHECK(findView("beam tree")->id == std::string("beam"));
  CHECK(findView("Steps")->id == std::string("step"));
  for (const auto& [name, id] : {std::pair{"residual_stream", "residual"}, std::pair{"beam_search", "beam"},
                                 std::pair{"forward_pass", "step"}, std::pair{"attribution", "influence"},
                                 std::pair{"loss_landscape", "landscape"}, std::pair{"compute_cost", "cost"}})
    CHECK(findView(name)->id == std::string(id));
  CHECK(findView("nowhere") == nullptr);
  CHECK(findView("") == nullptr);
}

TEST_CASE("a picture is found by its id, its label and its former label, in any case, also by a lesson") {
  for (const View& view : views()) {
    for (const Picture& picture : view.pictures)
      for (const std::string_view name :
           {picture.id, std::string_view(picture.label), otherNamesOf(view, &picture).formerly}) {
        if (name.empty()) continue;
        INFO(view.id << " " << name);
        CHECK(findPicture(view, name) == &picture);
        CHECK(findPicture(view, inCapitals(name)) == &picture);
        CHECK(openedBy(view.title, name) == std::pair<std::string, std::string>{view.id, picture.id});
      }
    CHECK(findPicture(view, "nosuch") == nullptr);
  }
  // The same former label means another picture in another view.
  CHECK(findPicture(viewOf("attention"), "Many texts")->id == "hypothesis");
  CHECK(findPicture(viewOf("influence"), "Many texts")->id == "many texts");
  CHECK(findPicture(viewOf("influence"), "Flip")->id == "smallest change");
  // A name that no view has stays, for the check of lessons to name it.
  CHECK(openedBy("nowhere", "nosuch") == std::pair<std::string, std::string>{"nowhere", "nosuch"});
}
