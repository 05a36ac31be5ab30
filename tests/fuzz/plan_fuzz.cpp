#include "app/document/training_plan_json.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  TrainingPlan plan{.task = "copy", .steps = 20, .schedule = "constant", .two = true};
  plan.changes = {{"n_layer", "2"}}, plan.otherSchedule = "no warm-up";
  writeSeed(*argc, *argv, "first", toJsonText(plan));
  return 0;
}

// What was read is written, and read again as the same.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto plan = planFromJson(textOf(data, size), "fuzz");
  if (!plan) return 0;
  const auto again = planFromJson(toJsonText(*plan), "fuzz");
  holds(again && toJsonText(*again) == toJsonText(*plan));
  return 0;
}
