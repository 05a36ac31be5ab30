#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor/packed_numbers.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// The safetensors format (Hugging Face): 8 bytes little-endian header length, a JSON header with type, shape
/// and byte range of every tensor, then the values, row-major and little-endian.

struct StoredTensor {
  std::string name;
  /// "F32", "F16", "BF16", "Q8_0", one of blockFormats(), ...; others are listed but cannot be converted.
  std::string type;
  std::vector<std::int64_t> shape;  ///< outermost first; empty for a single number
  std::span<const std::byte> bytes;

  std::int64_t valueCount() const;
  bool isFloat() const { return type == "F32" || isPacked() || isInBlocks(); }
  /// Read where it lies.
  bool isPacked() const { return type == "F16" || type == "BF16" || type == "Q8_0"; }
  /// One of blockFormats(): widened to float32 when it is read.
  bool isInBlocks() const;
  /// The values where they lie, when they are F32 and aligned; otherwise nullptr.
  const float* borrowed() const;
  /// The same of BF16, F16 and Q8_0, which need not be aligned.
  PackedVector packed() const { return isPacked() ? bytes.data() : nullptr; }
  /// Of these: which one it is.
  PackedFormat format() const {
    return type == "Q8_0"  ? PackedFormat::Blocks
           : type == "F16" ? PackedFormat::Half
                           : PackedFormat::Bfloat16;
  }
  /// The values converted to float32; isFloat() must hold.
  std::vector<float> converted() const;
};

/// What a safetensors file says it holds. Nothing is believed before it is checked against the size of the
/// file: header length, JSON, types, shapes, byte ranges (which must cover the data without gap or overlap,
/// as the format demands).
class StoredTensors {
 public:
  static Result<StoredTensors> open(const std::filesystem::path& path);
  /// `bytes` must live as long as the result; `owner` may keep them alive. `name` is for messages.
  static Result<StoredTensors> parse(std::span<const std::byte> bytes, std::string_view name,
                                     std::shared_ptr<const void> owner = nullptr);

  /// What another container says that it holds.
  static StoredTensors of(std::vector<StoredTensor> tensors, std::map<std::string, std::string> metadata,
                          std::shared_ptr<const void> owner);

  const std::vector<StoredTensor>& tensors() const { return tensors_; }  ///< in the order of their bytes
  const StoredTensor* find(std::string_view name) const;                 ///< nullptr when there is none
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }  ///< keeps the bytes alive

 private:
  std::vector<StoredTensor> tensors_;
  std::map<std::string, std::string> metadata_;
  std::shared_ptr<const void> owner_;
};

struct NamedTensor {
  std::string name;
  TensorView values;
};

/// Writes the tensors as F32 in the order given, replacing the file as a whole (see files.h). Names must
/// differ.
Status writeSafetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                        const std::map<std::string, std::string>& metadata = {});

}  // namespace glassformer
