#include "core/io/stored_model.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/io/gguf.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* indexFile = "model.safetensors.index.json";

// The files that an index names: beside it, and nowhere else.
Result<std::set<std::string>> partsOf(const fs::path& index) {
  const auto text = readTextFile(index);
  if (!text) return text.error();
  const auto json = parseJson(*text, index.string());
  if (!json) return json.error();
  const std::string where = index.string() + ", weight_map";
  if (!json->is_object() || !json->contains("weight_map") || !(*json)["weight_map"].is_object())
    return Error{"is missing", where, "the file is damaged; get it again"};
  std::set<std::string> files;
  for (const auto& [tensor, file] : (*json)["weight_map"].items()) {
    const bool isBeside = file.is_string() && !file.get_ref<const std::string&>().empty() &&
                          fs::path(file.get_ref<const std::string&>()).filename() ==
                              fs::path(file.get_ref<const std::string&>());
    if (!isBeside)
      return Error{"the tensor " + inQuotes(tensor) + " is in no file of this folder", where,
                   "the file is damaged; get it again"};
    files.insert(file.get<std::string>());
  }
  if (files.empty()) return Error{"lists no tensor", where, "the file is damaged; get it again"};
  return files;
}

}  // namespace

std::set<std::string> ggufIn(const fs::path& folder) {
  std::set<std::string> files;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    if (endingOf(entry.path()) == ".gguf" && !isLaterPart(entry.path()))
      files.insert(entry.path().filename().string());
  return files;
}

Result<StoredModel> StoredModel::open(const fs::path& folder) {
  StoredModel model;
  std::set<std::string> files{weightsFile};
  if (const auto gguf = ggufIn(folder);
      !gguf.empty() && !isThere(folder / weightsFile) && !isThere(folder / indexFile)) {
    if (gguf.size() > 1)
      return Error{"has the weights several times, as " + *gguf.begin() + " and " + *gguf.rbegin(),
                   folder.string(), "leave the one that is to be read in the folder"};
    const std::string path = (folder / *gguf.begin()).string();
    auto stored = openGguf(path);
    if (!stored) return stored.error();
    return ofGguf(path, std::move(stored->tensors));
  }
  model.file_ = (folder / weightsFile).string();
  if (!isThere(folder / weightsFile) && isThere(folder / indexFile)) {
    model.file_ = (folder / indexFile).string();
    auto parts = partsOf(folder / indexFile);
    if (!parts) return parts.error();
    files = *std::move(parts);
  }
  for (const std::string& file : files) {
    const fs::path path = folder / file;
    if (!isThere(path))
      return Error{"is missing", path.string(),
                   isThere(folder / "pytorch_model.bin")
                       ? "the weights are in PyTorch's own format; save them as safetensors"
                   : files.size() > 1 ? "the index lists it; get it again"
                                      : ""};
    auto stored = StoredTensors::open(path);
    if (!stored) return stored.error();
    model.parts_.push_back({path.string(), *std::move(stored)});
  }
  return model;
}

StoredModel StoredModel::ofGguf(const std::string& file, StoredTensors tensors) {
  StoredModel model;
  model.file_ = file, model.isGguf_ = true;
  model.parts_.push_back({file, std::move(tensors)});
  return model;
}

std::string StoredModel::architecture() const {
  if (!isGguf_) return "";
  const auto& texts = parts_.front().tensors.metadata();
  const auto found = texts.find(architectureKey);
  return found == texts.end() ? "" : found->second;
}

StoredModel::Place StoredModel::find(std::string_view name) const {
  for (const Part& part : parts_)
    if (const StoredTensor* tensor = part.tensors.find(name)) return {tensor, part.file};
  return {nullptr, file_};
}

std::vector<StoredModel::Place> StoredModel::all() const {
  std::vector<Place> places;
  for (const Part& part : parts_)
    for (const StoredTensor& tensor : part.tensors.tensors()) places.push_back({&tensor, part.file});
  return places;
}

void StoredModel::rename(const std::function<std::string(const std::string&)>& called) {
  for (Part& part : parts_) {
    std::vector<StoredTensor> tensors = part.tensors.tensors();
    for (StoredTensor& tensor : tensors) tensor.name = called(tensor.name);
    part.tensors = StoredTensors::of(std::move(tensors), part.tensors.metadata());
  }
}

void StoredModel::replace(const std::string& file, StoredTensors by) {
  for (Part& part : parts_) {
    std::vector<StoredTensor> kept = part.tensors.tensors();
    std::erase_if(kept, [&](const StoredTensor& tensor) { return by.find(tensor.name) != nullptr; });
    part.tensors = StoredTensors::of(std::move(kept), part.tensors.metadata());
  }
  parts_.push_back({file, std::move(by)});
}

}  // namespace glassformer
