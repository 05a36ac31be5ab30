#include "core/io/recorded_trace.h"
#include "tests/fuzz/fuzzed_tensors.h"

using namespace glassformer;

// What is read of a trace from elsewhere has room for all its ids, and every point the numbers it says.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = StoredTensors::parse(binaryFileOf(data, size));
  if (!file) return 0;
  const auto recorded = readRecordedTrace(*file, "fuzz");
  if (!recorded) return 0;
  holds(!!validate(recorded->config) && recorded->config.context >= recorded->trace->tokenCount());
  holds(recorded->trace->count() == static_cast<int>(recorded->points.size()) && !recorded->points.empty());
  float sum = 0;
  for (int i = 0; i < recorded->trace->count(); ++i)
    recorded->trace->tensor(i).forEach([&](const auto&, float value) { sum += value; });
  static_cast<void>(sum);
  return 0;
}
