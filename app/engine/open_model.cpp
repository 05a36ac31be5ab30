#include "app/engine/open_model.h"

#include <algorithm>

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

// The sign behind a text that is too long stands behind what of it is read.
void putSigns(const OpenModel& model, const ModelConfig& reader, std::size_t textEnd,
              std::vector<TokenPiece>& tokens) {
  const Tokenizer& tokenizer = *model.tokenizer;
  if (const int start = startSign(tokenizer, reader); start >= 0)
    tokens.insert(tokens.begin(),
                  {start, start == tokenizer.startOfText() ? tokenizer.tokenLabel(start) : "<start>", 0, 0});
  const int close = closeSign(tokenizer, reader);
  if (close < 0) return;
  const std::size_t place = std::min(tokens.size(), static_cast<std::size_t>(reader.context) - 1);
  const std::size_t byte = place < tokens.size() ? tokens[place].begin : textEnd;
  tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(place),
                {close, tokenizer.tokenLabel(close), byte, byte});
}

}  // namespace

void OpenModel::encode(const ModelConfig& reader, const Writing& writing, std::optional<Stream> wordsShown,
                       Snapshot& snapshot) const {
  snapshot.text = writing.text, snapshot.source = writing.source;
  snapshot.tokens = piecesOf(*this, writing.text);
  putSigns(*this, reader, writing.text.size(), snapshot.tokens);
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

int closeSign(const Tokenizer& tokenizer, const ModelConfig& config) {
  return config.stack == Stack::EncoderOnly ? tokenizer.closeOfText() : -1;
}

SignCounts signsAround(const Tokenizer& tokenizer, const ModelConfig& config) {
  return {startSign(tokenizer, config) >= 0 ? 1 : 0, closeSign(tokenizer, config) >= 0 ? 1 : 0};
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
  model.task = loaded.task, model.origin = loaded.origin, model.hasHead = loaded.hasHead;
  return model;
}

}  // namespace glassformer
