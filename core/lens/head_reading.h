#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lens/contributions.h"
#include "core/lens/head_id.h"
#include "core/lens/written_parts.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Letter O counts those who wrote what a head reads: 0 are the biases (of the norms on the way and of the
/// projection), then the parts of the stream as contributionParts() has them, as far as they are written by
/// then.
/// "biases", "embedding", "L0H1", ...: who wrote, by its number.
std::string writerName(const Transformer& model, int writer, Stream stream = Stream::Text);
/// The names of all of a stream.
std::vector<std::string> writerNames(const Transformer& model, Stream stream);
/// The head that wrote; nothing where it was none.
std::optional<HeadId> headThatWrote(const Transformer& model, int writer, Stream stream = Stream::Text);
/// Neighbours among those who wrote that count as one: the biases, each part of the input, and all that a
/// block writes. Letter b counts them.
struct WriterGroup {
  std::string name;      ///< "biases", "embedding", "block 0", ...
  int first = 0, count;  ///< of writers
};
/// Those among so many writers.
std::vector<WriterGroup> writersByBlock(const Transformer& model, Stream stream, int writers);
/// The name of one of them, which is the same for every reader.
std::string writerGroupName(const Transformer& model, int group, Stream stream = Stream::Text);
/// Whose writers a dimension of a tensor counts: those of its rows, or behind the first those of its keys.
inline Stream writersStream(const TracePoint& point, int dimension) {
  return dimension == 0 ? point.rows : point.keys;
}
/// The sum of a group's numbers [O].
Derivation derivedSum(const TensorView& ofWriters, const WriterGroup& group);

/// One head's query, key or value as a function of what was written into the stream that it reads: in front
/// of its sublayer; across, keys and values read the encoder's, where it ends or behind the block of the same
/// number. With the σ of every norm on the way held fixed it is linear, so that what it makes of parts sums
/// to what it makes of all of the stream.
class HeadReading {
 public:
  enum class Of { Query, Key, Value };
  HeadReading(const Transformer& model, const Trace& trace, HeadId head, Of what);
  /// How many writers there are, without a pass.
  static int writersOf(const Transformer& model, HeadId head, Of what);

  Stream stream() const { return stream_; }
  int parts() const { return static_cast<int>(written_.parts.size()); }
  int writers() const { return parts() + 1; }  ///< O
  int width() const { return columns_; }       ///< K; of values that are read out by one matrix, or none, D
  /// Whose row it is, and of which token.
  struct Row {
    int part, token;
  };
  /// γ ⊙ (x_r − mean(x_r)) / σ · W [R, K] of rows [R, D], through as many norms as there are on the way of
  /// each; 0 of what is no longer there.
  Tensor of(const TensorView& rows, std::span<const Row> whose) const;
  /// What norms and projection add themselves at every token of a list [R, K], which no part has written.
  Tensor ofBiases(std::span<const int> tokens) const;

  /// What made number k of what is read at a token: of the biases; of a part, from what made that (see
  /// alongParts()).
  Derivation madeOfBiases(int token, int k) const;
  std::optional<Derivation> madeOf(const AlongParts& parts, int part, int token, int k) const;

  /// "γ ⊙ x_i / rms · W_Q": what it makes of a share x_i of the stream, `weights` as they are called; none
  /// are said where there are none. And what is said of several norms behind the meaning of such numbers.
  std::string equation(const std::string& x, const std::string& weights) const;
  std::string normsWords() const;

 private:
  Tensor projected(const TensorView& rows) const;
  std::vector<float> readingOf(int k) const;

  ModelConfig config_;
  Stream stream_;
  WrittenParts written_;
  std::vector<FixedNorm> norms_;
  TensorView weight_, bias_;  // [D, K] and [K] of this head; empty where it has none
  int firstColumn_ = 0;       // of the stream, where there are no weights
  int columns_;
};

}  // namespace glassformer
