#include "core/text/token_names.h"

#include <cassert>
#include <numeric>

namespace glassformer {

TokenNames::TokenNames(int vocabulary, const std::map<int, std::string>& names) {
  std::vector<std::string> tokens;
  for (int id = 0; id < vocabulary; ++id) {
    const auto named = names.find(id);
    tokens.push_back(named == names.end() || named->second.empty() ? numberOf(id) : named->second);
  }
  std::vector<int> all(tokens.size());  // two tokens may be called alike, and none is looked up
  std::iota(all.begin(), all.end(), 0);
  const Status set = setTokens(std::move(tokens), {}, all);
  assert(set);
  static_cast<void>(set);
}

const TokenizerKind& TokenNames::kind() const {
  static const TokenizerKind names{"names", "Names", "what is known of tokens that were read elsewhere",
                                   nullptr, nullptr};
  return names;
}

}  // namespace glassformer
