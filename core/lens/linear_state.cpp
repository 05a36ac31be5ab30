#include "core/lens/linear_state.h"

#include <algorithm>
#include <cmath>

#include "core/lens/attention_stages.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

using Number = std::array<int, maxRank>;

class LinearState {
 public:
  LinearState(const ModelConfig& config, const Trace& trace, HeadId head, TensorSet& set)
      : config_(config), trace_(trace), head_(head), set_(set) {}

  void measure() {
    const TensorView v = rows(point("hook_v")), z = rows(point("hook_z"));
    const TensorView q = features("q"), k = features("k");
    const TensorView S = addState(k, v), sum = addSum(k);
    addReadOut(q, S, sum);
    addNorms(S, z);
  }

 private:
  std::string point(const char* name) const { return attentionPoint(head_.layer, head_.site, name); }
  std::string named(const char* tensor) const { return stageTensor(tensor, head_); }
  TensorView rows(const std::string& table) const {
    return headRows(trace_[table], head_.head, config_.heads);
  }

  // φ of the queries or keys.
  TensorView features(const char* which) const {
    return rows(comparedPoint(trace_, head_.layer, head_.site, which));
  }

  // Each state is the one before and one product more.
  TensorView addState(const TensorView& k, const TensorView& v) {
    const int T = k.extent[0], I = k.extent[1], K = v.extent[1];
    Tensor states({T, I, K});
    for (int t = 0; t < T; ++t)
      for (int i = 0; i < I; ++i)
        for (int j = 0; j < K; ++j) states(t, i, j) = (t > 0 ? states(t - 1, i, j) : 0) + k(t, i) * v(t, j);
    const TensorView S = states.view();  // which stays where it is when it moves into the set
    set_.add({named(linearState::state), "TKK", "state of the head after the tokens so far",
              "S_t = S_{t−1} + φ(k_t) v_tᵀ"},
             std::move(states), [=](const Number& at) {
               Derivation d{.terms = {{&k(at[0], at[1]), &v(at[0], at[2])}}};
               if (at[0] > 0) d.terms.insert(d.terms.begin(), {&S(at[0] - 1, at[1], at[2])});
               return d;
             });
    return S;
  }

  TensorView addSum(const TensorView& k) {
    Tensor sums({k.extent[0], k.extent[1]});
    for (int t = 0; t < k.extent[0]; ++t)
      for (int i = 0; i < k.extent[1]; ++i) sums(t, i) = (t > 0 ? sums(t - 1, i) : 0) + k(t, i);
    const TensorView z = sums.view();
    set_.add({named(linearState::sum), "TK", "the features of all keys so far", "z_t = z_{t−1} + φ(k_t)"},
             std::move(sums), [=](const Number& at) {
               Derivation d{.terms = {{&k(at[0], at[1])}}};
               if (at[0] > 0) d.terms.insert(d.terms.begin(), {&z(at[0] - 1, at[1])});
               return d;
             });
    return z;
  }

  void addReadOut(const TensorView& q, const TensorView& S, const TensorView& z) {
    const int T = S.extent[0], I = S.extent[1], K = S.extent[2];
    addDerived(set_,
               {named(linearState::share), "T", "normalizer: the query times the sum of all keys", "φ(q)ᵀ z"},
               {T}, [=](const Number& at) {
                 Derivation d;
                 for (int i = 0; i < I; ++i) d.terms.push_back({&q(at[0], i), &z(at[0], i)});
                 return d;
               });
    addDerived(set_,
               {named(linearState::read), "TK", "the query times the sum of key–value products", "φ(q)ᵀ S"},
               {T, K}, [=](const Number& at) {
                 Derivation d;
                 for (int i = 0; i < I; ++i) d.terms.push_back({&q(at[0], i), &S(at[0], i, at[1])});
                 return d;
               });
    const TensorView share = set_[named(linearState::share)], read = set_[named(linearState::read)];
    addDerived(set_, {named(linearState::out), "TK", "the head's output from its state", "φ(q)ᵀ S / φ(q)ᵀ z"},
               {T, K}, [=](const Index& at) {
                 return Derivation{.form = Form::Quotient, .terms = {{&read(at[0], at[1])}, {&share(at[0])}}};
               });
  }

  void addNorms(const TensorView& S, const TensorView& z) {
    const TensorView out = set_[named(linearState::out)];
    const int T = S.extent[0];
    Tensor sizes({T}), errors({T});
    for (int t = 0; t < T; ++t) {
      double square = 0;
      S[t].forEach([&](const auto&, float value) { square += static_cast<double>(value) * value; });
      sizes(t) = static_cast<float>(std::sqrt(square));
      for (int j = 0; j < out.extent[1]; ++j) errors(t) = std::max(errors(t), std::abs(out(t, j) - z(t, j)));
    }
    set_.add({named(linearState::size), "T", "norm of the state", "‖S_t‖ = √Σ S²"}, std::move(sizes));
    set_.add(
        {named(linearState::error), "T", "difference from the pass with the whole pattern", "max |out − z|"},
        std::move(errors));
  }

  const ModelConfig& config_;
  const Trace& trace_;
  HeadId head_;
  TensorSet& set_;
};

class StateReadout final : public Operation {
 public:
  StateReadout(Tape& tape, const Value& queries, const Value& keys, const Value& v, int heads)
      : Operation(tape.extent(v)),
        q_(queries),
        k_(keys),
        v_(v),
        out_(tape.rows(v.width)),
        heads_(heads),
        K_(v.width / heads),
        states_(static_cast<std::size_t>(heads * K_ * K_)),
        sums_(static_cast<std::size_t>(heads * K_)) {}

  const Value& value() const { return out_; }
  Domain domain() const override { return Domain::Time; }

  void forward(const Work& work) override {
    for (int t = work.rowBegin; t < work.rowEnd; ++t)
      for (int h = 0; h < heads_; ++h) {
        float *S = states_.data() + static_cast<std::ptrdiff_t>(h) * K_ * K_, *z = sums_.data() + h * K_;
        if (t == 0) std::fill_n(S, K_ * K_, 0.0f), std::fill_n(z, K_, 0.0f);
        step(S, z, row(q_, t, h), row(k_, t, h), row(v_, t, h), row(out_, t, h));
      }
  }

  // φ(k) vᵀ and φ(q)ᵀ S of every head, and φ(q)ᵀ z.
  double multiplyAdds() const override {
    return static_cast<double>(extent_.positions) * heads_ * (2.0 * K_ * K_ + K_);
  }

 private:
  float* row(const Value& table, int t, int h) const { return table.data + t * table.stride + h * K_; }

  void step(float* S, float* z, const float* q, const float* k, const float* v, float* out) const {
    float share = 0;
    std::fill_n(out, K_, 0.0f);
    for (int i = 0; i < K_; ++i) {
      z[i] += k[i];
      share += q[i] * z[i];
      float* row = S + i * K_;
      for (int j = 0; j < K_; ++j) row[j] += k[i] * v[j], out[j] += q[i] * row[j];
    }
    for (int j = 0; j < K_; ++j) out[j] /= share;
  }

  Value q_, k_, v_, out_;
  int heads_, K_;
  std::vector<float> states_, sums_;  // [H, K, K] and [H, K]
};

}  // namespace

Value readOutOfState(Tape& tape, const Value& queries, const Value& keys, const Value& v, int heads) {
  return tape.add(std::make_unique<StateReadout>(tape, queries, keys, v, heads)).value();
}

std::string whyNoLinearState(const ModelConfig& config, AttentionSite site) {
  if (!config.hasAttention()) return "this model has no attention";
  if (config.kernel != AttentionKernel::Linear) return "this attention is not linear";
  if (site == AttentionSite::Encoder || site == AttentionSite::Cross)
    return "here every token sees the whole source at once";
  if (config.mask.kind != MaskKind::Causal || !config.mask.painted.empty())
    return "a state runs along the text under the causal mask alone";
  return "";
}

void measureLinearState(const ModelConfig& config, const Trace& trace, HeadId head, TensorSet& set) {
  LinearState(config, trace, head, set).measure();
}

}  // namespace glassformer
