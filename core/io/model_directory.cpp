#include "core/io/model_directory.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/io/config_file.h"
#include "core/io/files.h"
#include "core/io/safetensors.h"
#include "core/text/tokenizer_files.h"
#include "core/text/tokenizers.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr const char* configFile = "config.json";
constexpr const char* weightsFile = "model.safetensors";
constexpr const char* tokenizerFile = "tokenizer.json";
constexpr const char* vocabFile = "vocab.json";
constexpr const char* mergesFile = "merges.txt";
constexpr const char* prefix = "transformer.";

bool has(const fs::path& folder, const char* file) {
  std::error_code ignored;
  return fs::exists(folder / file, ignored);
}

std::string shapeText(const auto& extents) {
  std::string text;
  for (const auto extent : extents) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

// All exponent bits set: infinity or NaN.
std::optional<std::int64_t> firstNotFinite(const float* values, std::int64_t count) {
  constexpr std::uint32_t exponent = 0x7F800000u;
  for (std::int64_t i = 0; i < count; ++i)
    if ((std::bit_cast<std::uint32_t>(values[i]) & exponent) == exponent) return i;
  return std::nullopt;
}

/// Takes the parameters out of the weights file one after the other.
class ParameterReader {
 public:
  ParameterReader(StoredTensors stored, std::string file)
      : stored_(std::move(stored)), file_(std::move(file)) {}

  Result<Parameters> read(const ModelConfig& config, const Watch& watch) {
    if (Status status = checkLayers(config); !status) return status.error();
    auto specs = parameterSpecs(config);
    std::vector<TensorView> views;
    const auto count = static_cast<int>(specs.size());
    for (const ParameterSpec& spec : specs) {
      if (!watch(static_cast<int>(views.size()), count)) return Error{"reading was cancelled", file_, ""};
      const auto view = take(spec);
      if (!view) return view.error();
      views.push_back(*view);
    }
    watch(count, count);
    const auto owner = std::make_shared<Owner>(Owner{stored_.owner(), std::move(converted_)});
    return Parameters(std::move(specs), std::move(views), owner);
  }

 private:
  struct Owner {
    std::shared_ptr<const void> file;
    std::vector<std::vector<float>> converted;
  };

  static std::string_view withoutPrefix(std::string_view name) {
    return name.starts_with(prefix) ? name.substr(std::string_view(prefix).size()) : name;
  }

  // Weights of layers that the config does not count would be left out silently.
  Status checkLayers(const ModelConfig& config) const {
    for (const StoredTensor& tensor : stored_.tensors()) {
      std::string_view name = withoutPrefix(tensor.name);
      if (!name.starts_with("h.")) continue;
      name.remove_prefix(2);
      int layer = 0;
      const auto parsed = std::from_chars(name.data(), name.data() + name.size(), layer);
      if (parsed.ec == std::errc() && layer >= config.layers)
        return Error{"has weights of layer " + std::to_string(layer) + ", but n_layer is " +
                         std::to_string(config.layers),
                     file_, "config.json and the weights belong to different models"};
    }
    return success();
  }

  Result<TensorView> take(const ParameterSpec& spec) {
    const StoredTensor* tensor = stored_.find(spec.name);
    if (!tensor) tensor = stored_.find(prefix + spec.name);
    if (!tensor) return Error{"the tensor " + spec.name + " is missing", file_, ""};
    const std::string where = file_ + ", tensor " + spec.name;
    if (!tensor->isFloat())
      return Error{"has the type " + tensor->type + "; F32, F16 and BF16 can be read", where, ""};
    if (!std::equal(tensor->shape.begin(), tensor->shape.end(), spec.extent.begin(), spec.extent.end()))
      return Error{
          "has the shape " + shapeText(tensor->shape) + ", config.json asks for " + shapeText(spec.extent),
          where, "config.json and the weights belong to different models"};
    const float* values = tensor->borrowed();
    if (!values) values = converted_.emplace_back(tensor->converted()).data();
    if (const auto index = firstNotFinite(values, tensor->valueCount()))
      return Error{
          "is not finite at index " + indexText(*index, spec.extent) + ": " + std::to_string(values[*index]),
          where, "the training that made it diverged, or the file is damaged"};
    return spec.extent.size() == 1 ? TensorView(values, {spec.extent[0]})
                                   : TensorView(values, {spec.extent[0], spec.extent[1]});
  }

  static std::string indexText(std::int64_t flat, const std::vector<int>& extent) {
    if (extent.size() == 1) return shapeText(std::vector<std::int64_t>{flat});
    return shapeText(std::vector<std::int64_t>{flat / extent[1], flat % extent[1]});
  }

  StoredTensors stored_;
  std::string file_;
  std::vector<std::vector<float>> converted_;  ///< moved, never copied: views point into them
};

Result<Parameters> readParameters(const fs::path& folder, const ModelConfig& config, const Watch& watch) {
  const std::string file = (folder / weightsFile).string();
  if (!has(folder, weightsFile)) {
    const bool sharded = has(folder, "model.safetensors.index.json"),
               pickled = has(folder, "pytorch_model.bin");
    return Error{"is missing", file,
                 sharded   ? "the weights are split over several files; save them as one"
                 : pickled ? "the weights are in PyTorch's own format; save them as safetensors"
                           : ""};
  }
  auto stored = StoredTensors::open(folder / weightsFile);
  if (!stored) return stored.error();
  return ParameterReader(*std::move(stored), file).read(config, watch);
}

using SharedTokenizer = std::shared_ptr<const Tokenizer>;

Result<SharedTokenizer> readTokenizer(const fs::path& folder) {
  const auto name = [&](const char* file) { return (folder / file).string(); };
  if (has(folder, tokenizerFile)) {
    const auto json = readTextFile(folder / tokenizerFile);
    return json ? readTokenizerJson(*json, name(tokenizerFile)) : json.error();
  }
  if (!has(folder, vocabFile) || !has(folder, mergesFile))
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

// GPT-2's older form, which only byte pairs have.
Status writeBytePairs(const fs::path& folder, const Tokenizer& tokenizer) {
  const auto* encoding = dynamic_cast<const BytePairEncoding*>(&tokenizer);
  if (!encoding) return success();
  if (Status status = writeFile(folder / vocabFile, vocabJson(*encoding)); !status) return status;
  return writeFile(folder / mergesFile, mergesText(*encoding));
}

std::string folderName(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
}

Status writeWeights(const fs::path& path, const Parameters& parameters) {
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < parameters.count(); ++i) {
    const std::string& name = parameters.spec(i).name;
    tensors.push_back({name == "lm_head.weight" ? name : prefix + name, parameters.view(i)});
  }
  return writeSafetensors(path, tensors, {{"format", "pt"}});
}

}  // namespace

bool isModelDirectory(const fs::path& folder) {
  if (!has(folder, configFile)) return false;
  const auto json = readTextFile(folder / configFile);
  return !json || isModelConfig(*json);
}

Result<ModelDirectory> readModelDirectory(const fs::path& folder, const Watch& watch) {
  std::error_code unreadable;
  if (fs::status(folder / configFile, unreadable).type() == fs::file_type::none)
    return Error{"cannot be read: " + unreadable.message(), folder.string(), "may you look into it?"};
  if (!has(folder, configFile))
    return Error{"is no model: it has no config.json", folder.string(),
                 "give the folder of a GPT-2 in Hugging Face's layout"};
  const auto json = readTextFile(folder / configFile);
  if (!json) return json.error();
  const auto config = parseModelConfig(*json, (folder / configFile).string());
  if (!config) return config.error();
  auto tokenizer = readTokenizer(folder);
  if (!tokenizer) return tokenizer.error();
  if ((*tokenizer)->vocabularySize() > config->vocabulary)
    return Error{"vocab_size is " + std::to_string(config->vocabulary) + ", but the tokenizer has " +
                     std::to_string((*tokenizer)->vocabularySize()) + " tokens",
                 (folder / configFile).string(), "the tokenizer belongs to another model"};
  auto parameters = readParameters(folder, *config, watch);
  if (!parameters) return parameters.error();
  const auto card =
      has(folder, cardFile) ? readTextFile(folder / cardFile) : Result<std::string>(std::string());
  return ModelDirectory{folderName(folder), *config, *std::move(parameters), *std::move(tokenizer),
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
