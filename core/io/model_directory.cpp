#include "core/io/model_directory.h"

#include <utility>
#include <vector>

#include "core/io/config_file.h"
#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/io/parameter_reader.h"
#include "core/io/safetensors.h"
#include "core/text/tokenizer_files.h"
#include "core/text/tokenizers.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* configFile = "config.json";
constexpr const char* tokenizerFile = "tokenizer.json";
constexpr const char* vocabFile = "vocab.json";
constexpr const char* mergesFile = "merges.txt";

using SharedTokenizer = std::shared_ptr<const Tokenizer>;

Result<SharedTokenizer> readTokenizer(const fs::path& folder) {
  const auto name = [&](const char* file) { return (folder / file).string(); };
  if (isThere(folder / tokenizerFile)) {
    const auto json = readTextFile(folder / tokenizerFile);
    return json ? readTokenizerJson(*json, name(tokenizerFile)) : json.error();
  }
  if (!isThere(folder / vocabFile) || !isThere(folder / mergesFile))
    return Error{"has no tokenizer", folder.string(),
                 "neither tokenizer.json nor vocab.json with merges.txt is there"};
  const auto vocab = readTextFile(folder / vocabFile);
  if (!vocab) return vocab.error();
  const auto merges = readTextFile(folder / mergesFile);
  if (!merges) return merges.error();
  auto encoding = parseVocabAndMerges(*vocab, *merges, name(vocabFile), name(mergesFile));
  if (!encoding) return encoding.error();
  return SharedTokenizer(std::make_shared<const BytePairEncoding>(*std::move(encoding)));
}

// GPT-2's older form, which only byte-level pairs have.
Status writeBytePairs(const fs::path& folder, const Tokenizer& tokenizer) {
  const auto* encoding = dynamic_cast<const BytePairEncoding*>(&tokenizer);
  if (!encoding || encoding->rules().fromCharacters) return success();
  if (Status status = writeFile(folder / vocabFile, vocabJson(*encoding)); !status) return status;
  return writeFile(folder / mergesFile, mergesText(*encoding));
}

// "pythia-14m" for ".../pythia-14m/" and for the hub's "models--EleutherAI--pythia-14m".
std::string folderName(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  const std::string name =
      (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
  const std::size_t owner = name.starts_with("models--") ? name.rfind("--") : std::string::npos;
  return owner == std::string::npos ? name : name.substr(owner + 2);
}

// Where the files of a model lie: in the folder, or, where it is the hub's cache of one, in the snapshot that
// refs/main names.
fs::path filesOf(const fs::path& folder) {
  if (isThere(folder / configFile) || !isThere(folder / "snapshots")) return folder;
  const auto revision = readTextFile(folder / "refs" / "main", 4096);
  if (!revision) return folder;
  const std::string name = revision->substr(0, revision->find_first_of("\r\n "));
  const bool isName = !name.empty() && fs::path(name).filename() == fs::path(name);
  return isName ? folder / "snapshots" / name : folder;
}

Status writeWeights(const fs::path& path, const Parameters& parameters) {
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < parameters.count(); ++i) {
    const std::string& name = parameters.spec(i).name;
    tensors.push_back({name == "lm_head.weight" ? name : "transformer." + name, parameters.view(i)});
  }
  return writeSafetensors(path, tensors, {{"format", "pt"}});
}

}  // namespace

bool isModelDirectory(const fs::path& given) {
  const fs::path folder = filesOf(given);
  if (!isThere(folder / configFile)) return false;
  const auto json = readTextFile(folder / configFile);
  return !json || isModelConfig(*json);
}

Result<ModelDirectory> readModelDirectory(const fs::path& given, const Watch& watch) {
  const fs::path folder = filesOf(given);
  std::error_code unreadable;
  if (fs::status(folder / configFile, unreadable).type() == fs::file_type::none)
    return Error{"cannot be read: " + unreadable.message(), folder.string(), "may you look into it?"};
  if (!isThere(folder / configFile))
    return Error{"is no model: it has no config.json", folder.string(),
                 "give the folder of a model in Hugging Face's layout"};
  const auto json = readTextFile(folder / configFile);
  if (!json) return json.error();
  const auto family = readFamilyConfig(*json, (folder / configFile).string());
  if (!family) return family.error();
  const ModelConfig& config = family->config;
  auto tokenizer = readTokenizer(folder);
  if (!tokenizer) return tokenizer.error();
  if ((*tokenizer)->vocabularySize() > config.vocabulary)
    return Error{"vocab_size is " + std::to_string(config.vocabulary) + ", but the tokenizer has " +
                     std::to_string((*tokenizer)->vocabularySize()) + " tokens",
                 (folder / configFile).string(), "the tokenizer belongs to another model"};
  auto stored = StoredModel::open(folder);
  if (!stored) return stored.error();
  auto parameters = ParameterReader(*std::move(stored), *family->format, config).read(watch);
  if (!parameters) return parameters.error();
  const auto card =
      isThere(folder / cardFile) ? readTextFile(folder / cardFile) : Result<std::string>(std::string());
  return ModelDirectory{folderName(given), config, *std::move(parameters), *std::move(tokenizer),
                        card ? *card : ""};
}

Status writeModelDirectory(const fs::path& folder, const ModelConfig& config, const Parameters& parameters,
                           const Tokenizer& tokenizer, const std::string& card) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    return Error{"cannot be created: " + failure.message(), folder.string(), "may you write there?"};
  if (Status status = writeWeights(folder / weightsFile, parameters); !status) return status;
  if (Status status = writeBytePairs(folder, tokenizer); !status) return status;
  for (const auto& [file, content] :
       {std::pair{tokenizerFile, writeTokenizerJson(tokenizer)}, std::pair{cardFile, card},
        std::pair{configFile, modelConfigJson(config, tokenizer.endOfText())}})
    if (Status status = writeFile(folder / file, content); !status) return status;
  return success();
}

}  // namespace glassformer
