// 20,000 random events on the real interface: nothing may crash, leak, read what it should not (the
// sanitizers watch) or keep the window waiting for a second; and what comes of it is a session that opens
// again. Every now and then, wherever it has got to: undo and redo lead back to it, a session keeps it, and
// what is on screen is what a fresh computation of the same document gives, bit for bit.

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "app/document/decode_history.h"
#include "app/document/model_commands.h"
#include "app/document/session.h"
#include "app/document/workspace_json.h"
#include "app/views/views.h"
#include "core/random.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/core/model/family_members.h"
#include "tests/this_build.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

double threadSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

class Monkey {
 public:
  Monkey(UiDriver& ui, const fs::path& folder, std::uint64_t seed)
      : ui_(ui), folder_(folder), random_(seed) {}

  /// One event; the frame that follows is built but rarely drawn.
  void act() {
    const int kind = random_.below(100);
    if (kind < 30)
      move();
    else if (kind < 50)
      click();
    else if (kind < 56)
      drag();
    else if (kind < 62)
      io().AddMouseWheelEvent(0, static_cast<float>(random_.below(7) - 3));
    else if (kind < 82)
      press();
    else if (kind < 97)
      type();
    else if (kind < 98)
      resize();
    else if (kind < 99)
      drop();
    else
      paste();
    frame();
  }

  /// Seconds of its own thread that the slowest frame worked, and seconds on the clock of the longest one:
  /// another program may take the processor away for a while.
  double slowest() const { return slowest_; }
  double longest() const { return longest_; }

 private:
  static ImGuiIO& io() { return ImGui::GetIO(); }

  void frame() {
    constexpr int drawnEvery = 200;
    const auto before = std::chrono::steady_clock::now();
    const double busyBefore = threadSeconds();
    ui_.app().frame(++frames_ % drawnEvery == 0);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    slowest_ = std::max(slowest_, threadSeconds() - busyBefore);
    longest_ = std::max(longest_, took.count());
  }

  // Where a path can be written to, keys that could lead it out of the test's folder are left alone.
  bool writesFiles() { return ui_.exists("Save##path") || ui_.exists("Save##figure"); }

  void move() {
    const ImVec2 size = io().DisplaySize;
    io().AddMousePosEvent(static_cast<float>(random_.uniform01()) * size.x,
                          static_cast<float>(random_.uniform01()) * size.y);
  }
  void button(bool down) { io().AddMouseButtonEvent(0, down); }

  void click() {
    move();
    modified([&] {
      button(true);
      frame();
      button(false);
    });
  }

  void drag() {
    if (writesFiles()) return;
    move();
    button(true);
    frame();
    for (int i = 0; i < 3; ++i) move(), frame();
    button(false);
  }

  template <typename Body>
  void modified(Body body) {
    const int kind = random_.below(8);
    const ImGuiKey key = kind == 0 ? ImGuiMod_Ctrl : kind == 1 ? ImGuiMod_Shift : ImGuiKey_None;
    if (key != ImGuiKey_None) io().AddKeyEvent(key, true);
    body();
    if (key != ImGuiKey_None) io().AddKeyEvent(key, false);
  }

  void press() {
    static constexpr ImGuiKey keys[] = {
        ImGuiKey_Tab,        ImGuiKey_Enter,   ImGuiKey_Space,     ImGuiKey_Escape,    ImGuiKey_LeftArrow,
        ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,
        ImGuiKey_Home,       ImGuiKey_End,     ImGuiKey_F1,        ImGuiKey_F5,        ImGuiKey_1,
        ImGuiKey_2,          ImGuiKey_3,       ImGuiKey_4,         ImGuiKey_5,         ImGuiKey_6,
        ImGuiKey_7,          ImGuiKey_8,       ImGuiKey_A,         ImGuiKey_B,         ImGuiKey_C,
        ImGuiKey_D,          ImGuiKey_E,       ImGuiKey_G,         ImGuiKey_I,         ImGuiKey_L,
        ImGuiKey_M,          ImGuiKey_O,       ImGuiKey_P,         ImGuiKey_S,         ImGuiKey_T,
        ImGuiKey_V,          ImGuiKey_W,       ImGuiKey_X,         ImGuiKey_Y,         ImGuiKey_Z,
        ImGuiKey_0,          ImGuiKey_Equal,   ImGuiKey_Minus,     ImGuiKey_Backspace, ImGuiKey_Delete};
    const ImGuiKey key = keys[random_.below(static_cast<int>(std::size(keys)))];
    const bool erases = key == ImGuiKey_Backspace || key == ImGuiKey_Delete || key == ImGuiKey_A ||
                        key == ImGuiKey_X || key == ImGuiKey_V || key == ImGuiKey_Z || key == ImGuiKey_Y;
    if (erases && writesFiles()) return;
    modified([&] {
      io().AddKeyEvent(key, true);
      frame();
      io().AddKeyEvent(key, false);
    });
  }

  void type() {
    static constexpr unsigned signs[] = {'a',  'e',  't',   ' ',   '.',    '?',     'T',   '7',
                                         '\'', 0xE4, 0x5D0, 0x639, 0x4E2D, 0x1F600, 0x200D};
    io().AddInputCharacter(signs[random_.below(static_cast<int>(std::size(signs)))]);
  }

  void resize() {
    static constexpr std::pair<int, int> sizes[] = {
        {1024, 640}, {1280, 720}, {720, 480}, {1920, 1080}, {640, 2000}};
    const auto& [width, height] = sizes[random_.below(static_cast<int>(std::size(sizes)))];
    ui_.app().resize(width, height);
  }

  void drop() {
    static constexpr const char* names[] = {"story.txt", "session.json", "broken.json",
                                            "binary",    "model",        "missing"};
    ui_.app().open(folder_ / names[random_.below(static_cast<int>(std::size(names)))]);
  }

  void paste() {
    std::string bytes;
    for (int i = random_.below(40); i > 0; --i) bytes.push_back(static_cast<char>(1 + random_.below(255)));
    ImGui::SetClipboardText(bytes.c_str());
  }

  UiDriver& ui_;
  fs::path folder_;
  Random random_;
  long frames_ = 0;
  double slowest_ = 0, longest_ = 0;
};

void makeFiles(const fs::path& folder) {
  std::ofstream(folder / "story.txt") << "The cat sat on the mat. שלום\n";
  std::ofstream(folder / "broken.json") << R"({"glassformer session": 1, "text)";
  std::ofstream(folder / "binary", std::ios::binary) << std::string("a\0b", 3);
  fs::create_directories(folder / "model");
  std::ofstream(folder / "model" / "config.json") << "{}";
  Workspace saved = initialWorkspace();
  saved.view = "beam", saved.aside = {"beside", "\xFF\xFE"};
  REQUIRE(saveSession(folder / "session.json", saved));
}

// Models open too, and some cannot.
Result<LoadedModel> loadOrFail(const std::string& name, const ProgressCallback& watch) {
  if (name.find('/') != std::string::npos) return Error{"no such weights", name, ""};
  return smallModel(name, watch);
}

UiDriver::Options optionsIn(const fs::path& folder) {
  UiDriver::Options options;
  options.session = folder / "state.json";
  options.recent = folder / "recent.txt";
  options.loader = loadOrFail;
  options.workspace.decoding.depth = 3;
  return options;
}

// Over one change, and over all of them.
void holdUndo(const History& now) {
  History history = now;
  const Content here = history.current().content();
  const int state = history.state();
  for (const int back : {state - 1, 0}) {
    history.goTo(std::max(back, 0));
    history.goTo(state);
    CHECK(history.current().content() == here);
  }
}

// Where two sessions part, as far as files can say.
std::string firstDifference(const std::string& here, const std::string& there) {
  if (here == there) return "in nothing that a session file says";
  const auto [at, other] = std::ranges::mismatch(here, there);
  const auto begin =
      here.size() - std::min<std::size_t>(here.size(), static_cast<std::size_t>(here.end() - at) + 200);
  return here.substr(begin, 300) + "\nagainst\n" + there.substr(std::min(begin, there.size()), 300);
}

// All but a decoded way that was left, which nobody sees any more.
void holdSession(Workspace now, const fs::path& file) {
  if (!isOnWay(now)) now.way = {};
  REQUIRE(saveSession(file, now));
  const RestoredSession opened = restoreSession(file);
  CHECK(opened.message == "");
  INFO("differs " << firstDifference(toJson(opened.workspace), toJson(now)));
  CHECK(opened.workspace.document() == now.document());
}

void holdScreen(UiDriver& ui) {
  ui.settle();
  Engine engine(
      loadOrFail, [] {}, neededFor);
  engine.request(ui.workspace(), 1);
  engine.finish();
  const auto fresh = engine.latest();
  const Snapshot& shown = ui.snapshot();
  REQUIRE(shown.standing.error == fresh->standing.error);
  if (!fresh->standing.error.empty() || !fresh->pass->hasTrace()) return;
  CHECK(shown.pass->text == fresh->pass->text);
  REQUIRE(shown.pass->hasTrace());
  CHECK(sameBits(*shown.pass->trace, *fresh->pass->trace));
}

void holdInvariants(UiDriver& ui, const fs::path& folder) {
  INFO("view " << ui.workspace().view << ", text " << ui.workspace().text);
  holdUndo(ui.app().history());
  holdSession(ui.workspace(), folder / "kept.json");
  holdScreen(ui);
}

// A number of the environment, or else the usual one.
int toldOr(const char* name, int usual) {
  const char* told = std::getenv(name);
  return told ? std::atoi(told) : usual;
}

// How often it acts.
int events() { return toldOr("MONKEY_EVENTS", thisBuild().monkeyEvents); }

// Lets the monkey at the window, and sees whether what comes of it is a session that opens again.
void release(UiDriver::Options options, const fs::path& folder, int acts) {
  const fs::path home = fs::current_path();
  fs::current_path(folder);  // whatever it saves stays here
  makeFiles(folder);
  Workspace last;
  {
    UiDriver ui(options);
    Monkey monkey(ui, folder, static_cast<std::uint64_t>(toldOr("MONKEY_SEED", 1)));
    constexpr int heldEvery = 2500;
    for (int i = 1; i <= acts; ++i) {
      monkey.act();
      if (i % heldEvery == 0 && options.runs.empty()) holdInvariants(ui, folder);
    }
    last = ui.workspace();
    CHECK(monkey.slowest() < 1);
    CHECK(monkey.longest() < 20);  // waiting for something that does not come
  }
  RestoredSession restored = restoreSession(options.session);
  CHECK(restored.message.empty());
  CHECK(restored.workspace.text == last.text);
  CHECK(restored.workspace.aside == last.aside);
  options.workspace = restored.workspace;
  UiDriver again(options);
  CHECK(again.exists("Stage view"));
  fs::current_path(home);
}

}  // namespace

TEST_CASE("a monkey at the keyboard breaks nothing") {
  const TemporaryFolder folder;
  release(optionsIn(folder.path()), folder.path(), events());
}

// Runs begin, pause, branch off and are scrubbed through meanwhile.
TEST_CASE("a monkey at the keyboard breaks nothing while a model is trained") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path());
  options.runs = folder / "runs";
  options.workspace.view = "training";
  options.workspace.plan = {.task = "copy", .steps = 100'000};
  options.workspace.plan.changes = {{"n_layer", "1"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  {
    Training training({.folder = options.runs, .threads = 1});
    commands::setModel(training.begin(options.workspace.plan)).apply(options.workspace);
    training.pause();
    training.finish();
  }
  release(options, folder.path(), events() / 10);
}
