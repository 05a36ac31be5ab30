#include "core/tensor/kernels.h"

namespace glassformer {

namespace baseline {
extern const Kernels table;
}
#if defined(GLASSFORMER_X86_LEVELS)
namespace x86_64_v3 {
extern const Kernels table;
}
namespace x86_64_v4 {
extern const Kernels table;
}

namespace {
enum class Level { Baseline, V3, V4 };

Level processorLevel() {
#if defined(_MSC_VER)
  return Level::Baseline;
#else
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return Level::V4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Level::V3;
  return Level::Baseline;
#endif
}
}  // namespace

const Kernels& kernels() {
  static const Level level = processorLevel();
  switch (level) {
    case Level::V4:
      return x86_64_v4::table;
    case Level::V3:
      return x86_64_v3::table;
    case Level::Baseline:
      break;
  }
  return baseline::table;
}
#else
const Kernels& kernels() { return baseline::table; }
#endif

}  // namespace glassformer
