#include "app/drawing/text_examples.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/engine/open_model.h"

namespace glassformer {

std::vector<int> tokensInRow(const TensorSources& sources, const std::string& tensor, int row) {
  std::vector<int> ids;
  const auto all = sources.find(tensor);
  for (int t = 0; all && t < all->extent[1] && std::isfinite((*all)(row, t)); ++t)
    ids.push_back(static_cast<int>((*all)(row, t)));
  return ids;
}

TabText writingOfRow(const SceneInput& input, const TensorSources& sources, const std::string& tokens,
                     const std::string& source, int row) {
  const Tokenizer& tokenizer = *input.snapshot.model->tokenizer;
  std::vector<int> text = tokensInRow(sources, tokens, row);
  const std::vector<int> signs = leadingSpecialTokens(tokenizer, input.config());
  if (std::ranges::equal(signs, std::span(text).first(std::min(text.size(), signs.size()))))
    text.erase(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(signs.size()));
  return {tokenizer.decode(text), tokenizer.decode(tokensInRow(sources, source, row))};
}

}  // namespace glassformer
