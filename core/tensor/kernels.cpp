#include "core/tensor/kernels.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

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
#endif

namespace {

std::string named(const std::vector<const Kernels*>& levels) {
  std::string names;
  for (const Kernels* level : levels) names += (names.empty() ? "" : ", ") + std::string(level->level);
  return names;
}

}  // namespace

std::vector<const Kernels*> runnableKernels() {
  std::vector<const Kernels*> levels{&baseline::table};
#if defined(GLASSFORMER_X86_LEVELS)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) levels.push_back(&x86_64_v3::table);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    levels.push_back(&x86_64_v4::table);
#endif
  return levels;
}

Result<const Kernels*> kernelsNamed(const char* name) {
  const auto levels = runnableKernels();
  if (!name || !*name) return levels.back();
  for (const Kernels* level : levels)
    if (std::string_view(level->level) == name) return level;
  return Error{"this processor has no level \"" + std::string(name) + "\"", levelVariable,
               "it has " + named(levels)};
}

const Kernels& kernels() {
  static const Kernels& chosen = []() -> const Kernels& {
    const auto level = kernelsNamed(std::getenv(levelVariable));
    if (!level) throw std::runtime_error(level.error().message());
    return **level;
  }();
  return chosen;
}

}  // namespace glassformer
