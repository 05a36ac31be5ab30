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
  void request(const Workspace&, std::uint64_t) override {}
  std::shared_ptr<const Snapshot> latest() const override { return snapshot_; }

 private:
  std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<Snapshot>();
};

bool isMarked(const ItemLog& log) {
  for (const auto& [id, item] : log.items)
    if (item.label == "catching up" && item.frame == ImGui::GetFrameCount()) return true;
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
  ImGui::GetIO().AddKeyEvent(ImGuiKey_T, true);  // another theme is another workspace
  for (int i = 0; i < 3; ++i) app.frame();
  CHECK(app.history().revision() == 1);
  CHECK(app.restless());  // looks again until it can tell
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  app.frame();
  CHECK(isMarked(log));
  attachItemLog(ImGui::GetCurrentContext(), nullptr);
}
