#include "core/model/positional/sinusoidal.h"

#include <cmath>

namespace glassformer {
namespace {

class Sinusoidal final : public PositionalEncoding {
 public:
  explicit Sinusoidal(Hands hands) : hands_(hands) {}
  Description description() const override {
    if (hands_ == Hands::Halves)
      return {"sinusoidal_halves", "Sinusoidal (half-split)",
              "The same sine–cosine pairs: sines in the first half of the columns, cosines in the second.",
              "p[t, i] = sin(t / 10000^(2i/D)), p[t, i + D/2] = cos(t / 10000^(2i/D))",
              "Junczys-Dowmunt et al. 2018"};
    return {"sinusoidal", "Sinusoidal", "Sines and cosines of fixed frequencies are added to the embedding.",
            "p[t, 2i] = sin(t / 10000^(2i/D)), p[t, 2i+1] = cos(t / 10000^(2i/D))", "Vaswani et al. 2017"};
  }
  std::optional<Number> number(const ModelConfig&) const override { return Number{"base", 2, 1e7f, 10000}; }
  bool isAdded() const override { return true; }
  std::optional<Tensor> table(const ModelConfig& config) const override {
    return sinusoids(config.context, *sinusoidPairs(config));
  }
  std::optional<SinusoidPairs> sinusoidPairs(const ModelConfig& config) const override {
    return SinusoidPairs{0, config.width, static_cast<double>(numberOf(config)), hands_};
  }

 private:
  Hands hands_;
};

}  // namespace

const PositionalEncoding& sinusoidalPositions() {
  static const Sinusoidal sinusoidal(Hands::Neighbours);
  return sinusoidal;
}

const PositionalEncoding& sinusoidalHalvesPositions() {
  static const Sinusoidal sinusoidal(Hands::Halves);
  return sinusoidal;
}

Tensor sinusoids(int context, const SinusoidPairs& hands) {
  Tensor table({context, hands.first + hands.width});
  for (int t = 0; t < context; ++t)
    for (int k = 0; k < hands.sines(); ++k) {
      const double angle = hands.angle(t, k);
      table(t, hands.sine(k)) = static_cast<float>(std::sin(angle));
      if (k < hands.pairs()) table(t, hands.cosine(k)) = static_cast<float>(std::cos(angle));
    }
  return table;
}

}  // namespace glassformer
