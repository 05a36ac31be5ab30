#include "core/io/adapter_config.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/files.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;
using AdapterJson = nlohmann::ordered_json;

constexpr int mostRank = 4096;

bool isRank(const AdapterJson& json) { return json.is_number_integer() && json >= 1 && json <= mostRank; }
bool isAlpha(const AdapterJson& json) { return json.is_number() && std::isfinite(json.get<double>()); }

struct FieldReaderOfAdapter {
  const fs::path& path;
  const AdapterJson& file;

  std::string at(const std::string& field) const { return path.string() + ", " + field; }
  AdapterJson field(const char* name) const { return file.contains(name) ? file[name] : AdapterJson(); }

  // "rank_pattern": {"layers.1.self_attn.v_proj": 3}.
  Result<AdapterConfig::Numbers> numbers(const char* name, const char* patterns,
                                         bool (*isOne)(const AdapterJson&), const std::string& what) const {
    const AdapterJson usual = field(name), others = field(patterns);
    if (!isOne(usual)) return Error{"is not a " + what, at(name), ""};
    AdapterConfig::Numbers numbers{usual.get<double>(), {}};
    if (!others.is_null() && !others.is_object()) return Error{"is not a list of fields", at(patterns), ""};
    for (const auto& [key, value] : others.items()) {
      const std::string where = at(std::string(patterns) + ", " + inQuotes(key));
      if (!isOne(value)) return Error{"is not a " + what, where, ""};
      auto expression = Expression::compile("(.*\\.)?(" + key + ")");
      if (!expression) return Error{expression.error().what, where, ""};
      numbers.patterns.emplace_back(std::move(*expression), value.get<double>());
    }
    return numbers;
  }
};

}  // namespace

double AdapterConfig::Numbers::of(const std::string& path) const {
  for (const auto& [expression, value] : patterns)
    if (expression.fitOf(path) == Expression::Fit::Whole) return value;
  return usual;
}

double AdapterConfig::scaleOf(const std::string& path) const {
  const double r = rank.of(path);
  return alpha.of(path) / (byRoot ? std::sqrt(r) : r);
}

Result<AdapterConfig> readAdapterConfig(const fs::path& adapter) {
  const fs::path path = adapter / adapterConfigFile;
  const auto text = readTextFile(path, std::size_t{1} << 20);
  if (!text) return text.error();
  const auto file = parseOrderedJson(*text, path.string());
  if (!file) return file.error();
  if (!file->is_object()) return Error{"is not a JSON object", path.string(), ""};
  const FieldReaderOfAdapter fields{path, *file};
  if (const AdapterJson type = fields.field("peft_type"); type != "LORA")
    return Error{"is " + type.dump(-1, ' ', true) + "; LORA alone can be read", fields.at("peft_type"), ""};
  // What else changes the weights, and is not computed here.
  for (const char* off : {"use_qalora", "lora_bias"})
    if (fields.field(off) == true)
      return Error{"is set; it cannot be read", fields.at(off), "merge the adapter into its base"};
  if (const AdapterJson bias = fields.field("bias"); !bias.is_null() && bias != "none")
    return Error{"is " + bias.dump(-1, ' ', true) + "; none alone can be read", fields.at("bias"), ""};
  auto rank = fields.numbers("r", "rank_pattern", isRank, "rank from 1 to " + std::to_string(mostRank));
  if (!rank) return rank.error();
  auto alpha = fields.numbers("lora_alpha", "alpha_pattern", isAlpha, "number");
  if (!alpha) return alpha.error();
  const AdapterJson base = fields.field("base_model_name_or_path");
  return AdapterConfig{.base = base.is_string() ? base.get<std::string>() : "",
                       .rank = std::move(*rank),
                       .alpha = std::move(*alpha),
                       .byRoot = fields.field("use_rslora") == true,
                       .isTransposed = fields.field("fan_in_fan_out") == true,
                       .hasMagnitudes = fields.field("use_dora") == true};
}

}  // namespace glassformer
