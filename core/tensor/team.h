#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace glassformer {

/// A few threads that run one function together: one parallel region per forward pass, with barriers inside
/// it. A worker that waits spins for about a microsecond and then sleeps, so that a window drawing on the
/// same cores keeps them.
class Team {
 public:
  explicit Team(int workers);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }
  /// Calls region(worker) for worker 0 (the caller) to workers() - 1 and returns when all are done.
  void run(const std::function<void(int worker)>& region);
  /// Inside a region: waits until every worker has come here.
  void barrier();

 private:
  void work(int worker);

  std::vector<std::thread> threads_;
  const std::function<void(int)>* region_ = nullptr;
  std::atomic<std::uint32_t> started_{0};   // counts regions; workers wait for it to change
  std::atomic<std::uint32_t> finished_{0};  // workers done with the current region
  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<std::uint32_t> phase_{0};  // counts barriers passed
  std::atomic<bool> stopping_{false};
};

}  // namespace glassformer
