#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor/sixteen_bits.h"

namespace glassformer {

/// A weight as its file has it: in 16 bits, vector after vector, wherever each lies. Products read it there,
/// so that it takes half of float32's memory and half of the time that reading takes.
///
/// Whoever asks for one of its numbers reads it as float32 all the same, at its place in values(): a range of
/// addresses without memory. What is read there is widened, exactly, some pages at a time; of the pages that
/// were read so, in all such matrices, the last `widenedBytes` stay. May be read by any thread.
class SixteenBitMatrix {
 public:
  /// What a vector is: a row of [in, out], as of a table, or a column of it.
  enum class Vectors { Rows, Columns };
  static constexpr std::size_t widenedBytes = std::size_t{256} << 20;

  /// `vectors` of `length` numbers each, which must outlive the result. nullptr where the system has no
  /// such addresses (only Linux does), or no more of them.
  static std::shared_ptr<const SixteenBitMatrix> create(std::vector<const SixteenBits*> vectors,
                                                        SixteenBitFormat format, int length,
                                                        Vectors direction);
  ~SixteenBitMatrix();
  SixteenBitMatrix(const SixteenBitMatrix&) = delete;
  SixteenBitMatrix& operator=(const SixteenBitMatrix&) = delete;

  const SixteenBits* const* vectors() const { return vectors_.data(); }
  SixteenBitFormat format() const { return format_; }
  /// Row by row. Reading there is what any memory allows; the system itself (a write to a file) finds none.
  const float* values() const { return reinterpret_cast<const float*>(begin_); }

 private:
  friend struct WidenedPages;  // who widens what is read
  SixteenBitMatrix() = default;
  /// Numbers [first, first + count) of values().
  void widen(std::size_t first, std::size_t count, float* into) const;

  std::vector<const SixteenBits*> vectors_;
  SixteenBitFormat format_ = SixteenBitFormat::Bfloat16;
  std::size_t length_ = 0;
  Vectors direction_ = Vectors::Rows;
  std::uintptr_t begin_ = 0;  ///< of its addresses
  std::size_t bytes_ = 0;     ///< of these: whole pages
};

}  // namespace glassformer
