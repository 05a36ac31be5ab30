#include "core/tensor/team.h"

#include <chrono>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace glassformer {
namespace {

void relax() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#endif
}

void waitWhile(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int i = 0; i < 40; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
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

Team::Team(int workers) {
  for (int worker = 1; worker < workers; ++worker) threads_.emplace_back([this, worker] { work(worker); });
}

Team::~Team() {
  stopping_ = true;
  started_.fetch_add(1);
  started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(const std::function<void(int)>& region) {
  if (threads_.empty()) return region(0);
  region_ = &region;
  finished_.store(0, std::memory_order_relaxed);
  started_.fetch_add(1, std::memory_order_release);
  started_.notify_all();
  region(0);
  const auto others = static_cast<std::uint32_t>(threads_.size());
  for (std::uint32_t done; (done = finished_.load(std::memory_order_acquire)) != others;)
    waitWhile(finished_, done);
}

void Team::barrier() {
  if (threads_.empty()) return;
  const std::uint32_t phase = phase_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_.size()) {
    arrived_.store(0, std::memory_order_relaxed);
    phase_.fetch_add(1, std::memory_order_release);
    phase_.notify_all();
  } else {
    waitWhile(phase_, phase);
  }
}

void Team::work(int worker) {
  for (std::uint32_t seen = 0;; ++seen) {
    waitWhile(started_, seen);
    if (stopping_) return;
    (*region_)(worker);
    finished_.fetch_add(1, std::memory_order_release);
    finished_.notify_one();
  }
}

}  // namespace glassformer
