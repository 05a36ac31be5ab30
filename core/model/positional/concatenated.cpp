#include "core/model/positional/concatenated.h"

#include <algorithm>
#include <cmath>

#include "core/model/positional/sinusoidal.h"

namespace glassformer {
namespace {

class Concatenated final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"concatenated", "Concatenated",
            "Sinusoids in extra columns next to the embedding, instead of added to it.",
            "x = [E[token]; p[t]], with p in the last P columns", "against Vaswani et al. 2017"};
  }
  std::optional<Number> number(const ModelConfig&) const override { return Number{"columns P", 2, 4096, 16}; }
  bool isAdded() const override { return true; }
  int ownColumns(const ModelConfig& config) const override {
    return std::min(static_cast<int>(std::lround(numberOf(config))), config.width / 2);
  }
  std::optional<SinusoidPairs> sinusoidPairs(const ModelConfig& config) const override {
    const int P = ownColumns(config);
    return SinusoidPairs{config.width - P, P};
  }
  std::optional<Tensor> table(const ModelConfig& config) const override {
    return sinusoids(config.context, *sinusoidPairs(config));
  }
};

}  // namespace

const PositionalEncoding& concatenatedPositions() {
  static const Concatenated concatenated;
  return concatenated;
}

}  // namespace glassformer
