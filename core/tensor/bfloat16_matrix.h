#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor/bfloat16.h"

namespace glassformer {

/// A weight as its file has it: bfloat16, vector after vector, wherever each lies. Products read it there, so
/// that it takes half of float32's memory and half of the time that reading takes.
///
/// Whoever asks for one of its numbers reads it as float32 all the same, at its place in values(): a range of
/// addresses without memory. What is read there is widened, exactly, some pages at a time; of the pages that
/// were read so, in all such matrices, the last `widenedBytes` stay. May be read by any thread.
class Bfloat16Matrix {
 public:
  /// What a vector is: a row of [in, out], as of a table, or a column of it.
  enum class Vectors { Rows, Columns };
  static constexpr std::size_t widenedBytes = std::size_t{256} << 20;

  /// `vectors` of `length` numbers each, which must outlive the result. nullptr where the system has no
  /// such addresses (only Linux does), or no more of them.
  static std::shared_ptr<const Bfloat16Matrix> create(std::vector<const Bfloat16*> vectors, int length,
                                                      Vectors direction);
  ~Bfloat16Matrix();
  Bfloat16Matrix(const Bfloat16Matrix&) = delete;
  Bfloat16Matrix& operator=(const Bfloat16Matrix&) = delete;

  const Bfloat16* const* vectors() const { return vectors_.data(); }
  /// Row by row. Reading there is what any memory allows; the system itself (a write to a file) finds none.
  const float* values() const { return reinterpret_cast<const float*>(begin_); }

 private:
  friend struct WidenedPages;  // who widens what is read
  Bfloat16Matrix() = default;
  /// Numbers [first, first + count) of values().
  void widen(std::size_t first, std::size_t count, float* into) const;

  std::vector<const Bfloat16*> vectors_;
  std::size_t length_ = 0;
  Vectors direction_ = Vectors::Rows;
  std::uintptr_t begin_ = 0;  ///< of its addresses
  std::size_t bytes_ = 0;     ///< of these: whole pages
};

}  // namespace glassformer
