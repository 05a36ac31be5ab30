#include "core/io/formats/model_formats.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/idle_fields.h"
#include "core/text/json_text.h"

namespace glassformer {
namespace {

// Of GPT-2's before they said so: those have no model_type.
const ModelFormat* formatOf(const nlohmann::json& file) {
  if (!file.contains("model_type")) return &gpt2Format();
  for (const ModelFormat* format : modelFormats())
    if (std::ranges::any_of(format->types,
                            [&](const std::string& type) { return file["model_type"] == type; }))
      return format;
  return nullptr;
}

// What can be done with a model whose family is not known: of one that reads pictures beside its texts the
// part for texts may be.
std::string wayOut(const nlohmann::json& file) {
  const auto text = file.find("text_config");
  if (text != file.end() && text->is_object() && text->contains("model_type"))
    if (const ModelFormat* format = formatOf(*text))
      return "its text model is a " + format->name + ": save that alone, with its text_config as config.json";
  std::string known;
  for (const ModelFormat* one : modelFormats())
    for (const std::string& type : one->types) known += (known.empty() ? "" : ", ") + type;
  return "those that can are " + known;
}

// What newer directories say of the texts that a model writes, in a file of its own.
Status takeGeneration(std::string_view json, nlohmann::json& config) {
  if (json.empty()) return success();
  const auto file = parseJson(json, "generation_config.json");
  if (!file) return file.error();
  for (const char* field : {"decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id",
                            "bad_words_ids", "eos_token_id"})
    if (file->is_object() && file->contains(field)) config[field] = (*file)[field];
  return success();
}

// A token, or a list of them.
std::vector<int> readEnds(ConfigFields& fields) {
  const nlohmann::json& given = fields.any("eos_token_id");
  std::vector<int> ends;
  for (const nlohmann::json& one : given.is_array() ? given : nlohmann::json::array({given})) {
    if (one.is_null()) continue;
    const bool isId = one.is_number_integer() && one.get<double>() >= 0 && one.get<double>() < (1 << 24);
    if (isId)
      ends.push_back(one.get<int>());
    else
      fields.refuse("eos_token_id", "is " + shownJson(given) + ", neither a token nor a list of tokens");
  }
  return ends;
}

// One name in `architectures`; where there are several, a head of any of them may be there.
std::string readOtherTask(const nlohmann::json& names) {
  if (!names.is_array() || names.size() != 1 || !names[0].is_string()) return "";
  const auto name = names[0].get<std::string>();
  for (const char* task :
       {"ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMultipleChoice"})
    if (name.ends_with(task)) return name;
  return "";
}

// Everything else: what all families have in common, what changes nothing, and what nobody has asked for.
Status readRest(ConfigFields& fields, const ModelConfig& config) {
  fields.mustBe("is_encoder_decoder", config.isEncoderDecoder());
  if (config.stack == Stack::DecoderOnly)
    fields.changeNothing({"is_decoder"});
  else
    fields.mustBe("is_decoder", false);
  if (!fields.took("layer_types")) fields.mustBeFull(config);
  passOverIdle(fields);
  return fields.done();
}

}  // namespace

std::span<const ModelFormat* const> modelFormats() {
  static const std::array all{&gpt2Format(),    &llamaFormat(), &gemmaFormat(),  &gemma2Format(),
                              &gemma3Format(),  &neoxFormat(),  &gptNeoFormat(), &gptjFormat(),
                              &phiFormat(),     &optFormat(),   &bertFormat(),   &distilbertFormat(),
                              &robertaFormat(), &t5Format(),    &bartFormat(),   &marianFormat()};
  return all;
}

bool isModelConfig(std::string_view json) {
  const auto file = parseJson(json, "");
  return !file || !file->is_object() || formatOf(*file);
}

Result<FamilyConfig> readFamilyConfig(std::string_view json, std::string_view name,
                                      std::string_view generation) {
  auto file = parseJson(json, name);
  if (!file) return file.error();
  if (!file->is_object()) return Error{"is not a JSON object", std::string(name), ""};
  if (Status taken = takeGeneration(generation, *file); !taken) return taken.error();
  const ModelFormat* format = formatOf(*file);
  if (!format)
    return Error{"is " + (*file)["model_type"].dump(-1, ' ', true) + ", a family that cannot be read",
                 std::string(name) + ", model_type", wayOut(*file)};
  ConfigFields fields(*file, name);
  const auto config = format->config(fields);
  if (!config) return config.error();
  FamilyConfig family{format, *config, format->rowsBefore ? format->rowsBefore(fields) : 0, readEnds(fields)};
  family.otherTask = readOtherTask(fields.peek("architectures"));
  if (Status rest = readRest(fields, *config); !rest) return rest.error();
  return family;
}

}  // namespace glassformer
