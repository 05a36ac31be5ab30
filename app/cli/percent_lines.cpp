#include "app/cli/percent_lines.h"

#include <cstdint>
#include <utility>

namespace glassformer {

ProgressCallback percentLines(std::FILE* to, std::string doing, std::chrono::seconds every) {
  using Clock = std::chrono::steady_clock;
  return [to, doing = std::move(doing), every, said = Clock::now()](int done, int total) mutable {
    if (Clock::now() - said < every) return true;
    said = Clock::now();
    std::fprintf(to, "%s: %d %%\n", doing.c_str(),
                 total > 0 ? static_cast<int>(std::int64_t{100} * done / total) : 0);
    std::fflush(to);
    return true;
  };
}

}  // namespace glassformer
