#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"

namespace glassformer {

inline constexpr const char* weightsFile = "model.safetensors";

/// The GGUF files of a folder, by name; of one in several parts the first.
std::set<std::string> ggufIn(const std::filesystem::path& folder);

/// The weights of a directory: model.safetensors, or the several files that model.safetensors.index.json
/// lists, or, where there is neither, the one GGUF file.
class StoredModel {
 public:
  static Result<StoredModel> open(const std::filesystem::path& folder);
  /// What lies in one GGUF file.
  static StoredModel ofGguf(const std::string& file, StoredTensors tensors);

  /// A tensor, and the file that it lies in, for messages. Null where there is none of that name.
  struct Place {
    const StoredTensor* tensor = nullptr;
    std::string file;
  };
  Place find(std::string_view name) const;
  bool isGguf() const { return isGguf_; }
  /// Of a GGUF file: which of llama.cpp's graphs it is for; "llama". Empty where it does not say.
  std::string architecture() const;
  const std::string& file() const { return file_; }  ///< the one file, or the index
  std::vector<Place> all() const;
  /// Calls every tensor as `called` says of its name.
  void rename(const std::function<std::string(const std::string&)>& called);
  /// Puts tensors in place of those of the same names.
  void replace(const std::string& file, StoredTensors by);

 private:
  struct Part {
    std::string file;
    StoredTensors tensors;
  };
  std::string file_;
  bool isGguf_ = false;
  std::vector<Part> parts_;
};

}  // namespace glassformer
