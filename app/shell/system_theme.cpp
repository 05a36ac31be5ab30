#include "app/shell/system_theme.h"

#ifdef GLASSFORMER_PORTAL
#include <gio/gio.h>

#include <cstdlib>
#include <filesystem>
#include <thread>
#endif

namespace glassformer {

#ifdef GLASSFORMER_PORTAL

namespace {
constexpr const char* busName = "org.freedesktop.portal.Desktop";
constexpr const char* objectPath = "/org/freedesktop/portal/desktop";
constexpr const char* interface = "org.freedesktop.portal.Settings";
constexpr const char* group = "org.freedesktop.appearance";
constexpr const char* key = "color-scheme";
constexpr unsigned prefersDark = 1, prefersLight = 2;
constexpr int patienceMilliseconds = 2000;

// Whether the desktop has a bus. Where it has none, GLib would start one: another program.
bool hasBus() {
  const char *address = std::getenv("DBUS_SESSION_BUS_ADDRESS"), *folder = std::getenv("XDG_RUNTIME_DIR");
  if (address && *address) return !std::string_view(address).starts_with("autolaunch:");
  std::error_code ignored;
  return folder && std::filesystem::exists(std::filesystem::path(folder) / "bus", ignored);
}
}  // namespace

class SystemTheme::Portal {
 public:
  explicit Portal(std::function<void()> changed)
      : changed_(std::move(changed)),
        context_(g_main_context_new()),
        loop_(g_main_loop_new(context_, FALSE)),
        thread_([this] { listen(); }) {}

  ~Portal() {
    // From inside the loop: one that does not run yet would miss it.
    GSource* quit = g_idle_source_new();
    g_source_set_callback(
        quit, [](void* loop) { return g_main_loop_quit(static_cast<GMainLoop*>(loop)), FALSE; }, loop_,
        nullptr);
    g_source_attach(quit, context_);
    g_source_unref(quit);
    g_cancellable_cancel(cancellable_);
    thread_.join();
    g_object_unref(cancellable_);
    g_main_loop_unref(loop_);
    g_main_context_unref(context_);
  }

  std::optional<bool> dark() const {
    const unsigned scheme = scheme_;
    if (scheme != prefersDark && scheme != prefersLight) return std::nullopt;
    return scheme == prefersDark;
  }

 private:
  void listen() {
    if (!hasBus()) return;
    g_main_context_push_thread_default(context_);
    if (GDBusConnection* bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable_, nullptr)) {
      const unsigned signal =
          g_dbus_connection_signal_subscribe(bus, busName, interface, "SettingChanged", objectPath, group,
                                             G_DBUS_SIGNAL_FLAGS_NONE, onChange, this, nullptr);
      ask(bus);
      g_main_loop_run(loop_);
      g_dbus_connection_signal_unsubscribe(bus, signal);
      g_object_unref(bus);
    }
    g_main_context_pop_thread_default(context_);
  }

  void ask(GDBusConnection* bus) {
    GVariant* reply = g_dbus_connection_call_sync(
        bus, busName, objectPath, interface, "Read", g_variant_new("(ss)", group, key), G_VARIANT_TYPE("(v)"),
        G_DBUS_CALL_FLAGS_NONE, patienceMilliseconds, cancellable_, nullptr);
    if (!reply) return;
    GVariant* value = nullptr;
    g_variant_get(reply, "(v)", &value);
    take(value);
    g_variant_unref(value);
    g_variant_unref(reply);
  }

  // The value may come wrapped once or twice (the portal's Read does the latter).
  void take(GVariant* value) {
    value = g_variant_ref(value);
    while (g_variant_is_of_type(value, G_VARIANT_TYPE_VARIANT)) {
      GVariant* inner = g_variant_get_variant(value);
      g_variant_unref(value);
      value = inner;
    }
    if (g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32)) {
      scheme_ = g_variant_get_uint32(value);
      changed_();
    }
    g_variant_unref(value);
  }

  static void onChange(GDBusConnection*, const char*, const char*, const char*, const char*,
                       GVariant* arguments, void* self) {
    if (!g_variant_is_of_type(arguments, G_VARIANT_TYPE("(ssv)"))) return;
    const char* changedKey = nullptr;
    GVariant* value = nullptr;
    g_variant_get(arguments, "(&s&sv)", nullptr, &changedKey, &value);
    if (std::string_view(changedKey) == key) static_cast<Portal*>(self)->take(value);
    g_variant_unref(value);
  }

  std::function<void()> changed_;
  std::atomic<unsigned> scheme_ = 0;
  GCancellable* cancellable_ = g_cancellable_new();
  GMainContext* context_;
  GMainLoop* loop_;
  std::thread thread_;  // last: everything above exists when it starts
};

SystemTheme::SystemTheme(std::function<void()> changed)
    : portal_(std::make_unique<Portal>(std::move(changed))) {}
SystemTheme::~SystemTheme() = default;
std::optional<bool> SystemTheme::dark() const { return portal_->dark(); }

#else

class SystemTheme::Portal {};

SystemTheme::SystemTheme(std::function<void()>) {}
SystemTheme::~SystemTheme() = default;
std::optional<bool> SystemTheme::dark() const { return std::nullopt; }

#endif

}  // namespace glassformer
