#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/transformer.h"
#include "core/text/tokenizer.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// The label of an entry; its number, where the model has room for tokens that there are not.
inline std::string labelOfEntry(const std::vector<std::string>& vocabulary, int id) {
  const auto i = static_cast<std::size_t>(id);
  return i < vocabulary.size() ? vocabulary[i] : "#" + std::to_string(id);
}

/// What is said of a model without a head, wherever its logits are shown.
inline constexpr const char* noHeadWords =
    "This checkpoint has no head to predict words with: its final states are compared with its embeddings.";

/// The model that is shown, with the workspace's changes, and what is known of it without a text.
struct ShownModel {
  std::string name;                         ///< shown to the user
  std::optional<ModelConfig> config;        ///< nullopt: no model could be opened
  std::optional<ModelConfig> loadedConfig;  ///< without the workspace's changes
  std::vector<std::string> freshWeights;    ///< what these changes made random again, by name
  std::int64_t freshValues = 0;             ///< how many numbers that are
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<const std::vector<std::string>> vocabulary;  ///< label per token id
  std::shared_ptr<const std::vector<std::string>>
      vocabularyBytes;                            ///< what a token adds to a text; "" ends it
  int maskToken = -1;                             ///< the tokenizer's; -1: it has none
  bool hasHead = true;                            ///< see ModelDirectory
  std::shared_ptr<const TensorSet> measurements;  ///< positions.*: of the model alone

  /// The label of a vocabulary entry.
  std::string entryLabel(int id) const { return vocabulary && id >= 0 ? labelOfEntry(*vocabulary, id) : "?"; }
  /// What the tokens add to a text.
  std::string bytesOf(std::span<const int> ids) const {
    std::string bytes;
    for (const int id : ids)
      if (vocabularyBytes && id >= 0 && static_cast<std::size_t>(id) < vocabularyBytes->size())
        bytes += (*vocabularyBytes)[static_cast<std::size_t>(id)];
    return bytes;
  }
  /// Whether it is a trace from elsewhere: nothing can be computed with it.
  bool hasNoWeights() const { return transformer && !transformer->hasWeights(); }
  /// Whether the model writes texts on; one that fills gaps does not.
  bool continues() const { return config && config->stack != Stack::EncoderOnly; }
};

}  // namespace glassformer
