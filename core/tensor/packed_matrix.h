#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor/packed_numbers.h"

namespace glassformer {

/// A weight as its file has it: packed, vector after vector, wherever each lies. Products read it there, so
/// that in 16 bits it takes half of float32's memory and half of the time that reading takes, in blocks of 8
/// little more than a quarter.
///
/// Whoever asks for one of its numbers reads it as float32 all the same, at its place in values(): a range of
/// addresses without memory. What is read there is widened, exactly, some pages at a time; of the pages that
/// were read so, in all such matrices, the last `widenedBytes` stay. May be read by any thread.
class PackedMatrix {
 public:
  /// What a vector is: a row of [in, out], as of a table, or a column of it.
  enum class Vectors { Rows, Columns };
  static constexpr std::size_t widenedBytes = std::size_t{256} << 20;

  /// `vectors` of `length` numbers each, which must outlive the result. nullptr where the system has no
  /// such addresses (only Linux does), or no more of them.
  static std::shared_ptr<const PackedMatrix> create(std::vector<PackedVector> vectors, PackedFormat format,
                                                    int length, Vectors direction);
  ~PackedMatrix();
  PackedMatrix(const PackedMatrix&) = delete;
  PackedMatrix& operator=(const PackedMatrix&) = delete;

  const PackedVector* vectors() const { return vectors_.data(); }
  PackedFormat format() const { return format_; }
  /// Row by row. Reading there is what any memory allows; the system itself (a write to a file) finds none.
  const float* values() const { return reinterpret_cast<const float*>(begin_); }

 private:
  friend struct WidenedPages;  // who widens what is read
  PackedMatrix() = default;
  /// Numbers [first, first + count) of values().
  void widen(std::size_t first, std::size_t count, float* into) const;

  std::vector<PackedVector> vectors_;
  PackedFormat format_ = PackedFormat::Bfloat16;
  std::size_t length_ = 0;
  Vectors direction_ = Vectors::Rows;
  std::uintptr_t begin_ = 0;  ///< of its addresses
  std::size_t bytes_ = 0;     ///< of these: whole pages
};

}  // namespace glassformer
