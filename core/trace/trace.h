#pragma once
#include <utility>
#include <vector>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// Everything one forward pass computed, under the trace points' names (see core/trace/catalogue.h);
/// immutable, and safe to read from any thread for as long as it is held.
class Trace : public TensorSet {
 public:
  Trace() = default;
  explicit Trace(std::vector<int> tokens, std::vector<int> source = {})
      : tokens_(std::move(tokens)), source_(std::move(source)) {}

  const std::vector<int>& tokens() const { return tokens_; }
  /// What an encoder-decoder has read; empty otherwise.
  const std::vector<int>& source() const { return source_; }
  int tokenCount() const { return static_cast<int>(tokens_.size()); }

 private:
  std::vector<int> tokens_, source_;
};

}  // namespace glassformer
