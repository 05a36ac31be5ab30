#include "app/engine/recorded_model.h"

#include <map>

#include "app/archives/npz.h"
#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/io/recorded_trace.h"
#include "core/io/tokenizer_directory.h"
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
  auto tokenizer = readTokenizer(folder, family ? *family->format : gpt2Format());
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

}  // namespace

Result<LoadedModel> loadRecorded(const fs::path& file, const Watch& watch) {
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

ShownPass recordedPass(const RecordedTrace& recorded, const ShownModel& model) {
  ShownPass pass;
  pass.tokens = piecesOf(recorded.trace->tokens(), model, pass.text);
  pass.sourceTokens = piecesOf(recorded.trace->source(), model, pass.source);
  pass.trace = recorded.trace;
  return pass;
}

}  // namespace glassformer
