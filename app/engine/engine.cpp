#include "app/engine/engine.h"

#include <exception>
#include <utility>

#include "app/engine/training.h"
#include "app/engine/worker.h"
#include "core/failure_words.h"

namespace glassformer {

Engine::Engine(ModelLoader loader, std::function<void()> published, NeedsOf needsOf, int threads,
               std::shared_ptr<Training> training)
    : loader_(std::move(loader)),
      published_(std::move(published)),
      needsOf_(std::move(needsOf)),
      threads_(threads),
      training_(std::move(training)),
      thread_([this] { loop(); }) {
  if (training_) training_->tell([this] { refresh(); });
}

Engine::~Engine() {
  if (training_) training_->tell({});
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Engine::request(const Workspace& workspace, std::uint64_t revision) {
  {
    const std::lock_guard lock(mutex_);
    asked_ = {workspace, revision, false};
    pending_ = true;
    began_ = Clock::now();
  }
  wake_.notify_all();
}

// Answers the last request again, with what training has come to meanwhile.
void Engine::refresh() {
  {
    const std::lock_guard lock(mutex_);
    outdated_ = true;
  }
  wake_.notify_all();
  if (training_->progress()) published_();  // to be seen even while there is other work
}

void Engine::resume() {
  {
    const std::lock_guard lock(mutex_);
    if (!asked_) return;
    asked_->resumed = pending_ = true;
    began_ = Clock::now();
  }
  wake_.notify_all();
}

std::optional<Progress> Engine::progress() const {
  const std::lock_guard lock(mutex_);
  if (!pending_ && !working_) return std::nullopt;
  Progress progress = working_ ? progress_ : Progress{};  // what waits is not begun
  progress.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  return progress;
}

void Engine::cancel() {
  const std::lock_guard lock(mutex_);
  if (working_) cancelled_ = true;
}

ProgressCallback Engine::begin(std::string doing) {
  {
    const std::lock_guard lock(mutex_);
    progress_ = {std::move(doing), 0, 0, 0, progress_.piece + 1};
  }
  return [this](int done, int total) {
    const std::lock_guard lock(mutex_);
    progress_.done = done, progress_.total = total;
    return goesOn();
  };
}

bool Engine::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_ && !pending_ && !stopping_;  // something newer needs no word about it
}

std::shared_ptr<const Snapshot> Engine::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

void Engine::finish() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !pending_ && !outdated_ && !working_ && !awaitsRun_; });
}

bool Engine::superseded() const {
  const std::lock_guard lock(mutex_);
  return pending_ || stopping_;
}

void Engine::publish(std::shared_ptr<const Snapshot> snapshot) {
  {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(snapshot);
  }
  published_();
}

void Engine::loop() {
  Worker worker(*this);
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return pending_ || (outdated_ && asked_) || stopping_; });
    if (stopping_) return;
    const Asked asked = *asked_;
    const bool follows = !pending_;
    if (follows) began_ = Clock::now();
    outdated_ = pending_ = asked_->resumed = cancelled_ = false;
    progress_ = {};
    working_ = true;
    lock.unlock();
    try {
      worker.answer(asked);
    } catch (const std::exception& e) {  // out of memory and the like: say it, keep going
      auto failed = std::make_shared<Snapshot>(*latest());
      failed->revision = asked.revision;
      failed->standing.error = "this could not be computed: " + failureWords(e);
      publish(std::move(failed));
    }
    lock.lock();
    if (follows) training_->followed(std::chrono::duration<double>(Clock::now() - began_).count());
    working_ = false;
    if (!pending_ && !outdated_) idle_.notify_all();
  }
}

}  // namespace glassformer
