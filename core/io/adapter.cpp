#include "core/io/adapter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "core/io/extents_text.h"
#include "core/io/files.h"
#include "core/io/parameter_reader.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *adapterConfig = "adapter_config.json", *adapterWeights = "adapter_model.safetensors";
constexpr std::string_view around = "base_model.model.";

struct AdapterFields {
  std::string base;
  int rank = 0;
  double scale = 1;           ///< s
  bool isTransposed = false;  ///< the base's matrices are [in, out]
};

Result<AdapterFields> readFields(const fs::path& adapter) {
  const fs::path path = adapter / adapterConfig;
  const auto text = readTextFile(path, std::size_t{1} << 20);
  if (!text) return text.error();
  const auto file = parseJson(*text, path.string());
  if (!file) return file.error();
  const auto at = [&](const char* field) { return path.string() + ", " + field; };
  if (!file->is_object()) return Error{"is no JSON object", path.string(), ""};
  const auto field = [&](const char* name) { return file->contains(name) ? (*file)[name] : json(); };
  if (field("peft_type") != "LORA")
    return Error{"is " + field("peft_type").dump(-1, ' ', true) + "; LORA alone can be read", at("peft_type"),
                 ""};
  // What else changes the weights, and is not computed here.
  for (const char* off : {"use_dora", "use_qalora", "lora_bias"})
    if (field(off) == true)
      return Error{"is set; it cannot be read", at(off), "merge the adapter into its base"};
  for (const char* none : {"modules_to_save", "rank_pattern", "alpha_pattern"})
    if (const json value = field(none); !value.is_null() && !value.empty())
      return Error{"is not empty; it cannot be read", at(none), "merge the adapter into its base"};
  if (const json bias = field("bias"); !bias.is_null() && bias != "none")
    return Error{"is " + bias.dump(-1, ' ', true) + "; none alone can be read", at("bias"), ""};
  AdapterFields fields;
  const json rank = field("r"), alpha = field("lora_alpha"), base = field("base_model_name_or_path");
  if (!rank.is_number_integer() || rank < 1 || rank > 4096)
    return Error{"is no rank from 1 to 4096", at("r"), ""};
  if (!alpha.is_number() || !std::isfinite(alpha.get<double>()))
    return Error{"is no number", at("lora_alpha"), ""};
  fields.rank = rank.get<int>();
  const double divisor = field("use_rslora") == true ? std::sqrt(fields.rank) : fields.rank;
  fields.scale = alpha.get<double>() / divisor;
  fields.isTransposed = field("fan_in_fan_out") == true;
  fields.base = base.is_string() ? base.get<std::string>() : "";
  return fields;
}

// The two matrices of one weight.
struct Pair {
  const StoredTensor *a = nullptr, *b = nullptr;  // [rank, in], [out, rank]
};

Result<std::map<std::string, Pair>> pairsOf(const StoredTensors& stored, const std::string& file) {
  std::map<std::string, Pair> pairs;
  for (const StoredTensor& tensor : stored.tensors()) {
    std::string_view name = tensor.name;
    if (name.starts_with(around)) name.remove_prefix(around.size());
    bool known = false;
    for (const auto& [ending, side] : {std::pair{".lora_A.weight", &Pair::a}, {".lora_B.weight", &Pair::b}})
      if (name.ends_with(ending)) {
        pairs[std::string(name.substr(0, name.size() - std::strlen(ending)))].*side = &tensor;
        known = true;
      }
    if (!known)
      return Error{"is none of the two matrices of an adapted weight", file + ", tensor " + tensor.name, ""};
  }
  for (const auto& [name, pair] : pairs)
    if (!pair.a || !pair.b)
      return Error{"has only one of its two matrices", file + ", " + name,
                   "the file is damaged; get it again"};
  return pairs;
}

// W + s · B · A, in the layout of the base.
std::vector<float> adapted(const StoredTensor& base, const Pair& pair, const AdapterFields& fields) {
  std::vector<float> W = base.converted();
  const std::vector<float> A = pair.a->converted(), B = pair.b->converted();
  const auto rank = static_cast<std::size_t>(fields.rank), in = static_cast<std::size_t>(pair.a->shape[1]),
             out = static_cast<std::size_t>(pair.b->shape[0]);
  for (std::size_t o = 0; o < out; ++o)
    for (std::size_t i = 0; i < in; ++i) {
      double sum = 0;
      for (std::size_t r = 0; r < rank; ++r)
        sum += static_cast<double>(B[o * rank + r]) * static_cast<double>(A[r * in + i]);
      W[fields.isTransposed ? i * out + o : o * in + i] += static_cast<float>(fields.scale * sum);
    }
  return W;
}

Status checkShapes(const StoredModel::Place& base, const Pair& pair, const AdapterFields& fields,
                   const std::string& file) {
  for (const StoredTensor* tensor : {pair.a, pair.b})
    if (!tensor->isFloat() || tensor->shape.size() != 2)
      return Error{"is no matrix of numbers", file + ", tensor " + tensor->name, ""};
  std::vector<std::int64_t> made{pair.b->shape[0], pair.a->shape[1]};
  if (fields.isTransposed) std::swap(made[0], made[1]);
  const bool ranks = pair.a->shape[0] == fields.rank && pair.b->shape[1] == fields.rank;
  if (ranks && base.tensor->isFloat() && base.tensor->shape == made) return success();
  return Error{"makes " + extentsText(made) + " of rank " + std::to_string(pair.a->shape[0]) +
                   "; its base is " + extentsText(base.tensor->shape) + ", and r is " +
                   std::to_string(fields.rank),
               file + ", tensor " + pair.a->name, "the adapter belongs to another model"};
}

fs::path lastOf(const fs::path& path) {
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

}  // namespace

bool isAdapter(const fs::path& folder) {
  return isThere(folder / adapterConfig) && !isThere(folder / "config.json");
}

Result<fs::path> baseOf(const fs::path& adapter) {
  const auto fields = readFields(adapter);
  if (!fields) return fields.error();
  const fs::path folder = fs::absolute(adapter).lexically_normal(),
                 own = folder.has_filename() ? folder : folder.parent_path(), named = fields->base,
                 name = lastOf(named);
  std::vector<fs::path> places{own.parent_path()};
  if (!name.empty())
    places.insert(places.begin(), {named.is_absolute() ? named : own / named, own.parent_path() / name});
  for (const fs::path& place : places)
    if (isThere(place / "config.json")) return place;
  return Error{"its base " + inQuotes(fields->base) + " is not here", own.string(),
               "put the base's folder beside the adapter's"};
}

std::string baseNameOf(const fs::path& adapter) {
  const auto fields = readFields(adapter);
  return fields ? lastOf(fields->base).string() : "";
}

Status applyAdapter(const fs::path& adapter, const ModelFormat& format, StoredModel& base) {
  if (base.isGguf())
    return Error{"an adapter's base cannot be a GGUF file", base.file(), "get the base as safetensors"};
  const auto fields = readFields(adapter);
  if (!fields) return fields.error();
  const fs::path path = adapter / adapterWeights;
  if (!isThere(path))
    return Error{"is missing", path.string(),
                 isThere(adapter / "adapter_model.bin")
                     ? "the weights are in PyTorch's own format; save them as safetensors"
                     : ""};
  const auto stored = StoredTensors::open(path);
  if (!stored) return stored.error();
  const auto pairs = pairsOf(*stored, path.string());
  if (!pairs) return pairs.error();
  const auto values = std::make_shared<std::deque<std::vector<float>>>();
  std::vector<StoredTensor> tensors;
  for (const auto& [name, pair] : *pairs) {
    std::string own = name;
    for (const std::string& prefix : format.prefixes)
      if (!prefix.empty() && own.starts_with(prefix)) own = own.substr(prefix.size());
    const auto place = findStored(base, format, own + ".weight");
    if (!place.tensor)
      return Error{"adapts " + name + ", which the base has not", path.string(),
                   "the adapter belongs to another model"};
    if (Status fits = checkShapes(place, pair, *fields, path.string()); !fits) return fits;
    const std::vector<float>& whole = values->emplace_back(adapted(*place.tensor, pair, *fields));
    tensors.push_back({place.tensor->name, "F32", place.tensor->shape, std::as_bytes(std::span(whole))});
  }
  base.replace(path.string(), StoredTensors::of(std::move(tensors), {}, values));
  return success();
}

}  // namespace glassformer
