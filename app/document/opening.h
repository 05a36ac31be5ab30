#pragma once
#include <filesystem>
#include <vector>

#include "app/document/command.h"
#include "core/result.h"

namespace glassformer {

namespace commands {
/// Brings everything but the look of the window.
Command openSession(const Workspace& session);
}  // namespace commands

/// The change that opening a file or folder makes: a session file brings everything but the look of the
/// window, a text opens in a tab of its own, a model directory (or its weights) becomes the model. Fails
/// where it is none of these, or is damaged.
Result<Command> commandToOpen(const std::filesystem::path& path);

/// Files and folders that were opened or saved, the last one first.
class RecentFiles {
 public:
  /// Kept in `list`, one path per line; an empty path keeps them nowhere.
  explicit RecentFiles(std::filesystem::path list);

  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  /// To the front. Failing to write the list costs nothing but the memory of it.
  void add(const std::filesystem::path& path);

 private:
  static constexpr std::size_t limit = 12;
  void read();

  std::filesystem::path list_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace glassformer
