#include "app/engine/open_model.h"

#include <algorithm>

#include "app/engine/changed_model.h"
#include "core/lens/positions.h"
#include "core/train/tasks/training_tasks.h"

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

// Its weights, and what follows from them.
void give(ShownModel& model, const Transformer& loaded, ChangedModel changed) {
  model.config = changed.transformer->config(), model.loadedConfig = loaded.config();
  model.freshWeights = std::move(changed.freshWeights), model.freshValues = changed.freshValues;
  if (changed.transformer->hasWeights()) model.measurements = measured(*changed.transformer);
  model.transformer = std::move(changed.transformer);
}

std::vector<TokenPiece> piecesOf(const ShownModel& model, const Tokenizer& tokenizer,
                                 const std::string& text) {
  std::vector<TokenPiece> pieces;
  for (const Token& token : tokenizer.encode(text))
    pieces.push_back({token.id, (*model.vocabulary)[static_cast<std::size_t>(token.id)],
                      static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end)});
  return pieces;
}

struct Signs {
  std::vector<int> start, close;
};
Signs signsOfText(const Tokenizer& tokenizer, const ModelConfig& config) {
  return {leadingSpecialTokens(tokenizer, config), closeSigns(tokenizer, config)};
}
// A source is a whole text by itself.
Signs signsOfSource(const Tokenizer& tokenizer) { return {tokenizer.startTokens(), tokenizer.closeTokens()}; }

// Those behind a text that is too long stand behind what of it is read.
void putSigns(const Tokenizer& tokenizer, const ModelConfig& reader, const Signs& signs, std::size_t textEnd,
              std::vector<TokenPiece>& tokens) {
  const auto& [start, close] = signs;
  for (std::size_t i = start.size(); i-- > 0;)
    tokens.insert(tokens.begin(), {start[i], tokenizer.tokenLabel(start[i]), 0, 0});
  const auto context = static_cast<std::size_t>(reader.context);
  const std::size_t place = std::min(tokens.size(), context - std::min(context, close.size()));
  const std::size_t byte = place < tokens.size() ? tokens[place].begin : textEnd;
  for (std::size_t i = close.size(); i-- > 0;)
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(place),
                  {close[i], tokenizer.tokenLabel(close[i]), byte, byte});
}

}  // namespace

Status OpenModel::change(const ModelChanges& wanted, const ProgressCallback& watch) {
  if (recorded) return success();  // there is nothing to change
  Result<ChangedModel> changed = changedModel(loaded, wanted, watch);
  if (!changed) return changed.error();
  auto model = std::make_shared<ShownModel>(*shown);
  give(*model, *loaded, std::move(*changed));
  shown = std::move(model), changes = wanted;
  return success();
}

ShownPass OpenModel::encode(const ModelConfig& reader, const TabText& writing,
                            std::optional<Stream> wordsShown) const {
  const Tokenizer& tokenizer = *shown->tokenizer;
  ShownPass pass{
      .text = writing.text, .tokens = piecesOf(*shown, tokenizer, writing.text), .source = writing.source};
  putSigns(tokenizer, reader, signsOfText(tokenizer, reader), writing.text.size(), pass.tokens);
  if (reader.isEncoderDecoder()) pass.sourceTokens = piecesOf(*shown, tokenizer.ofSources(), writing.source);
  if (!pass.sourceTokens.empty())
    putSigns(tokenizer, reader, signsOfSource(tokenizer), writing.source.size(), pass.sourceTokens);
  pass.trained = trainedTokens(taskName(task.get(), origin), tokenizer, tokensRead(reader, pass.tokens));
  if (!wordsShown) return pass;
  pass.wordsOf = *wordsShown;
  pass.words = std::make_shared<const std::vector<WordMerges>>(
      mergesOfWords(*shown->tokenizer, pass.textOf(*wordsShown)));
  return pass;
}

std::vector<int> leadingSpecialTokens(const Tokenizer& tokenizer, const ModelConfig& config) {
  std::vector<int> signs;
  if (config.isEncoderDecoder() && config.decoderStartToken >= 0)
    signs.push_back(config.decoderStartToken);
  else if (!tokenizer.startTokens().empty())
    signs = tokenizer.startTokens();
  else if (config.stack != Stack::DecoderOnly && tokenizer.endOfText() >= 0)
    signs.push_back(tokenizer.endOfText());
  if (config.isEncoderDecoder() && config.forcedBosToken >= 0) signs.push_back(config.forcedBosToken);
  return signs;
}

std::vector<int> sourceIds(const Tokenizer& tokenizer, const std::string& source) {
  std::vector<int> ids = tokenizer.ofSources().encodeIds(source);
  const auto [start, close] = signsOfSource(tokenizer);
  if (ids.empty()) return ids;
  ids.insert(ids.begin(), start.begin(), start.end());
  ids.insert(ids.end(), close.begin(), close.end());
  return ids;
}

std::vector<int> closeSigns(const Tokenizer& tokenizer, const ModelConfig& config) {
  return config.stack == Stack::EncoderOnly ? tokenizer.closeTokens() : std::vector<int>{};
}

SignCounts signsAround(const Tokenizer& tokenizer, const ModelConfig& config) {
  return {static_cast<int>(leadingSpecialTokens(tokenizer, config).size()),
          static_cast<int>(closeSigns(tokenizer, config).size())};
}

std::vector<int> tokensRead(const ModelConfig& config, const std::vector<TokenPiece>& tokens) {
  std::vector<int> ids;
  const auto context = static_cast<std::size_t>(config.context);
  for (const TokenPiece& token : tokens)
    if (ids.size() < context) ids.push_back(token.id);
  return ids;
}

Result<OpenModel> openModel(const ModelLoader& loader, const std::string& name,
                            const ProgressCallback& watch) {
  Result<LoadedModel> loaded = loader(name, watch);
  if (!loaded) return loaded.error();
  return openModel(name, std::move(*loaded));
}

OpenModel openModel(std::string asked, LoadedModel loaded) {
  auto shown = std::make_shared<ShownModel>();
  const Tokenizer& tokenizer = *loaded.tokenizer;
  shown->name = std::move(loaded.name), shown->hasHead = loaded.hasHead;
  shown->tokenizer = loaded.tokenizer, shown->maskToken = tokenizer.mask();
  shown->vocabulary = namesOf(tokenizer, [&](int id) { return tokenizer.tokenLabel(id); });
  shown->vocabularyBytes = namesOf(tokenizer, [&](int id) {
    return id == tokenizer.endOfText() ? std::string() : tokenizer.writtenBehind(id);
  });
  give(*shown, *loaded.transformer, {loaded.transformer});
  return {std::move(asked),          std::move(loaded.transformer), std::move(shown),
          std::move(loaded.task),    std::move(loaded.origin),      std::move(loaded.shipped),
          std::move(loaded.recorded)};
}

}  // namespace glassformer
