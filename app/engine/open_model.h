#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/model_changes.h"
#include "app/document/tab_text.h"
#include "app/engine/loaded_model.h"
#include "app/engine/shown_model.h"
#include "app/engine/shown_pass.h"

namespace glassformer {

class SearchedTexts;

/// The model that is open, and what is known of it without a text.
struct OpenModel {
  std::string asked;                          ///< what the Workspace called it
  std::shared_ptr<const Transformer> loaded;  ///< as it was opened
  std::shared_ptr<const ShownModel> shown;    ///< with the changes
  std::shared_ptr<const TrainingTask> task;   ///< see LoadedModel
  TrainingOrigin origin;
  std::vector<std::string> shipped;               ///< see LoadedModel
  std::shared_ptr<const RecordedTrace> recorded;  ///< see LoadedModel
  ModelChanges changes;
  std::shared_ptr<const SearchedTexts> texts = nullptr;  ///< read last: see textsRead()

  const ModelConfig& config() const { return *shown->config; }
  /// Makes `shown` from what was loaded. Where the config cannot be so, everything stays.
  Status change(const ModelChanges& wanted, const ProgressCallback& watch = noProgress);
  /// A text and its source, cut into tokens between the signs that `reader` has around texts, and the words
  /// of the stream in which they are shown; not yet read.
  ShownPass encode(const ModelConfig& reader, const TabText& writing, std::optional<Stream> wordsShown) const;
};

/// The tokens that such a model has learned texts behind: the tokenizer's own; what writes from a source, or
/// fills gaps, begins with the end of a text, or with the one or two that its config names. None: texts begin
/// with themselves.
std::vector<int> leadingSpecialTokens(const Tokenizer& tokenizer, const ModelConfig& config);
/// The tokens that such a model has learned whole texts in front of; none where texts go on.
std::vector<int> closeSigns(const Tokenizer& tokenizer, const ModelConfig& config);
/// The ids of a source as a model reads it, between the tokenizer's signs where it has some; none of nothing.
std::vector<int> sourceIds(const Tokenizer& tokenizer, const std::string& source);
/// What stands around a text that the model reads: nobody wrote them, and they stay where they are.
struct SignCounts {
  int before = 0, behind = 0;
};
SignCounts signsAround(const Tokenizer& tokenizer, const ModelConfig& config);

/// The ids of tokens, as many as the context of such a model takes.
std::vector<int> tokensRead(const ModelConfig& config, const std::vector<TokenPiece>& tokens);

/// What is known of a model that was loaded.
OpenModel openModel(std::string asked, LoadedModel loaded);
Result<OpenModel> openModel(const ModelLoader& loader, const std::string& name,
                            const ProgressCallback& watch);

}  // namespace glassformer
