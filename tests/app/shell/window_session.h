#pragma once
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace glassformer {

/// A program of the test's own, ended with it.
class Process {
 public:
  /// What it says goes into `out`, a descriptor; -1: nowhere.
  explicit Process(std::vector<std::string> words, int out = -1) : id_(::fork()) {
    if (id_ != 0) return;
    if (out >= 0) ::dup2(out, STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(127);
  }
  ~Process() {
    if (id_ > 0) ::kill(id_, SIGTERM), wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The exit status; -1 where it was killed.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_;
};

/// An X server without a screen, and on it somebody at the keyboard.
class Display {
 public:
  Display() {
    int ends[2];
    if (::pipe(ends) != 0) return;
    server_ = std::make_unique<Process>(
        std::vector<std::string>{"Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24"}, ends[1]);
    ::close(ends[1]);
    for (char c; ::read(ends[0], &c, 1) == 1 && c != '\n';) name_ += c;
    ::close(ends[0]);
    if (name_ == ":") return;
    x_ = xcb_connect(name_.c_str(), nullptr);
    root_ = xcb_setup_roots_iterator(xcb_get_setup(x_)).data->root;
  }
  ~Display() {
    if (x_) xcb_disconnect(x_);
  }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  /// ":99"; ":" where there is no Xvfb.
  const std::string& name() const { return name_; }

  /// Waits until a window of that title is seen; false: for half a minute there was none.
  bool awaitWindow(const std::string& title) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!find(title) && std::chrono::steady_clock::now() < end) pause(20);
    return window_ != 0;
  }

  /// A key by its symbol, with others held meanwhile.
  void press(xcb_keysym_t key, std::vector<xcb_keysym_t> held = {}) {
    for (const auto other : held) send(XCB_KEY_PRESS, other);
    send(XCB_KEY_PRESS, key), send(XCB_KEY_RELEASE, key);
    for (const auto other : held) send(XCB_KEY_RELEASE, other);
    xcb_flush(x_);
  }
  /// As the button in a window's corner does.
  void close() {
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE, event.format = 32, event.window = window_;
    event.type = atom("WM_PROTOCOLS"), event.data.data32[0] = atom("WM_DELETE_WINDOW");
    xcb_send_event(x_, 0, window_, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&event));
    xcb_flush(x_);
  }
  static void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }

 private:
  template <typename Reply>
  using Owned = std::unique_ptr<Reply, decltype(&std::free)>;
  template <typename Reply>
  static Owned<Reply> owned(Reply* reply) {
    return {reply, &std::free};
  }

  xcb_atom_t atom(const char* name) {
    const auto length = static_cast<std::uint16_t>(std::strlen(name));
    const auto reply = owned(xcb_intern_atom_reply(x_, xcb_intern_atom(x_, 0, length, name), nullptr));
    return reply ? reply->atom : XCB_ATOM_NONE;
  }

  bool find(const std::string& title) {
    const auto tree = owned(xcb_query_tree_reply(x_, xcb_query_tree(x_, root_), nullptr));
    for (int i = 0; tree && i < xcb_query_tree_children_length(tree.get()); ++i) {
      const xcb_window_t child = xcb_query_tree_children(tree.get())[i];
      const auto name = owned(xcb_get_property_reply(
          x_, xcb_get_property(x_, 0, child, XCB_ATOM_WM_NAME, XCB_GET_PROPERTY_TYPE_ANY, 0, 100), nullptr));
      const auto seen =
          owned(xcb_get_window_attributes_reply(x_, xcb_get_window_attributes(x_, child), nullptr));
      if (!name || !seen || seen->map_state != XCB_MAP_STATE_VIEWABLE) continue;
      const std::string said(static_cast<const char*>(xcb_get_property_value(name.get())),
                             static_cast<std::size_t>(xcb_get_property_value_length(name.get())));
      if (said.starts_with(title)) window_ = child;
    }
    return window_ != 0;
  }

  void send(std::uint8_t kind, xcb_keysym_t key) {
    const xcb_setup_t* setup = xcb_get_setup(x_);
    const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
    const auto map = owned(
        xcb_get_keyboard_mapping_reply(x_, xcb_get_keyboard_mapping(x_, setup->min_keycode, count), nullptr));
    xcb_key_press_event_t event{};
    for (int code = 0; map && event.detail == 0 && code < count; ++code)
      if (xcb_get_keyboard_mapping_keysyms(map.get())[code * map->keysyms_per_keycode] == key)
        event.detail = static_cast<xcb_keycode_t>(setup->min_keycode + code);
    event.response_type = kind, event.root = root_, event.event = window_, event.same_screen = 1;
    event.time = ++time_;
    xcb_send_event(x_, 0, window_, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&event));
  }

  std::unique_ptr<Process> server_;
  std::string name_ = ":";
  xcb_connection_t* x_ = nullptr;
  xcb_window_t root_ = 0, window_ = 0;
  xcb_timestamp_t time_ = 1000;
};

}  // namespace glassformer
