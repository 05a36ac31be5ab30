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
  double scale = 1;            ///< s
  bool isTransposed = false;   ///< the base's matrices are [in, out]
  bool hasMagnitudes = false;  ///< DoRA
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
  for (const char* off : {"use_qalora", "lora_bias"})
    if (field(off) == true)
      return Error{"is set; it cannot be read", at(off), "merge the adapter into its base"};
  for (const char* none : {"rank_pattern", "alpha_pattern"})
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
  fields.hasMagnitudes = field("use_dora") == true;
  fields.base = base.is_string() ? base.get<std::string>() : "";
  return fields;
}

// The two matrices of one weight, and with DoRA the lengths of its rows.
struct Change {
  const StoredTensor *a = nullptr, *b = nullptr;  // [rank, in], [out, rank]
  const StoredTensor* magnitude = nullptr;        // [out]
};

/// What an adapter's file holds, by the names that the base has for it.
struct AdapterTensors {
  std::map<std::string, Change> changes;             // without ".weight"
  std::map<std::string, const StoredTensor*> saved;  // whole, in place of the base's: "lm_head.weight"
};

// "model.layers.0.self_attn.q_proj" of "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight".
Result<AdapterTensors> sorted(const StoredTensors& stored, const AdapterFields& fields,
                              const std::string& file) {
  AdapterTensors sorted;
  constexpr std::string_view copied = ".modules_to_save";
  const std::vector<std::pair<std::string_view, const StoredTensor * Change::*>> parts{
      {".lora_A.weight", &Change::a},
      {".lora_B.weight", &Change::b},
      {".lora_magnitude_vector.weight", &Change::magnitude},
      {".lora_magnitude_vector", &Change::magnitude}};
  for (const StoredTensor& tensor : stored.tensors()) {
    std::string name = tensor.name;
    if (name.starts_with(around)) name = name.substr(around.size());
    const auto part = std::ranges::find_if(parts, [&](const auto& one) { return name.ends_with(one.first); });
    if (part != parts.end()) {
      sorted.changes[name.substr(0, name.size() - part->first.size())].*part->second = &tensor;
      continue;
    }
    if (name.find(".lora_") != std::string::npos)
      return Error{"is no part of an adapted weight that can be read", file + ", tensor " + tensor.name, ""};
    if (const std::size_t at = name.find(copied); at != std::string::npos) name.erase(at, copied.size());
    sorted.saved[name] = &tensor;
  }
  for (const auto& [name, change] : sorted.changes) {
    const char* lacks = !change.a || !change.b ? "has only one of its two matrices"
                        : fields.hasMagnitudes != (change.magnitude != nullptr)
                            ? "and use_dora do not agree on magnitudes"
                            : nullptr;
    if (lacks) return Error{lacks, file + ", " + name, "the file is damaged; get it again"};
  }
  return sorted;
}

// W + s · B · A, in the layout of the base; with DoRA every row (of [out, in]) has the length that was
// learned for it: m · (W + s · B · A) / ‖W + s · B · A‖ (Liu et al. 2024).
std::vector<float> adapted(const StoredTensor& base, const Change& change, const AdapterFields& fields) {
  std::vector<float> W = base.converted();
  const std::vector<float> A = change.a->converted(), B = change.b->converted(),
                           m = change.magnitude ? change.magnitude->converted() : std::vector<float>();
  const auto rank = static_cast<std::size_t>(fields.rank), in = static_cast<std::size_t>(change.a->shape[1]),
             out = static_cast<std::size_t>(change.b->shape[0]);
  for (std::size_t o = 0; o < out; ++o) {
    const auto at = [&](std::size_t i) -> float& {
      return W[fields.isTransposed ? i * out + o : o * in + i];
    };
    double square = 0;
    for (std::size_t i = 0; i < in; ++i) {
      double sum = 0;
      for (std::size_t r = 0; r < rank; ++r)
        sum += static_cast<double>(B[o * rank + r]) * static_cast<double>(A[r * in + i]);
      at(i) += static_cast<float>(fields.scale * sum);
      square += static_cast<double>(at(i)) * static_cast<double>(at(i));
    }
    if (m.empty() || square == 0) continue;
    for (std::size_t i = 0; i < in; ++i)
      at(i) = static_cast<float>(static_cast<double>(m[o]) * static_cast<double>(at(i)) / std::sqrt(square));
  }
  return W;
}

Status checkShapes(const StoredModel::Place& base, const Change& pair, const AdapterFields& fields,
                   const std::string& file) {
  for (const StoredTensor* tensor : {pair.a, pair.b})
    if (!tensor->isFloat() || tensor->shape.size() != 2)
      return Error{"is no matrix of numbers", file + ", tensor " + tensor->name, ""};
  if (const StoredTensor* m = pair.magnitude; m && (!m->isFloat() || m->valueCount() != pair.b->shape[0]))
    return Error{"has not as many numbers as its weight has outputs", file + ", tensor " + m->name,
                 "the adapter belongs to another model"};
  std::vector<std::int64_t> made{pair.b->shape[0], pair.a->shape[1]};
  if (fields.isTransposed) std::swap(made[0], made[1]);
  const bool ranks = pair.a->shape[0] == fields.rank && pair.b->shape[1] == fields.rank;
  if (ranks && base.tensor->isFloat() && base.tensor->shape == made) return success();
  return Error{"makes " + extentsText(made) + " of rank " + std::to_string(pair.a->shape[0]) +
                   "; its base is " + extentsText(base.tensor->shape) + ", and r is " +
                   std::to_string(fields.rank),
               file + ", tensor " + pair.a->name, "the adapter belongs to another model"};
}

std::string withoutPrefix(const ModelFormat& format, std::string name) {
  for (const std::string& prefix : format.prefixes)
    if (!prefix.empty() && name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

// What a family calls the table that logits come from, and the one of embeddings.
std::string tableName(const FamilyConfig& family, const char* ours) {
  return piecesOf(*family.format, family.config, {ours, {family.config.vocabulary, family.config.width}})
      .front()
      .tensor;
}

// Tensors that were learned anew as a whole. An unembedding among them is one of its own from now on.
Status takeSaved(const std::map<std::string, const StoredTensor*>& saved, FamilyConfig& family,
                 const StoredModel& base, const std::string& file, std::deque<std::vector<float>>& values,
                 std::vector<StoredTensor>& tensors) {
  const std::string head = tableName(family, "lm_head.weight"), embeddings = tableName(family, "wte.weight");
  bool hasHead = false, hasEmbeddings = false;
  for (const auto& [name, tensor] : saved) {
    const std::string where = file + ", tensor " + tensor->name;
    if (!tensor->isFloat())
      return Error{"has the type " + tensor->type + "; F32, F16 and BF16 can be read", where, ""};
    const std::string own = withoutPrefix(*family.format, name);
    const auto place = findStored(base, *family.format, own);
    const bool isHead = own == head || own == withoutPrefix(*family.format, head);
    if (!place.tensor && !isHead)
      return Error{"takes the place of a tensor that the base has not", where,
                   "the adapter belongs to another model"};
    if (place.tensor && place.tensor->shape != tensor->shape)
      return Error{"has the shape " + extentsText(tensor->shape) + "; its base has " +
                       extentsText(place.tensor->shape),
                   where, "the adapter belongs to another model"};
    hasHead |= isHead;
    hasEmbeddings |= own == embeddings || own == withoutPrefix(*family.format, embeddings);
    const std::vector<float>& whole = values.emplace_back(tensor->converted());
    tensors.push_back(
        {place.tensor ? place.tensor->name : head, "F32", tensor->shape, std::as_bytes(std::span(whole))});
  }
  if (hasEmbeddings && !hasHead && family.config.tiedUnembedding)
    return Error{"saves the embeddings of a model that unembeds with them, and no lm_head", file,
                 "merge the adapter into its base"};
  if (hasHead) family.config.tiedUnembedding = false;
  return success();
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

Status applyAdapter(const fs::path& adapter, FamilyConfig& family, StoredModel& base) {
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
  auto changes = sorted(*stored, *fields, path.string());
  if (!changes) return changes.error();
  const auto values = std::make_shared<std::deque<std::vector<float>>>();
  std::vector<StoredTensor> tensors;
  for (const auto& [name, change] : changes->changes) {
    const auto place = findStored(base, *family.format, withoutPrefix(*family.format, name) + ".weight");
    if (!place.tensor)
      return Error{"adapts " + name + ", which the base has not", path.string(),
                   "the adapter belongs to another model"};
    if (Status fits = checkShapes(place, change, *fields, path.string()); !fits) return fits;
    const std::vector<float>& whole = values->emplace_back(adapted(*place.tensor, change, *fields));
    tensors.push_back({place.tensor->name, "F32", place.tensor->shape, std::as_bytes(std::span(whole))});
  }
  if (Status taken = takeSaved(changes->saved, family, base, path.string(), *values, tensors); !taken)
    return taken;
  base.replace(path.string(), StoredTensors::of(std::move(tensors), {}, values));
  return success();
}

}  // namespace glassformer
