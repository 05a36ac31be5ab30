#include "app/engine/long_work.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("work says what it is and how far, from when it is asked for to its end") {
  LongWork work;
  CHECK(!work.progress());
  work.announce("opening");
  REQUIRE(work.progress());
  CHECK(work.progress()->doing == "opening");
  const ProgressCallback watch = work.begin("opening it");
  CHECK(watch(3, 10));
  CHECK(work.progress()->doing == "opening it");
  CHECK(work.progress()->done == 3);
  CHECK(work.progress()->total == 10);
  work.end();
  CHECK(!work.progress());
  work.announce("another");
  work.withdraw();
  CHECK(!work.progress());
}

TEST_CASE("work is cancelled before it is begun, or while it is done, and what follows is not") {
  LongWork work;
  work.announce("one");
  work.cancel();
  CHECK(!work.begin("one")(0, 1));
  CHECK(work.isCancelled());
  work.end();
  const ProgressCallback watch = work.begin("two");
  CHECK(watch(0, 2));
  work.cancel();
  CHECK(!watch(1, 2));
  work.end();
  CHECK(work.begin("three")(0, 1));
  work.end();
  work.cancel();  // nothing is
  CHECK(work.begin("four")(0, 1));
}

TEST_CASE("work is cancelled until it is handed over, and says where it is too late") {
  LongWork work;
  CHECK(!work.cancel());  // nothing is
  work.begin("one");
  CHECK(work.cancel());
  CHECK(!work.conclude());
  work.end();
  work.begin("two");
  CHECK(work.conclude());
  CHECK(!work.cancel());
  CHECK(!work.isCancelled());
  work.end();
  work.begin("three");
  CHECK(work.cancel());
}

TEST_CASE("work that yields ends for what is asked for next, whenever that is") {
  LongWork work;
  const ProgressCallback watch = work.begin("measuring", LongWork::Patience::Yields);
  CHECK(watch(0, 2));
  work.announce("preparing");
  CHECK(!watch(1, 2));
  CHECK(work.progress()->doing == "measuring");
  work.end();
  CHECK(work.progress()->doing == "preparing");
  CHECK(!work.begin("measuring", LongWork::Patience::Yields)(0, 1));  // it still waits
  work.end();
  CHECK(work.begin("preparing")(0, 1));
  work.announce("more");
  CHECK(work.begin("preparing")(0, 1));  // this insists
}

TEST_CASE("once stopped, no work goes on") {
  LongWork work;
  const ProgressCallback watch = work.begin("one");
  work.stop();
  CHECK(!watch(0, 1));
  work.end();
  CHECK(!work.begin("two")(0, 1));
}
