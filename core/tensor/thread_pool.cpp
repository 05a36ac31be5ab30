#include "core/tensor/thread_pool.h"

#include <algorithm>
#include <chrono>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace glassformer {
namespace {

constexpr int yields = 100;

void relax() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#endif
}

// About a microsecond.
bool changesSoon(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int i = 0; i < 40; ++i) {
    if (value.load(std::memory_order_acquire) != old) return true;
    relax();
  }
  return false;
}

// Who yields goes on at once where nobody else wants the core, which is sooner than it could be woken.
void waitWhile(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  if (changesSoon(value, old)) return;
  for (int i = 0; i < yields; ++i) {
    std::this_thread::yield();
    if (value.load(std::memory_order_acquire) != old) return;
  }
#ifdef _WIN32  // without a futex under it, GCC 12's wait misses what is notified between its look and its
               // sleep
  while (value.load(std::memory_order_acquire) == old)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
#else
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
#endif
}

}  // namespace

ThreadPool::ThreadPool(int workers) {
  for (int worker = 1; worker < workers; ++worker) threads_.emplace_back([this, worker] { work(worker); });
}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  goOn();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(const std::function<void(int)>& compute) {
  const int parts = workers();
  run({&parts, 1}, [&](int, int part) { compute(part); });
}

void ThreadPool::run(std::span<const int> parts, const std::function<void(int, int)>& compute) {
  if (threads_.empty()) {
    for (std::size_t stage = 0; stage < parts.size(); ++stage)
      for (int part = 0; part < parts[stage]; ++part) compute(static_cast<int>(stage), part);
    return;
  }
  parts_ = parts, compute_ = &compute, first_ = stage_.load(std::memory_order_relaxed) + 1;
  const auto most = static_cast<std::size_t>(parts.empty() ? 0 : std::ranges::max(parts));
  if (most > claims_.size()) claims_ = std::vector<Claim>(most);
  for (Claim& claim : claims_) claim.before.store(first_, std::memory_order_relaxed);
  inside_.store(0, std::memory_order_release);
  goOn();
  const auto end = first_ + static_cast<std::uint32_t>(parts.size());
  for (std::uint32_t stage; (stage = stage_.load(std::memory_order_acquire)) != end;)
    if (!computePart(0, stage)) waitWhile(stage_, stage);
  inside_.fetch_or(closed, std::memory_order_acq_rel);
  for (std::uint32_t others; (others = inside_.load(std::memory_order_acquire)) != closed;)
    waitWhile(inside_, others);
}

void ThreadPool::work(int worker) {
  for (;;) {
    std::uint32_t seen = stage_.load(std::memory_order_acquire);
    if (stopping_) return;
    if (enter()) {
      seen = computeWhatIsThere(worker);
      leave();
    }
    waitWhile(stage_, seen);
  }
}

// Until nothing was there for a while, or the run is through; returns the stage at which that is so.
std::uint32_t ThreadPool::computeWhatIsThere(int worker) {
  for (;;) {
    const std::uint32_t stage = stage_.load(std::memory_order_acquire);
    const bool isThrough = stage - first_ >= parts_.size();
    if (isThrough || (!computePart(worker, stage) && !changesSoon(stage_, stage))) return stage;
  }
}

bool ThreadPool::computePart(int worker, std::uint32_t stage) {
  const int at = static_cast<int>(stage - first_), parts = parts_[static_cast<std::size_t>(at)];
  for (int i = 0; i < parts; ++i) {
    const int part = (worker + i) % parts;
    if (!claim(part, stage)) continue;
    (*compute_)(at, part);
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(parts)) {
      done_.store(0, std::memory_order_relaxed);
      goOn();
    }
    return true;
  }
  return false;
}

// A stage that is over has no part that could be claimed.
bool ThreadPool::claim(int part, std::uint32_t stage) {
  auto& before = claims_[static_cast<std::size_t>(part)].before;
  std::uint32_t known = before.load(std::memory_order_relaxed);
  const bool isFree = static_cast<std::int32_t>(known - stage) <= 0;
  return isFree && before.compare_exchange_strong(known, stage + 1, std::memory_order_relaxed);
}

void ThreadPool::goOn() {
  stage_.fetch_add(1, std::memory_order_acq_rel);
  stage_.notify_all();
}

bool ThreadPool::enter() {
  for (std::uint32_t others = inside_.load(std::memory_order_relaxed); !(others & closed);)
    if (inside_.compare_exchange_weak(others, others + 1, std::memory_order_acquire)) return true;
  return false;
}

void ThreadPool::leave() {
  if (inside_.fetch_sub(1, std::memory_order_release) - 1 == closed) inside_.notify_one();
}

}  // namespace glassformer
