#include "app/explain/found_terms.h"

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "app/drawing/scene_input.h"
#include "core/trace/derived.h"

using namespace glassformer;

namespace {

// Two numbers: what made the first is said at once, what made the second after a while.
std::shared_ptr<const Snapshot> passOfTwo(std::chrono::milliseconds slow) {
  auto set = std::make_shared<TensorSet>();
  Tensor two({2});
  two(0) = 3, two(1) = 5;
  set->add({"two", "D", "two numbers", "x"}, std::move(two), [slow](const Index& at) {
    if (at[0] == 1) std::this_thread::sleep_for(slow);
    Derivation made;
    made.terms.push_back({nullptr, nullptr, at[0] == 0 ? 3.0f : 5.0f});
    return std::optional(made);
  });
  auto pass = std::make_shared<ShownPass>();
  pass->measurements = set;
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->pass = pass;
  return snapshot;
}

}  // namespace

TEST_CASE("what made a number is looked for beside the window, and once") {
  using namespace std::chrono_literals;
  const auto pass = passOfTwo(300ms);
  FoundTerms terms;
  const auto begun = std::chrono::steady_clock::now();
  CHECK(terms.of(pass, {.tensor = "two", .index = {1}}) == nullptr);
  CHECK(std::chrono::steady_clock::now() - begun < 250ms);
  const std::optional<Provenance>* found = nullptr;
  while (!(found = terms.of(pass, {.tensor = "two", .index = {1}}))) std::this_thread::sleep_for(5ms);
  REQUIRE(*found);
  CHECK((*found)->derivation.value() == 5);
  CHECK(terms.of(pass, {.tensor = "two", .index = {1}}) == found);  // at once

  // Another one is not waited for, nor does it wait for the first.
  CHECK(terms.of(passOfTwo(300ms), {.tensor = "two", .index = {1}}) == nullptr);
  while (!(found = terms.of(pass, {.tensor = "two", .index = {0}}))) std::this_thread::sleep_for(1ms);
  REQUIRE(*found);
  CHECK((*found)->derivation.value() == 3);
  while (!(found = terms.of(pass, {.tensor = "none", .index = {0}}))) std::this_thread::sleep_for(1ms);
  CHECK(!*found);
}
