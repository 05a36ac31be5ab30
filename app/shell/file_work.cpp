#include "app/shell/file_work.h"

#include <utility>

#include "app/archives/npz.h"

namespace glassformer {

namespace fs = std::filesystem;

FileWork::~FileWork() {
  progress_.stop();
  finish();
}

void FileWork::finish() {
  if (thread_.joinable()) thread_.join();
}

Status FileWork::begin(const fs::path& file, const char* doing,
                       std::function<Result<Outcome>(const ProgressCallback&)> job) {
  if (progress_.progress()) return Error{"wait until the other file is done", file.string(), ""};
  finish();
  const ProgressCallback watch = progress_.begin(doing);
  thread_ = std::thread([this, file, watch, job = std::move(job)] {
    Done done{file, job(watch)};
    {
      const std::lock_guard lock(mutex_);
      done_ = std::move(done);
    }
    progress_.end();
  });
  return success();
}

Status FileWork::pack(Workspace session, const fs::path& file) {
  return begin(file, "packing", [this, file, session = std::move(session)](const ProgressCallback& watch) {
    const Status packed = packSession(session, folders_, file, watch);
    return packed ? Result<Outcome>(Outcome()) : packed.error();
  });
}

Status FileWork::pack(std::shared_ptr<const Lesson> lesson, const fs::path& file) {
  return begin(file, "packing", [this, file, lesson = std::move(lesson)](const ProgressCallback& watch) {
    const Status packed = packLesson(*lesson, folders_, file, watch);
    return packed ? Result<Outcome>(Outcome()) : packed.error();
  });
}

Status FileWork::unpack(const fs::path& file) {
  return begin(file, "unpacking", [this, file](const ProgressCallback& watch) -> Result<Outcome> {
    auto unpacked = glassformer::unpack(file, folders_, watch);
    if (!unpacked) return unpacked.error();
    return Outcome(std::move(*unpacked));
  });
}

Status FileWork::check(const fs::path& dump, LoadedModel model) {
  return begin(dump, "trying the usual suspects",
               [dump, model = std::move(model)](const ProgressCallback& watch) -> Result<Outcome> {
                 const auto stored = openDump(dump);
                 if (!stored) return stored.error();
                 auto check = checkModel(model, *stored, dump, {}, ModelCheck().tolerance, watch);
                 if (!check) return check.error();
                 return Outcome(std::move(*check));
               });
}

std::optional<FileWork::Done> FileWork::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

}  // namespace glassformer
