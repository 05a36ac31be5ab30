// Nothing is fetched, sent or executed: what a whole session with its window asks of the system, and what the
// commands do, as strace sees it.
#include <gio/gio.h>

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "tests/app/cli/program_folder.h"
#include "tests/app/shell/window_session.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

constexpr const char* watchedCalls =
    "trace=socket,connect,bind,listen,execve,execveat,io_uring_setup";  // and so nothing reaches out unseen

// Words of a command line under strace, with what it sees in a file; home, state and what is written below a
// folder of the test's own, and nothing known of the desktop but what is said here.
std::vector<std::string> watched(const Folder& folder, std::vector<std::string> words,
                                 const std::vector<std::string>& desktop = {}) {
  fs::create_directories(folder / "home");
  std::vector<std::string> all{"env",
                               "-C",
                               (folder / "home").string(),
                               "-u",
                               "DBUS_SESSION_BUS_ADDRESS",
                               "-u",
                               "XDG_RUNTIME_DIR",
                               "-u",
                               "WAYLAND_DISPLAY",
                               "HOME=" + (folder / "home").string(),
                               "XDG_STATE_HOME=" + (folder / "state").string()};
  all.insert(all.end(), desktop.begin(), desktop.end());
  all.insert(all.end(), {"strace", "-f", "--seccomp-bpf", "-qq", "-e", watchedCalls, "-e", "signal=none",
                         "-o", (folder / "seen").string()});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

// The calls that go beyond the program: whatever is executed but itself, every socket but a local one, every
// connection but to one of these places, and whatever waits for others.
std::vector<std::string> callsOut(const Folder& folder, const std::vector<std::string>& places) {
  std::vector<std::string> out;
  std::istringstream lines(content(folder / "seen"));
  bool begun = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find_first_not_of(' ', line.find(' '));  // behind the process's number
    const std::string call = at == line.npos ? "" : line.substr(at);
    if (call.starts_with("<...")) continue;  // its beginning was seen
    const bool begins = !begun && call.starts_with("execve(");
    const bool isLocal = call.starts_with("socket(AF_UNIX,");
    const bool isPlace = call.starts_with("connect(") && call.find("{sa_family=AF_UNIX,") != call.npos &&
                         std::ranges::any_of(places, [&](const std::string& place) {
                           return call.find("\"" + place + "\"") != call.npos;
                         });
    begun |= begins;
    if (!begins && !isLocal && !isPlace) out.push_back(call);
  }
  INFO("is strace installed, and may it watch processes here?");
  CHECK(begun);
  return out;
}

// Some machines let no process watch another.
void skipUnlessWatched() {
  if (Process({"strace", "-qq", "-f", "--seccomp-bpf", "-e", watchedCalls, "-o", "/dev/null", "true"})
          .wait() != 0)
    SKIP("strace is not installed, or may not watch processes here");
}

// The C library asks this one, on this machine, who the user is.
const std::string nameCache = "/var/run/nscd/socket";

const std::vector<std::string> nothing;

std::string placeOf(const Display& display) { return "/tmp/.X11-unix/X" + display.name().substr(1); }

}  // namespace

TEST_CASE("what watches for calls that leave the program sees them", "[others]") {
  skipUnlessWatched();
  const Folder folder;
  const auto callsOf = [&](const std::string& script) {
    Process(watched(folder, {"bash", "-c", script})).wait();
    return callsOut(folder, {nameCache}).size();  // bash asks for its user's shell where none is said
  };
  CHECK(callsOf(":") == 0);
  CHECK(callsOf("exec 3<>/dev/udp/127.0.0.1/9") >= 2);  // a socket, and whom it is for
  CHECK(callsOf("/bin/true; :") == 1);
}

TEST_CASE("no command opens a connection or runs another program", "[others]") {
  skipUnlessWatched();
  const Folder folder;
  const auto file = [&](const char* name) { return (folder / name).string(); };
  for (std::vector<std::string> words :
       {std::vector<std::string>{"generate", "--model", "sort", "--text", "cab>", "--max-new-tokens", "3"},
        {"trace", "--model", "sort", "--text", "cab>", "--out", file("trace.safetensors")},
        {"check", "sort", "--reference", file("trace.safetensors")},
        {"render", "--text", "The dog", "--out", file("head.pdf")},
        {"--screenshot", file("window.png"), "--size", "1280x720"},
        {"train", "letters", "--steps", "2", "--out", file("letters")}}) {
    INFO(words.front());
    words.insert(words.begin(), thisBuild().program);
    CHECK(Process(watched(folder, words), ::fileno(std::tmpfile())).wait() == 0);
    CHECK(callsOut(folder, {nameCache}) == nothing);
  }
}

TEST_CASE("a session with its window speaks to the display and the desktop's bus alone", "[others]") {
  skipUnlessWatched();
  const Folder folder;
  GTestDBus* const bus = g_test_dbus_new(G_TEST_DBUS_NONE);
  g_test_dbus_up(bus);
  const std::string address = g_test_dbus_get_bus_address(bus);  // unix:path=/tmp/dbus-abc,guid=...
  const std::string busPlace = address.substr(10, address.find(',') - 10);
  Display display;
  REQUIRE(display.name() != ":");
  Process window(watched(folder, {thisBuild().program},
                         {"DISPLAY=" + display.name(), "DBUS_SESSION_BUS_ADDRESS=" + address}));
  REQUIRE(display.awaitWindow("Glassformer"));
  constexpr xcb_keysym_t enter = 0xFF0D, escape = 0xFF1B, control = 0xFFE3;
  const auto press = [&](xcb_keysym_t key, bool held = false) {
    display.press(key, held ? std::vector{control} : std::vector<xcb_keysym_t>{});
    Display::pause(120);
  };
  const auto isWritten = [&](const char* ending) {
    return std::ranges::any_of(fs::directory_iterator(folder / "home"), [&](const fs::directory_entry& file) {
      return file.path().extension() == ending && file.file_size() > 0;
    });
  };
  // A dialog takes a frame or two to open, and a frame on a busy machine takes as long as it takes.
  const auto saves = [&](xcb_keysym_t key, const char* ending) {
    for (const int patience : {300, 1500, 6000}) {
      press(escape), press(key, true), Display::pause(patience), press(enter);
      for (int i = 0; i < 150 && !isWritten(ending); ++i) Display::pause(20);
      if (isWritten(ending)) return true;
    }
    return false;
  };
  press(escape);
  for (const char view : std::string("1234567890")) press(static_cast<xcb_keysym_t>(view));
  CHECK(saves('e', ".svg"));
  CHECK(saves('s', ".json"));
  press(escape);
  display.close();
  CHECK(window.wait() == 0);
  CHECK(fs::file_size(folder / "state" / "glassformer/session.json") > 0);
  CHECK(callsOut(folder, {placeOf(display), "@" + placeOf(display), nameCache, busPlace}) == nothing);
  g_test_dbus_down(bus);
  g_object_unref(bus);
}

TEST_CASE("where there is no bus, none is started", "[others]") {
  skipUnlessWatched();
  const Folder folder;
  Display display;
  REQUIRE(display.name() != ":");
  Process window(watched(folder, {thisBuild().program}, {"DISPLAY=" + display.name()}));
  REQUIRE(display.awaitWindow("Glassformer"));
  display.close();
  CHECK(window.wait() == 0);
  CHECK(callsOut(folder, {placeOf(display), "@" + placeOf(display), nameCache}) == nothing);
}

TEST_CASE("two windows on one state folder keep a session each", "[others]") {
  const Folder folder;
  Display display;
  REQUIRE(display.name() != ":");
  const auto begun = [&](const char* name) {
    return std::make_unique<Process>(std::vector<std::string>{
        "env", "-u", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY=" + display.name(),
        "HOME=" + folder.path().string(), "XDG_STATE_HOME=" + (folder / "state").string(),
        thisBuild().program, (folder / name).string()});
  };
  std::ofstream(folder / "one.txt") << "the first";
  std::ofstream(folder / "two.txt") << "the second";
  const fs::path state = folder / "state" / "glassformer";
  const auto isKept = [&](const char* name, const char* text) {
    for (int i = 0; i < 3000 && content(state / name).find(text) == std::string::npos; ++i)
      Display::pause(20);
    return content(state / name).find(text) != std::string::npos;
  };
  auto first = begun("one.txt");
  CHECK(isKept("session.json", "the first"));
  REQUIRE(display.awaitWindow("Glassformer"));
  auto second = begun("two.txt");
  CHECK(isKept("session-2.json", "the second"));
  display.close();  // of the first
  CHECK(first->wait() == 0);
  CHECK(isKept("session.json", "the first"));
  CHECK(content(state / "session.json").find("the second") == std::string::npos);
}
