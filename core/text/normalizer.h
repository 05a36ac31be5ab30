#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/text/aligned_text.h"

namespace glassformer {

/// What a tokenizer does to a text before it cuts it: the field "normalizer" of a tokenizer.json, step by
/// step. Immutable, and safe to use from several threads.
class Normalizer {
 public:
  /// Changes nothing.
  Normalizer() = default;
  /// Refuses, with the place, a type that is not in the table of normalizer.cpp, an unknown field, and what
  /// cannot be done. `where`: file and field.
  static Result<Normalizer> read(const nlohmann::json& description, const std::string& where);

  void apply(AlignedText& text) const;
  std::string applied(std::string text) const;
  bool changesNothing() const { return steps_.empty(); }
  /// As it was read: JSON.
  const std::string& json() const { return json_; }

  using Step = std::function<void(AlignedText&)>;

 private:
  std::string json_ = "null";
  std::vector<Step> steps_;
};

}  // namespace glassformer
