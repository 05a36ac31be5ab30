#include "app/shell/packer.h"

#include <utility>

namespace glassformer {

namespace fs = std::filesystem;

Packer::~Packer() {
  work_.stop();
  finish();
}

void Packer::finish() {
  if (thread_.joinable()) thread_.join();
}

Status Packer::begin(const fs::path& file, const char* doing,
                     std::function<Result<Unpacked>(const Watch&)> job) {
  if (work_.progress()) return Error{"wait until the other file is done", file.string(), ""};
  finish();
  const Watch watch = work_.begin(doing);
  thread_ = std::thread([this, file, watch, job = std::move(job)] {
    Done done{file, job(watch)};
    {
      const std::lock_guard lock(mutex_);
      done_ = std::move(done);
    }
    work_.end();
  });
  return success();
}

Status Packer::pack(Workspace session, const fs::path& file) {
  return begin(file, "packing", [this, file, session = std::move(session)](const Watch& watch) {
    const Status packed = packSession(session, places_, file, watch);
    return packed ? Result<Unpacked>(Unpacked{}) : packed.error();
  });
}

Status Packer::pack(std::shared_ptr<const Lesson> lesson, const fs::path& file) {
  return begin(file, "packing", [this, file, lesson = std::move(lesson)](const Watch& watch) {
    const Status packed = packLesson(*lesson, places_, file, watch);
    return packed ? Result<Unpacked>(Unpacked{}) : packed.error();
  });
}

Status Packer::unpack(const fs::path& file) {
  return begin(file, "unpacking",
               [this, file](const Watch& watch) { return glassformer::unpack(file, places_, watch); });
}

std::optional<Packer::Done> Packer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, std::nullopt);
}

}  // namespace glassformer
