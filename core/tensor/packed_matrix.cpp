#include "core/tensor/packed_matrix.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/tensor/missing_pages.h"

#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace glassformer {

void PackedMatrix::widen(std::size_t first, std::size_t count, float* into) const {
  const std::size_t width = direction_ == Vectors::Rows ? length_ : vectors_.size();
  const std::size_t end = first + count;
  const auto number = readingOf(format_);
  for (std::size_t row = first / width; row * width < end; ++row) {
    const std::size_t rowBegin = row * width;
    const std::size_t j0 = std::max(first, rowBegin) - rowBegin, j1 = std::min(end - rowBegin, width);
    float* out = into + rowBegin + j0 - first;
    if (direction_ == Vectors::Rows)
      unpack(format_, vectors_[row], j0, j1 - j0, out);
    else
      for (std::size_t j = j0; j < j1; ++j) *out++ = number(vectors_[j], row);
  }
}

#ifdef __linux__

namespace {

// Widened at a time: enough that asking the system is no great part of it, and that columns, which lie apart,
// are read by cache lines.
constexpr std::size_t stretchBytes = std::size_t{256} << 10;
constexpr std::size_t keptStretches = PackedMatrix::widenedBytes / stretchBytes;

std::size_t roundedUp(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

// For the whole process, as the signal handler is that widens: what matrices there are, and what of them has
// memory. Everything is under one lock, and whoever holds it reads no widened number.
struct WidenedPages {
  struct Stretch {
    std::uintptr_t begin = 0;  // 0: none
    std::size_t bytes = 0;
  };
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  std::array<const PackedMatrix*, 8192> matrices{};
  std::size_t used = 0;                          // of these, the first ones
  std::array<Stretch, keptStretches> widened{};  // in a ring: the next one takes the place of the oldest
  std::size_t next = 0;
  int nothing = -1;  // a file without a byte, which is mapped where nothing is widened
  std::size_t pageBytes = 0;

  static WidenedPages& all() {
    static WidenedPages pages;
    return pages;
  }
  static bool supply(std::uintptr_t address) {
    static thread_local bool isWidening = false;
    if (isWidening) return false;  // a page of what is being widened is missing: that is its file's affair
    WidenedPages& pages = all();
    const Holding held(pages);
    const Flag widening(isWidening);
    for (std::size_t i = 0; i < pages.used; ++i)
      if (const PackedMatrix* matrix = pages.matrices[i];
          matrix && address >= matrix->begin_ && address < matrix->begin_ + matrix->bytes_)
        return pages.widen(*matrix, address);
    return false;
  }
  // Whether there was a place for it.
  bool list(PackedMatrix& matrix) {
    const std::size_t bytes = roundedUp(matrix.vectors_.size() * matrix.length_ * sizeof(float), pageBytes);
    void* address = map(nullptr, bytes, 0);
    if (nothing < 0 || address == MAP_FAILED) return false;
    const Holding held(*this);
    const auto free = std::ranges::find(matrices, nullptr);
    if (free == matrices.end()) {
      ::munmap(address, bytes);
      return false;
    }
    matrix.begin_ = reinterpret_cast<std::uintptr_t>(address), matrix.bytes_ = bytes;
    *free = &matrix;
    used = std::max(used, static_cast<std::size_t>(free - matrices.begin()) + 1);
    return true;
  }
  void unlist(const PackedMatrix& matrix) {
    const Holding held(*this);
    *std::ranges::find(matrices, &matrix) = nullptr;
    for (Stretch& stretch : widened)
      if (stretch.begin >= matrix.begin_ && stretch.begin < matrix.begin_ + matrix.bytes_) stretch = {};
    ::munmap(reinterpret_cast<void*>(matrix.begin_), matrix.bytes_);
  }

 private:
  struct Flag {
    explicit Flag(bool& raised) : flag(raised) { flag = true; }
    ~Flag() { flag = false; }
    bool& flag;
  };
  struct Holding {
    explicit Holding(WidenedPages& pages) : lock(pages.lock) {
      while (lock.test_and_set(std::memory_order_acquire)) ::sched_yield();
    }
    ~Holding() { lock.clear(std::memory_order_release); }
    std::atomic_flag& lock;
  };

  WidenedPages()
      : nothing(::memfd_create("glassformer", MFD_CLOEXEC)),
        pageBytes(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {}

  void* map(void* at, std::size_t bytes, int flags) const {
    return ::mmap(at, bytes, PROT_READ, MAP_PRIVATE | MAP_NORESERVE | flags, nothing, 0);
  }

  // The stretch is filled elsewhere and moved to its place as a whole, so that no other thread reads half of
  // it.
  bool widen(const PackedMatrix& matrix, std::uintptr_t address) {
    const std::size_t offset = (address - matrix.begin_) / stretchBytes * stretchBytes;
    const Stretch stretch{matrix.begin_ + offset, std::min(stretchBytes, matrix.bytes_ - offset)};
    const auto isStretch = [&](const Stretch& other) { return other.begin == stretch.begin; };
    if (std::ranges::any_of(widened, isStretch)) return true;  // another thread was faster
    void* memory = ::mmap(nullptr, stretch.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    const std::size_t first = offset / sizeof(float), all = matrix.vectors_.size() * matrix.length_;
    matrix.widen(first, std::min(stretch.bytes / sizeof(float), all - first), static_cast<float*>(memory));
    ::mprotect(memory, stretch.bytes, PROT_READ);
    if (::mremap(memory, stretch.bytes, stretch.bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                 reinterpret_cast<void*>(stretch.begin)) == MAP_FAILED)
      return false;
    Stretch& oldest = widened[next];
    next = (next + 1) % widened.size();
    if (oldest.begin) map(reinterpret_cast<void*>(oldest.begin), oldest.bytes, MAP_FIXED);
    oldest = stretch;
    return true;
  }
};

std::shared_ptr<const PackedMatrix> PackedMatrix::create(std::vector<PackedVector> vectors,
                                                         PackedFormat format, int length, Vectors direction) {
  static const bool supplies = (supplyMissingPages(WidenedPages::supply), true);
  if (!supplies || vectors.empty() || length == 0) return nullptr;
  std::unique_ptr<PackedMatrix> matrix(new PackedMatrix);
  matrix->vectors_ = std::move(vectors), matrix->length_ = static_cast<std::size_t>(length);
  matrix->direction_ = direction, matrix->format_ = format;
  if (!WidenedPages::all().list(*matrix)) return nullptr;
  return matrix;
}

PackedMatrix::~PackedMatrix() {
  if (bytes_ > 0) WidenedPages::all().unlist(*this);
}

#else

std::shared_ptr<const PackedMatrix> PackedMatrix::create(std::vector<PackedVector>, PackedFormat, int,
                                                         Vectors) {
  return nullptr;
}

PackedMatrix::~PackedMatrix() = default;

#endif

}  // namespace glassformer
