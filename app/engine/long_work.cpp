#include "app/engine/long_work.h"

#include <utility>

namespace glassformer {

void LongWork::announce(std::string doing) {
  const std::lock_guard lock(mutex_);
  announced_ = std::move(doing), since_ = Clock::now();
  if (doing_ && patience_ == Patience::Yields) cancelled_ = true;
}

void LongWork::withdraw() {
  const std::lock_guard lock(mutex_);
  announced_.clear();
}

ProgressCallback LongWork::begin(std::string doing, Patience patience) {
  const std::lock_guard lock(mutex_);
  doing_ = Progress{std::move(doing), 0, 0, 0};
  patience_ = patience, since_ = Clock::now();
  if (patience == Patience::Insists)
    announced_.clear();  // this is it
  else if (!announced_.empty())
    cancelled_ = true;
  return [this](int done, int total) {
    const std::lock_guard watching(mutex_);
    if (doing_) doing_->done = done, doing_->total = total;
    return !cancelled_ && !stopped_;
  };
}

bool LongWork::conclude() {
  const std::lock_guard lock(mutex_);
  return concluded_ = !cancelled_;
}

void LongWork::end() {
  const std::lock_guard lock(mutex_);
  doing_.reset(), cancelled_ = concluded_ = false;
}

bool LongWork::cancel() {
  const std::lock_guard lock(mutex_);
  return cancelled_ = !concluded_ && (doing_ || !announced_.empty());
}

void LongWork::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

bool LongWork::isCancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

std::optional<Progress> LongWork::progress() const {
  const std::lock_guard lock(mutex_);
  if (!doing_ && announced_.empty()) return std::nullopt;
  Progress progress = doing_ ? *doing_ : Progress{announced_, 0, 0, 0};
  progress.seconds = std::chrono::duration<double>(Clock::now() - since_).count();
  return progress;
}

}  // namespace glassformer
