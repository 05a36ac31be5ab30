#pragma once
#include <cmath>
#include <string>
#include <string_view>

#include "core/io/gguf.h"
#include "core/text/utf8.h"

namespace glassformer {

/// Takes the keys of a GGUF file one after the other, and keeps the first complaint.
class GgufKeys {
 public:
  GgufKeys(const GgufFile& file, std::string_view name) : file_(file), name_(name) {}

  bool has(const std::string& key) const { return file_.keys.contains(key); }
  bool hasTensor(std::string_view tensor) const { return file_.tensors.find(tensor) != nullptr; }
  const StoredTensor* tensor(std::string_view name) const { return file_.tensors.find(name); }

  /// A value of a kind. Missing, or of another kind: a complaint, and an empty one.
  template <typename Kind>
  Kind take(const std::string& key) {
    const auto found = file_.keys.find(key);
    const auto* value = found == file_.keys.end() ? nullptr : std::get_if<Kind>(&found->second);
    if (value) return *value;
    refuse("key " + inQuotes(key), found == file_.keys.end() ? "is missing" : "is of another kind");
    return Kind{};
  }
  template <typename Kind>
  Kind takeOr(const std::string& key, Kind otherwise) {
    return has(key) ? take<Kind>(key) : otherwise;
  }
  /// A whole number from 0 to 2^24, or a complaint.
  int size(const std::string& key) {
    const double number = take<double>(key);
    if (number >= 0 && number <= 1 << 24 && number == std::floor(number)) return static_cast<int>(number);
    refuse("key " + inQuotes(key), "is not a size");
    return 0;
  }
  int sizeOr(const std::string& key, int otherwise) { return has(key) ? size(key) : otherwise; }

  void refuse(const std::string& where, std::string what, std::string hint = "") {
    if (status_) status_ = Error{std::move(what), name_ + ", " + where, std::move(hint)};
  }
  const Status& status() const { return status_; }

 private:
  const GgufFile& file_;
  std::string name_;
  Status status_ = success();
};

}  // namespace glassformer
