#include "app/document/model_changes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/model/painted_mask.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

std::set<double> divisors(int n, int most) {
  std::set<double> found;
  for (int d = 1; d <= std::min(n, most); ++d)
    if (n % d == 0) found.insert(d);
  return found;
}

std::set<double> candidates(const std::string& id, const ModelConfig& config) {
  const int D = config.width, V = config.vocabulary;
  if (id == "n_layer") return {1, 2, 3, 4, 6, 8, 12};
  if (id == "n_head") return divisors(D, 32);
  if (id == "n_head_kv") {
    auto shared = divisors(config.heads - 1 > 0 ? config.heads : 1, config.heads - 1);
    shared.insert(0);
    return shared;
  }
  if (id == "n_embd") return {D / 4.0, D / 2.0, 1.0 * D, 2.0 * D};
  if (id == "n_inner") return {D / 2.0, 1.0 * D, 2.0 * D, 4.0 * D, 8.0 * D};
  if (id == "n_positions") return {32, 64, 128, 256, 512, 1024};
  if (id == "vocab_size") return {1.0 * V, 2.0 * V};
  if (id == "kernel_width") return {2, 3, 4, 5, 8, 16};
  if (id == "relative_attention_num_buckets") return {8, 16, 32, 64};
  if (id == "mask_size") return {1, 2, 3, 4, 8, 16};
  if (id == "full_attention_every") return {0, 2, 3, 6};
  if (id == "rope_local_base_freq") return {0, 100, 10000};
  if (id == "attn_logit_softcapping") return {0, 1, 5, 20, 50};
  if (id == "final_logit_softcapping") return {0, 5, 10, 30};
  if (id == "query_pre_attn_scalar") {
    const double K = config.headWidth();
    return {0, K / 4, K, 4 * K, 16 * K};
  }
  if (id == "layer_norm_epsilon") return {1e-12, 1e-6, 1e-5, 1e-3, 0.1};
  if (id == "resid_pdrop") return {0, 0.1, 0.2, 0.5};
  const auto number = config.positions->number(config);
  if (id == "position_parameter" && number)
    return {0, std::max<double>(number->least, number->usual / 16),
            std::max<double>(number->least, number->usual / 4),
            std::min<double>(number->most, number->usual * 4)};
  return {};
}

// "random" is 1, "random 7" is 7.
std::optional<std::uint64_t> seedIn(std::string_view value) {
  constexpr std::string_view word = "random";
  if (!value.starts_with(word)) return std::nullopt;
  value.remove_prefix(word.size());
  if (value.empty()) return 1;
  value.remove_prefix(1);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seed);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return seed;
}

Status checkWeights(const std::string& value) {
  if (value == trainedWeights || seedIn(value)) return success();
  return Error{"\"" + value + "\" is neither \"trained\" nor \"random\", nor \"random\" and a seed",
               weightsField, ""};
}

// A decimal number with nothing behind it.
std::optional<float> numberIn(const std::string& value) {
  float number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool isWhole = error == std::errc() && end == value.data() + value.size();
  return isWhole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

Status checkWeight(const ModelChange& change) {
  if (numberIn(change.value)) return success();
  return Error{"\"" + change.value + "\" is not a number", change.field, ""};
}

// "wte.weight[3, 7] = 0.5", or how many there are.
std::string typedWords(const ModelChanges& changes) {
  const auto isTyped = [](const ModelChange& change) { return weightAt(change.field).has_value(); };
  const auto count = std::ranges::count_if(changes, isTyped);
  if (count == 0) return "";
  if (count > 1) return std::to_string(count) + " weights typed over";
  const auto only = std::ranges::find_if(changes, isTyped);
  return only->field + " = " + only->value;
}

// The config with those changes that can be made, whether or not they go together.
ModelConfig madeOf(ModelConfig config, const ModelChanges& changes) {
  for (const ModelChange& change : changes)
    if (change.field != weightsField && !weightAt(change.field))
      if (Status set = setField(config, change.field, change.value); !set) continue;
  return config;
}

// Where no model can be so, without the earlier changes that make no difference any more, if that helps.
ModelChanges withoutObstacles(ModelChanges changes, const ModelConfig& loaded, const std::string& latest) {
  if (changedConfig(loaded, changes)) return changes;
  const ModelConfig config = madeOf(loaded, changes);
  ModelChanges fewer = changes;
  for (const ConfigChoice& choice : configChoices())
    if (choice.id != latest && !choice.matters(config))
      std::erase_if(fewer, [&](const ModelChange& change) { return change.field == choice.id; });
  return changedConfig(loaded, fewer) ? fewer : changes;
}

}  // namespace

std::string WeightCell::field() const {
  std::string places;
  for (const int i : index) places += (places.empty() ? "" : ", ") + std::to_string(i);
  return tensor + "[" + places + "]";
}

std::optional<WeightCell> weightAt(const std::string& field) {
  const std::size_t open = field.find('[');
  if (open == 0 || open == std::string::npos || field.back() != ']') return std::nullopt;
  WeightCell cell{field.substr(0, open), {}};
  const char *at = field.data() + open + 1, *last = field.data() + field.size() - 1;
  for (;;) {
    int i = 0;
    const auto [end, error] = std::from_chars(at, last, i);
    if (error != std::errc() || i < 0) return std::nullopt;
    cell.index.push_back(i);
    if (end == last) return cell;
    if (*end != ',') return std::nullopt;
    for (at = end + 1; at < last && *at == ' ';) ++at;
  }
}

std::optional<float> typedWeight(const ModelChanges& changes, const std::string& field) {
  const auto change = std::ranges::find(changes, field, &ModelChange::field);
  return change == changes.end() ? std::nullopt : numberIn(change->value);
}

std::string weightsOf(const ModelChanges& changes) {
  const auto change = std::ranges::find(changes, weightsField, &ModelChange::field);
  return change == changes.end() ? trainedWeights : change->value;
}

std::optional<std::uint64_t> randomWeights(const ModelChanges& changes) { return seedIn(weightsOf(changes)); }

Result<ModelConfig> changedConfig(const ModelConfig& loaded, const ModelChanges& changes) {
  ModelConfig config = loaded;
  for (const ModelChange& change : changes) {
    const Status status = change.field == weightsField ? checkWeights(change.value)
                          : weightAt(change.field)     ? checkWeight(change)
                                                       : setField(config, change.field, change.value);
    if (!status) return status.error();
  }
  if (Status status = validate(config); !status) return status.error();
  if (config.vocabulary < loaded.vocabulary)
    return Error{"is smaller than the tokenizer's " + std::to_string(loaded.vocabulary), "vocab_size", ""};
  return config;
}

ModelChanges withChange(ModelChanges changes, const ModelConfig& loaded, const std::string& field,
                        const std::string& value) {
  // A kind of block stands for the choices that it is made of.
  if (const auto named = std::ranges::find(changes, blockField, &ModelChange::field); named != changes.end())
    if (const NamedBlock* block = findNamedBlock(named->value))
      changes = withBlock(std::move(changes), loaded, *block);
  std::erase_if(changes, [&](const ModelChange& change) { return change.field == field; });
  ModelConfig config = loaded;
  const bool changed = field == weightsField ? value != trainedWeights
                       : weightAt(field)     ? !value.empty()
                                             : setField(config, field, value) && !(config == loaded);
  if (changed) changes.push_back({field, value});
  return withoutObstacles(std::move(changes), loaded, field);
}

ModelChanges withBlock(ModelChanges changes, const ModelConfig& loaded, const NamedBlock& block) {
  const auto isOfBlocks = [](const std::string& field) {
    return field == blockField || field == paintedMaskField ||
           std::ranges::find(blockChoices, field) != blockChoices.end();
  };
  std::erase_if(changes, [&](const ModelChange& change) { return isOfBlocks(change.field); });
  const ModelConfig config = withBlock(madeOf(loaded, changes), block);
  for (const ConfigChoice& choice : configChoices())
    if (isOfBlocks(choice.id) && valueOf(choice, config) != valueOf(choice, loaded))
      changes.push_back({choice.id, valueOf(choice, config)});
  if (config.mask.painted != loaded.mask.painted)
    changes.push_back({paintedMaskField, toText(config.mask.painted)});
  return changes;
}

std::string changesInWords(const ModelChanges& changes, const ModelConfig& loaded,
                           const ModelConfig& changed) {
  std::string words = setApart(changed, loaded);
  const std::string weights = weightsOf(changes),
                    random = weights == trainedWeights ? "" : "Weights: " + weights;
  for (const std::string& more : {random, typedWords(changes)})
    if (!more.empty()) words += (words.empty() ? "" : ", ") + more;
  return words;
}

std::vector<std::string> valuesToTry(const ConfigNumber& number, const ModelConfig& config) {
  const std::string present = valueOf(number, config);
  std::map<double, std::string> values{{std::stod(present), present}};
  for (const double value : candidates(number.id, config)) {
    char text[32];
    values.try_emplace(value, text, std::to_chars(text, text + sizeof text, value).ptr);
  }
  std::vector<std::string> texts;
  for (const auto& [value, text] : values)
    if (value >= number.least && value <= number.most && !(number.whole && value != static_cast<int>(value)))
      texts.push_back(text);
  return texts;
}

}  // namespace glassformer
