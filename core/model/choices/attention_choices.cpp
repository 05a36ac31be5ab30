#include <algorithm>

#include "core/model/choices/choice_lists.h"

namespace glassformer {
namespace {

ConfigChoice maskChoice() {
  ConfigChoice made{
      "mask",
      "Mask",
      "Which tokens a token may look at; of a convolution, whether its taps stand around the token.",
      {{"none", "None", "Every token sees the whole text.", "m[t, s] = 1"},
       {"causal", "Causal", "No token sees a later one.", "m[t, s] = [s ≤ t]"},
       {"prefix", "Prefix", "All see the first tokens; the rest is causal.", "m[t, s] = [s ≤ t or s < size]"},
       {"window", "Window", "A token sees itself and the last few before it.",
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
              "Similarity",
              "What is compared with what.",
              {{"plain", "x · x", "Tokens are compared as they are.", "s = x · xᵀ"},
               {"shared", "U x · U x", "Both sides go through one projection.", "s = (x U) · (x U)ᵀ"},
               {"queries_and_keys", "Queries and keys",
                "What is looked for and what is offered have projections of their own.",
                "s = (x U_q) · (x U_k)ᵀ"}},
              {},
              {},
              usesSimilarity}),
      flag(&ModelConfig::scaledScores,
           {"scale_attn_weights",
            "Scaled scores",
            "Whether scores are divided by the root of the head width.",
            {{"no", "No", "Scores grow with the head width, and softmax saturates.", "s = q · kᵀ"},
             {"yes", "Yes", "Scores keep their size whatever the head width.", "s = q · kᵀ / √K"}},
            {},
            {},
            [](const ModelConfig& config) {
              return usesSimilarity(config) && config.kernel != AttentionKernel::Linear;
            }}),
      flag(&ModelConfig::scoresByLayer,
           {"scale_attn_by_inverse_layer_idx",
            "Scores by depth",
            "Whether scores are divided by the number of their block, too.",
            {{"no", "No", "Scores are scaled alike in every block.", "s = q · kᵀ / √K"},
             {"yes", "Yes", "The deeper the block, the smaller they are: the first divides them by 1.",
              "s = q · kᵀ / (√K · (i + 1))"}},
            {},
            {},
            [](const ModelConfig& config) {
              return usesSimilarity(config) && config.kernel != AttentionKernel::Linear;
            }}),
      flag(&ModelConfig::normedQueries,
           {"qk_norm",
            "Normed queries, keys",
            "Whether queries and keys are normalized, head by head, before they are compared.",
            {{"no", "No", "Scores grow with the lengths of queries and keys.", "s = q · kᵀ"},
             {"yes", "Yes", "Only their directions and what γ makes of them count.",
              "q_n = γ ⊙ q / √(mean(q²) + ε)"}},
            {},
            {},
            usesSimilarity}),
      choice(
          &ModelConfig::kernel,
          {"attention_kernel",
           "Attention",
           "How scores become weights.",
           {{"softmax", "Softmax", "Weights grow exponentially with the score.", "A = softmax(s)"},
            {"argmax", "Hard argmax", "All weight goes to the best key.", "A = 1 where s is largest, else 0"},
            {"linear", "Linear", "Weights are products of positive features; no exponential.",
             "A = φ(q) · φ(k) / Σ φ(q) · φ(k), φ = elu + 1"},
            {"distance", "Distance only", "The distance alone decides: a convolution.",
             "A = softmax(b[s − t])"}},
           {},
           {}}),
      flag(&ModelConfig::openBorder,
           {"open_border",
            "Open border",
            "Whether what is beside the text has its share of attention, and hands on nothing.",
            {{"no", "No", "Weights are shares of the text: at its border the others grow.",
              "A = softmax(b[s − t])"},
             {"yes", "Yes", "The same weights everywhere: a convolution, and A is Toeplitz.",
              "A = exp(b[s − t]) / Σ exp(b)"}},
            {},
            {},
            [](const ModelConfig& config) { return config.kernel == AttentionKernel::Distance; }}),
      maskChoice(),
      choice(&ModelConfig::maskTime,
             {"mask_time",
              "Mask applied",
              "Before or after the softmax; the weights are the same.",
              {{"before_softmax", "Before softmax", "Forbidden scores become minus infinity.",
                "A = softmax(s where m, else −∞)"},
               {"after_softmax", "After softmax", "Forbidden weights become 0, the others are renormalized.",
                "A = m ⊙ softmax(s) / Σ m ⊙ softmax(s)"}},
              {},
              {},
              [](const ModelConfig& config) { return config.kernel != AttentionKernel::Linear; }}),
      choice(
          &ModelConfig::readout,
          {"readout",
           "Readout",
           "What a head hands on.",
           {{"values_and_output", "V, then O", "Down to the head width and up again.", "Σ_h A_h x V_h O_h"},
            {"one_matrix", "One matrix VO", "The product of both, as one matrix per head.",
             "Σ_h A_h x (V O)_h"},
            {"rows", "Rows alone", "Attention without a value matrix: means of the rows as they are.",
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
      return (config.attends() || (masks && config.convolves())) && otherwise(config);
    };
  return choices;
}

}  // namespace glassformer
