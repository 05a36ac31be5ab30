#include "app/document/intervention_list.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/history.h"
#include "app/document/model_commands.h"
#include "core/random.h"

using namespace glassformer;

namespace {

// As many as there are, told apart by their numbers: 0, 1, 2, …
Workspace withScales(int count) {
  Workspace w;
  for (int i = 0; i < count; ++i)
    w.interventions.push_back(
        {.point = "blocks.0.hook_mlp_out", .kind = InterventionKind::Scale, .value = static_cast<float>(i)});
  return w;
}

std::vector<int> numbersListed(const Workspace& w) {
  std::vector<int> numbers;
  for (const ListedIntervention& each : listedInterventions(w))
    numbers.push_back(static_cast<int>(each.intervention->value));
  return numbers;
}

std::vector<int> numbersActing(const Workspace& w) {
  std::vector<int> numbers;
  for (const Intervention& each : w.interventions) numbers.push_back(static_cast<int>(each.value));
  return numbers;
}

}  // namespace

TEST_CASE("an intervention that is paused acts no longer, stays listed, and comes back to its place") {
  Workspace w = withScales(4);
  commands::pauseIntervention(1).apply(w);
  CHECK(numbersActing(w) == std::vector{0, 2, 3});
  CHECK(numbersListed(w) == std::vector{0, 1, 2, 3});
  CHECK_FALSE(listedInterventions(w)[1].acts);
  commands::changeIntervention(1, {.point = "blocks.0.hook_mlp_out", .value = 7}).apply(w);
  commands::pauseIntervention(1).apply(w);
  CHECK(numbersActing(w) == std::vector{0, 7, 2, 3});
  CHECK(w.paused.empty());
  commands::pauseIntervention(4).apply(w);  // there is none
  CHECK(numbersActing(w) == std::vector{0, 7, 2, 3});
}

TEST_CASE("whichever are paused and go on, in whatever order, the list stays as it is") {
  constexpr int count = 6;
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    Workspace w = withScales(count);
    std::vector<bool> acts(count, true);
    for (int press = 0; press < 40; ++press) {
      const int i = random.below(count);
      commands::pauseIntervention(static_cast<std::size_t>(i)).apply(w);
      acts[static_cast<std::size_t>(i)] = !acts[static_cast<std::size_t>(i)];
      std::vector<int> acting;
      for (int j = 0; j < count; ++j)
        if (acts[static_cast<std::size_t>(j)]) acting.push_back(j);
      REQUIRE(numbersListed(w) == std::vector{0, 1, 2, 3, 4, 5});
      REQUIRE(numbersActing(w) == acting);
    }
  }
}

TEST_CASE("what is taken out of the list leaves the order of the others, paused or not") {
  for (std::size_t taken = 0; taken < 5; ++taken) {
    Workspace w = withScales(5);
    for (const std::size_t i : {0, 2, 4}) commands::pauseIntervention(i).apply(w);
    commands::removeIntervention(taken).apply(w);
    std::vector<int> left{0, 1, 2, 3, 4};
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(taken));
    CHECK(numbersListed(w) == left);
    for (std::size_t i = 0; i < 4; ++i)
      if (!listedInterventions(w)[i].acts) commands::pauseIntervention(i).apply(w);
    CHECK(numbersActing(w) == left);
  }
  // One that is taken out elsewhere, by its switch say.
  Workspace w = withScales(3);
  commands::pauseIntervention(1).apply(w);
  w.interventions.clear();
  CHECK(numbersListed(w) == std::vector{1});
  w.interventions.push_back({.point = "logits", .value = 9});
  CHECK(numbersListed(w) == std::vector{9, 1});
  commands::pauseIntervention(1).apply(w);
  CHECK(numbersActing(w) == std::vector{9, 1});
  CHECK(w.paused.empty());
}

TEST_CASE("pausing is undone, and another model forgets what is paused") {
  History history(withScales(2));
  history.apply(commands::pauseIntervention(0), 1);
  CHECK(history.current().interventions.size() == 1);
  history.undo();
  CHECK(history.current() == withScales(2));
  history.redo();
  CHECK(history.current().paused.size() == 1);
  history.apply(commands::clearInterventions(), 2);
  CHECK(listedInterventions(history.current()).empty());
  history.undo();
  history.apply(commands::setModel("induction"), 3);
  CHECK(listedInterventions(history.current()).empty());
}

TEST_CASE("what is paused and switched off again stands in the list once") {
  const Intervention off{.point = "blocks.0.hook_mlp_out"};
  Workspace w;
  toggleIntervention(w, off);
  commands::pauseIntervention(0).apply(w);
  toggleIntervention(w, off);
  CHECK(w.interventions == Interventions{off});
  CHECK(w.paused.empty());
  toggleIntervention(w, off);
  CHECK(listedInterventions(w).empty());
}
