#include "app/engine/model_library.h"

#include <algorithm>

#include "core/io/model_directory.h"

namespace glassformer {
namespace fs = std::filesystem;
namespace {

fs::path modelsFolder(const fs::path& program) {
  std::error_code error;
  fs::path folder = fs::canonical("/proc/self/exe", error);  // Linux; elsewhere the program's name has to do
  if (error) folder = fs::absolute(program, error);
  for (folder = folder.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    if (fs::path models = folder / "assets" / "models"; fs::is_directory(models, error)) return models;
  return {};
}

}  // namespace

ModelLibrary::ModelLibrary(const fs::path& program) {
  const fs::path models = modelsFolder(program);
  if (models.empty()) return;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(models, error))
    if (isModelDirectory(entry.path())) builtIn_.push_back({entry.path().filename().string(), entry.path()});
  std::ranges::sort(builtIn_, {}, &Entry::name);
}

Result<fs::path> ModelLibrary::find(const std::string& model) const {
  for (const Entry& entry : builtIn_)
    if (entry.name == model) return entry.folder;
  std::error_code error;
  if (fs::is_directory(model, error)) return fs::path(model);
  std::string names;
  for (const Entry& entry : builtIn_) names += (names.empty() ? "" : ", ") + entry.name;
  return Error{"there is no model of that name and no such directory", model,
               names.empty() ? "no built-in models were found beside the program" : "built in: " + names};
}

Result<LoadedModel> ModelLibrary::load(const std::string& model, const Watch& watch) const {
  const auto folder = find(model);
  if (!folder) return folder.error();
  auto directory = readModelDirectory(*folder, watch);
  if (!directory) return directory.error();
  return LoadedModel{directory->name,
                     std::make_shared<const Transformer>(directory->config, std::move(directory->parameters)),
                     directory->tokenizer};
}

}  // namespace glassformer
