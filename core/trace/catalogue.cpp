#include "core/trace/catalogue.h"

#include <array>
#include <cassert>
#include <string>

namespace glassformer {
namespace {

struct Entry {
  std::string_view name, letters, meaning, equation;
};

constexpr std::array before{
    Entry{"hook_embed", "TD", "the embedding of each token", "x = E[token]"},
    Entry{"hook_pos_embed", "TD", "the encoding of each position", "p = P[t]"},
};
constexpr std::array block{
    Entry{"hook_resid_pre", "TD", "the residual stream as the block finds it", "x"},
    Entry{"ln1.hook_scale", "T1", "standard deviation of each token's residual", "σ = √(var(x) + ε)"},
    Entry{"ln1.hook_normalized", "TD", "the residual stream, normalized for attention",
          "n = γ ⊙ (x − mean(x)) / σ + β"},
    Entry{"attn.hook_q", "THK", "query: what each token looks for", "q = n · W_Q + b_Q"},
    Entry{"attn.hook_k", "THK", "key: what each token offers to be found by", "k = n · W_K + b_K"},
    Entry{"attn.hook_v", "THK", "value: what each token hands on", "v = n · W_V + b_V"},
    Entry{"attn.hook_attn_scores", "HTS", "how well each query matches each key; later keys are masked",
          "s = mask(q · kᵀ / √K)"},
    Entry{"attn.hook_pattern", "HTS", "how much each query attends to each key", "A = softmax(s)"},
    Entry{"attn.hook_z", "THK", "values, weighted by attention", "z = A · v"},
    Entry{"hook_attn_out", "TD", "what attention adds to the residual stream", "a = z · W_O + b_O"},
    Entry{"hook_resid_mid", "TD", "the residual stream after attention", "x' = x + a"},
    Entry{"ln2.hook_scale", "T1", "standard deviation of each token's residual", "σ' = √(var(x') + ε)"},
    Entry{"ln2.hook_normalized", "TD", "the residual stream, normalized for the MLP",
          "n' = γ' ⊙ (x' − mean(x')) / σ' + β'"},
    Entry{"mlp.hook_pre", "TF", "neurons before their nonlinearity", "u = n' · W_in + b_in"},
    Entry{"mlp.hook_post", "TF", "neurons: how active each one is", "g = f(u)"},
    Entry{"hook_mlp_out", "TD", "what the MLP adds to the residual stream", "m = g · W_out + b_out"},
    Entry{"hook_resid_post", "TD", "the residual stream as the block leaves it", "x'' = x' + m"},
};
constexpr std::array after{
    Entry{"ln_final.hook_scale", "T1", "standard deviation of each token's final residual",
          "σ = √(var(x) + ε)"},
    Entry{"ln_final.hook_normalized", "TD", "the final residual stream, normalized",
          "n = γ ⊙ (x − mean(x)) / σ + β"},
    Entry{"logits", "TV", "the unembedding: one score per token of the vocabulary", "logits = n · W_U"},
};

TracePoint point(std::string name, const Entry& entry) {
  return {std::move(name), std::string(entry.letters), std::string(entry.meaning),
          std::string(entry.equation)};
}

}  // namespace

TracePoint describeTracePoint(std::string_view name) {
  std::string_view part = name;
  if (part.starts_with("blocks.")) part.remove_prefix(part.find('.', 7) + 1);
  for (const Entry& entry : before)
    if (entry.name == part) return point(std::string(name), entry);
  for (const Entry& entry : block)
    if (entry.name == part) return point(std::string(name), entry);
  for (const Entry& entry : after)
    if (entry.name == part) return point(std::string(name), entry);
  assert(false && "not a trace point");
  return {};
}

std::vector<TracePoint> tracePoints(int layers) {
  std::vector<TracePoint> points;
  for (const Entry& entry : before) points.push_back(point(std::string(entry.name), entry));
  for (int i = 0; i < layers; ++i)
    for (const Entry& entry : block)
      points.push_back(point("blocks." + std::to_string(i) + "." + std::string(entry.name), entry));
  for (const Entry& entry : after) points.push_back(point(std::string(entry.name), entry));
  return points;
}

}  // namespace glassformer
