// Everything but attention.
#include <algorithm>

#include "core/model/choices/choice_lists.h"
#include "core/model/positional/positional_encodings.h"

namespace glassformer {
namespace {

ConfigChoice positionChoice() {
  ConfigChoice made{
      "position_embedding_type", "Position encoding", "Position information of each token.", {}, {}, {}};
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
      choice(&ModelConfig::stack,
             {"stack",
              "Model type",
              "Stacks of the model, and its task.",
              {{"decoder_only", "Decoder-only", "Predicts the next token of a text.", "p(next token | text)"},
               {"encoder_only", "Encoder-only", "Reads the whole text and predicts masked tokens.",
                "p(masked token | rest)"},
               {"encoder_decoder", "Encoder–decoder", "Reads a source and generates a target.",
                "p(next token | source, text)"}},
              {},
              {}}),
      choice(&ModelConfig::crossMemory,
             {"cross_memory",
              "Cross memory",
              "Encoder layer that each decoder layer attends to.",
              {{"last_layer", "Last layer", "Every decoder layer attends to the last encoder layer.",
                "e = encoder(source)"},
               {"same_layer", "Same layer", "Decoder layer i attends to encoder layer i.",
                "e_i = encoder_i(source)"}},
              {},
              {},
              [](const ModelConfig& config) { return config.isEncoderDecoder(); }}),
      flag(&ModelConfig::scaledEmbedding,
           {"scale_embedding",
            "Embedding × √D",
            "Embeddings times √D before positions are added.",
            {{"no", "No", "Embeddings are added as they are.", "x = E[token]"},
             {"yes", "Yes", "Embeddings are scaled (Vaswani et al. 2017).", "x = √D · E[token]"}},
            {},
            {}}),
      flag(&ModelConfig::normedEmbedding,
           {"embedding_norm",
            "Embedding norm",
            "LayerNorm on the sum of the embeddings.",
            {{"no", "No", "The first block reads the sum.", "x = E[token] + P[t]"},
             {"yes", "Yes", "The first block reads the normalized sum, as in BERT.",
              "x = LN(E[token] + P[t])"}},
            {},
            {},
            [](const ModelConfig& config) { return config.hasNorms(); }}),
  };
}

std::vector<ConfigChoice> positionChoices() {
  ConfigChoice slowing{
      "rope_type",
      "RoPE scaling",
      "Stretches RoPE beyond the training length.",
      {{"default", "No", "Frequencies as in training.", "θ"},
       {"linear", "Linear", "All frequencies divided by the same factor.", "θ / s"},
       {"llama3", "Llama 3", "Low frequencies divided by the factor; high frequencies unchanged.",
        "θ · (φ + (1 − φ) / s)"},
       {"yarn", "YaRN", "Low frequencies divided by the factor; queries and keys scaled up.",
        "θ · (φ + (1 − φ) / s), q · (0.1 ln s + 1)"}},
      {},
      {},
      [](const ModelConfig& config) { return config.hasAttention() && config.positions->rotates(); }};
  slowing.get = [](const ModelConfig& config) { return static_cast<int>(config.rotaryScaling.slowing); };
  slowing.set = [](ModelConfig& config, int option) {
    RotaryScaling& scaling = config.rotaryScaling;
    scaling.slowing = static_cast<RopeScaling>(option);
    const RotaryScaling usual;
    if (scaling.slowing == RopeScaling::Yarn && scaling.highFreqFactor == usual.highFreqFactor)
      scaling.highFreqFactor = 32;
  };
  return {positionChoice(), slowing};
}

std::vector<ConfigChoice> normChoices() {
  const auto normed = [](const ModelConfig& config) { return config.hasNorms(); };
  return {
      flag(&ModelConfig::residual,
           {"residual",
            "Residual connection",
            "Sublayer output added to the residual stream, or replacing it.",
            {{"no", "No", "Every sublayer reads only the output of the one before.", "y = f(x)"},
             {"yes", "Yes", "The sublayer output is added to the residual stream.", "y = x + f(x)"}},
            {},
            {}}),
      flag(&ModelConfig::parallel,
           {"parallel_residual",
            "Parallel residual",
            "Attention and MLP read the same residual stream (GPT-J).",
            {{"no", "No", "The MLP reads the stream after attention.",
              "x' = x + a(LN(x)), y = x' + m(LN(x'))"},
             {"yes", "Yes", "Both read the same stream and run in parallel.", "y = x + a(LN(x)) + m(LN(x))"}},
            {},
            {},
            [](const ModelConfig& config) { return config.hasFeedForward(); }}),
      flag(&ModelConfig::oneResidual,
           {"one_residual",
            "Single residual",
            "One residual connection per block (ConvNeXt).",
            {{"no", "No", "Each sublayer adds to the stream.", "x' = x + c(LN(x)), y = x' + m(LN(x'))"},
             {"yes", "Yes", "The MLP reads the output of the convolution; only the MLP adds to the stream.",
              "y = x + m(LN(c(x)))"}},
            {},
            {},
            [](const ModelConfig& config) { return config.hasConvolution() && config.hasFeedForward(); }}),
      choice(
          &ModelConfig::normPlacement,
          {"norm_placement",
           "Norm placement",
           "Position of the norms in each block; without residual connections x is not added.",
           {{"pre", "Pre-norm", "Each sublayer reads the normalized stream; the stream itself is unchanged.",
             "y = x + f(LN(x))"},
            {"post", "Post-norm", "The sum is normalized, as in Vaswani et al. 2017.", "y = LN(x + f(x))"},
            {"none", "None", "No norms.", "y = x + f(x)"},
            {"residual", "Normed residual", "The residual is taken from the normalized stream.",
             "y = LN(x) + f(LN(x))"},
            {"sandwich", "Sandwich",
             "Each sublayer reads the normalized stream, and its output is normalized before the addition.",
             "y = x + LN′(f(LN(x)))"}},
           {},
           {}}),
      choice(&ModelConfig::norm,
             {"norm",
              "Norm type",
              "Normalization of each token vector.",
              {{"layer", "LayerNorm", "Subtract the mean, then divide by the standard deviation.",
                "γ ⊙ (x − mean(x)) / √(var(x) + ε) + β"},
               {"rms", "RMSNorm", "Divide by the root mean square.", "γ ⊙ x / √(mean(x²) + ε)"}},
              {},
              {},
              normed}),
      flag(&ModelConfig::finalNorm,
           {"final_norm",
            "Final norm",
            "Norm before the unembedding.",
            {{"no", "No", "The unembedding reads the stream of the last block.", ""},
             {"yes", "Yes", "The stream of the last block is normalized.", "n = LN(x)"}},
            {},
            {},
            normed}),
  };
}

std::vector<ConfigChoice> mixingChoices() {
  return {
      choice(&ModelConfig::mixing,
             {"mixing",
              "Token mixer",
              "Attention, a simple RNN or a convolution.",
              {{"attention", "Attention", "Every token attends to all visible tokens in one operation.",
                "a = A · v · W_O"},
               {"recurrence", "RNN", "A state passes from token to token.",
                "h[t] = tanh(x[t] · W_x + h[t − 1] · W_h + b)"},
               {"convolution", "Convolution", "Every token reads itself and its neighbors.",
                "y[t] = Σ_j x[t − j] · W_j + b, j < J"}},
              {},
              {}}),
      choice(
          &ModelConfig::filters,
          {"filters",
           "Convolution type",
           "Weights of each tap of the convolution.",
           {{"full", "Full", "Every channel reads all channels.", "y[t] = Σ_j x[t − j] · W_j + b"},
            {"depthwise", "Depthwise", "One filter per channel (ConvNeXt).", "y[t] = Σ_j x[t − j] ⊙ f_j + b"},
            {"bottleneck", "Bottleneck",
             "A quarter of the channels, with ReLUs before and after the taps (ResNet).",
             "relu(Σ_j relu(x · W_↓)[t − j] · W_j) · W_↑"}},
           {},
           {},
           [](const ModelConfig& config) { return config.hasConvolution(); }})};
}

std::vector<ConfigChoice> feedForwardChoices() {
  return {
      choice(&ModelConfig::activation,
             {"activation_function",
              "MLP activation",
              "The nonlinearity of the MLP.",
              {{"gelu_new", "GELU (tanh)", "Tanh approximation, as in GPT-2.",
                "½ u (1 + tanh(√(2/π) (u + 0.044715 u³)))", "gelu_pytorch_tanh"},
               {"gelu", "GELU (exact)", "x times the normal distribution function.", "u Φ(u)"},
               {"relu", "ReLU", "Negative values become 0.", "max(0, u)"},
               {"silu", "SiLU", "x times the logistic function (swish).", "u / (1 + e⁻ᵘ)", "swish"},
               {"swiglu", "SwiGLU", "A second projection times a SiLU gate.", "silu(u) ⊙ w"},
               {"geglu", "GeGLU", "A second projection times a GELU gate.", "GELU_tanh(u) ⊙ w"},
               {"none", "No MLP", "Blocks with token mixing only.", ""}},
              {},
              {}}),
      choice(&ModelConfig::biases,
             {"biases",
              "Biases",
              "Matrix products that add a bias.",
              {{"all", "All", "Every product has a bias.", "y = x · W + b"},
               {"qkv", "QKV only", "Only queries, keys and values have a bias.", ""},
               {"none", "None", "No biases.", "y = x · W"},
               {"not_qkv", "All but QKV", "All but queries, keys and values (GPT-Neo).", ""},
               {"mlp", "MLP only", "Only the products of the MLP (GPT-J).", ""},
               {"attention", "Attention only", "Only the products of attention.", ""}},
              {},
              {}}),
  };
}

std::vector<ConfigChoice> endChoices() {
  return {
      flag(&ModelConfig::headTransform,
           {"head_transform",
            "MLM head",
            "Extra layer before the unembedding (BERT).",
            {{"no", "No", "The unembedding reads the stream.", "logits = n · W_U"},
             {"yes", "Yes", "The unembedding reads the output of that layer.",
              "logits = LN(f(n · W_h + b_h)) · W_U"}},
            {},
            {}}),
      flag(&ModelConfig::unembeddingBias,
           {"unembedding_bias",
            "Unembedding bias",
            "A bias b_U added to the logits.",
            {{"no", "No", "No bias.", "logits = n · W_U"},
             {"yes", "Yes", "The bias holds the frequency of each token.", "logits = n · W_U + b_U"}},
            {},
            {}}),
      choice(&ModelConfig::pooling, {"pooling",
                                     "Pooling",
                                     "Vector that the classification head reads.",
                                     {{"last", "Last token", "The selected token.", "u_C = n · W_Cᵀ"},
                                      {"mean", "Mean", "The mean over the tokens.", "u_C = mean(n) · W_Cᵀ"}},
                                     {},
                                     {},
                                     [](const ModelConfig& config) { return config.hasClassHead(); }}),
      flag(&ModelConfig::scaledUnembedding,
           {"scale_unembedding",
            "Logits / √D",
            "Unembedding input divided by √D (T5).",
            {{"no", "No", "The unembedding reads the stream.", "logits = n · W_U"},
             {"yes", "Yes", "Logits have the same size for any model dim.", "logits = n / √D · W_U"}},
            {},
            {}}),
      flag(&ModelConfig::tiedUnembedding,
           {"tie_word_embeddings",
            "Tied embeddings",
            "One matrix for embedding and unembedding, W_U = W_Eᵀ.",
            {{"no", "No", "The unembedding has its own weights.", "logits = n · W_U"},
             {"yes", "Yes", "The unembedding is the transposed embedding.", "logits = n · Eᵀ"}},
            {},
            {}}),
  };
}

}  // namespace glassformer
