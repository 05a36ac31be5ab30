#include "app/engine/open_model.h"

#include "app/engine/changed_model.h"
#include "core/lens/positions.h"

namespace glassformer {

namespace {

template <typename Name>
std::shared_ptr<const std::vector<std::string>> namesOf(const Tokenizer& tokenizer, Name name) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (int id = 0; id < tokenizer.vocabularySize(); ++id) names->push_back(name(id));
  return names;
}

std::shared_ptr<const TensorSet> measured(const Transformer& model) {
  auto measurements = std::make_shared<TensorSet>();
  measurePositions(model, *measurements);
  return measurements;
}

}  // namespace

Status OpenModel::change(const ModelChanges& wanted, const Watch& watch) {
  Result<ChangedModel> changed = changedModel(loaded, wanted, watch);
  if (!changed) return changed.error();
  transformer = std::move(changed->transformer);
  freshWeights = std::move(changed->freshWeights), freshValues = changed->freshValues;
  changes = wanted;
  measurements = measured(*transformer);
  return success();
}

namespace {

std::vector<TokenPiece> piecesOf(const OpenModel& model, const std::string& text) {
  std::vector<TokenPiece> pieces;
  for (const Token& token : model.tokenizer->encode(text))
    pieces.push_back({token.id, (*model.vocabulary)[static_cast<std::size_t>(token.id)],
                      static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end)});
  return pieces;
}

}  // namespace

void OpenModel::encode(const ModelConfig& reader, const Writing& writing, std::optional<Stream> wordsShown,
                       Snapshot& snapshot) const {
  snapshot.text = writing.text, snapshot.source = writing.source;
  snapshot.tokens = piecesOf(*this, writing.text);
  if (const int start = startSign(*tokenizer, reader); start >= 0)
    snapshot.tokens.insert(snapshot.tokens.begin(), {start, "<start>", 0, 0});
  snapshot.sourceTokens = reader.reads() ? piecesOf(*this, writing.source) : std::vector<TokenPiece>();
  snapshot.words = nullptr;
  if (!wordsShown) return;
  snapshot.wordsOf = *wordsShown;
  snapshot.words = std::make_shared<const std::vector<WordMerges>>(
      mergesOfWords(*tokenizer, snapshot.textOf(*wordsShown)));
}

int startSign(const Tokenizer& tokenizer, const ModelConfig& config) {
  if (tokenizer.startOfText() >= 0) return tokenizer.startOfText();
  return config.stack != Stack::DecoderOnly ? tokenizer.endOfText() : -1;
}

std::vector<int> tokensRead(const ModelConfig& config, const std::vector<TokenPiece>& tokens) {
  std::vector<int> ids;
  const auto context = static_cast<std::size_t>(config.context);
  for (const TokenPiece& token : tokens)
    if (ids.size() < context) ids.push_back(token.id);
  return ids;
}

Result<OpenModel> openModel(const ModelLoader& loader, const std::string& name, const Watch& watch) {
  Result<LoadedModel> loaded = loader(name, watch);
  if (!loaded) return loaded.error();
  return openModel(name, std::move(*loaded));
}

OpenModel openModel(std::string asked, LoadedModel loaded) {
  OpenModel model;
  model.asked = std::move(asked), model.name = std::move(loaded.name);
  model.loaded = model.transformer = std::move(loaded.transformer);
  model.tokenizer = std::move(loaded.tokenizer);
  const Tokenizer& tokenizer = *model.tokenizer;
  model.vocabulary = namesOf(tokenizer, [&](int id) { return tokenizer.tokenLabel(id); });
  model.vocabularyBytes = namesOf(tokenizer, [&](int id) {
    return id == tokenizer.endOfText() ? std::string() : tokenizer.writtenBehind(id);
  });
  model.measurements = measured(*model.transformer);
  model.task = loaded.task, model.origin = loaded.origin;
  return model;
}

}  // namespace glassformer
