#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "app/document/steps.h"
#include "app/engine/engine.h"
#include "app/shell/application.h"
#include "app/shell/surface.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

/// A size of the window, and a theme.
struct UsualLook {
  int width, height;
  bool dark;
  /// "1280_dark"
  std::string name() const { return std::to_string(width) + (dark ? "_dark" : "_light"); }
};
/// Each of the usual sizes and each theme once.
inline constexpr UsualLook usualLooks[] = {{1280, 720, true}, {1920, 1080, false}};

/// The real program on a surface without a display, with a small model made on the spot, driven from inside
/// as a person would: finds widgets by what is written on them, moves the mouse there, clicks and types.
/// Every step runs real frames.
class UiDriver {
 public:
  struct Options {
    int width = 1280, height = 720;
    Workspace workspace = initialWorkspace();
    std::filesystem::path session = {}, recent = {};
    std::string message = {};
    std::filesystem::path lessons = {};  ///< the folder of those that ship
    std::string lesson = {};             ///< begins with it
    Beginning beginning = Beginning::Instrument;
    bool allControls = true;
    ModelLoader loader = {};                                    ///< the small model when empty
    std::vector<ModelLibrary::Entry> models = {{"small", ""}};  ///< built-in ones
    std::filesystem::path packs = {};                           ///< where packs are unpacked; empty: none is
    std::filesystem::path runs = {};  ///< where training keeps its runs; empty: nothing can be trained
  };
  UiDriver() : UiDriver(Options{}) {}
  explicit UiDriver(const Options& options);
  ~UiDriver();

  Application& app() { return *app_; }
  const Workspace& workspace() const { return app_->history().current(); }
  const Snapshot& snapshot() const { return app_->snapshot(); }
  Training& training() { return *training_; }
  /// Where the layer stepper stands.
  int step() const { return placeOf(workspace().step, stepsOf(*snapshot().model->transformer)); }

  /// The window is drawn to another size, and its theme switched.
  void lookAs(const UsualLook& look);
  /// Calls see("1280_dark") in each of the usual looks. What is shown stays, with all that was measured for
  /// it; ends as it begins, small and dark.
  template <typename See>
  void inEveryLook(See see) {
    for (const UsualLook& look : usualLooks) lookAs(look), see(look.name());
    lookAs(usualLooks[0]);
  }

  void frames(int count = 2);
  /// Frames until the engine has answered and nothing moves.
  void settle();
  /// The frames that the window draws of itself after an event: one for it, and those that are due then.
  void asTheWindow();
  /// Frames until it is so, for half a minute at most: what another thread does takes as long as it takes.
  template <typename Condition>
  void await(Condition isSo) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!isSo() && std::chrono::steady_clock::now() < end) frames(1);
  }
  /// The frame on screen: RGBA, top row first. Other frames are built with all that follows from their
  /// events, but not drawn, which is much faster.
  std::vector<unsigned char> pixels();
  /// Every control and every part of a picture on screen, by place.
  std::vector<ItemRecord> items() const;
  /// Every text of the frame on screen.
  std::string texts();
  /// What a tooltip says in the frame on screen.
  std::string tooltip();
  /// Whether an item can be clicked at this place: it is in sight and not disabled.
  bool canClick(const ItemRecord& item, float x = 0.5f, float y = 0.5f) const;
  void click(const ItemRecord& item, float x = 0.5f, float y = 0.5f);
  void hover(const ItemRecord& item, float x = 0.5f, float y = 0.5f);
  void drag(const ItemRecord& item, float byX, float byY, ImVec2 from = {0.5f, 0.5f});
  void wheel(const ItemRecord& item, float notches);
  void doubleClick(const ItemRecord& item, float x, float y);
  /// Whether every step waits for the engine, as it does at first; else the frames go on meanwhile.
  void waitForEngine(bool waits) { waits_ = waits; }

  /// "Panel/Label" or "Label"; of two pictures side by side, "Stage view/Label" or "Other view/Label". Fails
  /// the test when none or several are on screen.
  ItemRecord find(std::string_view label);
  bool exists(std::string_view label);
  void click(std::string_view label, float x = 0.5f, float y = 0.5f);  ///< at fractions of its box
  void doubleClick(std::string_view label, float x, float y);
  void rightClick(std::string_view label, float x = 0.5f, float y = 0.5f);
  /// With Ctrl, Shift or Alt held down.
  void clickWith(int modifiers, std::string_view label, float x = 0.5f, float y = 0.5f);
  void hover(std::string_view label, float x = 0.5f, float y = 0.5f);
  void dragWith(int modifiers, std::string_view label, ImVec2 from, ImVec2 by);
  void drag(std::string_view label, float byX, float byY);
  void wheel(std::string_view label, float notches);
  void type(std::string_view utf8);
  /// A letter alone, or with Shift, is a key once a picture was clicked: where letters would write, the
  /// middle button does so first, which nothing else answers to.
  void press(ImGuiKey key, int modifiers = 0);
  /// Letters as the keyboard sends them: the key, and what it writes.
  void typeKeys(std::string_view letters);
  /// What a picky eye would mark in the frame on screen: texts that lie on one another, texts that are cut
  /// off, controls that overlap. Empty when there is nothing.
  std::string layoutFaults();
  /// The texts of the frame on screen in letters below this many pixels, one a line.
  std::string textsBelow(float pixels);
  /// How much of the frame on screen the box takes that holds all of the picture: what differs from the
  /// ground inside this item.
  float shareOfScreen(std::string_view picture);
  /// Whether a picture on screen is larger than its room, so that its edge cuts it.
  bool scrolls();
  /// Settles, draws the frame and writes build/<preset>/screenshots/<name>.png; with
  /// GLASSFORMER_WITHOUT_SCREENSHOTS in the environment, as ctest has it, it settles only.
  void screenshot(const std::string& name);

 private:
  void touchPicture();
  const ItemRecord* lookup(std::string_view label, int& matches) const;
  ImVec2 place(const ItemRecord& item, float x, float y) const;
  std::string onScreen() const;
  /// Holds keys down, or lets go of them.
  void hold(int modifiers, bool down);

  std::shared_ptr<Training> training_;
  std::shared_ptr<Engine> engine_;
  Surface* surface_ = nullptr;  // the application's
  std::unique_ptr<Application> app_;
  ItemLog log_;
  bool waits_ = true;
};

/// The digit that opens a view.
inline ImGuiKey keyOfView(int view) { return static_cast<ImGuiKey>(ImGuiKey_0 + (view + 1) % 10); }

/// The model that ships as stories, whatever it is asked for.
Result<LoadedModel> storiesModel(const std::string& name, const ProgressCallback& watch);
/// Two layers with four heads on a vocabulary learned from a few sentences; random weights, always the same.
Result<LoadedModel> smallModel(const std::string& name, const ProgressCallback& watch);

}  // namespace glassformer
