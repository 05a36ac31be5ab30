#include "core/lens/attention_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lens/equation_words.h"
#include "core/lens/scores.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

AttentionMask maskAt(const ModelConfig& config, AttentionSite site, int layer) {
  return keysOf(site) == Stream::Text ? config.maskOf(layer) : AttentionMask{MaskKind::None, 0, {}};
}

bool hidesKeys(const ModelConfig& config, AttentionSite site) { return !maskAt(config, site, 0).seesAll(); }

// One head's stages, each from those before it.
class AttentionStages {
 public:
  using Index = std::array<int, maxRank>;

  AttentionStages(const Transformer& model, const Trace& trace, HeadId head, TensorSet& set)
      : model_(model), config_(model.config()), trace_(trace), head_(head), set_(set) {}

  void measure() {
    const AttentionSite site = head_.site;
    if (hasProducts(config_, site)) addProducts();
    if (hasScaled(config_, site)) addScaled();
    if (hasPositionBias(config_, site))
      add(stages::bias, "scores from positions", "", headOf(positionBias(model_, trace_, head_.layer, site)));
    if (hasCap(config_, site))
      add(stages::uncapped, "match of each query with each key, before the soft cap",
          "s₀ = " + uncappedEquation(model_, trace_, head_.layer, site),
          headOf(uncappedScores(model_, trace_, head_.layer, site)));
    if (isMaskedBefore(config_, site)) addMask(0, minusInfinity, "M: added to the scores, −∞ hides a key");
    if (isMaskedAfter(config_, site)) addMask(1, 0, "m: multiplied with the shares, 0 hides a key");
    if (hasSoftmax(config_)) addSoftmax();
    if (isRenormalized(config_, site)) addLeft();
    if (!config_.headsOutputFullWidth()) addHeads();
  }

 private:
  TensorView traced(const char* point) const {
    return trace_[attentionPoint(head_.layer, head_.site, point)];
  }
  // Queries or keys as they are compared: turned, where positions turn them.
  TensorView compared(const char* which) const {
    return headRows(trace_[comparedPoint(trace_, head_.layer, head_.site, which)], head_.head, config_.heads);
  }
  TensorView scores() const { return traced("hook_attn_scores")[head_.head]; }
  Tensor headOf(const Tensor& all) const {
    const TensorView plane = all.view()[head_.head];
    return Tensor({plane.extent[0], plane.extent[1]}, plane.copy());
  }

  TensorView add(const char* stage, std::string meaning, std::string equation, Tensor values,
                 TensorSet::DerivationOf derivation = nullptr, const char* letters = "TS") {
    const std::string name = stageTensor(stage, head_);
    set_.add(
        {name, letters, std::move(meaning), std::move(equation), queriesOf(head_.site), keysOf(head_.site)},
        std::move(values), std::move(derivation));
    return set_[name];
  }

  void addProducts() {
    const TensorView q = compared("q"), k = compared("k");
    const auto products = [=](const Index& at) {
      Derivation d;
      for (int i = 0; i < q.extent[1]; ++i) d.terms.push_back({&q(at[0], i), &k(at[1], i)});
      return d;
    };
    const std::string name = comparedPoint(trace_, head_.layer, head_.site, "q");
    const std::string suffix = name.ends_with("hook_q") ? "" : name.ends_with("hook_rot_q") ? "_R" : "_n";
    add(stages::products, "every query times every key", "q" + suffix + " · k" + suffix + "ᵀ",
        headOf(productsOfQueriesAndKeys(model_, trace_, head_.layer, head_.site)), products);
  }

  void addScaled() {
    const TensorView products = set_[stageTensor(stages::products, head_)];
    const float scale = config_.ofLayer(head_.layer).scoreScale();
    Tensor scaled({products.extent[0], products.extent[1]}, products.copy());
    for (float& value : scaled.values()) value *= scale;
    const TracePoint& point = set_.point(set_.find(stageTensor(stages::products, head_)));
    add(stages::scaled, "the products, smaller the wider a head is",
        point.equation + scaledWords(config_, head_.layer), std::move(scaled), [=](const Index& at) {
          return Derivation{.terms = {{&products(at[0], at[1]), nullptr, scale}}};
        });
  }

  void addMask(float seen, float hidden, const char* meaning) {
    const AttentionMask mask = maskAt(config_, head_.site, head_.layer);
    Tensor values({scores().extent[0], scores().extent[1]});
    for (int t = 0; t < scores().extent[0]; ++t)
      for (int s = 0; s < scores().extent[1]; ++s) values(t, s) = mask.allows(t, s) ? seen : hidden;
    add(stages::mask, meaning, "", std::move(values));
  }

  // Exponentials of scores less the largest of their row: none is too large, and their shares are the same.
  void addSoftmax() {
    const TensorView s = scores();
    const int T = s.extent[0], S = s.extent[1];
    Tensor exponentials({T, S}), sums({T, 1});
    std::vector<Cell> largest;
    for (int t = 0; t < T; ++t) {
      largest.push_back(std::max_element(&s(t, 0), &s(t, 0) + S));
      for (int key = 0; key < S; ++key) {
        exponentials(t, key) = *largest.back() == minusInfinity ? 0 : std::exp(s(t, key) - *largest.back());
        sums(t, 0) += exponentials(t, key);
      }
    }
    const TensorView e =
        add(stages::exponentials, "positive, and larger the better a key matches", "exp(s − max s)",
            std::move(exponentials), [=](const Index& at) {
              return Derivation{
                  .form = Form::Function,
                  .terms = {{&s(at[0], at[1])}, {largest[static_cast<std::size_t>(at[0])], nullptr, -1}},
                  .function = [](double x) { return std::exp(x); },
                  .functionName = "exp"};
            });
    add(
        stages::sums, "sum of the exponentials of each row", "Σ exp(s − max s)", std::move(sums),
        [=](const Index& at) {
          Derivation d;
          for (int key = 0; key < S; ++key) d.terms.push_back({&e(at[0], key)});
          return d;
        },
        "T1");
  }

  // What is left of each row: of shares, where a mask has set those of hidden keys to 0; of linear
  // attention's scores as they are.
  void addLeft() {
    const bool isLinear = config_.kernel == AttentionKernel::Linear;
    const TensorView z = isLinear ? scores()
                                  : addZeroed(traced("hook_unmasked_pattern")[head_.head],
                                              set_[stageTensor(stages::mask, head_)]);
    Tensor left({z.extent[0], 1});
    for (int t = 0; t < z.extent[0]; ++t)
      for (int key = 0; key < z.extent[1]; ++key) left(t, 0) += z(t, key);
    add(
        stages::left, "sum of the remaining weights of each row, the divisor", isLinear ? "Σ s" : "Σ m ⊙ A₀",
        std::move(left),
        [=](const Index& at) {
          Derivation d;
          for (int key = 0; key < z.extent[1]; ++key) d.terms.push_back({&z(at[0], key)});
          return d;
        },
        "T1");
  }

  TensorView addZeroed(const TensorView& shares, const TensorView& m) {
    Tensor zeroed({m.extent[0], m.extent[1]}, shares.copy());
    for (std::size_t i = 0; i < zeroed.values().size(); ++i) zeroed.values()[i] *= m.data[i];
    return add(stages::zeroed, "the shares of keys that may be seen; those of the others are 0", "m ⊙ A₀",
               std::move(zeroed), [=](const Index& at) {
                 return Derivation{.terms = {{&shares(at[0], at[1]), &m(at[0], at[1])}}};
               });
  }

  // The same numbers as z [T, H, K].
  void addHeads() {
    const TensorView z = traced("hook_z");
    Tensor side({z.extent[0], z.extent[1] * z.extent[2]}, z.copy());
    const int K = z.extent[2];
    add(
        stages::heads, "outputs of all heads, concatenated", "z = [z₁ … z_H]", std::move(side),
        [=](const Index& at) { return Derivation{.terms = {{&z(at[0], at[1] / K, at[1] % K)}}}; }, "TD");
  }

  const Transformer& model_;
  const ModelConfig& config_;
  const Trace& trace_;
  HeadId head_;
  TensorSet& set_;
};

}  // namespace

bool hasProducts(const ModelConfig& config, AttentionSite site) {
  const bool compares = site == AttentionSite::Cross || config.kernel != AttentionKernel::Distance;
  return compares && config.kernel != AttentionKernel::Linear;
}

bool hasPositionBias(const ModelConfig& config, AttentionSite site) {
  return site != AttentionSite::Cross && hasProducts(config, site) && config.positions->shiftsScores();
}

bool hasScaled(const ModelConfig& config, AttentionSite site) {
  return hasPositionBias(config, site) && config.scalesScores();
}

bool hasCap(const ModelConfig& config, AttentionSite) {
  return config.scoreCap > 0 && config.kernel != AttentionKernel::Linear;
}

bool isMaskedBefore(const ModelConfig& config, AttentionSite site) {
  return hidesKeys(config, site) && config.kernel != AttentionKernel::Linear &&
         config.maskTime == MaskTime::BeforeSoftmax;
}

bool isMaskedAfter(const ModelConfig& config, AttentionSite site) {
  return hidesKeys(config, site) && !isMaskedBefore(config, site);
}

bool isRenormalized(const ModelConfig& config, AttentionSite site) {
  return isMaskedAfter(config, site) || config.kernel == AttentionKernel::Linear;
}

bool hasSoftmax(const ModelConfig& config) {
  return config.kernel == AttentionKernel::Softmax ||
         (config.kernel == AttentionKernel::Distance && !config.zeroPadded);
}

TensorView headRows(const TensorView& table, int head, int heads) {
  const int own = head * table.extent[1] / heads;
  return {table.data + own * table.stride[1],
          {table.extent[0], table.extent[2]},
          {table.stride[0], table.stride[2]}};
}

std::string stageTensor(const char* stage, HeadId head) { return std::string(stage) + "." + nameOf(head); }

void measureAttentionStages(const Transformer& model, const Trace& trace, HeadId head, TensorSet& set) {
  if (model.config().hasAttention()) AttentionStages(model, trace, head, set).measure();
}

}  // namespace glassformer
