#include "app/lesson/lesson_shelf.h"

#include <algorithm>

#include "app/lesson/lecture.h"
#include "app/lesson/lesson_file.h"
#include "core/io/file_ending.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

fs::file_time_type changedAt(const fs::path& file) {
  std::error_code error;
  return fs::last_write_time(file, error);
}

}  // namespace

LessonShelf::LessonShelf(fs::path folder) {
  readAll(folder, ships_);
  readAll(folder / "plans", lectures_);
}

Result<Lesson> LessonShelf::read(const fs::path& file) const {
  return isLectureFile(file) ? readLectureFile(file, ships_) : readLessonFile(file);
}

void LessonShelf::readAll(const fs::path& folder, std::vector<std::shared_ptr<const Lesson>>& into) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (endingOf(entry.path()) == ".md" && entry.path().stem() != "README") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files)
    if (auto lesson = read(file))
      into.push_back(std::make_shared<const Lesson>(std::move(*lesson)));
    else
      unreadable_.push_back(lesson.error());
}

std::shared_ptr<const Lesson> LessonShelf::shipped(const std::string& name) const {
  for (const auto* list : {&ships_, &lectures_})
    if (const auto found = std::ranges::find(*list, name, &Lesson::id); found != list->end()) return *found;
  return nullptr;
}

Result<std::shared_ptr<const Lesson>> LessonShelf::open(const std::string& lesson) {
  const auto ships = shipped(lesson);
  const fs::path file = ships ? ships->file : fs::path(lesson);
  auto read = this->read(file);
  if (!read) return read.error();
  if (!ships) read->id = fs::absolute(file).string();
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
  auto read = this->read(open_->file);
  wrong_ = read ? "" : read.error().message();
  if (!read) return true;
  read->id = open_->id;
  open_ = std::make_shared<const Lesson>(std::move(*read));
  return true;
}

}  // namespace glassformer
