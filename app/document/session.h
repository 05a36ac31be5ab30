#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/document/workspace_json.h"
#include "core/io/file_lock.h"
#include "core/result.h"

namespace glassformer {

/// The session file: the Workspace written down, so that the next start goes on where this one stopped.

/// $XDG_STATE_HOME/glassformer/session.json, else ~/.local/state/..., on Windows below %LOCALAPPDATA%; empty
/// when the system names no home.
std::filesystem::path defaultSessionPath();

/// What one window keeps its session in for as long as this lives: of session.json, session-2.json, ... the
/// first that no other window keeps.
struct OwnSession {
  std::filesystem::path file;  ///< empty: nowhere
  int number = 1;
  std::optional<FileLock> held = std::nullopt;
};
OwnSession ownSession(const std::filesystem::path& first);

/// Writes beside the file and renames, so a killed process leaves the old session or the new one, never half
/// of one.
Status saveSession(const std::filesystem::path& file, const Workspace& workspace);

struct RestoredSession {
  Workspace workspace;
  std::string message;  ///< for the user, when the file was there but could not be read; it is kept under
                        ///< another name
};
/// The stored session, or the first-start one when there is none.
RestoredSession restoreSession(const std::filesystem::path& file);

}  // namespace glassformer
