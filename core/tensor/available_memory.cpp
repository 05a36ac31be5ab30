#include "core/tensor/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#ifndef _WIN32
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace glassformer {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

double numberIn(const char* file, double otherwise) {
  std::ifstream stream(file);
  double number = 0;
  return stream >> number ? number : otherwise;  // "max" is no number
}

double spareOfSystem() {
  std::ifstream stream("/proc/meminfo");
  for (std::string name, rest; stream >> name; std::getline(stream, rest))
    if (double kilobytes = 0; name == "MemAvailable:" && stream >> kilobytes) return kilobytes * 1024;
  return unlimited;
}

double spareOfGroup() {
  return numberIn("/sys/fs/cgroup/memory.max", unlimited) - numberIn("/sys/fs/cgroup/memory.current", 0);
}

double spareOfProcess() {
#ifdef _WIN32
  return unlimited;
#else
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const double pages = numberIn("/proc/self/statm", 0);
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
#endif
}

}  // namespace

double availableMemory() {
  return std::max(0.0, std::min({spareOfSystem(), spareOfGroup(), spareOfProcess()}));
}

}  // namespace glassformer
