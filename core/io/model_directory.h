#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/result.h"
#include "core/text/tokenizer.h"
#include "core/watch.h"

namespace glassformer {

/// The model card, in a model's folder.
inline constexpr const char* cardFile = "README.md";

/// A model as Hugging Face lays it out: a folder with config.json of one of modelFormats(), model.safetensors
/// (or several files and their index, or one GGUF file), tokenizer.json and/or vocab.json + merges.txt or
/// vocab.txt, and the model card; or the hub's cache of such a folder, with refs/ and snapshots/; or a LoRA
/// adapter beside its base; or a GGUF file that says the rest itself, given, or alone in a folder.
struct ModelDirectory {
  std::string name;  ///< the folder's
  ModelConfig config;
  Parameters parameters;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::string card;  ///< empty when there is none
  /// Whether there are weights to predict words with. Of an encoder that was made for something else there
  /// are not: its logits compare the final stream with the embeddings, for which nothing was trained.
  bool hasHead = true;
};

/// Tells "not mine" from "mine, but damaged": whether the folder has a config.json that does not name another
/// kind of model. Where this is false, another format may be tried; where it is true, readModelDirectory's
/// error is the answer.
bool isModelDirectory(const std::filesystem::path& folder);

/// Refuses, naming file and field: what is missing, sizes and shapes that contradict each other, NaN or
/// infinity among the weights, a tokenizer with more tokens than the model has, tensors of a layer that have
/// no use. Mask buffers (attn.bias, attn.masked_bias) and tensors of other heads are passed over.
/// The watch counts the parameters; to stop it is an error too.
Result<ModelDirectory> readModelDirectory(const std::filesystem::path& folder,
                                          const ProgressCallback& watch = noProgress);

/// Creates the folder where needed and replaces each file as a whole, config.json last. Byte
/// pairs are written in both forms, other tokenizers as tokenizer.json.
Status writeModelDirectory(const std::filesystem::path& folder, const ModelConfig& config,
                           const Parameters& parameters, const Tokenizer& tokenizer, const std::string& card);

}  // namespace glassformer
