#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace glassformer {

/// A few threads that compute something together, in stages: the parts of a stage at once, each by whoever is
/// free, and the next stage once all of them are there. So nobody waits for a worker that has no processor,
/// only for one that is in the middle of a part. A worker that waits spins for about a microsecond, then lets
/// others go first, and then sleeps, so that a window drawing on the same cores keeps them.
class ThreadPool {
 public:
  explicit ThreadPool(int workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }
  /// Calls compute(stage, part) for each part of each stage, of which there are parts[stage] > 0, and returns
  /// when all are done. Whatever worker computes part i of one stage is the first to be asked for part i of
  /// the next, for what it needs is near.
  void run(std::span<const int> parts, const std::function<void(int stage, int part)>& compute);
  /// One stage of as many parts as there are workers.
  void run(const std::function<void(int part)>& compute);

 private:
  struct alignas(64) Claim {               // each on a cache line of its own
    std::atomic<std::uint32_t> before{0};  // the part is somebody's in all stages before this one
  };
  void work(int worker);
  bool enter();
  void leave();
  std::uint32_t computeWhatIsThere(int worker);
  bool computePart(int worker, std::uint32_t stage);
  bool claim(int part, std::uint32_t stage);
  void goOn();

  static constexpr std::uint32_t closed = 1u << 31;
  std::vector<std::thread> threads_;
  // Of a run; written while nobody is inside.
  std::span<const int> parts_;
  const std::function<void(int, int)>* compute_ = nullptr;
  std::uint32_t first_ = 0;  // stage
  std::vector<Claim> claims_;
  alignas(64) std::atomic<std::uint32_t> stage_{
      0};                               // counted through all runs; workers wait for it to change
  std::atomic<std::uint32_t> done_{0};  // parts of it
  alignas(64) std::atomic<std::uint32_t> inside_{closed};  // workers that read the run; closed between runs
  std::atomic<bool> stopping_{false};
};

}  // namespace glassformer
