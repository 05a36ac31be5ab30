#include "core/io/tokenizer_directory.h"

#include <algorithm>
#include <utility>

#include "core/io/files.h"
#include "core/io/sentence_piece_directory.h"
#include "core/io/tokens_beside.h"
#include "core/text/tokenizer_files.h"
#include "core/text/tokenizers.h"
#include "core/text/word_list.h"
#include "core/text/word_piece_file.h"

namespace glassformer {
namespace {

using SharedTokenizer = std::shared_ptr<const Tokenizer>;
using TokenizerFolder = std::filesystem::path;

template <typename Kind>
Result<SharedTokenizer> sharedTokenizer(Result<Kind> tokenizer) {
  if (!tokenizer) return tokenizer.error();
  return SharedTokenizer(std::make_shared<const Kind>(*std::move(tokenizer)));
}

Result<SharedTokenizer> readJson(const TokenizerFolder& path, const FamilyConfig& family) {
  const auto json = readTextFile(path);
  if (!json) return json.error();
  const auto beside = readTokensBeside(path.parent_path(), family, true);
  return beside ? readTokenizerJson(*json, path.string(), *beside) : beside.error();
}

Result<SharedTokenizer> readWordPieces(const TokenizerFolder& folder) {
  const auto text = readTextFile(folder / wordPiecesFile);
  if (!text) return text.error();
  const bool hasSettings = isThere(folder / tokenizerSettingsFile);
  const auto settings =
      hasSettings ? readTextFile(folder / tokenizerSettingsFile) : Result<std::string>(std::string());
  if (!settings) return settings.error();
  const auto lines = tokenLines(*text, (folder / wordPiecesFile).string());
  if (!lines) return lines.error();
  const bool isWordList = !hasSettings && std::ranges::find(*lines, "[UNK]") == lines->end();
  if (isWordList) return wordListTokenizer(*lines, (folder / wordPiecesFile).string());
  return sharedTokenizer(parseVocabText(*text, *settings, (folder / wordPiecesFile).string(),
                                        (folder / tokenizerSettingsFile).string()));
}

Result<SharedTokenizer> readBytePairs(const TokenizerFolder& folder, const FamilyConfig& family) {
  const auto vocab = readTextFile(folder / vocabFile);
  if (!vocab) return vocab.error();
  const auto merges = readTextFile(folder / mergesFile);
  if (!merges) return merges.error();
  const auto beside = readTokensBeside(folder, family, false);
  if (!beside) return beside.error();
  return sharedTokenizer(parseVocabAndMerges(*vocab, *merges, (folder / vocabFile).string(),
                                             (folder / mergesFile).string(),
                                             {family.format->signs, family.format->special, *beside}));
}

}  // namespace

Result<SharedTokenizer> readTokenizer(const TokenizerFolder& folder, const FamilyConfig& family) {
  if (isThere(folder / tokenizerFile)) {
    auto texts = readJson(folder / tokenizerFile, family);
    if (!texts || !isThere(folder / sourceTokenizerFile)) return texts;
    const auto sources = readJson(folder / sourceTokenizerFile, family);
    return sources ? (*texts)->withSources(*sources) : sources;
  }
  if (auto pieces = readSentencePieces(folder, family); !pieces || *pieces) return pieces;
  if (isThere(folder / wordPiecesFile)) return readWordPieces(folder);
  if (isThere(folder / vocabFile) && isThere(folder / mergesFile)) return readBytePairs(folder, family);
  for (const char* alone : {vocabFile, mergesFile})
    if (isThere(folder / alone))
      return Error{"is there alone", (folder / alone).string(), "vocab.json and merges.txt belong together"};
  return wordListTokenizer(idsAsWords(family.config.vocabulary), folder.string());
}

Status writeTokenizer(const TokenizerFolder& folder, const Tokenizer& tokenizer) {
  if (const auto writeOlder = tokenizer.kind().writeOlder)
    for (const auto& [name, text] : writeOlder(tokenizer))
      if (Status status = writeFile(folder / name, text); !status) return status;
  if (const Tokenizer& sources = tokenizer.ofSources(); &sources != &tokenizer)
    if (Status status = writeFile(folder / sourceTokenizerFile, writeTokenizerJson(sources)); !status)
      return status;
  return writeFile(folder / tokenizerFile, writeTokenizerJson(tokenizer));
}

}  // namespace glassformer
