#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/io/formats/model_format.h"
#include "core/io/stored_model.h"
#include "core/model/parameters.h"
#include "core/watch.h"

namespace glassformer {

/// Takes the parameters of a model out of its files, as its family names them. What lies there as we need it
/// (F32, [in, out], whole) stays in the mapped file; what does not is copied.
class ParameterReader {
 public:
  ParameterReader(StoredModel stored, const ModelFormat& format, const ModelConfig& config)
      : stored_(std::move(stored)), format_(format), config_(config) {}

  /// Refuses: tensors that are missing, of another type or shape, not finite, or in a layer and of no use.
  Result<Parameters> read(const Watch& watch);

 private:
  struct Owner {
    std::vector<std::shared_ptr<const void>> files;
    std::vector<std::vector<float>> made;
  };

  std::string_view withoutPrefix(std::string_view name) const;
  StoredModel::Place find(const std::string& name) const;
  Status checkLayers() const;
  Status checkAllUsed() const;
  bool isFused(const ParameterSpec& spec) const {
    return format_.fusedRow && spec.name.find("attn.c_attn.") != std::string::npos;
  }
  Result<TensorView> take(const ParameterSpec& spec);
  Status copy(const ParameterSpec& spec, const StoredPiece& piece, int firstColumn,
              std::vector<float>& values);

  StoredModel stored_;
  const ModelFormat& format_;
  const ModelConfig& config_;
  std::set<const StoredTensor*> used_;
  std::vector<std::vector<float>> made_;  ///< moved, never copied: views point into them
};

}  // namespace glassformer
