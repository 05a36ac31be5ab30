#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

#include "app/toolkit/item_log.h"
#include "app/views/views.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

// An edit of a long text: what was there, what is known of it before its pass is through, and the whole. And
// what was known before there was anything.
struct Edit {
  Workspace workspace = initialWorkspace();
  std::shared_ptr<const Snapshot> before, partialPoints, whole, opening;

  explicit Edit(const std::function<void(Workspace&)>& set = [](Workspace&) {}) {
    workspace.selection.layer = 1;  // of two: with it all patterns are there
    workspace.text = "The animal didn't cross the street because it was too tired. The cat sat on the mat.";
    set(workspace);
    Engine engine(
        smallModel,
        [&] {
          if (auto some = engine_->partialPoints()) partialPoints = some;
        },
        neededFor);
    engine_ = &engine;
    engine.showSoFarAfter(std::chrono::milliseconds(0));
    const auto answer = [&](std::uint64_t revision) {
      engine.request(workspace, revision);
      engine.finish();
      return engine.latest();
    };
    before = answer(0);
    opening = std::exchange(partialPoints, nullptr);
    workspace.text.replace(4, 6, "street");
    whole = answer(1);
  }

 private:
  const Engine* engine_ = nullptr;
};

// Answers when it is told to.
class Staged : public SnapshotProvider {
 public:
  explicit Staged(std::shared_ptr<const Snapshot> before) : latest_(std::move(before)) {}
  void request(const Workspace&, std::uint64_t) override {}
  std::shared_ptr<const Snapshot> latest() const override { return latest_; }
  std::shared_ptr<const Snapshot> partialPoints() const override { return soFar_; }

  std::shared_ptr<const Snapshot> latest_, soFar_;
};

// The pixels of a part of the window.
std::vector<unsigned char> part(const std::vector<unsigned char>& pixels, int left, int top, int right,
                                int bottom) {
  std::vector<unsigned char> some;
  for (int y = top; y < bottom; ++y)
    some.insert(some.end(), pixels.begin() + 4 * (1280 * y + left), pixels.begin() + 4 * (1280 * y + right));
  return some;
}
using Pixels = std::vector<unsigned char>;
Pixels stageOf(const Pixels& pixels) { return part(pixels, 305, 57, 959, 567); }
Pixels inspectorOf(const Pixels& pixels) { return part(pixels, 961, 57, 1280, 567); }

}  // namespace

TEST_CASE("the stage shows an edit before its pass is through, and all else waits for the whole") {
  const Edit edit;
  REQUIRE(edit.partialPoints);
  const auto provider = std::make_shared<Staged>(edit.before);
  Application app(std::move(*openHeadless(1280, 720)), provider, edit.workspace, {});
  const auto drawn = [&] {
    for (int i = 0; i < 4; ++i) app.frame();
    CHECK_FALSE(app.restless());
    return app.pixels();
  };
  const Pixels before = drawn();
  provider->soFar_ = edit.partialPoints;
  CHECK(app.restless());
  const Pixels partialPoints = drawn();
  CHECK(app.snapshot().revision == edit.before->revision);
  provider->latest_ = edit.whole, provider->soFar_ = nullptr;
  const Pixels whole = drawn();
  CHECK((stageOf(before) != stageOf(whole)));
  CHECK((stageOf(partialPoints) == stageOf(whole)));
  CHECK((inspectorOf(partialPoints) == inspectorOf(before)));
  CHECK((inspectorOf(before) != inspectorOf(whole)));
}

TEST_CASE("in a lesson and of two texts the stage shows an edit early, too") {
  const auto inLesson = [](Workspace& w) { w.lesson.lesson = "02_averages_to_attention"; };
  const auto besideAnother = [](Workspace& w) {
    w.aside = {TabText("The animal crossed the street.")};
    w.comparison.with = OtherText{1};
  };
  for (const std::function<void(Workspace&)>& set :
       {std::function<void(Workspace&)>(inLesson), std::function<void(Workspace&)>(besideAnother)}) {
    const Edit edit(set);
    REQUIRE(edit.partialPoints);
    const auto provider = std::make_shared<Staged>(edit.before);
    ApplicationOptions options;
    options.lessons = std::filesystem::path(SOURCE_FOLDER) / "assets" / "lessons";
    Application app(std::move(*openHeadless(1280, 720)), provider, edit.workspace, options);
    const auto drawn = [&] {
      for (int i = 0; i < 4; ++i) app.frame();
      return app.pixels();
    };
    const Pixels before = drawn();
    provider->soFar_ = edit.partialPoints;
    const Pixels partialPoints = drawn();
    provider->latest_ = edit.whole, provider->soFar_ = nullptr;
    const Pixels whole = drawn();
    CHECK((stageOf(before) != stageOf(whole)));
    CHECK((stageOf(partialPoints) == stageOf(whole)));
  }
}

TEST_CASE("the first picture of a model that is opened is shown before its pass is through") {
  const Edit edit;
  REQUIRE(edit.opening);
  Workspace workspace = edit.workspace;
  workspace.text = edit.before->pass->text;
  const auto provider = std::make_shared<Staged>(std::make_shared<Snapshot>());
  Application app(std::move(*openHeadless(1280, 720)), provider, workspace, {});
  const auto drawn = [&] {
    for (int i = 0; i < 4; ++i) app.frame();
    return app.pixels();
  };
  const Pixels nothing = drawn();
  provider->soFar_ = edit.opening;
  const Pixels opening = drawn();
  provider->latest_ = edit.before, provider->soFar_ = nullptr;
  const Pixels whole = drawn();
  CHECK((stageOf(nothing) != stageOf(whole)));
  CHECK((stageOf(opening) == stageOf(whole)));
  CHECK((inspectorOf(opening) == inspectorOf(nothing)));
}

TEST_CASE("what is known of a pass under way is shown in no picture that reads more of it") {
  Edit edit;
  edit.workspace.view = "next_token";
  const auto provider = std::make_shared<Staged>(edit.before);
  Application app(std::move(*openHeadless(1280, 720)), provider, edit.workspace, {});
  const auto drawn = [&] {
    for (int i = 0; i < 4; ++i) app.frame();
    return app.pixels();
  };
  const Pixels before = drawn();
  provider->soFar_ = edit.partialPoints;
  CHECK((drawn() == before));
}

TEST_CASE("what shows an edit already is not marked as old") {
  const Edit edit;
  const auto provider = std::make_shared<Staged>(edit.before);
  Application app(std::move(*openHeadless(1280, 720)), provider, edit.workspace, {});
  ItemLog log;
  attachItemLog(ImGui::GetCurrentContext(), &log);
  const auto isMarked = [&] {
    app.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    app.frame();
    return std::ranges::any_of(log.items, [](const auto& item) {
      return item.second.label == "catching up" && item.second.frame == ImGui::GetFrameCount();
    });
  };
  ImGui::GetIO().AddKeyEvent(ImGuiKey_3, true);  // another view is another workspace
  for (int i = 0; i < 3; ++i) app.frame();
  REQUIRE(app.history().revision() == edit.partialPoints->revision);
  CHECK(isMarked());
  provider->soFar_ = edit.partialPoints;
  CHECK_FALSE(isMarked());
  attachItemLog(ImGui::GetCurrentContext(), nullptr);
}
