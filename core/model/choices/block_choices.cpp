// Everything but attention.
#include <algorithm>

#include "core/model/choices/choice_lists.h"
#include "core/model/positional/positional_encodings.h"

namespace glassformer {
namespace {

ConfigChoice positionChoice() {
  ConfigChoice made{
      "position_embedding_type", "Positions", "How the model knows where a token stands.", {}, {}, {}};
  for (const PositionalEncoding* encoding : positionalEncodings()) {
    const auto [id, name, meaning, equation, source] = encoding->description();
    made.options.push_back({std::string(id), std::string(name), std::string(meaning), std::string(equation)});
  }
  made.get = [](const ModelConfig& config) {
    const auto all = positionalEncodings();
    return static_cast<int>(std::ranges::find(all, config.positions) - all.begin());
  };
  made.set = [](ModelConfig& config, int option) {
    config.positions = positionalEncodings()[static_cast<std::size_t>(option)];
    config.positionParameter = 0;
  };
  return made;
}

}  // namespace

std::vector<ConfigChoice> stackChoices() {
  return {
      choice(
          &ModelConfig::stack,
          {"stack",
           "Stack",
           "What the model reads and writes.",
           {{"decoder_only", "Decoder only", "Reads a text and says how it goes on.", "p(next token | text)"},
            {"encoder_only", "Encoder only", "Sees the whole text and fills in what is masked.",
             "p(masked token | rest)"},
            {"encoder_decoder", "Encoder and decoder", "Reads a source and writes a text about it.",
             "p(next token | source, text)"}},
           {},
           {}}),
      choice(&ModelConfig::crossMemory,
             {"cross_memory",
              "Memory",
              "Which layer of the encoder a decoder's layer looks at.",
              {{"last_layer", "Last layer", "Every layer of the decoder looks at the finished source.",
                "e = encoder(source)"},
               {"same_layer", "Same layer", "Layer i of the decoder looks at layer i of the encoder.",
                "e_i = encoder_i(source)"}},
              {},
              {},
              [](const ModelConfig& config) { return config.reads(); }}),
      flag(&ModelConfig::scaledEmbedding,
           {"scale_embedding",
            "Scaled embedding",
            "Whether embeddings are multiplied by the root of the width before positions are added.",
            {{"no", "No", "Embeddings are added as they are.", "x = E[token]"},
             {"yes", "Yes", "As in the first transformer.", "x = √D · E[token]"}},
            {},
            {}}),
      flag(
          &ModelConfig::normedEmbedding,
          {"embedding_norm",
           "Embedding norm",
           "Whether what embeddings add up to is normalized before the first block.",
           {{"no", "No", "The first block finds the sum as it is.", "x = E[token] + P[t]"},
            {"yes", "Yes", "The first block finds a normalized sum, as in BERT.", "x = LN(E[token] + P[t])"}},
           {},
           {},
           [](const ModelConfig& config) { return config.hasNorms(); }}),
  };
}

std::vector<ConfigChoice> positionChoices() {
  ConfigChoice slowing{
      "rope_type",
      "Slower turning",
      "Whether rotary positions turn more slowly, for texts longer than those of training.",
      {{"default", "No", "Every pair turns as it was learned.", "θ"},
       {"linear", "All alike", "Every pair turns more slowly by the same factor.", "θ / s"},
       {"llama3", "By wavelength", "What turns slowly does so by the factor, what turns fast stays.",
        "θ · (φ + (1 − φ) / s)"},
       {"yarn", "YaRN", "What turns slowly does so by the factor, and queries and keys are made longer.",
        "θ · (φ + (1 − φ) / s), q · (0.1 ln s + 1)"}},
      {},
      {},
      [](const ModelConfig& config) { return config.attends() && config.positions->rotates(); }};
  slowing.get = [](const ModelConfig& config) { return static_cast<int>(config.rotaryScaling.slowing); };
  slowing.set = [](ModelConfig& config, int option) {
    RotaryScaling& scaling = config.rotaryScaling;
    scaling.slowing = static_cast<RotarySlowing>(option);
    const RotaryScaling usual;
    if (scaling.slowing == RotarySlowing::Yarn && scaling.fast == usual.fast) scaling.fast = 32;
  };
  return {positionChoice(), slowing};
}

std::vector<ConfigChoice> normChoices() {
  const auto normed = [](const ModelConfig& config) { return config.hasNorms(); };
  return {
      flag(&ModelConfig::residual,
           {"residual",
            "Residual connection",
            "Whether what a sublayer computes is added to the stream or takes its place.",
            {{"no", "No", "Every sublayer sees only what the one before it made.", "y = f(x)"},
             {"yes", "Yes", "The stream goes on unchanged but for what is added.", "y = x + f(x)"}},
            {},
            {}}),
      flag(&ModelConfig::parallel,
           {"parallel_residual",
            "Parallel sublayers",
            "Whether the MLP reads the stream before or after attention has added to it.",
            {{"no", "No", "The MLP reads what attention has added.", "x' = x + a(LN(x)), y = x' + m(LN(x'))"},
             {"yes", "Yes", "Both read the same stream, and can be computed side by side.",
              "y = x + a(LN(x)) + m(LN(x))"}},
            {},
            {},
            [](const ModelConfig& config) { return config.hasFeedForward(); }}),
      flag(&ModelConfig::oneResidual,
           {"one_residual",
            "One residual",
            "Whether one residual connection goes around convolution and MLP, as in ConvNeXt.",
            {{"no", "No", "Each of them adds to the stream.", "x' = x + c(LN(x)), y = x' + m(LN(x'))"},
             {"yes", "Yes", "The MLP reads what the convolution makes, and alone adds to the stream.",
              "y = x + m(LN(c(x)))"}},
            {},
            {},
            [](const ModelConfig& config) { return config.convolves() && config.hasFeedForward(); }}),
      choice(&ModelConfig::normPlacement,
             {"norm_placement",
              "Norms stand",
              "Where the stream is normalized; without a residual connection the x + falls away.",
              {{"pre", "Before", "Each sublayer reads a normalized copy; the stream itself is left alone.",
                "y = x + f(LN(x))"},
               {"post", "After", "The sum is normalized, as in the first transformer.", "y = LN(x + f(x))"},
               {"none", "Nowhere", "Nothing is normalized.", "y = x + f(x)"},
               {"residual", "Before, residual too", "The residual is taken from the normalized stream.",
                "y = LN(x) + f(LN(x))"},
               {"sandwich", "Before and behind",
                "Each sublayer reads a normalized copy, and what it makes is normalized before it is added.",
                "y = x + LN′(f(LN(x)))"}},
              {},
              {}}),
      choice(
          &ModelConfig::norm,
          {"norm",
           "Norm",
           "What is divided by.",
           {{"layer", "Layer norm", "The mean is taken off, then the standard deviation divides.",
             "γ ⊙ (x − mean(x)) / √(var(x) + ε) + β"},
            {"rms", "RMS norm", "The root mean square divides; the mean stays.", "γ ⊙ x / √(mean(x²) + ε)"}},
           {},
           {},
           normed}),
      flag(&ModelConfig::finalNorm, {"final_norm",
                                     "Final norm",
                                     "Whether the stream is normalized once more before the unembedding.",
                                     {{"no", "No", "The last block's stream is read as it is.", ""},
                                      {"yes", "Yes", "The last block's stream is normalized.", "n = LN(x)"}},
                                     {},
                                     {},
                                     normed}),
  };
}

std::vector<ConfigChoice> mixingChoices() {
  return {
      choice(&ModelConfig::mixing,
             {"mixing",
              "Mixing",
              "How the tokens of a text exchange information.",
              {{"attention", "Attention", "Every token looks at all that it may see, one step away.",
                "a = A · v · W_O"},
               {"recurrence", "Recurrence", "A state goes from token to token: all that is kept of the text.",
                "h[t] = tanh(x[t] · W_x + h[t − 1] · W_h + b)"},
               {"convolution", "Convolution", "Every token sees itself and a few beside it.",
                "y[t] = Σ_j x[t − j] · W_j + b, j < J"}},
              {},
              {}}),
      choice(&ModelConfig::filters,
             {"filters",
              "Filters",
              "What each tap of the convolution makes of the token that it reads.",
              {{"full", "Full", "Every channel reads all channels.", "y[t] = Σ_j x[t − j] · W_j + b"},
               {"depthwise", "Depthwise", "Every channel reads itself, by a filter of its own: ConvNeXt.",
                "y[t] = Σ_j x[t − j] ⊙ f_j + b"},
               {"bottleneck", "Bottleneck",
                "Down to a quarter of the channels, taps, and up again, with a ramp in between: ResNet.",
                "relu(Σ_j relu(x · W_↓)[t − j] · W_j) · W_↑"}},
              {},
              {},
              [](const ModelConfig& config) { return config.convolves(); }})};
}

std::vector<ConfigChoice> feedForwardChoices() {
  return {
      choice(&ModelConfig::activation,
             {"activation_function",
              "MLP",
              "The nonlinearity of the MLP.",
              {{"gelu_new", "GELU (tanh)", "GPT-2's smooth ramp.", "½ u (1 + tanh(√(2/π) (u + 0.044715 u³)))",
                "gelu_pytorch_tanh"},
               {"gelu", "GELU (exact)", "A smooth ramp by the normal distribution.", "u Φ(u)"},
               {"relu", "ReLU", "A ramp: negative becomes 0.", "max(0, u)"},
               {"silu", "SiLU", "A smooth ramp by the logistic function, also called swish.", "u / (1 + e⁻ᵘ)",
                "swish"},
               {"swiglu", "SwiGLU", "A second projection passes through a smooth gate.", "silu(u) ⊙ w"},
               {"geglu", "GeGLU", "The same with GPT-2's smooth ramp as its gate.", "GELU_tanh(u) ⊙ w"},
               {"none", "No MLP", "Blocks only let tokens exchange information.", ""}},
              {},
              {}}),
      choice(&ModelConfig::biases,
             {"biases",
              "Biases",
              "Which products of weights have a vector added to them.",
              {{"all", "All", "Every product has one.", "y = x · W + b"},
               {"qkv", "Queries, keys, values", "Only what attention compares and hands on has one.", ""},
               {"none", "None", "Products are left as they are.", "y = x · W"},
               {"not_qkv", "All but q, k, v", "Attention's output and the MLP have one, as in GPT-Neo.", ""},
               {"mlp", "MLP", "Only the products of the MLP have one, as in GPT-J.", ""},
               {"attention", "Attention", "Only the products of attention have one.", ""}},
              {},
              {}}),
  };
}

std::vector<ConfigChoice> endChoices() {
  return {
      flag(&ModelConfig::headTransform,
           {"head_transform",
            "Head transform",
            "Whether one more layer stands between the last block and the unembedding.",
            {{"no", "No", "The unembedding reads the stream.", "logits = n · W_U"},
             {"yes", "Yes", "The unembedding reads what that layer makes of the stream, as in BERT.",
              "logits = LN(f(n · W_h + b_h)) · W_U"}},
            {},
            {}}),
      flag(&ModelConfig::unembeddingBias,
           {"unembedding_bias",
            "Unembedding bias",
            "Whether every token of the vocabulary has a number that is added to its logit.",
            {{"no", "No", "Only what was read decides.", "logits = n · W_U"},
             {"yes", "Yes", "How frequent a token is need not be said by directions.",
              "logits = n · W_U + b_U"}},
            {},
            {}}),
      choice(
          &ModelConfig::pooling,
          {"pooling",
           "Classes read off",
           "What the head for classes reads of the final stream.",
           {{"last", "The last token", "The token itself, which has seen those before it.", "u_C = n · W_Cᵀ"},
            {"mean", "The mean", "The mean over tokens: no one of them has to gather all the others.",
             "u_C = mean(n) · W_Cᵀ"}},
           {},
           {},
           [](const ModelConfig& config) { return config.classifies(); }}),
      flag(&ModelConfig::scaledUnembedding,
           {"scale_unembedding",
            "Scaled unembedding",
            "Whether what the unembedding reads is divided by the root of the width.",
            {{"no", "No", "The unembedding reads the stream.", "logits = n · W_U"},
             {"yes", "Yes", "Logits keep their size whatever the width, as in T5.", "logits = n / √D · W_U"}},
            {},
            {}}),
      flag(&ModelConfig::tiedUnembedding,
           {"tie_word_embeddings",
            "Tied unembedding",
            "Whether logits compare with the embeddings themselves.",
            {{"no", "No", "The unembedding has weights of its own.", "logits = n · W_U"},
             {"yes", "Yes", "The unembedding is the embedding again.", "logits = n · Eᵀ"}},
            {},
            {}}),
  };
}

}  // namespace glassformer
