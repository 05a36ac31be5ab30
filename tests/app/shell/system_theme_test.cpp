#include "app/shell/system_theme.h"

#ifdef GLASSFORMER_PORTAL
#include <gio/gio.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

using namespace glassformer;

namespace {

// A bus of our own with a portal on it that says what it is told.
class FakePortal {
 public:
  FakePortal() : bus_(g_test_dbus_new(G_TEST_DBUS_NONE)) {
    g_test_dbus_up(bus_);
    thread_ = std::thread([this] { serve(); });
    while (!ready_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~FakePortal() {
    g_main_loop_quit(loop_);
    thread_.join();
    g_test_dbus_stop(bus_);
    g_object_unref(bus_);
  }
  void change(unsigned scheme) {
    scheme_ = scheme;
    g_dbus_connection_emit_signal(
        connection_, nullptr, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings",
        "SettingChanged",
        g_variant_new("(ssv)", "org.freedesktop.appearance", "color-scheme", g_variant_new_uint32(scheme)),
        nullptr);
  }

 private:
  void serve() {
    GMainContext* context = g_main_context_new();
    g_main_context_push_thread_default(context);
    loop_ = g_main_loop_new(context, FALSE);
    connection_ = g_dbus_connection_new_for_address_sync(
        g_test_dbus_get_bus_address(bus_),
        static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
        nullptr, nullptr, nullptr);
    GDBusNodeInfo* node = g_dbus_node_info_new_for_xml(
        "<node><interface name='org.freedesktop.portal.Settings'><method name='Read'>"
        "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='v' direction='out'/>"
        "</method></interface></node>",
        nullptr);
    const GDBusInterfaceVTable table{onCall, nullptr, nullptr, {}};
    g_dbus_connection_register_object(connection_, "/org/freedesktop/portal/desktop", node->interfaces[0],
                                      &table, this, nullptr, nullptr);
    GVariant* reply = g_dbus_connection_call_sync(
        connection_, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        g_variant_new("(su)", "org.freedesktop.portal.Desktop", 0u), nullptr, G_DBUS_CALL_FLAGS_NONE, -1,
        nullptr, nullptr);
    g_variant_unref(reply);
    ready_ = true;
    g_main_loop_run(loop_);
    g_dbus_node_info_unref(node);
    g_object_unref(connection_);
    g_main_loop_unref(loop_);
    g_main_context_pop_thread_default(context);
    g_main_context_unref(context);
  }
  static void onCall(GDBusConnection*, const char*, const char*, const char*, const char*, GVariant*,
                     GDBusMethodInvocation* call, void* self) {
    GVariant* value = g_variant_new_variant(g_variant_new_uint32(static_cast<FakePortal*>(self)->scheme_));
    g_dbus_method_invocation_return_value(call, g_variant_new("(v)", value));
  }

  GTestDBus* bus_;
  GMainLoop* loop_ = nullptr;
  GDBusConnection* connection_ = nullptr;
  std::atomic<unsigned> scheme_ = 1;
  std::atomic<bool> ready_ = false;
  std::thread thread_;
};

bool becomes(const SystemTheme& theme, std::optional<bool> wanted) {
  for (int i = 0; i < 2000 && theme.dark() != wanted; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return theme.dark() == wanted;
}

}  // namespace

TEST_CASE("the system's theme is read, and followed when it changes") {
  FakePortal portal;
  std::atomic<int> changes = 0;
  const SystemTheme theme([&] { ++changes; });
  CHECK(becomes(theme, true));
  portal.change(2);
  CHECK(becomes(theme, false));
  portal.change(0);
  CHECK(becomes(theme, std::nullopt));
  CHECK(changes >= 3);
}

TEST_CASE("without a desktop portal nothing is known, and nobody waits") {
  g_setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", TRUE);
  const auto before = std::chrono::steady_clock::now();
  const SystemTheme theme([] {});
  CHECK(theme.dark() == std::nullopt);
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::milliseconds(50));
}
#endif
