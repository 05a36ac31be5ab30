#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace glassformer {

/// Whether the system asks programs to be dark or light, and every change of it. On Linux the desktop portal
/// is asked (org.freedesktop.appearance, color-scheme), on a thread of its own: nobody waits for it. Where
/// there is no portal, and on other systems, nothing is known.
class SystemTheme {
 public:
  /// `changed` is called on that thread.
  explicit SystemTheme(std::function<void()> changed);
  ~SystemTheme();
  SystemTheme(const SystemTheme&) = delete;
  SystemTheme& operator=(const SystemTheme&) = delete;

  /// Empty while nothing is known, and where the system has no preference.
  std::optional<bool> dark() const;

 private:
  class Portal;
  std::unique_ptr<Portal> portal_;
};

}  // namespace glassformer
