#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// The lessons and lectures that ship, and whichever file is open: read again when it changes on the disk;
/// while that is damaged, the last good version stays, and `wrong` says line and field.
class LessonShelf {
 public:
  /// An empty folder has none.
  explicit LessonShelf(std::filesystem::path folder);

  /// In the order of their names; what cannot be read is left out, and says why in unreadable().
  const std::vector<std::shared_ptr<const Lesson>>& ships() const { return ships_; }
  const std::vector<Error>& unreadable() const { return unreadable_; }
  /// Plans of lectures that take their steps from these, see lecture.h.
  const std::vector<std::shared_ptr<const Lesson>>& lectures() const { return lectures_; }
  /// The lesson or lecture that ships under this name; null: none does.
  std::shared_ptr<const Lesson> shipped(const std::string& name) const;
  /// By the name of one that ships, or a file.
  Result<std::shared_ptr<const Lesson>> open(const std::string& lesson);
  /// The one that was opened last under this name; null: none.
  std::shared_ptr<const Lesson> current(const std::string& lesson) const;
  /// Reads the open file again if it has changed; true where it has.
  bool refresh();
  const std::string& wrong() const { return wrong_; }

 private:
  Result<Lesson> read(const std::filesystem::path& file) const;
  void readAll(const std::filesystem::path& folder, std::vector<std::shared_ptr<const Lesson>>& into);

  std::vector<std::shared_ptr<const Lesson>> ships_, lectures_;
  std::vector<Error> unreadable_;
  std::shared_ptr<const Lesson> open_;
  std::filesystem::file_time_type readAt_{};
  std::string wrong_;
};

}  // namespace glassformer
