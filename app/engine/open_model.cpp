#include "app/engine/open_model.h"

#include "core/lens/positions.h"

namespace glassformer {

namespace {

template <typename Name>
std::shared_ptr<const std::vector<std::string>> namesOf(const BytePairEncoding& tokenizer, Name name) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (int id = 0; id < tokenizer.vocabularySize(); ++id) names->push_back(name(id));
  return names;
}

}  // namespace

void OpenModel::encode(const std::string& text, bool wordsShown, Snapshot& snapshot) const {
  snapshot.text = text;
  snapshot.tokens.clear();
  for (const Token& token : tokenizer->encode(text))
    snapshot.tokens.push_back({token.id, (*vocabulary)[static_cast<std::size_t>(token.id)],
                               static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end)});
  snapshot.words = nullptr;
  if (wordsShown)
    snapshot.words = std::make_shared<const std::vector<WordMerges>>(mergesOfWords(*tokenizer, text));
}

std::vector<int> OpenModel::tokensRead(const Snapshot& snapshot) const {
  std::vector<int> tokens;
  const auto context = static_cast<std::size_t>(config().context);
  for (const TokenPiece& token : snapshot.tokens)
    if (tokens.size() < context) tokens.push_back(token.id);
  return tokens;
}

Result<OpenModel> openModel(const ModelLoader& loader, const std::string& name, const Watch& watch) {
  Result<LoadedModel> loaded = loader(name, watch);
  if (!loaded) return loaded.error();
  OpenModel model{name, loaded->name, loaded->transformer, loaded->tokenizer, {}, {}, {}};
  const BytePairEncoding& tokenizer = *model.tokenizer;
  model.vocabulary = namesOf(tokenizer, [&](int id) { return tokenizer.tokenLabel(id); });
  model.vocabularyBytes = namesOf(
      tokenizer, [&](int id) { return tokenizer.isSpecial(id) ? std::string() : tokenizer.tokenBytes(id); });
  auto measured = std::make_shared<TensorSet>();
  measurePositions(*model.transformer, *measured);
  model.measurements = std::move(measured);
  return model;
}

}  // namespace glassformer
