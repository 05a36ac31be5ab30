#include "core/model/positional/none.h"

namespace glassformer {
namespace {

class None final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"none", "None (NoPE)", "No position information; only a causal mask shows the order.",
            "x = E[token]", "Haviv et al. 2022"};
  }
};

}  // namespace

const PositionalEncoding& noPositions() {
  static const None none;
  return none;
}

}  // namespace glassformer
