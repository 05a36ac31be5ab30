#include "core/io/adapter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "core/io/adapter_config.h"
#include "core/io/extents_text.h"
#include "core/io/files.h"
#include "core/io/number_formats.h"
#include "core/io/parameter_reader.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* adapterWeights = "adapter_model.safetensors";
constexpr std::string_view around = "base_model.model.";

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
Result<AdapterTensors> sorted(const StoredTensors& stored, const AdapterConfig& config,
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
      return Error{"is not a known part of an adapted weight", file + ", tensor " + tensor.name, ""};
    if (const std::size_t at = name.find(copied); at != std::string::npos) name.erase(at, copied.size());
    sorted.saved[name] = &tensor;
  }
  for (const auto& [name, change] : sorted.changes) {
    const char* lacks = !change.a || !change.b ? "has only one of its two matrices"
                        : config.hasMagnitudes != (change.magnitude != nullptr)
                            ? "and use_dora do not agree on magnitudes"
                            : nullptr;
    if (lacks) return Error{lacks, file + ", " + name, "the file is damaged; get it again"};
  }
  return sorted;
}

// A weight of the base, by the name that its family has for it; and in which row of what the file has the
// weights of each of its outputs stand. Null where the base has none of that name.
struct BaseWeight {
  StoredModel::Place place;
  std::vector<std::int64_t> rows;
};

// In GGUF files queries and keys stand in another order.
BaseWeight weightInGguf(const StoredModel& base, const FamilyConfig& family, const std::string& name) {
  const ModelFormat &theirs = *family.format, names = ggufNames(theirs, family.config, base);
  for (const ParameterSpec& spec : parameterSpecs(family.config)) {
    const auto wanted = piecesOf(theirs, family.config, spec), stored = piecesOf(names, family.config, spec);
    for (std::size_t p = 0; p < wanted.size() && wanted.size() == stored.size(); ++p) {
      if (wanted[p].tensor != name) continue;
      BaseWeight weight{findStored(base, names, stored[p].tensor),
                        std::vector<std::int64_t>(static_cast<std::size_t>(wanted[p].columns))};
      const bool isReordered = spec.name.find("attn.c_attn.") != std::string::npos;
      const auto row = [&](const ModelFormat& format, int j) {
        const bool moves = isReordered && format.attentionRow;
        return moves ? format.attentionRow(family.config, static_cast<int>(p), j) : j;
      };
      for (int j = 0; j < wanted[p].columns; ++j)
        weight.rows[static_cast<std::size_t>(row(theirs, j))] = row(names, j);
      return weight;
    }
  }
  return {{nullptr, base.file()}, {}};
}

std::string withoutPrefix(const ModelFormat& format, std::string name) {
  for (const std::string& prefix : format.prefixes)
    if (!prefix.empty() && name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

BaseWeight weightOf(const StoredModel& base, const FamilyConfig& family, const std::string& path) {
  const std::string name = withoutPrefix(*family.format, path) + ".weight";
  return base.isGguf() ? weightInGguf(base, family, name)
                       : BaseWeight{findStored(base, *family.format, name), {}};
}

// W + s · B · A, in the layout of the base; with DoRA every row (of [out, in]) has the length that was
// learned for it: m · (W + s · B · A) / ‖W + s · B · A‖ (Liu et al. 2024).
Result<std::vector<float>> adapted(const BaseWeight& base, const Change& change, const AdapterConfig& config,
                                   const std::string& path) {
  std::vector<float> W, A, B, m;
  for (const auto& [values, tensor] :
       {std::pair(&W, base.place.tensor), {&A, change.a}, {&B, change.b}, {&m, change.magnitude}}) {
    if (!tensor) continue;
    auto read = tensor->converted();
    if (!read) return read.error();
    *values = *std::move(read);
  }
  const double scale = config.scaleOf(path);
  const auto rank = static_cast<std::size_t>(config.rankOf(path)),
             in = static_cast<std::size_t>(change.a->shape[1]),
             out = static_cast<std::size_t>(change.b->shape[0]);
  for (std::size_t o = 0; o < out; ++o) {
    const std::size_t row = base.rows.empty() ? o : static_cast<std::size_t>(base.rows[o]);
    const auto at = [&](std::size_t i) -> float& {
      return W[config.isTransposed ? i * out + row : row * in + i];
    };
    double square = 0;
    for (std::size_t i = 0; i < in; ++i) {
      double sum = 0;
      for (std::size_t r = 0; r < rank; ++r)
        sum += static_cast<double>(B[o * rank + r]) * static_cast<double>(A[r * in + i]);
      at(i) += static_cast<float>(scale * sum);
      square += static_cast<double>(at(i)) * static_cast<double>(at(i));
    }
    if (m.empty() || square == 0) continue;
    for (std::size_t i = 0; i < in; ++i)
      at(i) = static_cast<float>(static_cast<double>(m[o]) * static_cast<double>(at(i)) / std::sqrt(square));
  }
  return W;
}

Status checkShapes(const StoredTensor& base, const Change& pair, const AdapterConfig& config,
                   const std::string& path, const std::string& file) {
  for (const StoredTensor* tensor : {pair.a, pair.b})
    if (!tensor->isFloat() || tensor->shape.size() != 2)
      return Error{"is not a matrix of numbers", file + ", tensor " + tensor->name, ""};
  if (const StoredTensor* m = pair.magnitude; m && (!m->isFloat() || m->valueCount() != pair.b->shape[0]))
    return Error{"has a length other than the number of outputs of its weight", file + ", tensor " + m->name,
                 "the adapter belongs to another model"};
  std::vector<std::int64_t> made{pair.b->shape[0], pair.a->shape[1]};
  if (config.isTransposed) std::swap(made[0], made[1]);
  const int rank = config.rankOf(path);
  const bool ranks = pair.a->shape[0] == rank && pair.b->shape[1] == rank;
  if (!base.isFloat())
    return Error{"adapts a weight of the type " + base.type + "; " + readableFormats,
                 file + ", tensor " + pair.a->name, "get the base in one of these"};
  if (ranks && base.shape == made) return success();
  return Error{"makes " + extentsText(made) + " of rank " + std::to_string(pair.a->shape[0]) +
                   "; its base is " + extentsText(base.shape) + ", and r is " + std::to_string(rank),
               file + ", tensor " + pair.a->name, "the adapter belongs to another model"};
}

// What a family calls the table that logits come from, and the one of embeddings.
std::string tableName(const FamilyConfig& family, const char* ours) {
  return piecesOf(*family.format, family.config, {ours, {family.config.vocabulary, family.config.width}})
      .front()
      .tensor;
}

// Tensors that were learned anew as a whole. An unembedding among them is one of its own from now on.
Status takeSaved(const std::map<std::string, const StoredTensor*>& saved, FamilyConfig& family,
                 const StoredModel& base, const std::string& file, std::vector<StoredTensor>& tensors) {
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
      return Error{"replaces a tensor that the base model lacks", where,
                   "the adapter belongs to another model"};
    if (place.tensor && place.tensor->shape != tensor->shape)
      return Error{"has the shape " + extentsText(tensor->shape) + "; its base has " +
                       extentsText(place.tensor->shape),
                   where, "the adapter belongs to another model"};
    hasHead |= isHead;
    hasEmbeddings |= own == embeddings || own == withoutPrefix(*family.format, embeddings);
    tensors.push_back(*tensor);
    tensors.back().name = place.tensor ? place.tensor->name : head;
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

bool isAdapter(const fs::path& folder) { return isThere(folder / adapterConfigFile); }

Result<fs::path> baseOf(const fs::path& adapter) {
  const auto config = readAdapterConfig(adapter);
  if (!config) return config.error();
  const fs::path folder = fs::absolute(adapter).lexically_normal(),
                 own = folder.has_filename() ? folder : folder.parent_path(), named = config->base,
                 name = lastOf(named);
  std::vector<fs::path> places{own.parent_path()};
  if (!name.empty())
    places.insert(places.begin(), {named.is_absolute() ? named : own / named, own.parent_path() / name});
  for (const fs::path& place : places)
    if (isThere(place / "config.json") || ggufIn(place).size() == 1) return place;
  if (const fs::path file = own.parent_path() / (name.string() + ".gguf"); isThere(file)) return file;
  return Error{"its base " + inQuotes(config->base) + " is not here", own.string(),
               "put the base model's folder or GGUF file next to the adapter"};
}

std::string baseNameOf(const fs::path& adapter) {
  const auto config = readAdapterConfig(adapter);
  return config ? lastOf(config->base).string() : "";
}

Status applyAdapter(const fs::path& adapter, FamilyConfig& family, StoredModel& base) {
  auto config = readAdapterConfig(adapter);
  if (!config) return config.error();
  // As PEFT does, by the base's matrices; those of GGUF files are [out, in], whatever the family's are.
  const bool isTransposed = !family.format->transposed;
  if (config->isTransposed && !isTransposed)
    return Error{"is true, but the matrices of a " + family.format->name + " are [out, in]",
                 (adapter / adapterConfigFile).string() + ", fan_in_fan_out",
                 "the adapter belongs to another model"};
  config->isTransposed = isTransposed && !base.isGguf();
  const fs::path path = adapter / adapterWeights;
  if (!isThere(path))
    return Error{"is missing", path.string(),
                 isThere(adapter / "adapter_model.bin")
                     ? "the weights are in PyTorch's own format; save them as safetensors"
                     : ""};
  const auto stored = StoredTensors::open(path);
  if (!stored) return stored.error();
  auto changes = sorted(*stored, *config, path.string());
  if (!changes) return changes.error();
  if (base.isGguf() && !changes->saved.empty())
    return Error{"was learned as a whole, and the base is the GGUF file " + base.file(),
                 path.string() + ", tensor " + changes->saved.begin()->second->name,
                 "get the base as safetensors, or merge the adapter into it"};
  std::vector<StoredTensor> tensors;
  for (const auto& [name, change] : changes->changes) {
    const BaseWeight weight = weightOf(base, family, name);
    if (!weight.place.tensor)
      return Error{"adapts " + name + ", which the base has not", path.string(),
                   "the adapter belongs to another model"};
    const StoredTensor& tensor = *weight.place.tensor;
    if (Status fits = checkShapes(tensor, change, *config, name, path.string()); !fits) return fits;
    const auto whole = adapted(weight, change, *config, name);
    if (!whole) return whole.error();
    tensors.push_back(StoredTensor::of(tensor.name, tensor.shape, *whole));
  }
  if (Status taken = takeSaved(changes->saved, family, base, path.string(), tensors); !taken) return taken;
  base.replace(path.string(), StoredTensors::of(std::move(tensors), {}));
  return success();
}

}  // namespace glassformer
