#include "core/io/formats/config_fields.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/model/positional/rotary.h"

namespace glassformer {

namespace {

constexpr int largestSize = 1 << 24;

// The shortest list that, repeated, begins with this one (Knuth, Morris and Pratt 1977: the list without the
// longest beginning that is also its end).
std::vector<bool> shortestPeriod(std::vector<bool> list) {
  std::vector<std::size_t> border(list.size(), 0);  // how long that is of the first i + 1 entries
  for (std::size_t i = 1, length = 0; i < list.size(); border[i++] = length) {
    while (length > 0 && list[i] != list[length]) length = border[length - 1];
    if (list[i] == list[length]) ++length;
  }
  if (!list.empty()) list.resize(list.size() - border.back());
  return list;
}

}  // namespace

bool ConfigFields::isSet(const char* field) const { return has(field) && !peek(field).is_null(); }

int ConfigFields::size(const char* field, int otherwise) {
  const nlohmann::json& value = any(field);
  if (value.is_null()) {
    if (otherwise == 0) refuse(field, "is missing");
    return std::max(otherwise, 1);  // what is read after a complaint may be divided by
  }
  if (value.is_number_integer() && value.get<double>() >= 1 && value.get<double>() <= largestSize)
    return value.get<int>();
  refuse(field,
         "is " + value.dump() + "; it must be a whole number from 1 to " + std::to_string(largestSize));
  return 1;
}

int ConfigFields::token(const char* field, int otherwise) {
  const nlohmann::json& value = any(field);
  if (value.is_null()) return otherwise;
  if (value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() <= largestSize)
    return value.get<int>();
  refuse(field, "is " + shownJson(value) + ", which is not a token");
  return otherwise;
}

double ConfigFields::number(const char* field, double otherwise) {
  const nlohmann::json& value = any(field);
  if (value.is_null()) return otherwise;
  if (value.is_number()) return value.get<double>();
  refuse(field, "is " + shownJson(value) + ", not a number");
  return otherwise;
}

ModelConfig ConfigFields::likeLlama(int head) {
  ModelConfig config = sizes();
  config.keyValueHeads = size("num_key_value_heads", config.heads);
  if (isSet("head_dim")) head = size("head_dim");
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
  for (const char* field :
       {"normalize_before", "add_final_layer_norm", "add_bias_logits", "do_blenderbot_90_layernorm"})
    mustBe(field, false);
  changeNothing({"num_hidden_layers"});  // transformers writes encoder_layers there, too
  tokensOfTexts(config);
  return config;
}

void ConfigFields::tokensOfTexts(ModelConfig& config) {
  config.decoderStartToken = token("decoder_start_token_id", -1);
  config.forcedBosToken = token("forced_bos_token_id", -1);
  config.forcedEosToken = token("forced_eos_token_id", -1);
  const nlohmann::json& words = any("bad_words_ids");
  if (words.is_null()) return;
  const bool isOne = words.is_array() && words.size() == 1 && words[0].is_array() && words[0].size() == 1 &&
                     words[0][0].is_number_unsigned() && words[0][0].get<double>() <= largestSize;
  if (isOne)
    config.bannedToken = words[0][0].get<int>();
  else if (!words.empty())
    refuse("bad_words_ids", "is " + shownJson(words) + "; computed here is a single token");
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

void ConfigFields::windows(int size, std::vector<bool> full, ModelConfig& config) {
  if (isSet("layer_types")) {
    const nlohmann::json& types = list("layer_types");
    if (types.size() != static_cast<std::size_t>(config.layers))
      return refuse("layer_types", "does not list as many types as there are layers");
    full.clear();
    for (const nlohmann::json& type : types) {
      full.push_back(type == "full_attention");
      if (!full.back() && type != "sliding_attention")
        return refuse("layer_types", "lists " + shownJson(type) +
                                         "; computed here are full_attention and sliding_attention");
    }
    if (size == 0 && std::ranges::count(full, false) > 0)
      return refuse("layer_types", "lists sliding_attention, but the file sets no sliding_window");
  }
  full = shortestPeriod(std::move(full));
  if (size == 0 || full == std::vector{true}) return;
  config.mask = {MaskKind::Window, size, {}};
  if (std::ranges::count(full, true) > 0) config.fullBlocks = std::move(full);
}

void ConfigFields::mustBeFull(const ModelConfig& config) {
  ModelConfig same = config;
  windows(0, {}, same);
}

void ConfigFields::rotary(const char* field, double otherwise, ModelConfig& config) {
  const char* const named = isSet(field) ? field : "rope_theta";
  config.positionParameter = static_cast<float>(number(named, otherwise));
  changeNothing({"rope_theta"});  // GPT-NeoX writes both, and reads its own
  for (const char* group : {"rope_scaling", "rope_parameters"}) {
    const nlohmann::json& given = any(group);
    if (given.is_null()) continue;
    if (!given.is_object()) refuse(group, "is " + shownJson(given) + ", not an object");
    if (given.contains("full_attention"))
      groupsByLayer_ = true;
    else if (given.is_object())
      slowing(group, given, config);
  }
}

void ConfigFields::turnedShare(const char* older, double otherwise, ModelConfig& config) {
  constexpr const char *newer = "partial_rotary_factor", *group = "rope_parameters";
  double share = number(isSet(newer) ? newer : older, otherwise);
  changeNothing({older});  // transformers writes both
  if (const nlohmann::json& given = any(group); given.is_object() && given.contains(newer)) {
    share = given[newer].is_number() ? given[newer].get<double>() : 0;
    older = group;
  }
  const char* const field = isSet(newer) ? newer : older;
  if (!(share > 0 && share <= 1)) return refuse(field, "must be more than 0 and at most 1");
  const int turned = static_cast<int>(config.headWidth() * share);
  if (turned == 0) refuse(field, "turns no column of a head at all");
  config.rotaryDim = turned == config.headWidth() ? 0 : turned;
}

// Newer files have an object for each type of layer, older ones a field.
void ConfigFields::localRotary(ModelConfig& config) {
  config.localBase = static_cast<float>(number("rope_local_base_freq", 10000));
  if (config.positionParameter == 10000 && !isSet("rope_theta")) config.positionParameter = 1e6f;
  if (!std::exchange(groupsByLayer_, false)) return;
  JsonFields types(any("rope_parameters"), this->name() + ", rope_parameters");
  if (const nlohmann::json& full = types.any("full_attention"); full.is_object())
    slowing("rope_parameters", full, config);
  if (const nlohmann::json& sliding = types.any("sliding_attention"); sliding.is_object()) {
    ModelConfig local;
    local.positionParameter = config.localBase;
    slowing("rope_parameters", sliding, local);
    if (local.rotaryScaling.slowing != RopeScaling::None)
      refuse("rope_parameters", "slows down what turns in sliding_attention, which is not computed here");
    config.localBase = local.positionParameter;
  }
  keep(types.done());
}

// What others have made of YaRN since.
void ConfigFields::refuseOtherYarns(const char* group, JsonFields& given) {
  for (const char* field : {"mscale", "mscale_all_dim"})
    if (const nlohmann::json& value = given.any(field); !value.is_null() && value != 0)
      refuse(group, std::string("has ") + field + ", which is not computed here; attention_factor is");
  if (given.any("truncate") == false)
    refuse(group, "has truncate false; between fast and slow pairs are counted from a whole one here");
}

float ConfigFields::cap(const char* field, double otherwise) {
  const double given = has(field) ? number(field, 0) : otherwise;
  if (!(given >= 0 && given <= 1e6)) refuse(field, "is not a cap: it must be above 0, or null for none");
  return static_cast<float>(given);
}

void ConfigFields::slowing(const char* group, const nlohmann::json& object, ModelConfig& config) {
  JsonFields given(object, name_ + ", " + group);
  given.passOverNulls();
  const auto number = [&](const char* field, auto& value) {
    const nlohmann::json& found = given.any(field);
    if (found.is_null()) return;
    const double most = 1e7;
    if (found.is_number() && found.template get<double>() > 0 && found.template get<double>() <= most)
      value = found.template get<std::remove_reference_t<decltype(value)>>();
    else
      refuse(group, std::string(field) + " is " + shownJson(found));
  };
  number("rope_theta", config.positionParameter);
  given.changeNothing({"partial_rotary_factor"});  // see turnedShare()
  const nlohmann::json &newer = given.any("rope_type"), &older = given.any("type");
  const nlohmann::json& kind = newer.is_null() ? older : newer;
  RotaryScaling& scaling = config.rotaryScaling;
  if (kind.is_null() || kind == "default") return keep(given.done());
  if (kind == "linear")
    scaling.slowing = RopeScaling::Linear;
  else if (kind == "llama3")
    scaling.slowing = RopeScaling::ByWavelength;
  else if (kind == "yarn")
    scaling.slowing = RopeScaling::Yarn, scaling.highFreqFactor = 32,
    scaling.originalContext = config.context;
  else
    return refuse(group, "stretches the positions by " + shownJson(kind) +
                             "; computed here are linear, llama3 and yarn");
  number("factor", scaling.factor);
  number("low_freq_factor", scaling.lowFreqFactor);
  number("high_freq_factor", scaling.highFreqFactor);
  number("beta_slow", scaling.lowFreqFactor), number("beta_fast", scaling.highFreqFactor);
  number("attention_factor", scaling.attentionFactor);
  number("original_max_position_embeddings", scaling.originalContext);
  refuseOtherYarns(group, given);
  keep(given.done());
}

Result<ModelConfig> ConfigFields::finish(const ModelConfig& config) const {
  if (!status()) return status().error();
  if (groupsByLayer_)
    return Error{"has a group for each type of layer, which only Gemma 3 has here", at("rope_parameters"),
                 ""};
  if (Status valid = validate(config); !valid) return Error{valid.error().what, name_, valid.error().hint};
  return config;
}

}  // namespace glassformer
