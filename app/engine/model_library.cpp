#include "app/engine/model_library.h"

#include <algorithm>

#include "app/document/trace_file.h"
#include "app/engine/recorded_model.h"
#include "core/io/model_directory.h"

namespace glassformer {
namespace fs = std::filesystem;

fs::path assetsFolder(const fs::path& program, const char* name) {
  std::error_code error;
  fs::path folder = fs::canonical("/proc/self/exe", error);  // Linux; elsewhere the program's name has to do
  if (error) folder = fs::absolute(program, error);
  for (folder = folder.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    for (const char* below : {"assets", "share/glassformer/assets"})  // as it is built, as it is installed
      if (fs::path found = folder / below / name; fs::is_directory(found, error)) return found;
  return {};
}

namespace {

void addModels(const fs::path& folder, const std::string& family, std::vector<ModelLibrary::Entry>& models) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = family + entry.path().filename().string();
    if (isModelDirectory(entry.path()))
      models.push_back({name, entry.path()});
    else if (family.empty() && entry.is_directory(error))
      addModels(entry.path(), name + "/", models);
  }
}

}  // namespace

ModelLibrary::ModelLibrary(const fs::path& program) {
  const fs::path models = assetsFolder(program, "models");
  if (models.empty()) return;
  addModels(models, "", builtIn_);
  std::ranges::sort(builtIn_, {}, &Entry::name);
}

Result<fs::path> ModelLibrary::find(const std::string& model) const {
  std::error_code error;
  if (isTraceFile(model) && fs::is_regular_file(model, error))
    return Error{"is recorded activations, and this needs the weights of a model", model,
                 "render draws what it has"};
  for (const Entry& entry : builtIn_)
    if (entry.name == model) return entry.folder;
  const fs::file_type type = fs::status(model, error).type();
  if (type == fs::file_type::directory || (type == fs::file_type::regular && isModelDirectory(model)))
    return fs::path(model);
  if (type == fs::file_type::none)
    return Error{"cannot be read: " + error.message(), model, "check the permissions of that folder"};
  std::string names;
  for (const Entry& entry : builtIn_) names += (names.empty() ? "" : ", ") + entry.name;
  return Error{"neither a built-in model nor a directory", model,
               names.empty() ? "found no built-in models next to the program" : "built in: " + names};
}

Result<LoadedModel> ModelLibrary::loadOrTrace(const std::string& model, const ProgressCallback& watch) const {
  std::error_code error;
  const bool isTrace = isTraceFile(model) && !fs::is_directory(model, error);
  return isTrace ? loadRecorded(model, watch) : load(model, watch);
}

Result<LoadedModel> ModelLibrary::load(const std::string& model, const ProgressCallback& watch) const {
  const auto folder = find(model);
  if (!folder) return folder.error();
  auto directory = readModelDirectory(*folder, watch);
  if (!directory) return directory.error();
  const bool ships = std::ranges::find(builtIn_, model, &Entry::name) != builtIn_.end();
  std::vector<std::string> shipped;
  for (const Entry& entry : builtIn_) shipped.push_back(entry.name);
  return LoadedModel{ships ? model : directory->name,
                     std::make_shared<const Transformer>(directory->config, std::move(directory->parameters)),
                     directory->tokenizer,
                     nullptr,
                     trainingOrigin(directory->card),
                     directory->hasHead,
                     std::move(shipped)};
}

}  // namespace glassformer
