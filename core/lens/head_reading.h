#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lens/contributions.h"
#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Letter O counts those who wrote what a block reads: 0 are the biases (of the norm and of the projection),
/// then the parts as contributionParts() has them, as far as they are written before the block.
/// "biases", "embedding", "L0H1", ...: who wrote, by its number.
std::string writerName(const Transformer& model, int writer);
/// The head that wrote; nothing where it was none.
std::optional<HeadId> headThatWrote(const Transformer& model, int writer);
/// Neighbours among those who wrote that count as one: the biases, each part of the input, and all that a
/// block writes. Letter b counts them.
struct WriterGroup {
  std::string name;      ///< "biases", "embedding", "block 0", ...
  int first = 0, count;  ///< of writers
};
std::vector<WriterGroup> writersByBlock(const Transformer& model, int layer);
/// The name of one of them, which is the same in front of every block.
std::string writerGroupName(const Transformer& model, int group);
/// The sum of a group's numbers [O].
Derivation derivedSum(const TensorView& ofWriters, const WriterGroup& group);
/// How many parts are in the stream when a block begins.
int partsBefore(const Transformer& model, int layer);

/// Why what stands in the stream in front of a block is no sum of parts; empty where it is.
std::string whyNoSumOfParts(const ModelConfig& config);

/// One head's query, key or value as a function of what stands in the stream in front of its block. With the
/// norm's σ of every token held fixed it is linear, so that what it makes of parts sums to what it makes of
/// all of the stream.
class HeadReading {
 public:
  enum class Of { Query, Key, Value };
  HeadReading(const Transformer& model, const Trace& trace, HeadId head, Of what);

  int width() const { return columns_; }  ///< K; of values that are read out by one matrix, or none, D
  /// γ ⊙ (x_r − mean(x_r)) / σ · W [R, K] of rows [R, D], each with the σ of its token [R].
  Tensor of(const TensorView& rows, std::span<const int> tokens) const;
  /// β · W + b [K], which no part of the stream has written.
  Tensor ofBiases() const;

  /// What made number k of what is read at a token: of the biases; of a part, from what made that (see
  /// alongParts()).
  Derivation madeOfBiases(int k) const;
  std::optional<Derivation> madeOf(const AlongParts& parts, int part, int token, int k) const;

 private:
  Tensor projected(const TensorView& rows) const;

  bool centred_;                     // the norm takes a mean
  TensorView gamma_, beta_, scale_;  // [D], [D] and [T, 1]; empty where it has none
  TensorView weight_, bias_;         // [D, K] and [K] of this head; empty where it has none
  int columns_;
};

}  // namespace glassformer
