// From the keys of a GGUF file to the config.json of a family.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/io/gguf_keys.h"
#include "core/io/gguf_model.h"

namespace glassformer {
namespace {

using GgufJson = nlohmann::json;

/// One architecture's keys, as fields of a config.json.
class GgufArchitecture {
 public:
  GgufArchitecture(const GgufFile& file, std::string_view name)
      : keys_(file, name), own_(keys_.take<std::string>(architectureKey)) {}

  GgufJson config() {
    if (own_ == "llama") return llama();
    if (own_ == "qwen2" || own_ == "qwen3") return likeLlama(own_.c_str());
    if (own_ == "gemma") return gemma("gemma");
    if (own_ == "gemma2") return gemma2();
    if (own_ == "gemma3") return gemma3();
    if (own_ == "gpt2") return gpt2();
    if (own_ == "gptneox") return neox();
    if (own_ == "phi2") return phi();
    if (own_ == "bert") return bert();
    keys_.refuse(
        "key " + inQuotes(architectureKey), "is " + inQuotes(own_),
        "a GGUF file without a config.json must be llama, qwen2, qwen3, gemma, gemma2, gemma3, gpt2, "
        "gptneox, phi2 or bert");
    return {};
  }
  const Status& status() const { return keys_.status(); }

 private:
  std::string key(const char* ending) const { return own_ + "." + ending; }
  int size(const char* ending) { return keys_.size(key(ending)); }
  double number(const char* ending, double otherwise) { return keys_.takeOr(key(ending), otherwise); }
  bool has(const char* ending) const { return keys_.has(key(ending)); }
  // What would change the computation in ways that no config.json here has.
  void mustBe(const char* ending, double value) {
    if (number(ending, value) != value)
      keys_.refuse("key " + inQuotes(key(ending)),
                   "is set in a way that the transformer here does not compute");
  }

  int vocabulary() {
    const StoredTensor* embedding = keys_.tensor("token_embd.weight");
    if (embedding && embedding->shape.size() == 2) return static_cast<int>(embedding->shape[0]);
    keys_.refuse("tensor token_embd.weight", "is missing");
    return 0;
  }

  GgufJson likeLlama(const char* type) {
    const int heads = size("attention.head_count"), width = size("embedding_length"),
              head = has("attention.key_length") ? size("attention.key_length") : width / std::max(heads, 1);
    mustBe("expert_count", 0), mustBe("attention.value_length", head), mustBe("rope.dimension_count", head);
    GgufJson config{{"model_type", type},
                    {"hidden_size", width},
                    {"intermediate_size", size("feed_forward_length")},
                    {"num_hidden_layers", size("block_count")},
                    {"num_attention_heads", heads},
                    {"num_key_value_heads", keys_.sizeOr(key("attention.head_count_kv"), heads)},
                    {"head_dim", head},
                    {"vocab_size", vocabulary()},
                    {"max_position_embeddings", size("context_length")},
                    {"rms_norm_eps", keys_.take<double>(key("attention.layer_norm_rms_epsilon"))},
                    {"rope_theta", number("rope.freq_base", 10000)},
                    {"tie_word_embeddings", !keys_.hasTensor("output.weight")}};
    takeSlowing(config);
    return config;
  }

  void takeSlowing(GgufJson& config) {
    const auto type = keys_.takeOr(key("rope.scaling.type"), std::string("none"));
    if (type == "none") return;
    config["rope_scaling"] = {{"rope_type", type}, {"factor", number("rope.scaling.factor", 1)}};
    if (has("rope.scaling.original_context_length"))
      config["rope_scaling"]["original_max_position_embeddings"] =
          size("rope.scaling.original_context_length");
  }

  GgufJson llama() {
    const bool slides = has("attention.sliding_window");
    GgufJson config = likeLlama(slides ? "mistral" : "llama");
    if (slides) config["sliding_window"] = size("attention.sliding_window");
    config["attention_bias"] = keys_.hasTensor("blk.0.attn_q.bias");
    config["mlp_bias"] = keys_.hasTensor("blk.0.ffn_up.bias");
    if (const StoredTensor* factors = keys_.tensor("rope_freqs.weight")) takeFactors(*factors, config);
    return config;
  }

  // What each pair's frequency is divided by, in place of the numbers that Llama 3 makes it from. They are
  // those of all its models but for the greatest, which is its factor.
  void takeFactors(const StoredTensor& factors, GgufJson& config) {
    const auto read = factors.isFloat() ? factors.converted() : std::vector<float>();
    if (!read) return keys_.refuse("tensor rope_freqs.weight", read.error().what);
    const std::vector<float>& given = *read;
    constexpr double low = 1, high = 4, learned = 8192;
    const double base = config["rope_theta"], factor = given.empty() ? 0 : std::ranges::max(given);
    bool isLlama3 = factor >= 1 && 2 * given.size() == config["head_dim"].get<std::size_t>();
    for (std::size_t i = 0; i < given.size() && isLlama3; ++i) {
      const double frequency =
                       std::pow(base, -2.0 * static_cast<double>(i) / config["head_dim"].get<double>()),
                   turns = learned * frequency / (2 * std::numbers::pi),
                   kept = std::clamp((turns - low) / (high - low), 0.0, 1.0);
      isLlama3 = std::abs(1 / (kept + (1 - kept) / factor) - static_cast<double>(given[i])) < 1e-3 * factor;
    }
    if (!isLlama3) return keys_.refuse("tensor rope_freqs.weight", "scales RoPE differently from Llama 3");
    config["rope_scaling"] = {{"rope_type", "llama3"},
                              {"factor", factor},
                              {"low_freq_factor", low},
                              {"high_freq_factor", high},
                              {"original_max_position_embeddings", learned}};
  }

  GgufJson gemma(const char* type) {
    GgufJson config = likeLlama(type);
    config["hidden_activation"] = "gelu_pytorch_tanh";
    return config;
  }
  // The largest of the second and third divide scores by the root of what the heads share of the width.
  GgufJson laterGemma(const char* type, int blocksOfLargest) {
    GgufJson config = gemma(type);
    const int width = config["hidden_size"], heads = config["num_attention_heads"];
    config["query_pre_attn_scalar"] = config["num_hidden_layers"] == blocksOfLargest && heads > 0
                                          ? GgufJson(width / heads)
                                          : config["head_dim"];
    config["sliding_window"] = size("attention.sliding_window");
    return config;
  }
  GgufJson gemma2() {
    GgufJson config = laterGemma("gemma2", 46);
    config["attn_logit_softcapping"] = number("attn_logit_softcapping", 50);
    config["final_logit_softcapping"] = number("final_logit_softcapping", 30);
    return config;
  }
  GgufJson gemma3() {
    GgufJson config = laterGemma("gemma3_text", 62);
    config["rope_theta"] = number("rope.freq_base", 1e6);
    config["rope_local_base_freq"] = number("rope.freq_base_swa", 10000);
    return config;
  }

  GgufJson gpt2() {
    return {{"model_type", "gpt2"},
            {"n_embd", size("embedding_length")},
            {"n_inner", size("feed_forward_length")},
            {"n_layer", size("block_count")},
            {"n_head", size("attention.head_count")},
            {"n_positions", size("context_length")},
            {"vocab_size", vocabulary()},
            {"layer_norm_epsilon", keys_.take<double>(key("attention.layer_norm_epsilon"))},
            {"activation_function", "gelu_new"},
            {"tie_word_embeddings", !keys_.hasTensor("output.weight")}};
  }

  // The share of a head that rotary positions turn: a hair more than the quotient, of which whole columns
  // are made.
  double turnedShare(int width, int heads) {
    const double head = static_cast<double>(width) / std::max(heads, 1),
                 share = keys_.take<double>(key("rope.dimension_count")) / head;
    return share < 1 ? std::nextafter(share, 1.0) : share;
  }

  GgufJson neox() {
    const int width = size("embedding_length"), heads = size("attention.head_count");
    return {{"model_type", "gpt_neox"},
            {"hidden_size", width},
            {"intermediate_size", size("feed_forward_length")},
            {"num_hidden_layers", size("block_count")},
            {"num_attention_heads", heads},
            {"vocab_size", vocabulary()},
            {"max_position_embeddings", size("context_length")},
            {"layer_norm_eps", keys_.take<double>(key("attention.layer_norm_epsilon"))},
            {"rotary_pct", turnedShare(width, heads)},
            {"rotary_emb_base", number("rope.freq_base", 10000)},
            {"use_parallel_residual", number("use_parallel_residual", 1) != 0},
            {"hidden_act", "gelu"},
            {"tie_word_embeddings", !keys_.hasTensor("output.weight")}};
  }

  // Phi-1 to Phi-2. The keys do not name the activation; all of these have the same.
  GgufJson phi() {
    const int width = size("embedding_length"), heads = size("attention.head_count");
    return {{"model_type", "phi"},
            {"hidden_size", width},
            {"intermediate_size", size("feed_forward_length")},
            {"num_hidden_layers", size("block_count")},
            {"num_attention_heads", heads},
            {"num_key_value_heads", keys_.sizeOr(key("attention.head_count_kv"), heads)},
            {"vocab_size", vocabulary()},
            {"max_position_embeddings", size("context_length")},
            {"layer_norm_eps", keys_.take<double>(key("attention.layer_norm_epsilon"))},
            {"partial_rotary_factor", turnedShare(width, heads)},
            {"rope_theta", number("rope.freq_base", 10000)},
            {"hidden_act", "gelu_new"},
            {"tie_word_embeddings", !keys_.hasTensor("output.weight")}};
  }

  // Of BERT and what has its graph: RoBERTa's positions begin later, and its tokens are others.
  GgufJson bert() {
    mustBe("attention.causal", 0);
    const StoredTensor* types = keys_.tensor("token_types.weight");
    return {{"model_type", "bert"},
            {"architectures", {"BertModel"}},
            {"hidden_size", size("embedding_length")},
            {"intermediate_size", size("feed_forward_length")},
            {"num_hidden_layers", size("block_count")},
            {"num_attention_heads", size("attention.head_count")},
            {"vocab_size", vocabulary()},
            {"max_position_embeddings", size("context_length")},
            {"type_vocab_size", types && types->shape.size() == 2 ? types->shape[0] : 0},
            {"layer_norm_eps", keys_.take<double>(key("attention.layer_norm_epsilon"))},
            {"hidden_act", "gelu"}};
  }

  GgufKeys keys_;
  std::string own_;
};

}  // namespace

Result<FamilyConfig> familyOf(const GgufFile& file, std::string_view name) {
  GgufArchitecture architecture(file, name);
  const GgufJson config = architecture.config();
  if (!architecture.status()) return architecture.status().error();
  return readFamilyConfig(config.dump(), std::string(name) + ", its keys as config.json");
}

}  // namespace glassformer
