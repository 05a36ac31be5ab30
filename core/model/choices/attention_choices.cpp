#include <algorithm>

#include "core/model/choices/choice_lists.h"

namespace glassformer {
namespace {

ConfigChoice maskChoice() {
  ConfigChoice made{"mask",
                    "Attention mask",
                    "Keys that a query may attend to; for a convolution, causal or centered taps.",
                    {{"none", "None", "Every query attends to all keys.", "m[t, s] = 1"},
                     {"causal", "Causal", "No query attends to a later key.", "m[t, s] = [s ≤ t]"},
                     {"prefix", "Prefix", "All queries attend to the first tokens; the rest is causal.",
                      "m[t, s] = [s ≤ t or s < size]"},
                     {"window", "Sliding window", "A query attends to itself and the last tokens before it.",
                      "m[t, s] = [0 ≤ t − s < size]"}},
                    {},
                    {}};
  made.get = [](const ModelConfig& config) { return static_cast<int>(config.mask.kind); };
  made.set = [](ModelConfig& config, int option) {
    config.mask.kind = static_cast<MaskKind>(option);
    const bool sized = config.mask.kind == MaskKind::Prefix || config.mask.kind == MaskKind::Window;
    config.mask.size = sized ? std::max(config.mask.size, 4) : 0;
  };
  return made;
}

bool usesSimilarity(const ModelConfig& config) { return config.kernel != AttentionKernel::Distance; }

std::vector<ConfigChoice> choicesWhereAttending() {
  return {
      choice(&ModelConfig::similarity,
             {"similarity",
              "Score function",
              "Similarity of query and key.",
              {{"plain", "x · x", "Dot product of the tokens themselves.", "s = x · xᵀ"},
               {"shared", "Shared", "One projection for queries and keys.", "s = (x U) · (x U)ᵀ"},
               {"queries_and_keys", "Q · K", "Separate projections for queries and keys.",
                "s = (x U_q) · (x U_k)ᵀ"}},
              {},
              {},
              usesSimilarity}),
      flag(&ModelConfig::scaledScores,
           {"scale_attn_weights",
            "Scale by 1/√K",
            "Dot products divided by √K, the root of the head dim.",
            {{"no", "No", "Scores grow with the head dim, and the softmax saturates.", "s = q · kᵀ"},
             {"yes", "Yes", "Scores have the same size for any head dim.", "s = q · kᵀ / √K"}},
            {},
            {},
            [](const ModelConfig& config) {
              return usesSimilarity(config) && config.kernel != AttentionKernel::Linear;
            }}),
      flag(&ModelConfig::scoresByLayer,
           {"scale_attn_by_inverse_layer_idx",
            "Scale by layer",
            "Scores divided by the layer number as well.",
            {{"no", "No", "The same scale in every layer.", "s = q · kᵀ / √K"},
             {"yes", "Yes", "Deeper layers have smaller scores; the first divides by 1.",
              "s = q · kᵀ / (√K · (i + 1))"}},
            {},
            {},
            [](const ModelConfig& config) {
              return usesSimilarity(config) && config.kernel != AttentionKernel::Linear;
            }}),
      flag(&ModelConfig::normedQueries,
           {"qk_norm",
            "QK-norm",
            "RMSNorm on the queries and keys of each head.",
            {{"no", "No", "Scores grow with the norms of queries and keys.", "s = q · kᵀ"},
             {"yes", "Yes", "Only directions and γ count.", "q_n = γ ⊙ q / √(mean(q²) + ε)"}},
            {},
            {},
            usesSimilarity}),
      choice(&ModelConfig::kernel,
             {"attention_kernel",
              "Attention type",
              "From scores to attention weights.",
              {{"softmax", "Softmax", "Weights grow exponentially with the score.", "A = softmax(s)"},
               {"argmax", "Hard", "All weight on the largest score.", "A = 1 where s is largest, else 0"},
               {"linear", "Linear", "Weights are products of positive features, without exponential.",
                "A = φ(q) · φ(k) / Σ φ(q) · φ(k), φ = elu + 1"},
               {"distance", "Distance only", "The weight depends on the distance alone: a convolution.",
                "A = softmax(b[s − t])"}},
              {},
              {}}),
      flag(&ModelConfig::zeroPadded,
           {"open_border",
            "Zero padding",
            "Positions outside the text get attention weight and output zeros.",
            {{"no", "No", "Weights at the border are renormalized.", "A = softmax(b[s − t])"},
             {"yes", "Yes", "The same weights everywhere: a convolution, with a Toeplitz matrix A.",
              "A = exp(b[s − t]) / Σ exp(b)"}},
            {},
            {},
            [](const ModelConfig& config) { return config.kernel == AttentionKernel::Distance; }}),
      maskChoice(),
      choice(&ModelConfig::maskTime,
             {"mask_time",
              "Mask applied",
              "Before or after the softmax; the attention weights are the same.",
              {{"before_softmax", "Before softmax", "Masked scores become −∞.",
                "A = softmax(s where m, else −∞)"},
               {"after_softmax", "After softmax", "Masked weights become 0; the others are renormalized.",
                "A = m ⊙ softmax(s) / Σ m ⊙ softmax(s)"}},
              {},
              {},
              [](const ModelConfig& config) { return config.kernel != AttentionKernel::Linear; }}),
      choice(&ModelConfig::readout,
             {"readout",
              "Value output",
              "Matrices after the attention pattern.",
              {{"values_and_output", "V, then O", "Values of the head dim, then the output matrix.",
                "Σ_h A_h x V_h O_h"},
               {"one_matrix", "Merged VO", "The product of both, one matrix per head.", "Σ_h A_h x (V O)_h"},
               {"rows", "No values", "Attention without a value matrix: weighted means of the inputs.",
                "Y = Σ_h A_h X"}},
              {},
              {}}),
  };
}

}  // namespace

std::vector<ConfigChoice> attentionChoices() {
  std::vector<ConfigChoice> choices = choicesWhereAttending();
  for (ConfigChoice& choice : choices)
    choice.matters = [otherwise = choice.matters, masks = choice.id == "mask"](const ModelConfig& config) {
      return (config.hasAttention() || (masks && config.hasConvolution())) && otherwise(config);
    };
  return choices;
}

}  // namespace glassformer
