#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// How tokens become a text again: the field "decoder" of a tokenizer.json, step by step. Immutable, and safe
/// to use from several threads.
class TokenDecoder {
 public:
  /// Where a token stands among those that are decoded.
  struct Place {
    bool isFirst = false, isLast = false;
  };
  using Step = std::function<void(std::string&, Place)>;

  /// Puts spaces between tokens.
  TokenDecoder() = default;
  /// Refuses, with the place, a type that is not in the table of token_decoder.cpp, and an unknown field.
  static Result<TokenDecoder> read(const nlohmann::json& description, const std::string& where);

  /// What a token, as the vocabulary writes it, adds at a place.
  std::string written(std::string token, Place place) const;
  std::string decoded(const std::vector<std::string>& tokens) const;
  bool joinsBySpaces() const { return json_ == "null"; }
  /// As it was read: JSON.
  const std::string& json() const { return json_; }

 private:
  std::string json_ = "null";
  std::vector<Step> steps_;       // of every token
  std::vector<Step> fusedSteps_;  // behind "Fuse": of the text as a whole
};

}  // namespace glassformer
