#include "core/tensor/huge_pages.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/model/parameters.h"
#include "core/tensor/tape.h"

using namespace glassformer;

#ifdef __linux__
namespace {
// What Linux notes of the mapping that an address lies in: "rd wr mr mw me ac hg".
std::string flagsAt(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool isThere = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream text(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (text >> std::hex >> begin >> dash >> end && dash == '-') isThere = begin <= wanted && wanted < end;
    if (isThere && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}
bool hasHugePages() { return std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"); }
constexpr std::size_t hugePage = std::size_t{2} << 20;
}  // namespace

TEST_CASE("what a pass computes and a model's own weights may lie on large pages") {
  if (!hasHugePages()) SKIP("this system has none");
  Tape tape(1, 1024);
  const Value table = tape.rows(4096);  // 16 MB
  CHECK(flagsAt(table.data + hugePage / sizeof(float)).find(" hg ") != std::string::npos);
  const Parameters weights({{"w", {1024, 4096}}});
  CHECK(flagsAt(weights["w"].data + hugePage / sizeof(float)).find(" hg ") != std::string::npos);
}

TEST_CASE("memory smaller than a large page is left as it is") {
  alignas(64) static float few[64];
  preferHugePages(few, sizeof few);
  CHECK(flagsAt(few).find(" hg ") == std::string::npos);
}
#endif
