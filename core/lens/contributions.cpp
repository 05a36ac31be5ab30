#include "core/lens/contributions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

#include "core/lens/equation_words.h"
#include "core/lens/residual_stream.h"
#include "core/lens/value_norms.h"
#include "core/lens/written_parts.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

using Kind = ContributionPart::Kind;

bool hasFinalNorm(const ModelConfig& config) { return config.hasNorms() && config.finalNorm; }

double dot(const float* a, const float* b, int n) {
  return std::inner_product(a, a + n, b, 0.0, std::plus<>(),
                            [](float x, float y) { return static_cast<double>(x) * y; });
}

// One attention's output [T, D] part by part: the heads one after the other, and what they leave of it.
class AttentionParts {
 public:
  AttentionParts(const Transformer& model, const Trace& trace, int layer, AttentionSite site)
      : model_(model),
        z_(trace[attentionPoint(layer, site, "hook_z")]),
        output_(trace[attentionOutPoint(layer, site)]) {
    if (model.config().hasSandwichNorm()) behind_ = normBehind(model, trace, layer, site);
    rest_ = Tensor({output_.extent[0], output_.extent[1]}, output_.copy());
  }

  // z · W_O of one head [T, D], through the norm behind it, where there is one. A token whose attention is
  // switched off has nothing from any head.
  Tensor head(HeadId head) {
    const TensorView z(z_.data + head.head * z_.stride[1], {z_.extent[0], z_.extent[2]},
                       {z_.stride[0], z_.stride[2]});
    Tensor rows = writtenBy(model_, head, z);
    const int D = output_.extent[1];
    for (int t = 0; behind_ && t < output_.extent[0]; ++t) behind_->carry(&rows(t, 0), t);
    for (int t = 0; t < output_.extent[0]; ++t)
      for (int d = 0; d < D; ++d) {
        if (isOff(t)) rows(t, d) = 0;
        rest_(t, d) -= rows(t, d);
      }
    return rows;
  }
  // b_O, and what interventions made of the output.
  const Tensor& rest() const { return rest_; }

 private:
  bool isOff(int t) const { return kernels().sumOfSquares(&output_(t, 0), output_.extent[1]) == 0; }

  const Transformer& model_;
  TensorView z_, output_;
  std::optional<FixedNorm> behind_;  // with the σ of what all heads make
  Tensor rest_;
};

// Calls visit(part, rows) with the vectors [T, D] of every part of x. False where the watch stopped it.
template <typename Visit>
bool eachPart(const Transformer& model, const Trace& trace, Stream stream, const ProgressCallback& watch,
              Visit visit) {
  const ModelConfig& config = model.config();
  const auto parts = contributionParts(model, stream);
  std::optional<AttentionParts> attention;
  const auto count = static_cast<int>(parts.size());
  for (int part = 0; part < count; ++part) {
    if (!watch(part, count)) return false;
    const auto [kind, head] = parts[static_cast<std::size_t>(part)];
    if (const std::string point = pointOf(config, {kind, head}); !point.empty()) visit(part, trace[point]);
    if (kind == Kind::Head) {
      if (head.head == 0) attention.emplace(model, trace, head.layer, head.site);
      const Tensor rows = attention->head(head);
      visit(part, rows.view());
    }
    if (kind == Kind::OutputBias) visit(part, attention->rest().view());
  }
  watch(count, count);
  return true;
}

// The numbers that a part x_m is made of, as x_m = numbers · W; without W they are x_m.
struct PartNumbers {
  TensorView numbers;  // [T, N], or [1, N] the same for every token; empty: there are no such
  TensorView weight;   // [N, D]
  TensorView output;   // [T, D], of a head: 0 where its attention is switched off
  std::optional<FixedNorm> behind = {};  // what it goes through before it is added

  bool isMadeOf(int t) const {
    const bool isOff = output.data && kernels().sumOfSquares(&output(t, 0), output.extent[1]) == 0;
    return numbers.data && !isOff;
  }
  TensorView of(int t) const { return numbers[numbers.extent[0] == 1 ? 0 : t]; }
};

// Of a head its z and W_O, of the output's bias b_O, else what the pass has of it.
PartNumbers numbersOf(const Transformer& model, const Trace& trace, const ContributionPart& part) {
  const ModelConfig& config = model.config();
  if (const std::string point = pointOf(config, part); !point.empty()) return {trace[point], {}, {}};
  const auto [layer, head, site] = part.head;
  const std::string weights = attentionWeights(layer, site) + "c_proj.";
  if (part.kind == Kind::OutputBias) {
    if (config.hasSandwichNorm()) return {};
    const int bias = model.parameters().find(weights + "bias");
    return {
        bias < 0 ? TensorView() : TensorView(model.parameters().view(bias).data, {1, config.width}), {}, {}};
  }
  const TensorView z = trace[attentionPoint(layer, site, "hook_z")];  // [T, H, K]
  const int K = z.extent[2];
  const TensorView own(z.data + head * z.stride[1], {z.extent[0], K}, {z.stride[0], z.stride[2]});
  const TensorView all =
      config.headsOutputFullWidth() ? TensorView() : model.parameters()[weights + "weight"];  // [H · K, D]
  return {own, all.data ? TensorView(&all(head * K, 0), {K, config.width}) : TensorView(),
          trace[attentionOutPoint(layer, site)],
          config.hasSandwichNorm() ? std::optional(normBehind(model, trace, layer, site)) : std::nullopt};
}

std::vector<PartNumbers> numbersOfParts(const Transformer& model, const Trace& trace,
                                        Stream stream = Stream::Text) {
  std::vector<PartNumbers> parts;
  for (const ContributionPart& part : contributionParts(model, stream))
    parts.push_back(numbersOf(model, trace, part));
  return parts;
}

// x_m · u times `coefficient` of one token, from the part's own numbers: numbers · (W u), the σ of a norm
// between held fixed.
std::optional<Derivation> alongPart(const PartNumbers& part, int t, const float* u, double coefficient) {
  if (!part.isMadeOf(t)) return std::nullopt;
  const TensorView row = part.of(t);
  std::vector<float> before;
  if (part.behind) {
    const auto width = static_cast<std::size_t>(part.output.extent[1]);
    before = part.behind->before({u, u + width}, t), u = before.data();
  }
  Derivation sum;
  for (int i = 0; i < row.extent[0]; ++i) {
    const double along = part.weight.data ? dot(&part.weight(i, 0), u, part.weight.extent[1]) : u[i];
    sum.terms.push_back({&row(i), nullptr, static_cast<float>(along * coefficient)});
  }
  return sum;
}

// The means over the vocabulary: of W_U [D], and of b_U [V].
std::vector<float> meanAnswer(const Transformer& model) {
  const TensorView rows = model.unembedding();
  std::vector<double> sum(static_cast<std::size_t>(rows.extent[1]));
  for (int entry = 0; entry < rows.extent[0]; ++entry)
    for (int d = 0; d < rows.extent[1]; ++d) sum[static_cast<std::size_t>(d)] += rows(entry, d);
  std::vector<float> mean;
  for (const double each : sum) mean.push_back(static_cast<float>(each / rows.extent[0]));
  return mean;
}
float meanBias(const TensorView& bias) {
  double sum = 0;
  for (int entry = 0; entry < bias.extent[0]; ++entry) sum += bias(entry);
  return static_cast<float>(sum / bias.extent[0]);
}

// W_U's column for the entry [D]; centred, less the mean of all.
std::vector<float> answerOf(const Transformer& model, int entry, LogitBase base) {
  std::vector<float> answer = model.unembedding()[entry].copy();
  if (base == LogitBase::Raw) return answer;
  const std::vector<float> mean = meanAnswer(model);
  for (std::size_t d = 0; d < answer.size(); ++d) answer[d] -= mean[d];
  return answer;
}

// What x is multiplied with for a logit, the final norm's scale held fixed. With a layer norm
//   logit = Σ_d γ_d (x_d − mean(x)) / σ · W_U[d, entry] + β · W_U = x · direction / σ + β · W_U,
// where the mean is taken out of γ ⊙ W_U instead of x; with an RMS norm nothing is taken out, and without a
// norm the direction is W_U.
std::vector<float> logitDirection(const Transformer& model, int entry, LogitBase base = LogitBase::Raw) {
  std::vector<float> direction = answerOf(model, entry, base);
  for (float& value : direction) value *= model.config().unembeddingScale();
  if (!hasFinalNorm(model.config())) return direction;
  return beforeNorm(std::move(direction), model.parameters()["ln_f.weight"], model.config().norm);
}

// β of the final norm [D]; empty where it has none.
TensorView finalBias(const Transformer& model) {
  const ModelConfig& config = model.config();
  const bool isBiased = hasFinalNorm(config) && config.norm == NormKind::Layer;
  return isBiased ? model.parameters()["ln_f.bias"] : TensorView();
}

// β · W_U; centred, a sum of the numbers of β alone. Without terms where there is no β.
Derivation normBias(const Transformer& model, int entry, LogitBase base) {
  const TensorView beta = finalBias(model);
  if (!beta.data) return {};
  const float factor = model.config().unembeddingScale();
  if (base == LogitBase::Raw) return derivedDot(beta, model.unembedding()[entry], factor);
  const std::vector<float> answer = answerOf(model, entry, base);
  Derivation sum;
  for (int d = 0; d < beta.extent[0]; ++d)
    sum.terms.push_back({&beta(d), nullptr, answer[static_cast<std::size_t>(d)] * factor});
  return sum;
}

}  // namespace

std::vector<ContributionPart> contributionParts(const Transformer& model, Stream stream) {
  return writtenParts(model, stream).parts;
}

ContributionPart contributionPart(const Transformer& model, int part) {
  const auto parts = contributionParts(model);
  const auto i = static_cast<std::size_t>(part);
  if (i < parts.size()) return parts[i];
  return {i == parts.size() ? Kind::NormBias : Kind::UnembeddingBias, {}};
}

std::string nameOf(const ContributionPart& part) {
  const bool isOfEncoder = part.head.site == AttentionSite::Encoder;
  const std::string layer = (isOfEncoder ? "enc.L" : "L") + std::to_string(part.head.layer);
  switch (part.kind) {
    case Kind::Embedding:
      return "embedding";
    case Kind::Position:
      return "position";
    case Kind::TokenType:
      return "type";
    case Kind::Head:
      return nameOf(part.head);
    case Kind::OutputBias:
      return nameOf(part.head).substr(0, nameOf(part.head).rfind('H')) + " b_O";
    case Kind::Recurrence:
      return layer + " RNN";
    case Kind::Convolution:
      return layer + " conv";
    case Kind::Mlp:
      return layer + " MLP";
    case Kind::UnembeddingBias:
      return "b_U";
    case Kind::NormBias:
      break;
  }
  return "norm β";
}

std::string pointOf(const ModelConfig& config, const ContributionPart& part) {
  const Stream stream = queriesOf(part.head.site);
  const auto inBlock = [&](const char* point) { return blockPoint(config, part.head.layer, point, stream); };
  switch (part.kind) {
    case Kind::Embedding:
      return stackPoint(config, config.normsEmbedding() ? "embed.ln.hook_normalized" : "hook_embed", stream);
    case Kind::Position:
      return stackPoint(config, "hook_pos_embed", stream);
    case Kind::TokenType:
      return stackPoint(config, "hook_token_type_embed", stream);
    case Kind::Recurrence:
    case Kind::Convolution:
      return inBlock(mixedOut(config.mixing));
    case Kind::Mlp:
      return inBlock("hook_mlp_out");
    case Kind::Head:
    case Kind::OutputBias:
    case Kind::NormBias:
    case Kind::UnembeddingBias:
      break;
  }
  return "";
}

void measureContributions(const Transformer& model, const Trace& trace, TensorSet& measurements,
                          const ProgressCallback& watch) {
  if (!isSumOfParts(model.config())) return;
  const ModelConfig& config = model.config();
  const int T = trace.tokenCount(), M = static_cast<int>(contributionParts(model).size()), D = config.width;
  const TensorView x = trace[blockPoint(config, config.layers - 1, "hook_resid_post")];
  Tensor shares({T, M}), norms({T, M});
  const bool whole = eachPart(model, trace, Stream::Text, watch, [&](int part, const TensorView& x_m) {
    for (int t = 0; t < T; ++t) {
      const double square = kernels().sumOfSquares(&x(t, 0), D);
      shares(t, part) = square > 0 ? static_cast<float>(dot(&x_m(t, 0), &x(t, 0), D) / square) : 0;
      norms(t, part) = static_cast<float>(std::sqrt(kernels().sumOfSquares(&x_m(t, 0), D)));
    }
  });
  if (!whole) return;
  const auto of = [parts = numbersOfParts(model, trace)](const Index& at) {
    return parts[static_cast<std::size_t>(at[1])];
  };
  measurements.add({"lens.contribution", "TM", "each part's share in the final residual stream; all sum to 1",
                    "x_m · x / ‖x‖²"},
                   std::move(shares), [of, x](const Index& at) -> std::optional<Derivation> {
                     const double square = kernels().sumOfSquares(&x(at[0], 0), x.extent[1]);
                     return alongPart(of(at), at[0], &x(at[0], 0), square > 0 ? 1 / square : 0);
                   });
  measurements.add({"lens.contribution_norm", "TM", "norm of each component's output", "‖x_m‖"},
                   std::move(norms), [of](const Index& at) -> std::optional<Derivation> {
                     const PartNumbers part = of(at);  // of a head the length is no sum over its z
                     if (!part.isMadeOf(at[0]) || part.weight.data) return std::nullopt;
                     return derivedLength(part.of(at[0]));
                   });
}

std::string logitAttributionOf(int entry, LogitBase base) {
  const char* const name = base == LogitBase::Raw ? "lens.logit_attribution." : "lens.centred_attribution.";
  return name + std::to_string(entry);
}

std::string centredLogitOf(int entry) { return "lens.centred_logit." + std::to_string(entry); }

namespace {

// z_e − mean(z) of every token.
void measureCentredLogit(const Trace& trace, int entry, TensorSet& measurements) {
  const TensorView logits = trace["logits"];
  const int T = logits.extent[0], V = logits.extent[1];
  const auto derived = [=](const Index& at) {
    Derivation above{.terms = {{&logits(at[0], entry)}}};
    for (int v = 0; v < V; ++v)
      above.terms.push_back({&logits(at[0], v), nullptr, -1 / static_cast<float>(V)});
    return above;
  };
  Tensor above({T});
  for (int t = 0; t < T; ++t) above(t) = static_cast<float>(derived({t}).value());
  measurements.add({centredLogitOf(entry), "T", "the logit minus the mean of all logits", "u_e − mean(u)"},
                   std::move(above), derived);
}

}  // namespace

void measureLogitAttribution(const Transformer& model, const Trace& trace, int entry, TensorSet& measurements,
                             const ProgressCallback& watch, LogitBase base) {
  if (!isLogitSumOfParts(model.config())) return;
  const ModelConfig& config = model.config();
  const int T = trace.tokenCount(), M = static_cast<int>(contributionParts(model).size()), D = config.width;
  const std::vector<float> direction = logitDirection(model, entry, base);
  const bool normed = hasFinalNorm(config), isCentred = base == LogitBase::Centred;
  const TensorView scale = normed ? trace[stackPoint(config, "ln_final.hook_scale")] : TensorView();
  Tensor added({T, M + (config.unembeddingBias ? 2 : 1)});
  const bool whole = eachPart(model, trace, Stream::Text, watch, [&](int part, const TensorView& x_m) {
    for (int t = 0; t < T; ++t)
      added(t, part) = static_cast<float>(dot(&x_m(t, 0), direction.data(), D) / (normed ? scale(t, 0) : 1));
  });
  if (!whole) return;
  const Derivation ofNorm = normBias(model, entry, base);
  const TensorView bias = config.unembeddingBias ? model.parameters()["lm_head.bias"] : TensorView();
  const float mean = bias.data && isCentred ? meanBias(bias) : 0;
  for (int t = 0; t < T; ++t) {
    added(t, M) = ofNorm.terms.empty() ? 0 : static_cast<float>(ofNorm.value());
    if (bias.data) added(t, M + 1) = bias(entry) - mean;
  }
  if (isCentred && trace.contains("logits")) measureCentredLogit(trace, entry, measurements);
  measurements.add(
      {logitAttributionOf(entry, base), "TM",
       isCentred
           ? "contribution of each component to the centered logit, with the scale of the final norm fixed"
           : "contribution of each component to the logit, with the scale of the final norm fixed; all sum "
             "to it",
       logitShareWords(config, "x_m") + (isCentred ? ", less the mean over the vocabulary" : "")},
      std::move(added),
      [=, parts = numbersOfParts(model, trace)](const Index& at) -> std::optional<Derivation> {
        const auto part = static_cast<std::size_t>(at[1]);
        if (part < parts.size())
          return alongPart(parts[part], at[0], direction.data(), normed ? 1.0 / scale(at[0], 0) : 1);
        if (part == parts.size()) return ofNorm.terms.empty() ? std::nullopt : std::optional(ofNorm);
        Derivation ofBias{.terms = {{&bias(entry)}}};
        for (int v = 0; isCentred && v < bias.extent[0]; ++v)
          ofBias.terms.push_back({&bias(v), nullptr, -1 / static_cast<float>(bias.extent[0])});
        return ofBias;
      });
}

void measureAttributionToNext(const Transformer& model, const Trace& trace, TensorSet& set) {
  const ModelConfig& config = model.config();
  const int places = trace.tokenCount() - 1;
  if (!isLogitSumOfParts(config) || places < 1) return;
  const bool normed = hasFinalNorm(config);
  const TensorView scale = normed ? trace[stackPoint(config, "ln_final.hook_scale")] : TensorView();
  std::vector<std::vector<float>> directions;
  for (int t = 0; t < places; ++t)
    directions.push_back(logitDirection(model, trace.tokens()[static_cast<std::size_t>(t) + 1]));
  const auto directionAt = [=](int t) { return directions[static_cast<std::size_t>(t)].data(); };
  const auto shareAt = [=](int t) { return normed ? 1.0 / static_cast<double>(scale(t, 0)) : 1.0; };
  Tensor added({places, static_cast<int>(contributionParts(model).size())});
  eachPart(model, trace, Stream::Text, noProgress, [&](int part, const TensorView& x_m) {
    for (int t = 0; t < places; ++t)
      added(t, part) = static_cast<float>(dot(&x_m(t, 0), directionAt(t), config.width) * shareAt(t));
  });
  set.add({attributionToNext, "TM",
           "contribution of each component to the next token's logit, with the scale of the final norm fixed",
           logitShareWords(config, "x_m")},
          std::move(added), [=, parts = numbersOfParts(model, trace)](const Index& at) {
            return alongPart(parts[static_cast<std::size_t>(at[1])], at[0], directionAt(at[0]),
                             shareAt(at[0]));
          });
}

std::vector<float> contributionsToNext(const Transformer& model, const Trace& trace,
                                       const CountedTokens& counted) {
  TensorSet set;
  measureAttributionToNext(model, trace, set);
  if (!set.contains(attributionToNext)) return {};
  const TensorView added = set[attributionToNext];
  const auto count = counted.empty() ? added.extent[0] : std::ranges::count(counted, true);
  std::vector<float> means;
  for (int part = 0; part < added.extent[1]; ++part) {
    double sum = 0;
    for (int t = 0; t < added.extent[0]; ++t)
      if (counts(counted, static_cast<std::size_t>(t))) sum += static_cast<double>(added(t, part));
    means.push_back(static_cast<float>(sum / static_cast<double>(count)));
  }
  return means;
}

std::vector<float> beforeNorm(std::vector<float> u, const TensorView& gamma, NormKind norm) {
  for (std::size_t d = 0; d < u.size(); ++d) u[d] *= gamma(static_cast<int>(d));
  if (norm == NormKind::Rms) return u;
  const float mean = std::accumulate(u.begin(), u.end(), 0.0f) / static_cast<float>(u.size());
  for (float& value : u) value -= mean;
  return u;
}

AlongParts alongParts(const Transformer& model, const Trace& trace, Stream stream) {
  return [parts = numbersOfParts(model, trace, stream)](int part, int t, const float* u, double coefficient) {
    return alongPart(parts[static_cast<std::size_t>(part)], t, u, coefficient);
  };
}

bool visitParts(const Transformer& model, const Trace& trace, Stream stream, int count,
                const ProgressCallback& watch,
                const std::function<void(int part, const TensorView& rows)>& visit) {
  bool isStopped = false;
  const ProgressCallback untilThere = [&](int part, int) {
    isStopped = isStopped || !watch(std::min(part, count), count);
    return part < count && !isStopped;
  };
  eachPart(model, trace, stream, untilThere, visit);
  return !isStopped;
}

std::vector<Tensor> partsOfTokens(const Transformer& model, const Trace& trace,
                                  const std::vector<int>& tokens, int count, Stream stream) {
  const int D = model.config().width;
  std::vector<Tensor> parts(tokens.size(), Tensor({count, D}));
  visitParts(model, trace, stream, count, noProgress, [&](int part, const TensorView& rows) {
    for (std::size_t i = 0; i < tokens.size(); ++i) std::copy_n(&rows(tokens[i], 0), D, &parts[i](part, 0));
  });
  return parts;
}

int likeliestEntry(const Trace& trace, int t) {
  const TensorView logits = trace["logits"];
  const float* row = &logits(t, 0);
  return static_cast<int>(std::max_element(row, row + logits.extent[1]) - row);
}

}  // namespace glassformer
