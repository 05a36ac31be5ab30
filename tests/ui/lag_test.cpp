#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

#include "app/shell/application.h"
#include "app/toolkit/item_log.h"

using namespace glassformer;

namespace {

// Never answers.
class Silent : public SnapshotProvider {
 public:
  Silent() {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->standing.asked = initialWorkspace().model;
    snapshot_ = std::move(snapshot);
  }
  void request(const Workspace&, std::uint64_t) override {}
  std::shared_ptr<const Snapshot> latest() const override { return snapshot_; }

 private:
  std::shared_ptr<const Snapshot> snapshot_;
};

bool isMarked(const ItemLog& log, const std::string& words = "catching up") {
  for (const auto& [id, item] : log.items)
    if (item.label == words && item.frame == ImGui::GetFrameCount()) return true;
  return false;
}

}  // namespace

TEST_CASE("a picture that is old for a tenth of a second is marked, one that is not is not") {
  auto surface = openHeadless(1280, 720);
  REQUIRE(surface);
  Application app(std::move(*surface), std::make_shared<Silent>(), initialWorkspace(), {});
  ItemLog log;
  attachItemLog(ImGui::GetCurrentContext(), &log);
  for (int i = 0; i < 3; ++i) app.frame();
  CHECK_FALSE(isMarked(log));
  ImGui::GetIO().AddKeyEvent(ImGuiKey_3, true);  // another view is another workspace
  for (int i = 0; i < 3; ++i) app.frame();
  CHECK(app.history().revision() == 1);
  CHECK(app.restless());  // looks again until it can tell
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  app.frame();
  CHECK(isMarked(log));
  attachItemLog(ImGui::GetCurrentContext(), nullptr);
}

TEST_CASE("the mark leaves the keyboard where it is") {
  auto surface = openHeadless(1280, 720);
  REQUIRE(surface);
  Application app(std::move(*surface), std::make_shared<Silent>(), initialWorkspace(), {});
  ItemLog log;
  attachItemLog(ImGui::GetCurrentContext(), &log);
  ImGuiIO& io = ImGui::GetIO();
  const auto press = [&](ImGuiKey key, bool control) {
    io.AddKeyEvent(ImGuiMod_Ctrl, control);
    io.AddKeyEvent(key, true);
    for (int i = 0; i < 3; ++i) app.frame();
    io.AddKeyEvent(key, false);
    io.AddKeyEvent(ImGuiMod_Ctrl, false);
    for (int i = 0; i < 3; ++i) app.frame();
  };
  press(ImGuiKey_3, false);
  press(ImGuiKey_P, true);  // the palette, with its field
  REQUIRE(io.WantTextInput);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  for (int i = 0; i < 3; ++i) app.frame();
  CHECK(isMarked(log));
  CHECK(io.WantTextInput);
  attachItemLog(ImGui::GetCurrentContext(), nullptr);
}

TEST_CASE("a model that takes its time to open is named meanwhile") {
  auto surface = openHeadless(1280, 720);
  REQUIRE(surface);
  Workspace workspace = initialWorkspace();
  workspace.model = "/models/gpt2-large";
  Application app(std::move(*surface), std::make_shared<Silent>(), workspace, {});
  ItemLog log;
  attachItemLog(ImGui::GetCurrentContext(), &log);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_3, true);
  for (int i = 0; i < 3; ++i) app.frame();
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  app.frame();
  CHECK(isMarked(log, "opening gpt2-large"));
  attachItemLog(ImGui::GetCurrentContext(), nullptr);
}
