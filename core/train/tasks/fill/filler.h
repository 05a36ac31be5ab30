#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/model/live_pass.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// A trained encoder at work: what it puts in place of the masks.
class Filler {
 public:
  Filler(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer, int threads = 2)
      : mask_(tokenizer.mask()), pass_(std::move(model), threads) {}

  /// The most probable token at each masked place, in order; the mask itself does not count.
  std::vector<int> filled(std::span<const int> tokens);

 private:
  int mask_;
  LivePass pass_;
};

}  // namespace glassformer
