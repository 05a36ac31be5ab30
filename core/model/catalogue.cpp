#include "core/model/catalogue.h"

#include <cassert>
#include <string>
#include <vector>

#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

struct Entry {
  std::string name, letters, meaning, equation;
};
using Entries = std::vector<Entry>;

// The norms' equations; γ, β and σ carry as many primes as what they normalize.
class NormEquations {
 public:
  explicit NormEquations(NormKind kind) : rms_(kind == NormKind::Rms) {}

  void add(Entries& entries, const std::string& point, const std::string& primes, const std::string& what,
           const std::string& purpose) const {
    const std::string x = "x" + primes, spread = (rms_ ? "ρ" : "σ") + primes, gamma = "γ" + primes + " ⊙ ";
    entries.push_back(
        {point + ".hook_scale", "T1",
         (rms_ ? "root mean square of each token's " : "standard deviation of each token's ") + what,
         spread + (rms_ ? " = √(mean(" + x + "²) + ε)" : " = √(var(" + x + ") + ε)")});
    entries.push_back(
        {point + ".hook_normalized", "TD", "the " + what + " stream, normalized" + purpose,
         "n" + primes + " = " + gamma +
             (rms_ ? x + " / " + spread : "(" + x + " − mean(" + x + ")) / " + spread + " + β" + primes)});
  }

 private:
  bool rms_;
};

// How attention's equations read in one model.
class AttentionEquations {
 public:
  AttentionEquations(const ModelConfig& config, bool across) : config_(config), across_(across) {}

  std::string unmasked() const {
    const bool distance = config_.kernel == AttentionKernel::Distance && !across_;
    const std::string s = config_.kernel == AttentionKernel::Linear ? "φ(q) · φ(k)ᵀ, φ = elu + 1"
                          : distance                                ? "b[s − t]"
                          : config_.scaledScores                    ? "q · kᵀ / √K"
                                                                    : "q · kᵀ";
    return across_ ? s : config_.positions->scoresEquation(s);
  }

  // x: what queries read; memory: what keys and values read; purpose: of what comes out.
  void add(Entries& entries, const std::string& x, const std::string& memory,
           const std::string& purpose) const {
    const std::string name = across_ ? "cross_attn." : "attn.";
    for (Entry entry : Entries{
             {"hook_q", "THK", "query: what each token looks for", query(x)},
             {"hook_k", "THK", "key: what each token offers to be found by", key(memory)},
             {"hook_v", "THK", "value: what each token hands on", value(memory)},
             {"hook_rot_q", "THK", "query, turned by its position", "R_t · q"},
             {"hook_rot_k", "THK", "key, turned by its position", "R_s · k"},
             {"hook_attn_scores", "HTS", scoresMeaning(), scores()},
             {"hook_pattern", "HTS", "how much each query attends to each key", pattern()},
             {"hook_z", "THK", "values, weighted by attention", "z = A · v"},
         }) {
      entry.name = name + entry.name;
      entries.push_back(std::move(entry));
    }
    entries.push_back({across_ ? "hook_cross_attn_out" : "hook_attn_out", "TD",
                       (across_ ? "what attention to the source " : "what attention ") + purpose,
                       config_.readout == Readout::OneMatrix ? "a = Σ_h z_h + b_O" : "a = z · W_O + b_O"});
  }

 private:
  Similarity similarity() const { return across_ ? Similarity::QueriesAndKeys : config_.similarity; }
  std::string query(const std::string& x) const {
    if (similarity() == Similarity::Plain) return "q = " + x;
    return similarity() == Similarity::Shared ? "q = " + x + " · U + b" : "q = " + x + " · W_Q + b_Q";
  }
  std::string key(const std::string& x) const {
    return similarity() == Similarity::QueriesAndKeys ? "k = " + x + " · W_K + b_K" : "k = q";
  }
  std::string value(const std::string& x) const {
    return config_.readout == Readout::OneMatrix ? "v = " + x + " · (W_V W_O) + b"
                                                 : "v = " + x + " · W_V + b_V";
  }
  std::string scores() const {
    const bool plain = config_.mask.kind == MaskKind::None && config_.mask.painted.empty();
    const bool before =
        config_.maskTime == MaskTime::BeforeSoftmax || config_.kernel == AttentionKernel::Linear;
    return !across_ && !plain && before ? "s = mask(" + unmasked() + ")" : "s = " + unmasked();
  }
  std::string scoresMeaning() const {
    const bool later = !across_ && config_.mask.kind == MaskKind::Causal && config_.causal();
    return std::string("how well each query matches each key") + (later ? "; later keys are masked" : "");
  }
  std::string pattern() const {
    switch (config_.kernel) {
      case AttentionKernel::HardArgmax:
        return "A = 1 where s is largest, else 0";
      case AttentionKernel::Linear:
        return "A = s / Σ s";
      default:
        return config_.maskTime == MaskTime::AfterSoftmax && !across_ ? "A = mask(softmax(s)), renormalized"
                                                                      : "A = softmax(s)";
    }
  }

  const ModelConfig& config_;
  bool across_;
};

// What stands in attention's place.
Entries recurrenceEntries(const std::string& x, const std::string& purpose) {
  return {
      {"recurrence.hook_input", "TD", "what each token brings to the state", "u = " + x + " · W_x + b"},
      {"recurrence.hook_carried", "TD", "what the state before brings along", "r[t] = h[t − 1] · W_h"},
      {"recurrence.hook_state", "TD", "the state: all that is kept of the text so far", "h = tanh(u + r)"},
      {"hook_recurrence_out", "TD", "what the recurrence " + purpose, "o = h · W_o + b_o"}};
}
Entries convolutionEntries(const std::string& x, const std::string& purpose) {
  return {{"convolution.hook_taps", "TJD", "what each tap takes from the token that many places before",
           "w_j[t] = " + x + "[t − j] · W_j"},
          {"hook_convolution_out", "TD", "what the convolution " + purpose, "c = Σ_j w_j + b"}};
}

// The equations of a block whose sublayers number `sublayers`: sublayer i turns the stream x with i primes
// into the one with i + 1; n is a stream that a norm has gone over.
class BlockEquations {
 public:
  BlockEquations(const ModelConfig& config, bool crosses) : config_(config), crosses_(crosses) {}

  Entries entries() const {
    Entries entries{{"hook_resid_pre", "TD", "the residual stream as the block finds it", "x"}};
    int i = 0;
    const bool fed = config_.hasFeedForward();
    const char *update = addMixing(entries, read(i)), *name = nameOf(config_.mixing);
    addNorm(entries, i, std::string(" for ") + name);
    addSum(entries, i++, crosses_ || fed ? "hook_resid_mid" : "", update, std::string(" after ") + name);
    if (crosses_) {
      AttentionEquations(config_, true).add(entries, read(i), "e", purpose_);
      addNorm(entries, i, " for attention to the source");
      addSum(entries, i++, fed ? "hook_resid_mid_cross" : "", "a" + primes(1),
             " after attention to the source");
    }
    if (!fed) return entries;
    addFeedForward(entries, read(i));
    addNorm(entries, i, " for the MLP");
    addSum(entries, i, "", "m", "");
    return entries;
  }

 private:
  static const char* nameOf(Mixing mixing) {
    return mixing == Mixing::Recurrence    ? "recurrence"
           : mixing == Mixing::Convolution ? "convolution"
                                           : "attention";
  }
  // Returns what it adds.
  const char* addMixing(Entries& entries, const std::string& x) const {
    const auto add = [&](const Entries& more) { entries.insert(entries.end(), more.begin(), more.end()); };
    switch (config_.mixing) {
      case Mixing::Recurrence:
        return add(recurrenceEntries(x, purpose_)), "o";
      case Mixing::Convolution:
        return add(convolutionEntries(x, purpose_)), "c";
      case Mixing::Attention:
        break;
    }
    AttentionEquations(config_, false).add(entries, x, x, purpose_);
    return "a";
  }
  static std::string primes(int i) { return std::string(static_cast<std::size_t>(i), '\''); }
  bool after() const { return config_.normPlacement == NormPlacement::Post; }
  bool before() const {
    return config_.normPlacement == NormPlacement::Pre || config_.normPlacement == NormPlacement::Residual;
  }
  std::string read(int i) const { return (before() || (after() && i > 0) ? "n" : "x") + primes(i); }
  std::string kept(int i) const {
    return config_.normPlacement == NormPlacement::Pre ? "x" + primes(i) : read(i);
  }

  void addNorm(Entries& entries, int i, const std::string& purpose) const {
    NormEquations(config_.norm)
        .add(entries, "ln" + std::to_string(i + 1), primes(after() ? i + 1 : i), "residual",
             after() ? "" : purpose);
  }
  // An empty name: the last sum of the block.
  void addSum(Entries& entries, int i, const std::string& name, const std::string& update,
              const std::string& when) const {
    const std::string equation =
        "x" + primes(i + 1) + " = " + (config_.residual ? kept(i) + " + " : "") + update;
    if (name.empty())
      entries.push_back({"hook_resid_post", "TD", "the residual stream as the block leaves it", equation});
    else
      entries.push_back({name, "TD", "the residual stream" + when, equation});
  }
  void addFeedForward(Entries& entries, const std::string& x) const {
    const bool gated = config_.activation == Activation::SwiGlu;
    entries.push_back(
        {"mlp.hook_pre", "TF",
         gated ? "the neurons' gates before their nonlinearity" : "neurons before their nonlinearity",
         gated ? "u = " + x + " · W_gate + b_gate" : "u = " + x + " · W_in + b_in"});
    entries.push_back({"mlp.hook_pre_linear", "TF", "what each neuron passes on as far as its gate is open",
                       "w = " + x + " · W_in + b_in"});
    entries.push_back(
        {"mlp.hook_post", "TF", "neurons: how active each one is", gated ? "g = silu(u) ⊙ w" : "g = f(u)"});
    entries.push_back({"hook_mlp_out", "TD", "what the MLP " + purpose_, "m = g · W_out + b_out"});
  }

  const ModelConfig& config_;
  bool crosses_;
  // What sublayers do with what they compute.
  std::string purpose_ = config_.residual ? "adds to the residual stream" : "puts in the stream's place";
};

Entries ends(const ModelConfig& config) {
  Entries entries{{"hook_embed", "TD", "the embedding of each token",
                   config.scaledEmbedding ? "x = √D · E[token]" : "x = E[token]"},
                  {"hook_pos_embed", "TD", "the encoding of each position", "p = P[t]"}};
  NormEquations(config.norm).add(entries, "ln_final", "", "final residual", "");
  const bool normed = config.hasNorms() && (config.finalNorm || config.normPlacement == NormPlacement::Post);
  entries.push_back({"logits", "TV", "the unembedding: one score per token of the vocabulary",
                     normed ? "logits = n · W_U" : "logits = x · W_U"});
  return entries;
}

// "blocks.3.", "encoder.3." and "encoder." in front of a name tell where it is.
struct Place {
  bool encoder = false, inBlock = false;
  std::string_view part;  // what is left of the name
};
Place placeOf(std::string_view name) {
  Place place;
  for (const std::string_view stack : {"blocks.", "encoder.", "decoder."}) {
    if (!name.starts_with(stack)) continue;
    place.encoder = stack == "encoder.";
    name.remove_prefix(stack.size());
    if (!name.empty() && name.front() >= '0' && name.front() <= '9') {
      place.inBlock = true;
      name.remove_prefix(name.find('.') + 1);
    }
    break;
  }
  place.part = name;
  return place;
}

}  // namespace

TracePoint describeTracePoint(std::string_view name, const ModelConfig& config) {
  const Place place = placeOf(name);
  ModelConfig own = config;
  if (place.encoder) own.mask = {MaskKind::None, 0, {}};
  const Entries entries =
      place.inBlock ? BlockEquations(own, config.reads() && !place.encoder).entries() : ends(own);
  for (const Entry& entry : entries) {
    if (entry.name != place.part) continue;
    TracePoint point{std::string(name), entry.letters, entry.meaning,
                     entry.equation,    Stream::Text,  Stream::Text};
    const bool across = place.part.starts_with("cross_attn.");
    const bool ofMemory = across && (place.part.ends_with("hook_k") || place.part.ends_with("hook_v"));
    if (place.encoder || ofMemory) point.rows = Stream::Source;
    if (place.encoder || across) point.keys = Stream::Source;
    return point;
  }
  assert(false && "not a trace point");
  return {};
}

std::string scoresEquation(const ModelConfig& config, AttentionSite site) {
  return AttentionEquations(config, site == AttentionSite::Across).unmasked();
}

}  // namespace glassformer
