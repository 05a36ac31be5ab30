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

#include "core/io/binary_file.h"
#include "core/result.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// The safetensors format (Hugging Face): 8 bytes little-endian header length, a JSON header with type, shape
/// and byte range of every tensor, then the values, row-major and little-endian.

struct StoredTensor {
  std::string name;
  /// One of numberFormats(); others ("I64") are listed but have no floats.
  std::string type;
  std::vector<std::int64_t> shape;  ///< outermost first; empty for a single number
  std::shared_ptr<BinaryFile> file;
  std::uint64_t begin = 0, size = 0;  ///< bytes of the file

  /// What something else than a file holds. `bytes`: of the type.
  static StoredTensor of(std::string name, std::string type, std::vector<std::int64_t> shape,
                         std::string bytes);
  static StoredTensor of(std::string name, std::vector<std::int64_t> shape, std::span<const float> values);

  std::int64_t valueCount() const;
  bool isFloat() const;
  /// Its bytes as they are.
  Result<std::string> bytes() const;
  /// Its values as float32, of which `to` has as many; isFloat() must hold.
  Status read(std::span<float> to) const;
  Result<std::vector<float>> converted() const;
};

/// What a safetensors file says it holds. Nothing is believed before it is checked against the size of the
/// file: header length, JSON, types, shapes, byte ranges (which must cover the data without gap or overlap,
/// as the format demands). Values are read tensor by tensor, where they are asked for.
class StoredTensors {
 public:
  static Result<StoredTensors> open(const std::filesystem::path& path);
  static Result<StoredTensors> parse(const std::shared_ptr<BinaryFile>& file);

  /// What another container says that it holds.
  static StoredTensors of(std::vector<StoredTensor> tensors, std::map<std::string, std::string> metadata);

  const std::vector<StoredTensor>& tensors() const { return tensors_; }  ///< in the order of their bytes
  const StoredTensor* find(std::string_view name) const;                 ///< nullptr when there is none
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  std::vector<StoredTensor> tensors_;
  std::map<std::string, std::string> metadata_;
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
