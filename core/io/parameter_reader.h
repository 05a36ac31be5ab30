#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/io/formats/gguf_names.h"
#include "core/io/formats/model_formats.h"
#include "core/io/stored_model.h"
#include "core/model/parameters.h"
#include "core/watch.h"

namespace glassformer {

/// The tensor that a family calls so, with one of its prefixes, or with another of its endings.
StoredModel::Place findStored(const StoredModel& stored, const ModelFormat& format, const std::string& name);

/// Takes the parameters of a model out of its files, as its family names them, and converts them to float32.
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

  /// Refuses: tensors that are missing, of another type or shape, not finite, or in a layer and of no use;
  /// and what needs more than `available` bytes.
  Result<Parameters> read(const ProgressCallback& watch, double available);

 private:
  std::string_view withoutPrefix(std::string_view name) const;
  Status checkLayers() const;
  Status checkPieces(const ParameterSpec& spec);
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
  bool isTurned(const ParameterSpec& spec) const;
  bool isWhole(const ParameterSpec& spec, const std::vector<StoredPiece>& pieces) const;
  Status take(const ParameterSpec& spec, float* values) const;
  Status takePiece(const ParameterSpec& spec, const StoredPiece& piece, int number, float* values) const;

  StoredModel stored_;
  ModelFormat format_;  ///< the family's, or what its tensors are called in a GGUF file
  const ModelConfig& config_;
  int rowsBefore_;
  std::set<const StoredTensor*> used_;
};

}  // namespace glassformer
