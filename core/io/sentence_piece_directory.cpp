#include "core/io/sentence_piece_directory.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/files.h"
#include "core/io/tokens_beside.h"
#include "core/text/sentence_piece_model.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;
using PieceJson = nlohmann::json;
using PieceTokenizer = Result<std::shared_ptr<const Tokenizer>>;

constexpr std::size_t largestPieces = std::size_t{256} << 20;
constexpr int mostExtraTokens = 4096;

Result<SentencePieceModel> readPieces(const fs::path& path) {
  const auto bytes = readTextFile(path, largestPieces);
  return bytes ? parseSentencePieces(*bytes, path.string()) : bytes.error();
}

BosEosTokens signsOfPieces(const PieceJson& config, const ModelFormat& format) {
  BosEosTokens signs = format.pieceSigns;
  const auto take = [&](const char* adds, const char* which, std::vector<std::string>& side) {
    if (!config.contains(adds)) return;
    const std::string named = contentOfToken(config, which);
    if (config[adds] != true) side.clear();
    if (config[adds] == true && !named.empty()) side = {named};
  };
  take("add_bos_token", "bos_token", signs.start), take("add_eos_token", "eos_token", signs.close);
  return signs;
}

// Tokens behind the pieces: T5's places, of which the last is the first, and those that were added by name.
Status addTokens(const fs::path& folder, const PieceJson& config, SentencePieceModel& model) {
  const auto add = [&](std::string text) {
    model.pieces.push_back({std::move(text), 0, PieceKind::Control});
  };
  if (const PieceJson extra = config.value("extra_ids", PieceJson()); extra.is_number_integer())
    for (int i = std::min(extra.get<int>(), mostExtraTokens); i-- > 0;)
      add("<extra_id_" + std::to_string(i) + ">");
  const fs::path path = folder / "added_tokens.json";
  const auto listed = readObjectFile(path);
  if (!listed) return listed.error();
  std::map<std::uint64_t, std::string> byId;
  for (const auto& [text, id] : listed->items())
    if (id.is_number_unsigned() && !text.empty()) byId[id.get<std::uint64_t>()] = text;
  // Newer versions of transformers list them by their ids, those of the model among them.
  const PieceJson newer = config.value("added_tokens_decoder", PieceJson());
  for (const auto& [key, entry] : newer.items()) {
    const std::string text = contentOfToken(newer, key.c_str());
    const bool isId = !key.empty() && key.size() <= 7 && key.find_first_not_of("0123456789") == key.npos;
    if (isId && !text.empty() && std::stoull(key) >= model.pieces.size())
      byId.try_emplace(std::stoull(key), text);
  }
  for (const auto& [id, text] : byId) {
    if (id == model.pieces.size()) add(text);
    if (id >= model.pieces.size() || model.pieces[id].text != text)
      return Error{"the id " + std::to_string(id) + " of " + inQuotes(text) +
                       " belongs to another piece, or ids are missing",
                   path.string(), "the file belongs to another model"};
  }
  return success();
}

PieceTokenizer readOneModel(const fs::path& path, const FamilyConfig& family) {
  const fs::path folder = path.parent_path();
  auto model = readPieces(path);
  if (!model) return model.error();
  const auto config = readObjectFile(folder / "tokenizer_config.json");
  if (!config) return config.error();
  if (Status added = addTokens(folder, *config, *model); !added) return added.error();
  model->ends = family.ends;
  return tokenizerOf(*model, signsOfPieces(*config, *family.format), path.string());
}

// One for texts and one for sources, with the same ids.
PieceTokenizer readMarian(const fs::path& folder, const FamilyConfig& family) {
  const fs::path vocabulary = folder / "vocab.json";
  const auto ids = readTextFile(vocabulary);
  if (!ids) return ids.error();
  const auto read = [&](const char* file) -> PieceTokenizer {
    auto model = readPieces(folder / file);
    if (!model) return model.error();
    model->ends = family.ends;
    return tokenizerOf(*model, *ids, family.format->pieceSigns, (folder / file).string(),
                       vocabulary.string());
  };
  const auto texts = read("target.spm"), sources = read("source.spm");
  if (!texts || !sources) return texts ? sources.error() : texts.error();
  return (*texts)->withSources(*sources);
}

}  // namespace

PieceTokenizer readSentencePieces(const fs::path& folder, const FamilyConfig& family) {
  for (const char* file : {"spiece.model", "tokenizer.model"})
    if (isThere(folder / file)) return readOneModel(folder / file, family);
  if (isThere(folder / "source.spm") && isThere(folder / "target.spm")) return readMarian(folder, family);
  return std::shared_ptr<const Tokenizer>();
}

}  // namespace glassformer
