#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/text/cut_text.h"

namespace glassformer {

/// How a text is cut into the pieces that a model makes tokens of: the field "pre_tokenizer" of a
/// tokenizer.json, step by step, each of which cuts every piece of the one before. Immutable, and safe to use
/// from several threads.
class PreTokenizer {
 public:
  /// The text is one piece.
  PreTokenizer() = default;
  /// Refuses, with the place, a type that is not in the table of pre_tokenization.cpp, an unknown field, and
  /// what cannot be done. `where`: file and field.
  static Result<PreTokenizer> read(const nlohmann::json& description, const std::string& where);

  void apply(CutText& cut) const;
  std::vector<std::string> pieces(std::string text) const;
  /// As it was read: JSON.
  const std::string& json() const { return json_; }

  using Step = std::function<void(CutText&)>;

 private:
  std::string json_ = "null";
  std::vector<Step> steps_;
};

}  // namespace glassformer
