#include "core/tensor/huge_pages.h"

#include <algorithm>
#include <cstdint>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace glassformer {

#ifdef __linux__
namespace {

// Of the pages of that size that lie wholly in there.
void advise(void* memory, std::size_t bytes, std::uintptr_t page, int advice) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

}  // namespace

void preferHugePages(void* memory, std::size_t bytes) {
  advise(memory, bytes, std::uintptr_t{2} << 20, MADV_HUGEPAGE);
}

std::shared_ptr<float> untouchedZeros(std::size_t floats) {
  const std::size_t bytes = std::max<std::size_t>(floats, 1) * sizeof(float);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return {static_cast<float*>(memory), [bytes](float* p) { ::munmap(p, bytes); }};
}

void giveBackPages(void* memory, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  advise(memory, bytes, page, MADV_DONTNEED);
}
#else
void preferHugePages(void*, std::size_t) {}
std::shared_ptr<float> untouchedZeros(std::size_t floats) {
  auto zeros = std::make_shared<AlignedVector>(floats, 0.0f);
  return {zeros, zeros->data()};
}
void giveBackPages(void*, std::size_t) {}
#endif

AlignedVector inHugePages(std::size_t floats, float fill) {
  AlignedVector numbers;
  numbers.reserve(floats);
  preferHugePages(numbers.data(), floats * sizeof(float));
  numbers.resize(floats, fill);
  return numbers;
}

}  // namespace glassformer
