#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/io/formats/model_format.h"

namespace glassformer {

/// The families whose directories can be read, in the order in which people are told of them.
std::span<const ModelFormat* const> modelFormats();

const ModelFormat& gpt2Format();   ///< and everything that is written here
const ModelFormat& llamaFormat();  ///< Llama, Mistral, Qwen2, Qwen3
const ModelFormat& gemmaFormat();
const ModelFormat& gemma2Format();
const ModelFormat& gemma3Format();  ///< its text models
const ModelFormat& bartFormat();
const ModelFormat& marianFormat();
const ModelFormat& t5Format();      ///< T5, mT5
const ModelFormat& neoxFormat();    ///< GPT-NeoX, Pythia
const ModelFormat& gptNeoFormat();  ///< and TinyStories
const ModelFormat& gptjFormat();
const ModelFormat& phiFormat();  ///< Phi-1 to 2
const ModelFormat& optFormat();
const ModelFormat& bertFormat();
const ModelFormat& distilbertFormat();
const ModelFormat& robertaFormat();

/// Whether a config.json is about such a model at all: it is, unless it is a JSON object of another
/// model_type.
bool isModelConfig(std::string_view json);

/// A config.json of any of the families.
struct FamilyConfig {
  const ModelFormat* format = nullptr;
  ModelConfig config;
  int rowsBefore = 0;  ///< see ModelFormat
  /// The tokens that end a text, from eos_token_id; none: the tokenizer's names say.
  std::vector<int> ends = {};
  /// "GPT2ForSequenceClassification": the class that it was saved as, where that has a head for another task
  /// than to predict tokens; empty: it has not.
  std::string otherTask = {};
};
/// `generation`: a generation_config.json beside it; empty: there is none. Refuses, naming the field, what is
/// of no family known here or that the transformer here does not compute.
Result<FamilyConfig> readFamilyConfig(std::string_view json, std::string_view name = "config.json",
                                      std::string_view generation = "");

}  // namespace glassformer
