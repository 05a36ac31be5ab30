#include "core/io/model_directory.h"

#include <utility>
#include <vector>

#include "core/io/adapter.h"
#include "core/io/config_file.h"
#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/io/parameter_reader.h"
#include "core/io/safetensors.h"
#include "core/io/tokenizer_directory.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char *configFile = "config.json", *generationFile = "generation_config.json";
constexpr const char* weightsAlone =
    "a GGUF file holds the weights alone; put the model's config.json and tokenizer.json beside it";

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

// Whether there is one; where there is not, the final stream is compared with the embeddings as it is.
bool takeHead(const StoredModel& stored, FamilyConfig& family) {
  const std::string& head = family.format->head;
  if (head.empty() || findStored(stored, *family.format, head).tensor) return true;
  family.config.headTransform = family.config.unembeddingBias = false;
  family.config.tiedUnembedding = true;
  return false;
}

}  // namespace

bool isModelDirectory(const fs::path& given) {
  const fs::path folder = filesOf(given);
  if (isAdapter(folder)) return true;
  if (!isThere(folder / configFile)) return false;
  const auto json = readTextFile(folder / configFile);
  return !json || isModelConfig(*json);
}

Result<ModelDirectory> readModelDirectory(const fs::path& given, const Watch& watch) {
  const fs::path own = filesOf(given);
  const bool adapts = isAdapter(own);
  const auto base = adapts ? baseOf(own) : own;
  if (!base) return base.error();
  const fs::path folder = filesOf(*base);
  std::error_code unreadable;
  if (fs::status(folder / configFile, unreadable).type() == fs::file_type::none)
    return Error{"cannot be read: " + unreadable.message(), folder.string(), "may you look into it?"};
  if (!isThere(folder / configFile))
    return Error{
        "is no model: it has no config.json", folder.string(),
        ggufIn(folder).empty() ? "give the folder of a model in Hugging Face's layout" : weightsAlone};
  const auto json = readTextFile(folder / configFile);
  if (!json) return json.error();
  const auto generation =
      isThere(folder / generationFile) ? readTextFile(folder / generationFile) : std::string();
  if (!generation) return generation.error();
  auto family = readFamilyConfig(*json, (folder / configFile).string(), *generation);
  if (!family) return family.error();
  ModelConfig& config = family->config;
  auto tokenizer = readTokenizer(folder, *family->format);
  if (!tokenizer) return tokenizer.error();
  if ((*tokenizer)->vocabularySize() > config.vocabulary)
    return Error{"vocab_size is " + std::to_string(config.vocabulary) + ", but the tokenizer has " +
                     std::to_string((*tokenizer)->vocabularySize()) + " tokens",
                 (folder / configFile).string(), "the tokenizer belongs to another model"};
  auto stored = StoredModel::open(folder);
  if (!stored) return stored.error();
  if (adapts)
    if (const Status status = applyAdapter(own, *family->format, *stored); !status) return status.error();
  if (family->format->endsSeparate) config.separator = (*tokenizer)->endOfText();
  const bool hasHead = takeHead(*stored, *family);
  auto parameters = ParameterReader(*std::move(stored), *family).read(watch);
  if (!parameters) return parameters.error();
  const auto card =
      isThere(own / cardFile) ? readTextFile(own / cardFile) : Result<std::string>(std::string());
  return ModelDirectory{folderName(given), config, *std::move(parameters), *std::move(tokenizer),
                        card ? *card : "", hasHead};
}

Status writeModelDirectory(const fs::path& folder, const ModelConfig& config, const Parameters& parameters,
                           const Tokenizer& tokenizer, const std::string& card) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    return Error{"cannot be created: " + failure.message(), folder.string(), "may you write there?"};
  if (Status status = writeWeights(folder / weightsFile, parameters); !status) return status;
  if (Status status = writeTokenizer(folder, tokenizer); !status) return status;
  for (const auto& [file, content] :
       {std::pair{cardFile, card}, std::pair{configFile, modelConfigJson(config, tokenizer.endOfText())}})
    if (Status status = writeFile(folder / file, content); !status) return status;
  return success();
}

}  // namespace glassformer
