#include "core/io/config_file.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/model/choices.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

// The number whose decimal form is the shortest that reads back as this float: 1e-05,
// not 9.999999747378752e-06.
double shortest(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  double result = value;
  std::from_chars(text, end, result);
  return result;
}

std::string decimal(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// Reads fields one after the other and keeps the first complaint.
class FieldReader {
 public:
  FieldReader(const Json& file, std::string_view name) : file_(file), name_(name) {}

  void read(const ConfigNumber& field, ModelConfig& config) {
    const bool missing = !file_.contains(field.id) || file_[field.id].is_null();
    if (missing && field.optional) return;
    if (missing) return refuse(field.id, "is missing");
    const Json& value = file_[field.id];
    if (field.whole ? !value.is_number_integer() : !value.is_number())
      return refuse(field.id, field.whole ? "is no whole number" : "is no number");
    const double number = value.get<double>();
    if (!(number >= field.least && number <= field.most))
      return refuse(field.id, "is " + value.dump() + "; it must be " + decimal(field.least) + " to " +
                                  decimal(field.most));
    field.set(config, number);
  }
  void read(const ConfigChoice& choice, ModelConfig& config) {
    if (!file_.contains(choice.id)) return;
    const Json& value = file_[choice.id];
    if (choice.flag) {
      if (!value.is_boolean()) return refuse(choice.id, "is neither true nor false");
      return choice.set(config, value.get<bool>());
    }
    std::string known;
    for (std::size_t i = 0; i < choice.options.size(); ++i) {
      const bool named =
          value == choice.options[i].id || (value.is_string() && value == choice.options[i].alias);
      if (named) return choice.set(config, static_cast<int>(i));
      known += (known.empty() ? "" : ", ") + choice.options[i].id;
    }
    const std::string found = value.is_string() ? inQuotes(value.get<std::string>()) : "no text";
    refuse(choice.id, "is " + found + "; known are " + known);
  }
  /// Exceptions from the mask: [query, key, allowed].
  void readPainted(ModelConfig& config) {
    if (!file_.contains("painted_mask")) return;
    for (const Json& cell : file_["painted_mask"]) {
      const auto position = [](const Json& p) {
        return p.is_number_unsigned() && p.get<std::uint64_t>() < 1 << 24;
      };
      const bool right = cell.is_array() && cell.size() == 3 && position(cell[0]) && position(cell[1]) &&
                         cell[2].is_boolean();
      if (!right) return refuse("painted_mask", "has an entry that is not [query, key, true or false]");
      config.mask.painted.paint({cell[0].get<int>(), cell[1].get<int>(), cell[2].get<bool>()});
    }
  }
  void mustBe(const char* field, bool value) {
    if (file_.contains(field) && file_[field] != value)
      refuse(field, "is set in a way that the transformer here does not compute");
  }
  void refuse(const std::string& field, std::string what) {
    if (status_) status_ = Error{std::move(what), name_ + ", " + field, ""};
  }
  const Status& status() const { return status_; }

 private:
  const Json& file_;
  std::string name_;
  Status status_ = success();
};

}  // namespace

namespace {

// Whether others that know GPT-2 compute the same. It has these numbers, may have lm_head untied and scores
// divided by the number of their block, and knows these activations; all else is as in ours by default.
bool isGpt2(const ModelConfig& config) {
  ModelConfig gpt2;
  gpt2.layers = config.layers, gpt2.heads = config.heads;
  gpt2.width = config.width, gpt2.feedForward = config.feedForward;
  gpt2.vocabulary = config.vocabulary, gpt2.context = config.context;
  gpt2.normEpsilon = config.normEpsilon, gpt2.dropout = config.dropout;
  gpt2.tiedUnembedding = config.tiedUnembedding;
  gpt2.scoresByLayer = config.scoresByLayer;
  const bool isKnown = config.activation == Activation::Gelu || config.activation == Activation::Relu ||
                       config.activation == Activation::Silu;
  if (isKnown) gpt2.activation = config.activation;
  return config == gpt2;
}

}  // namespace

Result<ModelConfig> modelConfigFrom(const Json& file, std::string_view name) {
  FieldReader reader(file, name);
  ModelConfig config;
  for (const ConfigNumber& field : configNumbers()) reader.read(field, config);
  if (!file.contains("n_inner") || file["n_inner"].is_null()) config.feedForward = 4 * config.width;
  // After the choices, of which those of the mask, of positions and of their slowing set a number back.
  for (const ConfigChoice& choice : configChoices()) reader.read(choice, config);
  for (const ConfigNumber& field : configNumbers())
    if (field.id == "mask_size" || field.id == "position_parameter" || field.id == "rope_high_freq_factor")
      reader.read(field, config);
  reader.readPainted(config);
  reader.mustBe("add_cross_attention", false);
  if (!reader.status()) return reader.status().error();
  if (Status status = validate(config); !status)
    return Error{status.error().what, std::string(name), status.error().hint};
  return config;
}

std::string modelConfigJson(const ModelConfig& config, int endOfText) {
  nlohmann::ordered_json file;
  const ModelConfig usual;
  for (const ConfigNumber& field : configNumbers()) {
    const double value = field.get(config);
    const bool always = !field.optional || field.id == "n_inner" || field.id == "layer_norm_epsilon";
    if (!always && value == field.get(usual)) continue;
    if (field.whole)
      file[field.id] = static_cast<std::int64_t>(value);
    else
      file[field.id] = shortest(static_cast<float>(value));
  }
  for (const ConfigChoice& choice : configChoices()) {
    const int option = choice.get(config);
    const bool always = choice.id == "activation_function" || choice.id == "position_embedding_type" ||
                        choice.id == "tie_word_embeddings";
    if (!always && option == choice.get(usual)) continue;
    if (choice.flag)
      file[choice.id] = option != 0;
    else
      file[choice.id] = choice.options[static_cast<std::size_t>(option)].id;
  }
  for (const PaintedCell& cell : config.mask.painted)
    file["painted_mask"].push_back({cell.query, cell.key, cell.allowed});
  file["n_ctx"] = config.context;
  const bool gpt2 = isGpt2(config);
  file["model_type"] = gpt2 ? "gpt2" : "glassformer";
  if (gpt2) file["architectures"] = {"GPT2LMHeadModel"};
  file["torch_dtype"] = "float32";
  if (endOfText >= 0) file["bos_token_id"] = file["eos_token_id"] = endOfText;
  return file.dump(2) + "\n";
}

}  // namespace glassformer
