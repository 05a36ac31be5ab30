#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/io/formats/gguf_names.h"
#include "core/io/formats/model_formats.h"
#include "core/io/stored_model.h"
#include "core/model/parameters.h"
#include "core/tensor/packed_matrix.h"
#include "core/watch.h"

namespace glassformer {

/// The tensor that a family calls so, with one of its prefixes, or with another of its endings.
StoredModel::Place findStored(const StoredModel& stored, const ModelFormat& format, const std::string& name);

/// Takes the parameters of a model out of its files, as its family names them. What lies there as we need it
/// stays in the mapped file: F32 that is [in, out] and whole, and F16, BF16 or Q8_0 whose vectors (see
/// Weight) lie side by side, as in tables and in [out, in], in one piece or in several. In 16 bits such that
/// is [in, out] is turned once, and stays so. All else is copied as float32.
class ParameterReader {
 public:
  ParameterReader(StoredModel stored, const FamilyConfig& family)
      : stored_(std::move(stored)),
        format_(stored_.isGguf() ? ggufNames(*family.format, family.config, stored_) : *family.format),
        config_(family.config),
        rowsBefore_(stored_.isGguf() ? 0 : family.rowsBefore) {  // llama.cpp leaves them out
    if (config_.tiedUnembedding)
      format_.otherEndings.insert(format_.otherEndings.end(), format_.tiedEndings.begin(),
                                  format_.tiedEndings.end());
  }

  /// Refuses: tensors that are missing, of another type or shape, not finite, or in a layer and of no use.
  Result<Parameters> read(const ProgressCallback& watch);

 private:
  struct Owner {
    std::vector<std::shared_ptr<const void>> files;
    std::vector<std::vector<float>> made;
    std::vector<std::vector<SixteenBits>> turned;
    std::vector<std::shared_ptr<const PackedMatrix>> kept;
  };

  std::string_view withoutPrefix(std::string_view name) const;
  Status checkLayers() const;
  Status checkAllUsed() const;
  bool isReordered(const ParameterSpec& spec) const {
    return format_.attentionRow && spec.name.find("attn.c_attn.") != std::string::npos;
  }
  bool isFromOne(const ParameterSpec& spec) const {
    const bool isNorm = spec.name.find("ln_") != std::string::npos || spec.name.ends_with("_norm.weight");
    return format_.normsFromOne && isNorm;
  }
  // Of a table of positions: those that no token has.
  int rowsBeforeFirst(const ParameterSpec& spec) const {
    return spec.name.ends_with("wpe.weight") ? rowsBefore_ : 0;
  }
  bool isInLayer(std::string_view name) const;
  Result<StoredParameter> take(const ParameterSpec& spec);
  Result<TensorView> takeWhole(const ParameterSpec& spec, const std::string& tensor);
  Result<TensorView> takeTurned(const ParameterSpec& spec, const std::vector<StoredPiece>& pieces);
  Result<std::shared_ptr<const PackedMatrix>> keep(const ParameterSpec& spec,
                                                   const std::vector<StoredPiece>& pieces);
  Result<std::shared_ptr<const PackedMatrix>> keepTurned(const ParameterSpec& spec, const StoredPiece& piece);
  std::shared_ptr<const PackedMatrix> keepVectors(const ParameterSpec& spec, PackedFormat format,
                                                  std::vector<PackedVector> vectors);
  std::optional<PackedFormat> keptAs(const std::vector<StoredPiece>& pieces) const;
  Status copy(const ParameterSpec& spec, const StoredPiece& piece, int number, int firstColumn,
              std::vector<float>& values);

  StoredModel stored_;
  ModelFormat format_;  ///< the family's, or what its tensors are called in a GGUF file
  const ModelConfig& config_;
  int rowsBefore_;
  std::set<const StoredTensor*> used_;
  std::vector<std::vector<float>> made_;          ///< moved, never copied: views point into them
  std::vector<std::vector<SixteenBits>> turned_;  ///< likewise
  std::vector<std::shared_ptr<const PackedMatrix>> kept_;
};

}  // namespace glassformer
