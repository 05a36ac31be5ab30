#include "app/document/session.h"

#include <cstdlib>

#include "core/io/files.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

Error cannotWrite(const fs::path& file, const std::string& why) {
  return {"the session " + why, file.string(), "your text stays here until you close the window"};
}

// Of what is kept there already nothing is replaced.
fs::path nameToKeep(const fs::path& file) {
  const std::string name = file.string() + ".unreadable";
  std::error_code error;
  for (int n = 1;; ++n) {
    fs::path kept = n == 1 ? name : name + "-" + std::to_string(n);
    if (!fs::exists(kept, error)) return kept;
  }
}

}  // namespace

fs::path defaultSessionPath() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
#ifdef _WIN32
  const fs::path base = variable("LOCALAPPDATA");
#else
  fs::path base = variable("XDG_STATE_HOME");
  if (base.empty() && !variable("HOME").empty()) base = variable("HOME") / ".local" / "state";
#endif
  return base.empty() ? base : base / "glassformer" / "session.json";
}

OwnSession ownSession(const fs::path& first) {
  OwnSession own{first};
  if (first.empty()) return own;
  std::error_code error;
  fs::create_directories(first.parent_path(), error);
  while (!(own.held = FileLock::take(own.file.string() + ".lock"))) {
    ++own.number;
    own.file = first.parent_path() /
               (first.stem().string() + "-" + std::to_string(own.number) + first.extension().string());
  }
  return own;
}

Status saveSession(const fs::path& file, const Workspace& workspace) {
  if (file.empty()) return Error{"no home folder for the session", "", "set HOME or XDG_STATE_HOME"};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return cannotWrite(file, "cannot be written: " + error.message());
  const Status written = writeFile(file, toJson(workspace));
  if (!written) return cannotWrite(file, written.error().what);
  return success();
}

RestoredSession restoreSession(const fs::path& file) {
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return {initialWorkspace(), ""};
  const Result<std::string> text = readTextFile(file);
  const Result<Workspace> workspace = text ? workspaceFromJson(*text) : text.error();
  if (workspace) return {*workspace, ""};
  const fs::path kept = nameToKeep(file);
  fs::rename(file, kept, error);
  return {initialWorkspace(),
          "The last session could not be read: " + workspace.error().message() + ". " +
              (error ? "It is still in " + file.string() : "It is saved as " + kept.string())};
}

}  // namespace glassformer
