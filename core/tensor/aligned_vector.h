#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace glassformer {

/// Memory that starts on a cache line. Vectorised sums peel off what comes before an aligned address, so
/// without this the last bits of a sum would depend on where the allocator put its operand.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheLineAllocator() = default;
  template <typename U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

using AlignedVector = std::vector<float, CacheLineAllocator<float>>;

}  // namespace glassformer
