#include "core/tensor/thread_pool.h"

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>
#include <vector>

using namespace glassformer;

TEST_CASE("a team computes every part of every stage once, and no stage before the one before is there") {
  for (const int workers : {1, 2, 3, 5}) {
    ThreadPool team(workers);
    CHECK(team.workers() == workers);
    for (int round = 0; round < 300; ++round) {
      const std::vector<int> parts{workers, 1, 2 * workers, 1 + round % 4, workers};
      std::array<std::array<int, 16>, 5> times{};  // no atomics: what a stage has written the next one reads
      std::atomic<bool> isEarly{false};
      team.run(parts, [&](int stage, int part) {
        const auto at = static_cast<std::size_t>(stage);
        ++times[at][static_cast<std::size_t>(part)];
        if (stage == 0) return;
        int before = 0;
        for (const int each : times[at - 1]) before += each;
        if (before != parts[at - 1]) isEarly = true;
      });
      REQUIRE_FALSE(isEarly);
      for (std::size_t at = 0; at < parts.size(); ++at)
        for (std::size_t part = 0; part < 16; ++part)
          REQUIRE(times[at][part] == (static_cast<int>(part) < parts[at] ? 1 : 0));
    }
    team.run({}, [](int, int) { FAIL("there is nothing to compute"); });
    std::vector<int> once(static_cast<std::size_t>(workers));
    team.run([&](int part) { ++once[static_cast<std::size_t>(part)]; });
    CHECK(once == std::vector<int>(static_cast<std::size_t>(workers), 1));
  }
}

TEST_CASE("whoever is free computes what another one has not begun") {
  ThreadPool team(2);
  constexpr int parts = 8;
  std::atomic<int> done{0};
  bool isHeldUp = true;  // by whoever computes part 0, until all others are there
  team.run(std::array{parts}, [&](int, int part) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (part == 0 && done != parts - 1 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (part == 0) isHeldUp = done != parts - 1;
    ++done;
  });
  CHECK_FALSE(isHeldUp);
  CHECK(done == parts);
}

TEST_CASE("nobody waits for a worker that has nothing in hand") {
  ThreadPool team(2);
  const auto caller = std::this_thread::get_id();
  // The other worker is asleep once it has waited for long: a short run is through before it is there.
  int alone = 0;
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<int> others{0};
    team.run([&](int) { others += std::this_thread::get_id() != caller; });
    alone += others == 0;
  }
  CHECK(alone > 0);
}
