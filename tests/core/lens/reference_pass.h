#pragma once
#include <memory>
#include <vector>

#include "core/model/live_pass.h"
#include "tests/core/model/reference.h"

namespace glassformer {

/// PyTorch's weights of a small transformer, and our own pass of the first nine tokens of its first text.
struct ReferencePass {
  explicit ReferencePass(const char* file)
      : reference(file), model(std::make_shared<const Transformer>(reference.config(), reference.weights())) {
    tokens = reference.batch(0).tokens;
    tokens.resize(9);
    trace = LivePass(model).run(tokens);
  }

  Reference reference;
  std::shared_ptr<const Transformer> model;
  std::vector<int> tokens;
  std::shared_ptr<const Trace> trace;
};

}  // namespace glassformer
