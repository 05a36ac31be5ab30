#include "core/lens/softmax_pair.h"

#include <algorithm>
#include <cmath>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

using Place = std::array<int, maxRank>;

// At τ = 0 all of it goes to the larger one, the first of equals.
Derivation softmaxOf(Cell x1, Cell x2, float temperature, int chosen = 0) {
  const bool isHard = temperature == 0;
  const float factor = isHard ? 1 : 1 / temperature;
  return {.form = isHard ? Form::Largest : Form::Softmax,
          .terms = {{x1, nullptr, factor}, {x2, nullptr, factor}},
          .chosen = static_cast<std::size_t>(chosen)};
}

// A row's two keys and the surface around their scores.
class PairOfScores {
 public:
  PairOfScores(const Trace& trace, HeadId head, int query, std::array<int, 2> keys, float temperature,
               TensorSet& set, std::array<float, 2> moved)
      : scores_(trace[attentionPoint(head.layer, head.site, "hook_attn_scores")][head.head][query]),
        weights_(trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head][query]),
        query_(query),
        keys_(keys),
        temperature_(temperature),
        moved_(moved),
        set_(set) {}

  void measure() {
    addAxes();
    const TensorView x1 = set_[softmaxPair::first], x2 = set_[softmaxPair::second];
    addDerived(set_,
               {softmaxPair::surface, "UW", "the first of two shares, over both scores",
                "σ(x / τ)₁ = exp(x₁ / τ) / (exp(x₁ / τ) + exp(x₂ / τ))"},
               {softmaxSteps, softmaxSteps},
               [=, t = temperature_](const Place& at) { return softmaxOf(&x1(at[1]), &x2(at[0]), t); });
    if (keys_[1] >= 0) addPair(), addCuts();
  }

 private:
  Cell score(int i) const { return &scores_(keys_[static_cast<std::size_t>(i)]); }
  Cell weight(int i) const { return &weights_(keys_[static_cast<std::size_t>(i)]); }

  bool isMoved() const { return moved_ != std::array<float, 2>{}; }
  Cell pointed(int i) const { return isMoved() ? &set_[softmaxPair::point](i) : score(i); }

  void addPoint() {
    const TensorView axis = set_[softmaxPair::first];
    Tensor point({2});
    for (int i = 0; i < 2; ++i)
      point(i) = std::clamp(*score(i) + moved_[static_cast<std::size_t>(i)], axis(0), axis(softmaxSteps - 1));
    set_.add({softmaxPair::point, "Z", "the two scores, or where they were moved to", "x + Δ"},
             std::move(point));
  }

  // The same for both scores, so that equal scores lie on the floor's diagonal; whole numbers at the ends,
  // and room around the two.
  void addAxes() {
    const bool isPair = keys_[1] >= 0;
    const float a = keys_[0] >= 0 ? *score(0) : 0, b = isPair ? *score(1) : a;
    const float middle = std::round((a + b) / 2), least = 5;
    const float reach = std::max(least, std::ceil(std::abs(a - b) / 2) + 2);
    Tensor first({softmaxSteps}), second({softmaxSteps});
    for (int i = 0; i < softmaxSteps; ++i) {
      const float step = 2 * reach * static_cast<float>(i) / (softmaxSteps - 1);
      first(i) = middle - reach + step, second(i) = middle + reach - step;
    }
    set_.add({softmaxPair::first, "W", "a score of the first key", "x₁"}, std::move(first));
    set_.add({softmaxPair::second, "U", "a score of the second key", "x₂"}, std::move(second));
  }

  void addPair() {
    set_.add({softmaxPair::keys, "Z", "the query and its two keys", ""},
             Tensor({3}, {static_cast<float>(query_), static_cast<float>(keys_[0]),
                          static_cast<float>(keys_[1])}));
    addPoint();
    const Cell s1 = pointed(0), s2 = pointed(1), a1 = weight(0), a2 = weight(1);
    addDerived(set_,
               {softmaxPair::share, "Z", "the two keys' shares, were there no other key",
                "σ(x / τ) of their scores"},
               {2}, [=, t = temperature_](const Place& at) { return softmaxOf(s1, s2, t, at[0]); });
    const Cell own1 = score(0), own2 = score(1);
    addDerived(set_,
               {softmaxPair::own, "Z", "the two keys' shares by the scores that the head has",
                "σ(x / τ) of the head's own scores"},
               {2}, [=, t = temperature_](const Place& at) { return softmaxOf(own1, own2, t, at[0]); });
    addDerived(
        set_,
        {softmaxPair::ofRow, "Z", "weight of each of the two, of both weights together", "a₁ / (a₁ + a₂)"},
        {2}, [=](const Place& at) {
          return Derivation{
              .form = Form::Share, .terms = {{a1}, {a2}}, .chosen = static_cast<std::size_t>(at[0])};
        });
    addDerived(set_, {softmaxPair::together, "1", "weight of the two together", "a₁ + a₂"}, {1},
               [=](const Place&) {
                 return Derivation{.terms = {{a1}, {a2}}};
               });
  }

  // Through the point of the two scores: where x₁ changes alone, and where both change alike.
  void addCuts() {
    const TensorView x1 = set_[softmaxPair::first];
    const Cell a = pointed(0), b = pointed(1);
    addDerived(set_, {softmaxPair::alone, "W", "the first weight when only its score changes", "σ(x / τ)₁"},
               {softmaxSteps},
               [=, t = temperature_](const Place& at) { return softmaxOf(&x1(at[0]), b, t); });
    addDerived(set_,
               {softmaxPair::shifted, "W", "the second score where both change by the same", "x₁ + s₂ − s₁"},
               {softmaxSteps}, [=](const Place& at) {
                 return Derivation{.terms = {{&x1(at[0])}, {b}, {a, nullptr, -1}}};
               });
    const TensorView x2 = set_[softmaxPair::shifted];
    addDerived(set_,
               {softmaxPair::both, "W", "the first share where both scores change by the same", "σ(x / τ)₁"},
               {softmaxSteps},
               [=, t = temperature_](const Place& at) { return softmaxOf(&x1(at[0]), &x2(at[0]), t); });
  }

  TensorView scores_, weights_;  // [S]: of the query
  int query_;
  std::array<int, 2> keys_;
  float temperature_;
  std::array<float, 2> moved_;
  TensorSet& set_;
};

}  // namespace

std::array<int, 2> pairOfKeys(const TensorView& weights, int first, int second) {
  const int S = weights.extent[0];
  const auto has = [&](int key) { return key >= 0 && key < S && weights(key) > 0; };
  const auto strongestBut = [&](int taken) {
    int best = -1;
    for (int key = 0; key < S; ++key)
      if (key != taken && has(key) && (best < 0 || weights(key) > weights(best))) best = key;
    return best;
  };
  if (!has(first)) first = strongestBut(has(second) ? second : -1);
  if (!has(second) || second == first) second = strongestBut(first);
  return first < 0 ? std::array{second, -1} : std::array{first, second};
}

void measureSoftmaxPair(const Trace& trace, HeadId head, int query, std::array<int, 2> keys,
                        float temperature, TensorSet& set, std::array<float, 2> moved) {
  PairOfScores(trace, head, query, keys, temperature, set, moved).measure();
}

}  // namespace glassformer
