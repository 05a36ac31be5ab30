#include "core/io/config_file.h"

#include <array>
#include <charconv>
#include <utility>

#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

constexpr int largestSize = 1 << 24;  // of anything; keeps products of two sizes within 64 bits
constexpr int mostLayers = 4096;

constexpr std::array activations{std::pair{"gelu_new", Activation::GeluTanh},
                                 std::pair{"gelu_pytorch_tanh", Activation::GeluTanh},
                                 std::pair{"gelu", Activation::Gelu}, std::pair{"relu", Activation::Relu}};
constexpr std::array positionKinds{std::pair{"learned", PositionalEncoding::Learned},
                                   std::pair{"sinusoidal", PositionalEncoding::Sinusoidal}};

template <typename Table, typename Value>
const char* nameIn(const Table& table, Value value) {
  for (const auto& [name, entry] : table)
    if (entry == value) return name;
  return "";
}

// The number whose decimal form is the shortest that reads back as this float: 1e-05,
// not 9.999999747378752e-06.
double shortest(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  double result = value;
  std::from_chars(text, end, result);
  return result;
}

/// Reads fields one after the other and keeps the first complaint.
class FieldReader {
 public:
  FieldReader(const Json& file, std::string_view name) : file_(file), name_(name) {}

  int size(const char* field, int most = largestSize) {
    if (!file_.contains(field)) return refuse(field, "is missing"), 0;
    const Json& value = file_[field];
    if (!value.is_number_integer()) return refuse(field, "is no whole number"), 0;
    const bool fits =
        !(value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most));
    if (!fits || value.get<std::int64_t>() < 1)
      return refuse(field, "is " + value.dump() + "; it must be 1 to " + std::to_string(most)), 0;
    return value.get<int>();
  }
  int sizeOr(const char* field, int fallback) {
    return !file_.contains(field) || file_[field].is_null() ? fallback : size(field);
  }
  bool flag(const char* field, bool fallback) {
    if (!file_.contains(field)) return fallback;
    if (!file_[field].is_boolean()) refuse(field, "is neither true nor false");
    return file_[field].is_boolean() ? file_[field].get<bool>() : fallback;
  }
  float number(const char* field, float fallback) {
    if (!file_.contains(field)) return fallback;
    if (!file_[field].is_number()) refuse(field, "is no number");
    return file_[field].is_number() ? file_[field].get<float>() : fallback;
  }
  template <typename Table>
  auto choice(const char* field, const Table& table) -> decltype(table[0].second) {
    if (!file_.contains(field)) return table[0].second;
    std::string known;
    for (const auto& [name, value] : table) {
      if (file_[field] == name) return value;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
    const std::string found =
        file_[field].is_string() ? inQuotes(file_[field].template get<std::string>()) : "no text";
    refuse(field, "is " + found + "; known are " + known);
    return table[0].second;
  }
  void mustBe(const char* field, bool value) {
    if (flag(field, value) != value)
      refuse(field, "is set in a way that the transformer here does not compute");
  }
  void refuse(const char* field, std::string what) {
    if (status_) status_ = Error{std::move(what), name_ + ", " + field, ""};
  }
  const Status& status() const { return status_; }

 private:
  const Json& file_;
  std::string name_;
  Status status_ = success();
};

}  // namespace

bool isGpt2Config(std::string_view json) {
  const auto file = parseJson(json, "");
  if (!file || !file->is_object() || !file->contains("model_type")) return true;
  return (*file)["model_type"] == "gpt2";
}

Result<ModelConfig> parseModelConfig(std::string_view json, std::string_view name) {
  const auto file = parseJson(json, name);
  if (!file) return file.error();
  if (!file->is_object()) return Error{"is no JSON object", std::string(name), ""};
  FieldReader reader(*file, name);
  if (file->contains("model_type") && (*file)["model_type"] != "gpt2")
    reader.refuse("model_type", "is not \"gpt2\"; only GPT-2's architecture can be read");
  ModelConfig config;
  config.layers = reader.size("n_layer", mostLayers);
  config.heads = reader.size("n_head");
  config.width = reader.size("n_embd");
  config.context = reader.size("n_positions");
  config.vocabulary = reader.size("vocab_size");
  config.feedForward = reader.sizeOr("n_inner", 4 * config.width);
  config.activation = reader.choice("activation_function", activations);
  config.positions = reader.choice("position_embedding_type", positionKinds);
  config.normEpsilon = reader.number("layer_norm_epsilon", 1e-5f);
  config.tiedUnembedding = reader.flag("tie_word_embeddings", true);
  reader.mustBe("scale_attn_weights", true);
  reader.mustBe("scale_attn_by_inverse_layer_idx", false);
  reader.mustBe("add_cross_attention", false);
  if (!reader.status()) return reader.status().error();
  if (Status status = validate(config); !status)
    return Error{status.error().what, std::string(name), status.error().hint};
  return config;
}

std::string modelConfigJson(const ModelConfig& config, int endOfText) {
  nlohmann::ordered_json file = {{"architectures", {"GPT2LMHeadModel"}},
                                 {"model_type", "gpt2"},
                                 {"n_layer", config.layers},
                                 {"n_head", config.heads},
                                 {"n_embd", config.width},
                                 {"n_inner", config.feedForward},
                                 {"n_positions", config.context},
                                 {"n_ctx", config.context},
                                 {"vocab_size", config.vocabulary},
                                 {"activation_function", nameIn(activations, config.activation)},
                                 {"position_embedding_type", nameIn(positionKinds, config.positions)},
                                 {"layer_norm_epsilon", shortest(config.normEpsilon)},
                                 {"tie_word_embeddings", config.tiedUnembedding},
                                 {"torch_dtype", "float32"}};
  if (endOfText >= 0) file["bos_token_id"] = file["eos_token_id"] = endOfText;
  return file.dump(2) + "\n";
}

}  // namespace glassformer
