#include "core/io/model_directory.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/io/adapter.h"
#include "core/io/config_file.h"
#include "core/io/file_ending.h"
#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/io/gguf_model.h"
#include "core/io/parameter_reader.h"
#include "core/io/safetensors.h"
#include "core/io/tokenizer_directory.h"
#include "core/tensor/available_memory.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char *configFile = "config.json", *generationFile = "generation_config.json";

// "pythia-14m" for ".../pythia-14m/" and for the hub's "models--EleutherAI--pythia-14m".
std::string folderName(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  const std::string name =
      (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
  const std::size_t owner = name.starts_with("models--") ? name.rfind("--") : std::string::npos;
  return owner == std::string::npos ? name : name.substr(owner + 2);
}

// Of the hub's cache of a model.
std::set<fs::path> snapshotsIn(const fs::path& folder) {
  std::set<fs::path> snapshots;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder / "snapshots", unreadable))
    if (entry.is_directory()) snapshots.insert(entry.path());
  return snapshots;
}

// Where the files of a model lie: in the folder, or, where it is the hub's cache of one, in the snapshot that
// refs/main names, or the only one that there is.
fs::path filesOf(const fs::path& folder) {
  if (isThere(folder / configFile) || !isThere(folder / "snapshots")) return folder;
  const auto revision = readTextFile(folder / "refs" / "main", 4096);
  if (!revision) {
    const auto snapshots = snapshotsIn(folder);
    return snapshots.size() == 1 ? *snapshots.begin() : folder;
  }
  const std::string name = revision->substr(0, revision->find_first_of("\r\n "));
  const bool isName = !name.empty() && fs::path(name).filename() == fs::path(name);
  return isName ? folder / "snapshots" / name : folder;
}

// A GGUF file that says all of its model by itself: it was given, or is the only one of a folder that says
// nothing else. Empty: there is none.
fs::path loneGguf(const fs::path& given) {
  std::error_code unreadable;
  if (endingOf(given) == ".gguf" && fs::is_regular_file(given, unreadable)) return given;
  const auto files = ggufIn(given);
  return files.size() == 1 && !isThere(given / configFile) && !isAdapter(given) ? given / *files.begin() : "";
}

Status writeWeights(const fs::path& path, const Parameters& parameters) {
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < parameters.count(); ++i) {
    const std::string& name = parameters.spec(i).name;
    tensors.push_back({name == "lm_head.weight" ? name : "transformer." + name, parameters.view(i)});
  }
  return writeSafetensors(path, tensors, {{"format", "pt"}});
}

// The name that a family has for a tensor, of which training that compiled or distributed the model puts more
// in front.
std::string withoutWrapping(const std::string& name) {
  for (const std::string_view wrapping : {"_orig_mod.", "module."})
    if (name.starts_with(wrapping)) return withoutWrapping(name.substr(wrapping.size()));
  return name;
}

// Without the base's name where a model was saved without its head.
void takeNames(StoredModel& stored, const ModelFormat& format) {
  stored.rename(withoutWrapping);
  const std::string &base = format.base, bare = format.layers.substr(base.size());
  const auto begins = [&](const std::string& with) {
    return std::ranges::any_of(stored.all(),
                               [&](const auto& place) { return place.tensor->name.starts_with(with); });
  };
  if (base.empty() || begins(base) || !begins(bare)) return;
  const auto isOfBase = [&](const std::string& name) {
    return name.starts_with(bare) || std::ranges::any_of(format.outside, [&](const StoredNames& names) {
             return (base + name).starts_with(names.theirs.front() + ".") &&
                    names.theirs.front().starts_with(base);
           });
  };
  stored.rename([&](const std::string& name) { return isOfBase(name) ? base + name : name; });
}

// Whether there is one; where there is not, the final stream is compared with the embeddings as it is.
bool takeHead(const StoredModel& stored, FamilyConfig& family) {
  const std::string& head = family.format->head;
  if (head.empty() || findStored(stored, *family.format, head).tensor) return true;
  family.config.headTransform = family.config.unembeddingBias = false;
  family.config.tiedUnembedding = true;
  return false;
}

// Whether every token has a row in the model's table, but for some that were added and stand around no text.
bool hasRowsBut(const Tokenizer& tokenizer, int rows) {
  std::vector<int> needed = tokenizer.startTokens();
  needed.insert(needed.end(), tokenizer.closeTokens().begin(), tokenizer.closeTokens().end());
  needed.push_back(tokenizer.endOfText());
  for (int id = rows; id < tokenizer.vocabularySize(); ++id) {
    const bool isAdded = std::ranges::find(tokenizer.added(), id, &AddedToken::id) != tokenizer.added().end();
    const bool isNeeded = !isAdded || std::ranges::find(needed, id) != needed.end();
    if (isNeeded && !tokenizer.written(id).empty()) return false;
  }
  return true;
}

// Everything that makes a model of what was read of it.
Result<ModelDirectory> assembled(std::string name, FamilyConfig family, StoredModel stored,
                                 std::shared_ptr<const Tokenizer> tokenizer, const std::string& configName,
                                 const ProgressCallback& watch) {
  ModelConfig& config = family.config;
  if (!hasRowsBut(*tokenizer, config.vocabulary))
    return Error{"vocab_size is " + std::to_string(config.vocabulary) + ", but the tokenizer has " +
                     std::to_string(tokenizer->vocabularySize()) + " tokens",
                 configName, "the tokenizer belongs to another model"};
  if (family.format->endsSeparate) config.separator = tokenizer->endOfText();
  if (family.format->headUnties && stored.find("lm_head.weight").tensor) config.tiedUnembedding = false;
  const bool hasHead = takeHead(stored, family) && family.otherTask.empty();
  auto parameters = ParameterReader(std::move(stored), family).read(watch, availableMemory());
  if (!parameters && !family.otherTask.empty() && parameters.error().hint.empty())
    return Error{parameters.error().what, parameters.error().where,
                 "it is a " + family.otherTask + ", whose head is for another task"};
  if (!parameters) return parameters.error();
  return ModelDirectory{std::move(name), config, *std::move(parameters), std::move(tokenizer), "", hasHead};
}

// With what an adapter changes, where one is given.
Result<ModelDirectory> readLoneGguf(const fs::path& path, const fs::path& adapter,
                                    const ProgressCallback& watch) {
  auto file = openGguf(path);
  if (!file) return file.error();
  auto family = familyOf(*file, path.string());
  if (!family) return family.error();
  auto tokenizer = tokenizerOf(*file, path.string());
  if (!tokenizer) return tokenizer.error();
  StoredModel stored = StoredModel::ofGguf(path.string(), std::move(file->tensors));
  if (!adapter.empty())
    if (Status status = applyAdapter(adapter, *family, stored); !status) return status.error();
  return assembled(adapter.empty() ? nameOfGguf(path) : folderName(adapter), *family, std::move(stored),
                   *std::move(tokenizer), path.string(), watch);
}

}  // namespace

bool isModelDirectory(const fs::path& given) {
  const fs::path folder = filesOf(given);
  if (isAdapter(folder) || !loneGguf(folder).empty()) return true;
  if (!isThere(folder / configFile)) return false;
  const auto json = readTextFile(folder / configFile);
  return !json || isModelConfig(*json);
}

Result<ModelDirectory> readModelDirectory(const fs::path& given, const ProgressCallback& watch) {
  const fs::path own = filesOf(given);
  if (const fs::path file = loneGguf(own); !file.empty()) return readLoneGguf(file, "", watch);
  const bool adapts = isAdapter(own);
  const auto base = adapts ? baseOf(own) : own;
  if (!base) return base.error();
  const fs::path folder = filesOf(*base);
  if (const fs::path file = loneGguf(folder); adapts && !file.empty()) return readLoneGguf(file, own, watch);
  std::error_code unreadable;
  if (fs::status(folder / configFile, unreadable).type() == fs::file_type::none)
    return Error{"cannot be read: " + unreadable.message(), folder.string(), "check its permissions"};
  if (const auto snapshots = snapshotsIn(folder); !isThere(folder / configFile) && snapshots.size() > 1) {
    std::string names;
    for (const fs::path& one : snapshots) names += (names.empty() ? "" : ", ") + one.filename().string();
    return Error{"has several snapshots and no refs/main that names one", (folder / "snapshots").string(),
                 "open one of them: " + names};
  }
  if (!isThere(folder / configFile))
    return Error{"is not a model: config.json is missing", folder.string(),
                 ggufIn(folder).size() > 1 ? "it has several GGUF files; open the one that is to be read"
                                           : "give the folder of a model in Hugging Face's layout"};
  const auto json = readTextFile(folder / configFile);
  if (!json) return json.error();
  const auto generation =
      isThere(folder / generationFile) ? readTextFile(folder / generationFile) : std::string();
  if (!generation) return generation.error();
  auto family = readFamilyConfig(*json, (folder / configFile).string(), *generation);
  if (!family) return family.error();
  auto tokenizer = readTokenizer(folder, *family);
  if (!tokenizer) return tokenizer.error();
  auto stored = StoredModel::open(folder);
  if (!stored) return stored.error();
  if (!stored->isGguf()) takeNames(*stored, *family->format);
  if (family->format->prepare && !stored->isGguf())
    if (Status prepared = family->format->prepare(*family, *stored); !prepared) return prepared.error();
  if (adapts)
    if (Status status = applyAdapter(own, *family, *stored); !status) return status.error();
  auto made = assembled(folderName(given), *family, *std::move(stored), *std::move(tokenizer),
                        (folder / configFile).string(), watch);
  if (!made || !isThere(own / cardFile)) return made;
  if (auto card = readTextFile(own / cardFile)) made->card = *std::move(card);
  return made;
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
       {std::pair{cardFile, card}, std::pair{configFile, modelConfigJson(config, textEnds(tokenizer))}})
    if (Status status = writeFile(folder / file, content); !status) return status;
  return success();
}

}  // namespace glassformer
