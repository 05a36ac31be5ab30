#include "core/lens/slips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/lens/attention_stages.h"
#include "core/model/transformer.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// A head's share of a point [T, H', K], whose heads others may share.
TensorView rowsOf(const Trace& trace, HeadId head, const char* point, int heads) {
  return headRows(trace[attentionPoint(head.layer, head.site, point)], head.head, heads);
}

TensorView addPlane(const SlipSet& into, const char* part, const char* letters, const char* meaning,
                    const char* equation, Tensor values, Stream rows, Stream keys,
                    TensorSet::DerivationOf derivation) {
  const std::string name = slipTensor(part, into.of);
  into.set.add({name, letters, meaning, equation, rows, keys}, std::move(values), std::move(derivation));
  return into.set[name];
}

// The numbers of a plane as they are, which it outlives.
struct Copied {
  explicit Copied(const TensorView& plane) : plane(plane) {}
  Tensor values() const { return {{plane.extent[0], plane.extent[1]}, plane.copy()}; }
  Derivation operator()(const Index& at) const { return {.terms = {{&plane(at[0], at[1])}}}; }

  TensorView plane;
};

// Both ways, and how far they are apart.
void addBoth(const SlipSet& into, const char* letters, const char* meant, const char* asPrinted,
             const Copied& rightOnes, Tensor printed, Stream rows, Stream keys,
             TensorSet::DerivationOf printedMadeOf) {
  Tensor difference = printed, right = rightOnes.values();
  float largest = 0;
  for (std::size_t i = 0; i < difference.values().size(); ++i) {
    difference.values()[i] -= right.values()[i];
    largest = std::max(largest, std::abs(difference.values()[i]));
  }
  const TensorView meantOnes = addPlane(into, slip::right, letters, "the correct formula", meant,
                                        std::move(right), rows, keys, rightOnes),
                   others =
                       addPlane(into, slip::printed, letters, "the same numbers by the formula as printed",
                                asPrinted, std::move(printed), rows, keys, std::move(printedMadeOf)),
                   apart = addPlane(
                       into, slip::difference, letters,
                       "difference of the printed formula and the correct one", "printed − right",
                       std::move(difference), rows, keys,
                       [=](const Index&at) { return derivedDifference(&others.at(at), &meantOnes.at(at)); });
  into.set.add({slipTensor(slip::largest, into.of), "1", "the largest difference between both",
                "max |printed − right|"},
               Tensor({1}, {largest}), [apart](const Index&) { return derivedFurthest(apart); });
}

std::string whyNoSoftmax(const Transformer& model, const Trace&, HeadId head) {
  if (!model.config().hasAttention()) return "this model does not attend";
  return hasSoftmax(model.config()) && hasProducts(model.config(), head.site)
             ? ""
             : "this model's weights are not a softmax of q · k";
}

std::string whyNoValues(const Transformer& model, const Trace& trace, HeadId head) {
  if (std::string reason = whyNoSoftmax(model, trace, head); !reason.empty()) return reason;
  return model.config().readout == Readout::ValuesAndOutput ? "" : "this model has no V and O of a head";
}

std::string whyNoScaling(const Transformer& model, const Trace& trace, HeadId head) {
  if (std::string reason = whyNoSoftmax(model, trace, head); !reason.empty()) return reason;
  const ModelConfig& config = model.config();
  if (!config.scaledScores) return "this model's scores are not divided by √K";
  if (hasCap(config, head.site)) return "this model's scores are capped";
  return isMaskedAfter(config, head.site) ? "this model's mask applies after the softmax" : "";
}

// The norm in front of the head's block, or the first that there is.
std::string normOf(const Transformer& model, const Trace& trace, HeadId head) {
  const auto centred = [&](const std::string& name) {
    const auto made = trace.derive(name, {0, 0});
    return made && made->form == Form::Normalized && made->centred;
  };
  std::string own = blockPoint(model.config(), head.layer, "ln1.hook_normalized", queriesOf(head.site));
  if (trace.contains(own) && centred(own)) return own;
  for (int i = 0; i < trace.count(); ++i)
    if (const std::string& name = trace.point(i).name;
        name.ends_with("ln1.hook_normalized") || name.ends_with("ln_final.hook_normalized"))
      if (centred(name)) return name;
  return "";
}

std::string whyNoNorm(const Transformer& model, const Trace& trace, HeadId head) {
  return normOf(model, trace, head).empty() ? "this model has no layer norm" : "";
}

// σ(QKᵀ/√K) V is what the pass has made; V and the weights stand as it is printed.
void measureOrder(const Transformer& model, const Trace& trace, HeadId head, const SlipSet& into) {
  const TensorView pattern = trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  const Stream asking = queriesOf(head.site), lookedAt = keysOf(head.site);
  const auto add = [&](const char* part, const char* letters, const char* meaning, const char* equation,
                       const Copied& numbers, Stream rows) {
    addPlane(into, part, letters, meaning, equation, numbers.values(), rows, lookedAt, numbers);
  };
  const int heads = model.config().heads;
  add(slip::left, "SK", "the values of the head", "V", Copied(rowsOf(trace, head, "hook_v", heads)),
      lookedAt);
  add(slip::other, "TS", "its weights", "A = σ(QKᵀ/√K)", Copied(pattern), asking);
  add(slip::right, "TK", "values, weighted by attention", "A V", Copied(rowsOf(trace, head, "hook_z", heads)),
      asking);
}

// U_v = W_Vᵀ [K, D] and U_o = W_Oᵀ [D, K] of one head.
void measureReadout(const Transformer& model, const Trace&, HeadId head, const SlipSet& into) {
  const ModelConfig& config = model.config();
  const int D = config.width, K = config.headWidth();
  const std::string attention = attentionWeights(head.layer, head.site);
  const bool across = head.site == AttentionSite::Cross;
  const AttentionColumns columns = across ? crossAttentionColumns(config) : selfAttentionColumns(config);
  const int first =
      (across ? 0 : columns.query) + columns.key + head.head * config.valueHeads() / config.heads * K;
  const TensorView in = model.parameters()[attention + "c_attn.weight"],
                   out = model.parameters()[attention + "c_proj.weight"];
  Tensor o({D, K}), v({D, K}), product({D, D});
  for (int d = 0; d < D; ++d)
    for (int k = 0; k < K; ++k) o(d, k) = out(head.head * K + k, d), v(d, k) = in(d, first + k);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += o(i, k) * v(j, k);
      product(i, j) = sum;
    }
  const TensorView writes =
      addPlane(into, slip::left, "DK", "output matrix of the head", "U_o = W_Oᵀ", std::move(o), Stream::Text,
               Stream::Text, [=, row = head.head * K](const Index& at) {
                 return Derivation{.terms = {{&out(row + at[1], at[0])}}};
               });
  const TensorView reads =
      addPlane(into, slip::other, "DK", "value matrix of the head, transposed", "U_vᵀ = W_V", std::move(v),
               Stream::Text, Stream::Text,
               [=](const Index& at) { return Derivation{.terms = {{&in(at[0], first + at[1])}}}; });
  addPlane(into, slip::right, "DD", "from input to output: its rank is at most K", "U_o U_v",
           std::move(product), Stream::Text, Stream::Text,
           [=](const Index& at) { return derivedDot(writes[at[0]], reads[at[1]]); });
}

// s' = s + (q · k)(1 − 1/√K), and the softmax of that.
void measureUnscaled(const Transformer& model, const Trace& trace, HeadId head, const SlipSet& into) {
  const ModelConfig& config = model.config();
  const float scale = config.ofLayer(head.layer).scoreScale();
  const auto compared = [&](const char* which) {
    return headRows(trace[comparedPoint(trace, head.layer, head.site, which)], head.head, config.heads);
  };
  const TensorView q = compared("q"), k = compared("k"),
                   scores = trace[attentionPoint(head.layer, head.site, "hook_attn_scores")][head.head],
                   pattern = trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  const int T = scores.extent[0], S = scores.extent[1];
  Tensor printed({T, S}), undivided({T, S});
  AlignedVector weights(static_cast<std::size_t>(S));
  for (int t = 0; t < T; ++t) {
    for (int s = 0; s < S; ++s) {
      float product = 0;
      for (int i = 0; i < q.extent[1]; ++i) product += q(t, i) * k(s, i);
      undivided(t, s) = scores(t, s) + product * (1 - scale);
    }
    kernels().softmax(&undivided(t, 0), weights.data(), S);
    std::ranges::copy(weights, &printed(t, 0));
  }
  const Stream asking = queriesOf(head.site), lookedAt = keysOf(head.site);
  const TensorView unscaled =
      addPlane(into, slip::unscaled, "TS", "the score without the divisor", "s + q · k (1 − 1/√K)",
               std::move(undivided), asking, lookedAt, [=](const Index& at) {
                 Derivation score = derivedDot(q[at[0]], k[at[1]], 1 - scale);
                 score.terms.push_back({&scores(at[0], at[1])});
                 return score;
               });
  addBoth(into, "TS", "σ(QKᵀ/√K)", "σ(QKᵀ)", Copied(pattern), std::move(printed), asking, lookedAt,
          [=](const Index& at) { return derivedProbability(unscaled[at[0]], at[1], "keys"); });
}

// γ (x − μ) / divisor + β with what `formula` makes of a row: its μ and its divisor.
struct Centre {
  double mean, divisor;
};
// Of a row that the norm has read; nothing where one of its numbers is itself a product.
std::optional<Derivation> normMadeOf(const Derivation& row, Centre centre) {
  const Cell gamma = row.gamma;
  const double sum = row.sum();
  Derivation made;
  for (std::size_t i = 0; i < row.terms.size(); ++i) {
    const Term& x = row.terms[i];
    if (!x.factor || x.other) return std::nullopt;
    // μ is a share of Σ x.
    const double share = (i == row.chosen ? 1.0 : 0.0) - (sum != 0 ? centre.mean / sum : 0);
    made.terms.push_back(
        {x.factor, gamma, static_cast<float>(static_cast<double>(x.coefficient) * share / centre.divisor)});
  }
  if (row.beta) made.terms.push_back({row.beta});
  return made;
}
void measureNorm(const Transformer& model, const Trace& trace, HeadId head, const char* meant,
                 const char* asPrinted, Centre (*formula)(const Derivation& row), const SlipSet& into) {
  const std::string name = normOf(model, trace, head);
  const TensorView right = trace[name];
  const int T = right.extent[0], D = right.extent[1];
  std::vector<double> gamma, beta;
  for (int d = 0; d < D; ++d) {
    const Derivation made = *trace.derive(name, {0, d});
    gamma.push_back(static_cast<double>(*made.gamma));
    beta.push_back(made.beta ? static_cast<double>(*made.beta) : 0);
  }
  Tensor printed({T, D});
  for (int t = 0; t < T; ++t) {
    const Derivation row = *trace.derive(name, {t, 0});
    const Centre centre = formula(row);
    for (std::size_t d = 0; d < row.terms.size(); ++d)
      printed(t, static_cast<int>(d)) =
          static_cast<float>(gamma[d] * (row.terms[d].value() - centre.mean) / centre.divisor + beta[d]);
  }
  const Stream rows = trace.point(trace.find(name)).rows;
  addBoth(into, "TD", meant, asPrinted, Copied(right), std::move(printed), rows, rows,
          [=, &trace](const Index& at) {
            const Derivation row = *trace.derive(name, at);
            return normMadeOf(row, formula(row));
          });
}

// σ already is the deviation.
Centre rootOfDeviation(const Derivation& row) {
  const double epsilon = static_cast<double>(row.constant),
               sigma = std::sqrt(row.spread() * row.spread() - epsilon);
  return {row.mean(), std::sqrt(sigma + epsilon)};
}

// μ = Σ x, and the deviation from it.
Centre sumForMean(const Derivation& row) {
  const double sum = row.mean() * static_cast<double>(row.terms.size());
  double squares = 0;
  for (const Term& term : row.terms) squares += (term.value() - sum) * (term.value() - sum);
  return {sum,
          std::sqrt(squares / static_cast<double>(row.terms.size()) + static_cast<double>(row.constant))};
}

void measureRoot(const Transformer& model, const Trace& trace, HeadId head, const SlipSet& into) {
  measureNorm(model, trace, head, "γ (x − μ) / √(σ² + ε) + β", "γ (x − μ) / √(σ + ε) + β", rootOfDeviation,
              into);
}
void measureSum(const Transformer& model, const Trace& trace, HeadId head, const SlipSet& into) {
  measureNorm(model, trace, head, "μ = Σ x / D", "μ = Σ x", sumForMean, into);
}

constexpr std::array all{
    Slip{"order", "V σ(…)", "V σ(QKᵀ/√K)", "σ(QKᵀ/√K) V",
         "with tokens as rows the values stand on the right: every row of weights averages their rows",
         whyNoValues, measureOrder, true, false},
    Slip{"readout", "U_o U_vᵀ", "U_o U_vᵀ", "U_o U_v",
         "both are D × K as printed; U_v, transposed, reads D numbers and outputs K", whyNoValues,
         measureReadout, true, false},
    Slip{"scale", "without √K", "σ(QKᵀ)", "σ(QKᵀ/√K)",
         "products of K numbers grow with √K: without the divisor the softmax is nearly one-hot",
         whyNoScaling, measureUnscaled},
    Slip{"root", "√(σ + ε)", "γ (x − μ) / √(σ + ε) + β", "γ (x − μ) / √(σ² + ε) + β",
         "σ is the standard deviation already, and its root leaves numbers with a deviation of √σ", whyNoNorm,
         measureRoot, false},
    Slip{"sum", "μ = Σ x", "μ = Σ x", "μ = Σ x / D",
         "a mean is divided by the count; the deviation uses the same μ", whyNoNorm, measureSum, false},
};

}  // namespace

std::span<const Slip> slips() { return all; }

const Slip& slipCalled(std::string_view id) {
  const auto* found = std::ranges::find(all, id, &Slip::id);
  return found == all.end() ? all.front() : *found;
}

std::string slipTensor(const char* part, const Slip& of) { return std::string(part) + "." + of.id; }

void measureSlip(const Slip& slip, const Transformer& model, const Trace& trace, HeadId head,
                 TensorSet& set) {
  if (slip.whyNot(model, trace, head).empty()) slip.measure(model, trace, head, {set, slip});
}

}  // namespace glassformer
