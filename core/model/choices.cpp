#include "core/model/choices.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/model/painted_mask.h"
#include "core/model/positional/positional_encodings.h"

namespace glassformer {
namespace {

template <typename Field>
ConfigChoice choice(Field ModelConfig::*field, ConfigChoice made) {
  made.get = [field](const ModelConfig& config) { return static_cast<int>(config.*field); };
  made.set = [field](ModelConfig& config, int option) { config.*field = static_cast<Field>(option); };
  return made;
}

ConfigChoice flag(bool ModelConfig::*field, ConfigChoice made) {
  made.flag = true;
  return choice(field, std::move(made));
}

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

ConfigChoice maskChoice() {
  ConfigChoice made{
      "mask",
      "Mask",
      "Which tokens a token may look at.",
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
  };
}

std::vector<ConfigChoice> embeddingChoices() {
  return {
      flag(&ModelConfig::scaledEmbedding,
           {"scale_embedding",
            "Scaled embedding",
            "Whether embeddings are multiplied by the root of the width before positions are added.",
            {{"no", "No", "Embeddings are added as they are.", "x = E[token]"},
             {"yes", "Yes", "As in the first transformer.", "x = √D · E[token]"}},
            {},
            {}}),
      positionChoice(),
  };
}

std::vector<ConfigChoice> normChoices() {
  const auto normed = [](const ModelConfig& config) { return config.hasNorms(); };
  return {
      choice(&ModelConfig::normPlacement,
             {"norm_placement",
              "Norms stand",
              "Where the residual stream is normalized.",
              {{"pre", "Before", "Each sublayer reads a normalized copy; the stream itself is left alone.",
                "y = x + f(LN(x))"},
               {"post", "After", "The sum is normalized, as in the first transformer.", "y = LN(x + f(x))"},
               {"none", "Nowhere", "Nothing is normalized.", "y = x + f(x)"},
               {"residual", "Before, residual too", "The residual is taken from the normalized stream.",
                "y = LN(x) + f(LN(x))"}},
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

std::vector<ConfigChoice> attentionChoices() {
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
      choice(&ModelConfig::readout, {"readout",
                                     "Readout",
                                     "What a head hands on.",
                                     {{"values_and_output", "V, then O",
                                       "Down to the head width and up again.", "Σ_h A_h x V_h O_h"},
                                      {"one_matrix", "One matrix VO",
                                       "The product of both, as one matrix per head.", "Σ_h A_h x (V O)_h"}},
                                     {},
                                     {}}),
  };
}

std::vector<ConfigChoice> endChoices() {
  return {
      choice(&ModelConfig::activation,
             {"activation_function",
              "MLP",
              "The nonlinearity of the MLP.",
              {{"gelu_new", "GELU (tanh)", "GPT-2's smooth ramp.", "½ u (1 + tanh(√(2/π) (u + 0.044715 u³)))",
                "gelu_pytorch_tanh"},
               {"gelu", "GELU (exact)", "A smooth ramp by the normal distribution.", "u Φ(u)"},
               {"relu", "ReLU", "A ramp: negative becomes 0.", "max(0, u)"},
               {"swiglu", "SwiGLU", "A second projection passes through a smooth gate.", "silu(u) ⊙ w"},
               {"none", "No MLP", "Attention only.", ""}},
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

template <typename Field>
ConfigNumber number(Field ModelConfig::*field, ConfigNumber made) {
  made.get = [field](const ModelConfig& config) { return static_cast<double>(config.*field); };
  made.set = [field](ModelConfig& config, double value) { config.*field = static_cast<Field>(value); };
  return made;
}

ConfigNumber maskSize() {
  ConfigNumber made{"mask_size", "Mask size", "", "How many tokens the prefix or the window has.", 0};
  made.optional = true;
  made.get = [](const ModelConfig& config) { return static_cast<double>(config.mask.size); };
  made.set = [](ModelConfig& config, double value) { config.mask.size = static_cast<int>(value); };
  made.matters = [](const ModelConfig& config) {
    return config.mask.kind == MaskKind::Prefix || config.mask.kind == MaskKind::Window;
  };
  return made;
}

template <typename Id, typename Table>
auto* byId(const Table& table, Id id) {
  for (const auto& entry : table)
    if (entry.id == id) return &entry;
  return static_cast<decltype(&*table.begin())>(nullptr);
}

Status setNumber(ModelConfig& config, const ConfigNumber& field, std::string_view value) {
  double parsed = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (failure != std::errc{} || end != value.data() + value.size() ||
      (field.whole && parsed != std::floor(parsed)))
    return Error{"\"" + std::string(value) + "\" is no " + (field.whole ? "whole number" : "number"),
                 field.id, ""};
  if (!(parsed >= field.least && parsed <= field.most))
    return Error{std::string(value) + " is out of range", field.id,
                 "it can be " + std::to_string(static_cast<long long>(field.least)) + " to " +
                     std::to_string(static_cast<long long>(field.most))};
  field.set(config, parsed);
  return success();
}

}  // namespace

const std::vector<ConfigChoice>& configChoices() {
  static const std::vector<ConfigChoice> all = [] {
    std::vector<ConfigChoice> list;
    for (auto part : {stackChoices(), embeddingChoices(), normChoices(), attentionChoices(), endChoices()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const std::vector<ConfigNumber>& configNumbers() {
  const auto optional = [](ConfigNumber field) {
    field.optional = true;
    return field;
  };
  const auto fraction = [&](ConfigNumber field) {
    field.whole = false;
    return optional(std::move(field));
  };
  static const std::vector<ConfigNumber> all{
      number(&ModelConfig::layers, {"n_layer", "Layers", "L", "Blocks, one after the other.", 1, 4096}),
      number(&ModelConfig::heads, {"n_head", "Heads", "H", "Attention patterns side by side in a block."}),
      optional(number(&ModelConfig::keyValueHeads, {"n_head_kv", "Key and value heads", "",
                                                    "Fewer than heads: several share one; 0: as many.", 0})),
      number(&ModelConfig::width, {"n_embd", "Width", "D", "Numbers per token in the residual stream."}),
      optional(number(&ModelConfig::feedForward, {"n_inner", "MLP width", "F", "Neurons of the MLP."})),
      number(&ModelConfig::context, {"n_positions", "Context", "C", "The most tokens that can be read."}),
      number(&ModelConfig::vocabulary, {"vocab_size", "Vocabulary", "V", "Tokens that there are."}),
      maskSize(),
      fraction(number(&ModelConfig::positionParameter,
                      {"position_parameter", "Positions' number", "",
                       "The base of the frequencies or the farthest distance; 0: the usual.", 0, 1e7})),
      fraction(number(&ModelConfig::normEpsilon,
                      {"layer_norm_epsilon", "Norm's ε", "", "Keeps the norm from dividing by 0.", 0, 1})),
      fraction(number(&ModelConfig::dropout,
                      {"resid_pdrop", "Dropout", "",
                       "Share of what goes into the residual stream that training leaves out.", 0, 1})),
  };
  return all;
}

Status setField(ModelConfig& config, std::string_view id, std::string_view value) {
  if (id == paintedMaskField) {
    auto cells = paintedCells(value);
    if (!cells) return cells.error();
    return config.mask.painted = *std::move(cells), success();
  }
  if (const ConfigNumber* field = byId(configNumbers(), id)) return setNumber(config, *field, value);
  const ConfigChoice* choice = byId(configChoices(), id);
  std::string known;
  const auto list = [&](const std::string& name) { known += (known.empty() ? "" : ", ") + name; };
  if (!choice) {
    for (const ConfigChoice& c : configChoices()) list(c.id);
    for (const ConfigNumber& n : configNumbers()) list(n.id);
    list(paintedMaskField);
    return Error{"there is no such field", std::string(id), "known are " + known};
  }
  for (std::size_t i = 0; i < choice->options.size(); ++i) {
    if (choice->options[i].id == value) return choice->set(config, static_cast<int>(i)), success();
    list(choice->options[i].id);
  }
  return Error{"\"" + std::string(value) + "\" is not known", choice->id, "known are " + known};
}

}  // namespace glassformer
