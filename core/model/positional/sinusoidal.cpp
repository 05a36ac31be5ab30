#include "core/model/positional/sinusoidal.h"

#include <cmath>

namespace glassformer {
namespace {

class Sinusoidal final : public PositionalEncoding {
 public:
  Description description() const override {
    return {"sinusoidal", "Sinusoidal",
            "Each position is a row of clock hands, turning at fixed speeds, added to the embedding.",
            "p[t, 2i] = sin(t / 10000^(2i/D)), p[t, 2i+1] = cos(t / 10000^(2i/D))", "Vaswani et al. 2017"};
  }
  std::optional<Number> number() const override { return Number{"base", 2, 1e7f, 10000}; }
  bool isAdded() const override { return true; }
  std::optional<Tensor> table(const ModelConfig& config) const override {
    return sinusoids(config.context, config.width, static_cast<double>(numberOf(config)));
  }
};

}  // namespace

const PositionalEncoding& sinusoidalPositions() {
  static const Sinusoidal sinusoidal;
  return sinusoidal;
}

Tensor sinusoids(int context, int width, double base) {
  Tensor table({context, width});
  for (int t = 0; t < context; ++t)
    for (int j = 0; j < width; ++j) {
      const double angle = t / std::pow(base, (j - j % 2) / static_cast<double>(width));
      table(t, j) = static_cast<float>(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return table;
}

}  // namespace glassformer
