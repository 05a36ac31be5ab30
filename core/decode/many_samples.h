#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/decode/sampling.h"

namespace glassformer {

/// What several samples went on with alike.
struct Continuation {
  std::vector<int> tokens;
  int count = 0;           ///< samples that are this one
  std::uint64_t seed = 0;  ///< of the first of them
  double drawn = 0;        ///< ln P that a sample is this one, by what the stages leave
  double model = 0;        ///< ln P by the model itself
};

/// Many samples of one prompt at once, with seeds that follow one another: each is what generate() gives with
/// its seed. Where samples begin alike the model is asked once for all of them.
class ManySamples {
 public:
  /// `settings.seed` is the first of `count` seeds; the rest is as generate() has it.
  ManySamples(std::vector<int> prompt, const SamplingSettings& settings, int count, int depth, int context,
              TextEnds stop = {});

  bool isDone() const { return open_.empty(); }
  /// Asks the model once; before isDone() only.
  void advance(const NextTokenLogits& logits);
  /// Samples that have ended.
  int ended() const { return ended_; }
  /// Those that have ended, the most frequent first; of equals, the more probable.
  std::vector<Continuation> continuations() const;

 private:
  // Samples that have gone the same way so far, and will part.
  struct Group {
    Continuation way;
    std::vector<int> samples;
  };
  bool isWhole(const std::vector<int>& tokens) const;

  std::vector<int> prompt_;
  SamplingSettings settings_;
  int depth_, context_;
  TextEnds stop_;
  std::vector<Random> randoms_;  // of every sample
  std::vector<Group> open_;  // the next one last: what begins alike follows one another, as a cache likes it
  std::vector<Continuation> whole_;
  int ended_ = 0;
};

}  // namespace glassformer
