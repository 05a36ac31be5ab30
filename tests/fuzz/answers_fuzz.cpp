#include "app/lesson/class_answers.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  writeSeed(*argc, *argv, "two",
            "glassformer answers,04_masks\n2,1\n5,0.5,0.5\nglassformer answers,04_masks\n2,0\n");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto answers = parseAnswers(std::string(textOf(data, size)), "answers.csv");
  if (!answers) return 0;
  for (const auto& [step, all] : answers->bySteps)
    holds(step >= 0 && !all.empty() && answers->lines.contains(step));
  return 0;
}
