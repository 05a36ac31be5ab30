#include "app/lesson/lesson_shelf.h"

#include <algorithm>

#include "app/lesson/lesson_file.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

fs::file_time_type changedAt(const fs::path& file) {
  std::error_code error;
  return fs::last_write_time(file, error);
}

}  // namespace

LessonShelf::LessonShelf(fs::path folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".md" && entry.path().stem() != "README") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files)
    if (auto lesson = readLessonFile(file))
      ships_.push_back(std::make_shared<const Lesson>(std::move(*lesson)));
    else
      unreadable_.push_back(lesson.error());
}

Result<std::shared_ptr<const Lesson>> LessonShelf::open(const std::string& lesson) {
  const auto ships = std::ranges::find(ships_, lesson, &Lesson::id);
  const fs::path file = ships == ships_.end() ? fs::path(lesson) : (*ships)->file;
  auto read = readLessonFile(file);
  if (!read) return read.error();
  if (ships == ships_.end()) read->id = fs::absolute(file).string();
  open_ = std::make_shared<const Lesson>(std::move(*read));
  readAt_ = changedAt(file);
  wrong_.clear();
  return open_;
}

std::shared_ptr<const Lesson> LessonShelf::current(const std::string& lesson) const {
  return open_ && open_->id == lesson ? open_ : nullptr;
}

bool LessonShelf::refresh() {
  if (!open_ || changedAt(open_->file) == readAt_) return false;
  readAt_ = changedAt(open_->file);
  auto read = readLessonFile(open_->file);
  wrong_ = read ? "" : read.error().message();
  if (!read) return true;
  read->id = open_->id;
  open_ = std::make_shared<const Lesson>(std::move(*read));
  return true;
}

}  // namespace glassformer
