#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/engine/model_library.h"
#include "app/lesson/lesson.h"
#include "core/result.h"
#include "core/watch.h"

namespace glassformer {

/// A session or a lesson with everything it needs, in one file: the models that do not ship, runs in training
/// with all that is kept of them, the lesson that is open. Unpacked it lies in a folder of its own.
inline constexpr const char* packExtension = ".glassformer";

/// Where the things are that a pack takes along, and where it brings them.
struct PackFolders {
  std::vector<std::string> ships;  ///< models that everybody has, by name
  std::filesystem::path runs;      ///< the folder of runs in training
  std::filesystem::path unpacked;  ///< the folder of packs that were opened
};

/// Beside the session's file, or where that is by default; `ships` are the models beside the program.
PackFolders packFolders(const std::vector<ModelLibrary::Entry>& ships, const std::filesystem::path& session);

/// By what the file begins with, whatever it is called.
bool isPack(const std::filesystem::path& file);

/// An error names what is needed and not there. The watch counts thousandths.
Status packSession(const Workspace& workspace, const PackFolders& folders, const std::filesystem::path& file,
                   const ProgressCallback& watch = noProgress);
Status packLesson(const Lesson& lesson, const PackFolders& folders, const std::filesystem::path& file,
                  const ProgressCallback& watch = noProgress);
/// Of a session's file, a lesson's, or the name of a lesson that ships.
Status packFile(const std::string& what, const std::filesystem::path& shelf, const PackFolders& folders,
                const std::filesystem::path& file, const ProgressCallback& watch = noProgress);

/// What lies in a pack, unpacked: a session, which names its models and runs as they are called here, or a
/// lesson's file.
struct Unpacked {
  std::optional<Workspace> session;
  std::filesystem::path lesson;
};
/// Unpacks it, unless that was done before. Its runs become runs of this program, under names that are free.
Result<Unpacked> unpack(const std::filesystem::path& file, const PackFolders& folders,
                        const ProgressCallback& watch = noProgress);
/// What a command is given for a lesson: the file that lies in it where it is a pack, else the same.
Result<std::string> lessonIn(const std::string& lesson, const PackFolders& folders,
                             const ProgressCallback& watch = noProgress);

}  // namespace glassformer
