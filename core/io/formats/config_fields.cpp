#include "core/io/formats/config_fields.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/model/positional/rotary.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {
constexpr int largestSize = 1 << 24;
}

int ConfigFields::size(const char* field, int otherwise) {
  if (!has(field)) {
    if (otherwise == 0) refuse(field, "is missing");
    return std::max(otherwise, 1);  // what is read after a complaint may be divided by
  }
  const nlohmann::json& value = at(field);
  if (value.is_number_integer() && value.get<double>() >= 1 && value.get<double>() <= largestSize)
    return value.get<int>();
  refuse(field,
         "is " + value.dump() + "; it must be a whole number from 1 to " + std::to_string(largestSize));
  return 1;
}

int ConfigFields::token(const char* field, int otherwise) {
  if (!has(field)) return otherwise;
  const nlohmann::json& value = at(field);
  if (value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() <= largestSize)
    return value.get<int>();
  refuse(field, "is " + excerpt(value.dump(-1, ' ', true), 40) + ", which is no token");
  return otherwise;
}

double ConfigFields::number(const char* field, double otherwise) {
  if (!has(field)) return otherwise;
  if (at(field).is_number()) return at(field).get<double>();
  refuse(field, "is no number");
  return otherwise;
}

bool ConfigFields::flag(const char* field, bool otherwise) {
  if (!has(field)) return otherwise;
  if (at(field).is_boolean()) return at(field).get<bool>();
  refuse(field, "is neither true nor false");
  return otherwise;
}

std::string ConfigFields::text(const char* field, const char* otherwise) {
  if (!has(field)) return otherwise;
  if (at(field).is_string()) return at(field).get<std::string>();
  refuse(field, "is no text");
  return otherwise;
}

ModelConfig ConfigFields::likeLlama(int head) {
  ModelConfig config = sizes();
  config.keyValueHeads = size("num_key_value_heads", config.heads);
  if (has("head_dim")) head = size("head_dim");
  config.headSize = head * config.heads == config.width ? 0 : head;
  config.norm = NormKind::Rms;
  config.normEpsilon = static_cast<float>(number("rms_norm_eps", 1e-6));
  config.positions = &rotaryHalvesPositions();
  rotary("rope_theta", 10000, config);
  turnedShare("partial_rotary_factor", 1, config);
  mustBe("use_bidirectional_attention", false);
  return config;
}

ModelConfig ConfigFields::sizes() {
  ModelConfig config;
  config.layers = size("num_hidden_layers");
  config.heads = size("num_attention_heads");
  config.width = size("hidden_size");
  config.feedForward = size("intermediate_size");
  config.vocabulary = size("vocab_size");
  config.context = size("max_position_embeddings", 2048);
  return config;
}

// Of both stacks, which are alike here.
int ConfigFields::sizeOfBoth(const std::string& what) {
  const std::string encoder = "encoder_" + what, decoder = "decoder_" + what;
  const int both = size(encoder.c_str());
  if (size(decoder.c_str(), both) != both)
    refuse(decoder.c_str(), "is not " + encoder + "; encoder and decoder have it in common here");
  return both;
}

ModelConfig ConfigFields::likeBart() {
  ModelConfig config;
  config.stack = Stack::EncoderDecoder;
  const int encoder = size("encoder_layers");
  config.layers = size("decoder_layers", encoder);
  config.encoderLayers = encoder == config.layers ? 0 : encoder;
  config.heads = sizeOfBoth("attention_heads"), config.feedForward = sizeOfBoth("ffn_dim");
  config.width = size("d_model"), config.vocabulary = size("vocab_size");
  config.context = size("max_position_embeddings", 1024);
  config.activation = activation("activation_function", "gelu");
  config.normPlacement = NormPlacement::Post, config.finalNorm = false;
  config.unembeddingBias = true;
  config.scaledEmbedding = flag("scale_embedding", false);
  config.tiedUnembedding = flag("tie_word_embeddings", true);
  mustBe("normalize_before", false), mustBe("add_final_layer_norm", false);
  tokensOfTexts(config);
  return config;
}

void ConfigFields::tokensOfTexts(ModelConfig& config) {
  config.firstToken = token("decoder_start_token_id", -1);
  config.secondToken = token("forced_bos_token_id", -1);
  config.lastToken = token("forced_eos_token_id", -1);
  if (!has("bad_words_ids")) return;
  const nlohmann::json& words = at("bad_words_ids");
  const bool isOne = words.is_array() && words.size() == 1 && words[0].is_array() && words[0].size() == 1 &&
                     words[0][0].is_number_unsigned() && words[0][0].get<double>() <= largestSize;
  if (isOne)
    config.neverToken = words[0][0].get<int>();
  else if (!words.empty())
    refuse("bad_words_ids",
           "is " + excerpt(words.dump(-1, ' ', true), 40) + "; computed here is a single token");
}

Activation ConfigFields::activation(const char* field, const char* otherwise) {
  const std::string name = text(field, otherwise);
  if (name == "gelu") return Activation::Gelu;
  if (name == "relu") return Activation::Relu;
  if (name == "silu" || name == "swish") return Activation::Silu;
  if (name != "gelu_new" && name != "gelu_fast" && name != "gelu_pytorch_tanh")
    refuse(field, "is \"" + name + "\"; known are gelu, gelu_new, gelu_fast, relu, silu and swish");
  return Activation::GeluTanh;
}

void ConfigFields::mustBe(const char* field, bool value) {
  if (flag(field, value) != value)
    refuse(field, "is set in a way that the transformer here does not compute");
}

void ConfigFields::windows(int otherwise, ModelConfig& config) {
  config.mask = {MaskKind::Window, size("sliding_window", 4096), {}};
  config.fullEvery = size("sliding_window_pattern", otherwise);
  if (!has("layer_types")) return;
  const nlohmann::json& types = at("layer_types");
  if (!types.is_array() || types.size() != static_cast<std::size_t>(config.layers))
    return refuse("layer_types", "does not list as many types as there are layers");
  const auto isFull = [&](std::size_t layer) { return types[layer] == "full_attention"; };
  std::size_t first = 0;
  while (first < types.size() && !isFull(first)) ++first;
  config.fullEvery = first < types.size() ? static_cast<int>(first) + 1 : 0;
  for (std::size_t layer = 0; layer < types.size(); ++layer) {
    const bool expected = config.maskOf(static_cast<int>(layer)).kind != MaskKind::Window;
    if (isFull(layer) != expected || (!isFull(layer) && types[layer] != "sliding_attention"))
      return refuse("layer_types", "has an order that is not computed here: layer " + std::to_string(layer) +
                                       " is " + excerpt(types[layer].dump(-1, ' ', true), 40) +
                                       "; of so many layers the last can be full_attention, the others "
                                       "sliding_attention");
  }
}

void ConfigFields::rotary(const char* field, double otherwise, ModelConfig& config) {
  config.positionParameter = static_cast<float>(number(field, otherwise));
  for (const char* group : {"rope_scaling", "rope_parameters"})
    if (has(group) && at(group).is_object() && !at(group).contains("full_attention"))
      slowing(group, at(group), config);
}

void ConfigFields::turnedShare(const char* older, double otherwise, ModelConfig& config) {
  constexpr const char *newer = "partial_rotary_factor", *group = "rope_parameters";
  double share = number(has(newer) ? newer : older, otherwise);
  if (has(group) && at(group).is_object() && at(group).contains(newer)) {
    const nlohmann::json& given = at(group)[newer];
    share = given.is_number() ? given.get<double>() : 0;
    older = group;
  }
  const char* const field = has(newer) ? newer : older;
  if (!(share > 0 && share <= 1)) return refuse(field, "must be more than 0 and at most 1");
  const int turned = static_cast<int>(config.headWidth() * share);
  if (turned == 0) refuse(field, "turns no column of a head at all");
  config.turnedWidth = turned == config.headWidth() ? 0 : turned;
}

// Newer files have an object for each type of layer, older ones a field.
void ConfigFields::localRotary(ModelConfig& config) {
  config.localBase = static_cast<float>(number("rope_local_base_freq", 10000));
  if (config.positionParameter == 10000 && !has("rope_theta")) config.positionParameter = 1e6f;
  if (!has("rope_parameters") || !at("rope_parameters").is_object()) return;
  const nlohmann::json& types = at("rope_parameters");
  const auto isGroup = [&](const char* type) { return types.contains(type) && types[type].is_object(); };
  if (isGroup("full_attention")) slowing("rope_parameters", types["full_attention"], config);
  if (!isGroup("sliding_attention")) return;
  ModelConfig local;
  slowing("rope_parameters", types["sliding_attention"], local);
  if (local.rotaryScaling.slowing != RotarySlowing::None)
    refuse("rope_parameters", "slows down what turns in sliding_attention, which is not computed here");
  config.localBase = local.positionParameter;
}

// What others have made of YaRN since.
void ConfigFields::refuseOtherYarns(const char* group, const nlohmann::json& given) {
  for (const char* field : {"mscale", "mscale_all_dim"})
    if (given.contains(field) && !given[field].is_null() && given[field] != 0)
      refuse(group, std::string("has ") + field + ", which is not computed here; attention_factor is");
  if (given.value("truncate", nlohmann::json(true)) == false)
    refuse(group, "has truncate false; between fast and slow pairs are counted from a whole one here");
}

float ConfigFields::cap(const char* field, double otherwise) {
  const double given = file_.contains(field) ? number(field, 0) : otherwise;
  if (!(given >= 0 && given <= 1e6)) refuse(field, "is no cap: it must be above 0, or null for none");
  return static_cast<float>(given);
}

void ConfigFields::slowing(const char* group, const nlohmann::json& given, ModelConfig& config) {
  const auto number = [&](const char* field, auto& value) {
    const auto found = given.find(field);
    if (found == given.end()) return;
    const double most = 1e7;
    if (found->is_number() && found->template get<double>() > 0 && found->template get<double>() <= most)
      value = found->template get<std::remove_reference_t<decltype(value)>>();
    else
      refuse(group, std::string(field) + " is " + excerpt(found->dump(-1, ' ', true), 40));
  };
  number("rope_theta", config.positionParameter);
  const auto kind = given.contains("rope_type") ? given.find("rope_type") : given.find("type");
  if (kind == given.end() || *kind == "default") return;
  RotaryScaling& scaling = config.rotaryScaling;
  if (*kind == "linear")
    scaling.slowing = RotarySlowing::Linear;
  else if (*kind == "llama3")
    scaling.slowing = RotarySlowing::ByWavelength;
  else if (*kind == "yarn")
    scaling.slowing = RotarySlowing::Yarn, scaling.fast = 32, scaling.learned = config.context;
  else
    return refuse(group, "stretches the positions by " + excerpt(kind->dump(-1, ' ', true), 40) +
                             "; computed here are linear, llama3 and yarn");
  number("factor", scaling.factor);
  number("low_freq_factor", scaling.slow);
  number("high_freq_factor", scaling.fast);
  number("beta_slow", scaling.slow), number("beta_fast", scaling.fast);
  if (given.contains("attention_factor") && !given["attention_factor"].is_null())
    number("attention_factor", scaling.longer);
  refuseOtherYarns(group, given);
  number("original_max_position_embeddings", scaling.learned);
}

void ConfigFields::refuse(const char* field, std::string what) {
  if (status_) status_ = Error{std::move(what), name_ + ", " + field, ""};
}

Result<ModelConfig> ConfigFields::finish(const ModelConfig& config) const {
  if (!status_) return status_.error();
  if (Status status = validate(config); !status)
    return Error{status.error().what, name_, status.error().hint};
  return config;
}

}  // namespace glassformer
