#include "app/engine/recorded_model.h"

#include <map>

#include "app/archives/npz.h"
#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/io/recorded_trace.h"
#include "core/io/tokenizer_directory.h"
#include "core/model/catalogue.h"
#include "core/text/token_names.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

// Nothing where neither the file nor its folder says it.
Result<std::optional<FamilyConfig>> familyBeside(const StoredTensors& dump, const fs::path& file) {
  std::string json, name = file.string() + ", metadata config";
  const fs::path beside = file.parent_path() / "config.json";
  if (const auto own = dump.metadata().find("config"); own != dump.metadata().end()) {
    json = own->second;
  } else if (isThere(beside)) {
    const auto read = readTextFile(beside);
    if (!read) return read.error();
    if (!isModelConfig(*read)) return std::optional<FamilyConfig>();
    json = *read, name = beside.string();
  } else {
    return std::optional<FamilyConfig>();
  }
  auto family = readFamilyConfig(json, name);
  if (!family) return family.error();
  return std::optional(std::move(*family));
}

// What the file says, id by id.
std::shared_ptr<const Tokenizer> namesIn(const RecordedTrace& recorded) {
  std::map<int, std::string> names;
  std::vector<int> ids = recorded.trace->tokens();
  ids.insert(ids.end(), recorded.trace->source().begin(), recorded.trace->source().end());
  for (std::size_t i = 0; i < recorded.texts.size(); ++i) names[ids[i]] = recorded.texts[i];
  return std::make_shared<const TokenNames>(recorded.config.vocabulary, names);
}

Result<std::shared_ptr<const Tokenizer>> tokenizerFor(const RecordedTrace& recorded, const fs::path& file,
                                                      const std::optional<FamilyConfig>& family) {
  const fs::path folder = file.parent_path();
  const bool isBeside = isThere(folder / tokenizerFile) || (family && isThere(folder / vocabFile));
  if (!recorded.texts.empty() || !isBeside) return namesIn(recorded);
  auto tokenizer = readTokenizer(folder, family ? *family : FamilyConfig{&gpt2Format(), {}});
  if (!tokenizer) return tokenizer.error();
  if ((*tokenizer)->vocabularySize() > recorded.config.vocabulary && recorded.trace->contains("logits"))
    return Error{"has " + std::to_string((*tokenizer)->vocabularySize()) + " tokens, and the logits of " +
                     file.filename().string() + " " + std::to_string(recorded.config.vocabulary),
                 (folder / tokenizerFile).string(), "it belongs to another model"};
  return tokenizer;
}

std::vector<TokenPiece> piecesOf(const std::vector<int>& ids, const ShownModel& model, std::string& text) {
  std::vector<TokenPiece> pieces;
  for (const int id : ids) {
    const std::size_t begin = text.size();
    text += model.bytesOf(std::span(&id, 1));
    pieces.push_back({id, model.entryLabel(id), begin, text.size()});
  }
  return pieces;
}

// A point of a block that a model of this config does not have, though its others have it; "" where none is.
std::string pointBeyond(const RecordedTrace& recorded) {
  for (const std::string& name : recorded.passedOver) {
    const std::size_t digit = name.find_first_of("0123456789");
    const std::size_t end = name.find_first_not_of("0123456789", digit);
    if (digit == std::string::npos || end == std::string::npos) continue;
    const std::string first = name.substr(0, digit) + "0" + name.substr(end);
    const auto all = describedPoints(recorded.config, 1, 1);
    if (std::ranges::any_of(all, [&](const DescribedPoint& d) { return d.point.name == first; })) return name;
  }
  return "";
}

}  // namespace

Result<LoadedModel> loadRecorded(const fs::path& file, const ProgressCallback& watch) {
  const auto dump = openDump(file);
  if (!dump) return dump.error();
  const auto family = familyBeside(*dump, fs::absolute(file));
  if (!family) return family.error();
  auto recorded = readRecordedTrace(*dump, file.string(),
                                    *family ? std::optional((*family)->config) : std::nullopt, watch);
  if (!recorded) return recorded.error();
  const auto tokenizer = tokenizerFor(*recorded, fs::absolute(file), *family);
  if (!tokenizer) return tokenizer.error();
  auto shared = std::make_shared<const RecordedTrace>(std::move(*recorded));
  LoadedModel loaded{file.stem().string(),
                     std::make_shared<const Transformer>(shared->config, shared->points), *tokenizer};
  loaded.recorded = std::move(shared);
  return loaded;
}

Result<OpenModel> openBeside(const fs::path& file, const OpenModel& model, const ProgressCallback& watch) {
  const auto dump = openDump(file);
  if (!dump) return dump.error();
  auto read = readRecordedTrace(*dump, file.string(), model.config(), watch, model.shown->name);
  if (!read) return read.error();
  if (const std::string beyond = pointBeyond(*read); !beyond.empty())
    return Error{"has " + beyond + ", and " + model.shown->name + " has no such block", file.string(),
                 "a trace is compared with a model that is as deep"};
  OpenModel opened{.asked = file.string(),
                   .recorded = std::make_shared<const RecordedTrace>(std::move(*read))};
  auto shown = std::make_shared<ShownModel>(*model.shown);
  shown->name = file.filename().string();
  shown->transformer = std::make_shared<const Transformer>(opened.recorded->config, opened.recorded->points);
  shown->config = shown->loadedConfig = opened.recorded->config;
  shown->measurements = nullptr, shown->freshWeights.clear(), shown->freshValues = 0;
  opened.loaded = shown->transformer, opened.shown = std::move(shown);
  return opened;
}

ShownPass recordedPass(const RecordedTrace& recorded, const ShownModel& model) {
  ShownPass pass;
  pass.tokens = piecesOf(recorded.trace->tokens(), model, pass.text);
  pass.sourceTokens = piecesOf(recorded.trace->source(), model, pass.source);
  pass.trace = recorded.trace;
  return pass;
}

}  // namespace glassformer
