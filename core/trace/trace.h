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
  explicit Trace(std::vector<int> tokens) : tokens_(std::move(tokens)) {}

  const std::vector<int>& tokens() const { return tokens_; }
  int tokenCount() const { return static_cast<int>(tokens_.size()); }

 private:
  std::vector<int> tokens_;
};

}  // namespace glassformer
