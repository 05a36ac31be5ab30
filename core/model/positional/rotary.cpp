#include "core/model/positional/rotary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace glassformer {
namespace {

// Which columns of a head make pair i of `turned / 2`.
enum class Pairs { Neighbours, Halves };

// The pair, not always a whole one, that turns so often in a text of training.
double pairThatTurns(double turns, double base, int R, const RotaryScaling& scaling) {
  return R * std::log(scaling.originalContext / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
}

// How far pair i turns as it was learned: 1 up to the last fast one, 0 from the first slow one on, and in
// between on a straight line over pairs (Peng et al. 2023, section 3.2, as their code has it).
double learnedShare(int i, double base, int R, const RotaryScaling& scaling) {
  const double first = std::max(0.0, std::floor(pairThatTurns(scaling.highFreqFactor, base, R, scaling)));
  double last = std::min(R - 1.0, std::ceil(pairThatTurns(scaling.lowFreqFactor, base, R, scaling)));
  if (last == first) last += 0.001;
  return 1 - std::clamp((i - first) / (last - first), 0.0, 1.0);
}

// The angle by which pair i of R columns is turned from one token to the next.
double scaled(int i, double base, int R, const RotaryScaling& scaling) {
  const double angle = 1 / std::pow(base, 2.0 * i / R), slowed = angle / scaling.factor;
  if (scaling.slowing == RopeScaling::None) return angle;
  if (scaling.slowing == RopeScaling::Linear) return slowed;
  if (scaling.slowing == RopeScaling::Yarn) {
    const double share = learnedShare(i, base, R, scaling);
    return share * angle + (1 - share) * slowed;
  }
  const double turns = scaling.originalContext * angle / (2 * std::numbers::pi);  // in a text of training
  const double fast = std::clamp(
      (turns - scaling.lowFreqFactor) / (scaling.highFreqFactor - scaling.lowFreqFactor), 0.0, 1.0);
  return (1 - fast) * slowed + fast * angle;
}

// What turned vectors are multiplied with: with YaRN scores grow with the text, as if at a lower temperature.
float lengthening(const RotaryScaling& scaling) {
  if (scaling.slowing != RopeScaling::Yarn) return 1;
  return scaling.attentionFactor > 0 ? scaling.attentionFactor
         : scaling.factor > 1        ? 0.1f * std::log(scaling.factor) + 1
                                     : 1;
}

// Per head, each pair of the first `turned` columns is turned: (a, b) -> (a cos θ - b sin θ, a sin θ + b cos
// θ) with θ = t / base^(2i/R) for pair i of R turned columns (Su et al. 2021, eq. 34). The others stay.
class Rotate final : public Operation {
 public:
  Rotate(const Extent& extent, Value x, int headWidth, int turned, Pairs pairs, double base,
         const RotaryScaling& scaling, Value y)
      : Operation(extent),
        K(headWidth),
        R(turned),
        pairs_(pairs),
        cos_({extent.capacity, turned / 2}),
        sin_(cos_),
        longer_(lengthening(scaling)),
        dx_{x},
        dy_{y} {
    for (int t = 0; t < extent.capacity; ++t)
      for (int i = 0; i < R / 2; ++i) {
        const double angle = t * scaled(i, base, R, scaling);
        cos_(t, i) = longer_ * static_cast<float>(std::cos(angle));
        sin_(t, i) = longer_ * static_cast<float>(std::sin(angle));
      }
  }

  void forward(const Work& work) override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = work.rowBegin; r < work.rowEnd; ++r)
      turn(x.data + r * x.stride, y.data + r * y.stride, r % extent_.capacity, 1, false);
  }

  // The transpose of a rotation is the rotation back; of one that makes longer it does so, too.
  void backward() override {
    const Value &x = dx_.value, &y = dy_.value;
    for (int r = 0; r < extent_.rows(); ++r)
      turn(dy_.data + r * y.stride, dx_.data + r * x.stride, r % extent_.capacity, -1, dx_.accumulate);
  }

  std::vector<Gradient*> operands() override { return {&dx_}; }
  Gradient* result() override { return &dy_; }

  bool makes(Cell cell) const override { return holds(dy_.value, cell); }
  Derivation derive(Cell cell, const Before&) const override {
    const auto [head, r, j] = placeOf(dy_.value, cell);
    const int t = r % extent_.capacity, column = j % K;
    if (column >= R) return {.terms = {{cellOf(dx_.value, r, j)}}};
    const bool isFirst = pairs_ == Pairs::Halves ? column < R / 2 : column % 2 == 0;
    const int i = pairs_ == Pairs::Halves ? column % (R / 2) : column / 2;
    const int other = j + (isFirst ? 1 : -1) * apart();
    return {.terms = {{cellOf(dx_.value, r, j), nullptr, cos_(t, i)},
                      {cellOf(dx_.value, r, other), nullptr, isFirst ? -sin_(t, i) : sin_(t, i)}}};
  }
  std::string equation(Cell, const OperandNames& names) const override {
    char longer[32] = "";
    if (longer_ != 1) std::snprintf(longer, sizeof longer, "%.3g ", static_cast<double>(longer_));
    return longer + ("R_t · " + names.of(dx_.value.data));
  }

 private:
  int apart() const { return pairs_ == Pairs::Halves ? R / 2 : 1; }

  void turn(const float* x, float* y, int t, float direction, bool accumulate) const {
    const auto put = [&](int j, float value) { y[j] = (accumulate ? y[j] : 0) + value; };
    const int between = apart(), step = pairs_ == Pairs::Halves ? 1 : 2;
    for (int head = 0; head < dx_.value.width; head += K) {
      for (int i = 0; i < R / 2; ++i) {
        const int j = head + i * step;
        const float c = cos_(t, i), s = direction * sin_(t, i), a = x[j], b = x[j + between];
        put(j, a * c - b * s);
        put(j + between, a * s + b * c);
      }
      for (int j = head + R; j < head + K; ++j) put(j, x[j]);
    }
  }

  int K, R;
  Pairs pairs_;
  Tensor cos_, sin_;  // [C, R/2]
  float longer_;
  Gradient dx_, dy_;
};

class Rotary final : public PositionalEncoding {
 public:
  explicit Rotary(Pairs pairs) : pairs_(pairs) {}

  Description description() const override {
    if (pairs_ == Pairs::Halves)
      return {"rotary_halves", "RoPE (half-split)",
              "RoPE with pairs of one column of the first half of a head and one of the second.",
              "(R_t q) · (R_s k) = q · R_(s−t) k", "Su et al. 2021"};
    return {"rotary", "RoPE (interleaved)",
            "Queries and keys are rotated by position; scores depend on the distance alone.",
            "(R_t q) · (R_s k) = q · R_(s−t) k", "Su et al. 2021"};
  }
  std::optional<Number> number(const ModelConfig&) const override { return Number{"base", 2, 1e7f, 10000}; }
  Status validate(const ModelConfig& config) const override {
    const int turned = turnedOf(config);
    if (turned < 0 || turned > config.headWidth())
      return Error{"rotary_dim is " + std::to_string(config.rotaryDim) + "; heads are " +
                       std::to_string(config.headWidth()) + " wide",
                   "config", "0 turns all of a head"};
    const RotaryScaling& scaling = config.rotaryScaling;
    const bool bySpeed = scaling.slowing == RopeScaling::ByWavelength || scaling.slowing == RopeScaling::Yarn;
    if (bySpeed && !(scaling.lowFreqFactor < scaling.highFreqFactor))
      return Error{"rope_high_freq_factor is not above rope_low_freq_factor", "config",
                   "the high-frequency factor must be above the low-frequency factor"};
    if (turned % 2 == 0) return success();
    return Error{std::string(config.rotaryDim > 0 ? "rotary_dim" : "a head's width") + " is " +
                     std::to_string(turned) + "; rotary positions turn pairs",
                 "config", "give the heads an even width"};
  }
  bool rotates() const override { return true; }
  int turnedPairs(const ModelConfig& config) const override { return turnedOf(config) / 2; }
  std::array<int, 2> turnedPair(const ModelConfig& config, int i) const override {
    if (pairs_ == Pairs::Neighbours) return {2 * i, 2 * i + 1};
    return {i, i + turnedOf(config) / 2};
  }
  Value rotate(Tape& tape, const ModelConfig& config, const Value& x) const override {
    const Value y = tape.rows(x.width, x.stream);
    tape.add(std::make_unique<Rotate>(tape.extent(x), x, config.headWidth(), turnedOf(config), pairs_,
                                      static_cast<double>(numberOf(config)), config.rotaryScaling, y));
    return y;
  }

 private:
  static int turnedOf(const ModelConfig& config) {
    return config.rotaryDim != 0 ? config.rotaryDim : config.headWidth();
  }

  Pairs pairs_;
};

}  // namespace

const PositionalEncoding& rotaryPositions() {
  static const Rotary rotary(Pairs::Neighbours);
  return rotary;
}

const PositionalEncoding& rotaryHalvesPositions() {
  static const Rotary rotary(Pairs::Halves);
  return rotary;
}

}  // namespace glassformer
