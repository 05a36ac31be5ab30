#include "core/model/positional/learned.h"

namespace glassformer {
namespace {

class Learned final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"learned", "Learned", "A learned vector per position is added to the embedding.",
            "x = E[token] + P[t]", "Radford et al. 2018"};
  }
  bool learnsTable() const override { return true; }
};

}  // namespace

const PositionalEncoding& learnedPositions() {
  static const Learned learned;
  return learned;
}

}  // namespace glassformer
