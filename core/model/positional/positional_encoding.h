#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/model/pass.h"
#include "core/model/positional/clock_hands.h"
#include "core/tensor/tape.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// How a transformer knows where a token stands. A scheme can act in three places, each of which does nothing
/// unless it says so: added to the embedding (table), turning queries and keys (rotate), shifting the scores
/// (bias). Schemes have no state; a config points at one of positionalEncodings().
class PositionalEncoding {
 public:
  struct Description {
    std::string_view id;        ///< in files and on the command line: "rotary"
    std::string_view name;      ///< on screen
    std::string_view meaning;   ///< one sentence
    std::string_view equation;  ///< what it does
    std::string_view source;    ///< the paper
  };
  /// A number that the scheme has, such as the base of its frequencies.
  struct Number {
    std::string_view name;
    float least = 0, most = 0, usual = 0;
  };

  virtual ~PositionalEncoding() = default;
  virtual Description description() const = 0;
  virtual std::optional<Number> number(const ModelConfig&) const { return std::nullopt; }
  virtual Status validate(const ModelConfig&) const { return success(); }

  /// Whether P [C, D] is added to the embeddings ...
  virtual bool isAdded() const { return learnsTable(); }
  /// ... and learned ...
  virtual bool learnsTable() const { return false; }
  /// ... or given.
  virtual std::optional<Tensor> table(const ModelConfig&) const { return std::nullopt; }
  /// The sines and cosines that this table is made of; nothing where it is made of others.
  virtual std::optional<SinusoidPairs> sinusoidPairs(const ModelConfig&) const { return std::nullopt; }
  /// How many of the last columns embeddings of tokens leave to it.
  virtual int ownColumns(const ModelConfig&) const { return 0; }

  virtual bool rotates() const { return false; }
  /// How many pairs of columns of a head are turned, and which the i-th one is.
  virtual int turnedPairs(const ModelConfig&) const { return 0; }
  virtual std::array<int, 2> turnedPair(const ModelConfig&, int i) const { return {2 * i, 2 * i + 1}; }
  /// Turns queries or keys [R, heads · K] by their positions.
  virtual Value rotate(Tape&, const ModelConfig&, const Value& x) const { return x; }

  /// Weights of every self-attention, named below "h.i.attn.".
  virtual std::vector<ParameterSpec> attentionParameters(const ModelConfig&) const { return {}; }
  virtual bool shiftsScores() const { return false; }
  /// What the scores [H, T, S] become; they are scaled, and not masked yet.
  virtual Value bias(Pass&, const ModelConfig&, const std::string& /*weights*/, const Value& /*queries*/,
                     const Value& scores) const {
    return scores;
  }

 protected:
  float numberOf(const ModelConfig& config) const {
    return config.positionParameter != 0 ? config.positionParameter : number(config)->usual;
  }
};

}  // namespace glassformer
