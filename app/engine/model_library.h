#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/engine/loaded_model.h"

namespace glassformer {

/// A folder of what ships, assets/`name`, or share/glassformer/assets/`name` where the program is installed:
/// beside the program, or in a folder above it; empty where there is none.
std::filesystem::path assetsFolder(const std::filesystem::path& program, const char* name);

/// The models a user can name: built-in ones by name, any other by its directory.
class ModelLibrary {
 public:
  struct Entry {
    std::string name;  ///< the folder's; "positions/rotary" where a folder holds a family of models
    std::filesystem::path folder;
  };

  /// Built-in models lie in assets/models, beside the program or in a folder above it.
  explicit ModelLibrary(const std::filesystem::path& program);

  const std::vector<Entry>& builtIn() const { return builtIn_; }
  /// Where a built-in name or a directory lies; refuses what is neither, naming what there is.
  Result<std::filesystem::path> find(const std::string& model) const;
  Result<LoadedModel> load(const std::string& model, const ProgressCallback& watch = noProgress) const;
  /// The same, or a trace from elsewhere, which is a model without weights.
  Result<LoadedModel> loadOrTrace(const std::string& model, const ProgressCallback& watch = noProgress) const;

 private:
  std::vector<Entry> builtIn_;
};

}  // namespace glassformer
