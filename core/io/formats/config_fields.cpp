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

Activation ConfigFields::activation(const char* field, const char* otherwise) {
  const std::string name = text(field, otherwise);
  if (name == "gelu") return Activation::Gelu;
  if (name == "relu") return Activation::Relu;
  if (name != "gelu_new" && name != "gelu_fast" && name != "gelu_pytorch_tanh")
    refuse(field, "is \"" + name + "\"; known are gelu, gelu_new, gelu_fast and relu");
  return Activation::GeluTanh;
}

void ConfigFields::mustBe(const char* field, bool value) {
  if (flag(field, value) != value)
    refuse(field, "is set in a way that the transformer here does not compute");
}

void ConfigFields::rotary(const char* field, double otherwise, ModelConfig& config) {
  config.positionParameter = static_cast<float>(number(field, otherwise));
  for (const char* group : {"rope_scaling", "rope_parameters"})
    if (has(group) && at(group).is_object()) slowing(group, config);
}

void ConfigFields::slowing(const char* group, ModelConfig& config) {
  const nlohmann::json& given = at(group);
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
  else
    return refuse(group, "stretches the positions by " + excerpt(kind->dump(-1, ' ', true), 40) +
                             "; computed here are linear and llama3");
  number("factor", scaling.factor);
  number("low_freq_factor", scaling.slow);
  number("high_freq_factor", scaling.fast);
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
