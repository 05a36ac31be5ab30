#include "core/io/config_file.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
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

void readNumber(ConfigFields& fields, const ConfigNumber& field, ModelConfig& config) {
  const Json& value = fields.any(field.id.c_str());
  if (value.is_null() && field.optional) return;
  if (value.is_null()) return fields.refuse(field.id, "is missing");
  if (field.whole ? !value.is_number_integer() : !value.is_number())
    return fields.refuse(field.id, field.whole ? "is not a whole number" : "is not a number");
  const double number = value.get<double>();
  if (!(number >= field.least && number <= field.most))
    return fields.refuse(field.id, "is " + value.dump() + "; it must be " + decimal(field.least) + " to " +
                                       decimal(field.most));
  field.set(config, number);
}

void readChoice(ConfigFields& fields, const ConfigChoice& choice, ModelConfig& config) {
  const Json& value = fields.any(choice.id.c_str());
  if (value.is_null()) return;
  if (choice.flag) {
    if (!value.is_boolean()) return fields.refuse(choice.id, "is neither true nor false");
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
  fields.refuse(choice.id, "is " + found + "; known are " + known);
}

/// Exceptions from the mask: [query, key, allowed].
void readPainted(ConfigFields& fields, ModelConfig& config) {
  for (const Json& cell : fields.any("painted_mask")) {
    const auto position = [](const Json& p) {
      return p.is_number_unsigned() && p.get<std::uint64_t>() < 1 << 24;
    };
    const bool right =
        cell.is_array() && cell.size() == 3 && position(cell[0]) && position(cell[1]) && cell[2].is_boolean();
    if (!right) return fields.refuse("painted_mask", "has an entry that is not [query, key, true or false]");
    config.mask.painted.paint({cell[0].get<int>(), cell[1].get<int>(), cell[2].get<bool>()});
  }
}

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

Result<ModelConfig> ownConfig(ConfigFields& fields) {
  ModelConfig config;
  for (const ConfigNumber& field : configNumbers()) readNumber(fields, field, config);
  if (!fields.isSet("n_inner")) config.feedForward = 4 * config.width;
  // After the choices, of which those of the mask, of positions and of their slowing set a number back.
  for (const ConfigChoice& choice : configChoices()) readChoice(fields, choice, config);
  for (const ConfigNumber& field : configNumbers())
    if (field.id == "mask_size" || field.id == "position_parameter" || field.id == "rope_high_freq_factor")
      readNumber(fields, field, config);
  if (config.mask.kind == MaskKind::Window && fields.isSet("layer_types")) {
    ModelConfig listed = config;
    fields.windows(config.mask.size, {}, listed);
    config.fullBlocks = listed.fullBlocks;
  }
  readPainted(fields, config);
  return fields.finish(config);
}

Result<ModelConfig> modelConfigFrom(const Json& file, std::string_view name) {
  const auto family = readFamilyConfig(file.dump(), name);
  if (!family) return family.error();
  return family->config;
}

std::string modelConfigJson(const ModelConfig& config, const TextEnds& ends) {
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
  if (file.value("full_attention_every", 0) < 0)  // in an order of their own
    for (int layer = 0; layer < config.layers; ++layer)
      file["layer_types"].push_back(config.maskOf(layer).kind == MaskKind::Window ? "sliding_attention"
                                                                                  : "full_attention");
  for (const PaintedCell& cell : config.mask.painted)
    file["painted_mask"].push_back({cell.query, cell.key, cell.allowed});
  file["n_ctx"] = config.context;
  const bool gpt2 = isGpt2(config);
  file["model_type"] = gpt2 ? "gpt2" : "glassformer";
  if (gpt2) file["architectures"] = {"GPT2LMHeadModel"};
  file["torch_dtype"] = "float32";
  const std::vector<int>& all = ends.tokens();
  if (!all.empty()) file["bos_token_id"] = file["eos_token_id"] = all.front();
  if (all.size() > 1) file["eos_token_id"] = all;
  return file.dump(2) + "\n";
}

}  // namespace glassformer
