#pragma once
#include <algorithm>
#include <utility>
#include <vector>

namespace glassformer {

class Tokenizer;

/// The tokens behind which a text is over: none, one or, as newer models have it, several (eos_token_id).
class TextEnds {
 public:
  TextEnds() = default;
  TextEnds(int token) {  // one token is a list of one, −1 an empty one
    if (token >= 0) tokens_.push_back(token);
  }
  TextEnds(std::vector<int> tokens) : tokens_(std::move(tokens)) {}

  bool contains(int token) const { return std::ranges::find(tokens_, token) != tokens_.end(); }
  const std::vector<int>& tokens() const { return tokens_; }
  bool operator==(const TextEnds&) const = default;

 private:
  std::vector<int> tokens_;
};

/// Those of a model: the end of its vocabulary's texts, and those that its config names.
TextEnds textEnds(const Tokenizer& tokenizer);
/// Whether a token ends a text.
bool endsText(const Tokenizer& tokenizer, int id);

}  // namespace glassformer
