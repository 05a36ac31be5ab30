#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/job.h"
#include "core/text/byte_pair_training.h"

namespace glassformer {

/// Two tokenizers that are learned from a corpus: byte-pair encoding, merge by merge, shown as often as there
/// is more to see; then all words, the most frequent first.
class TokenizersOfCorpus {
 public:
  TokenizersOfCorpus(const std::string& corpus, const JobSide& side, int threads);
  bool goOn(const StartJob& begin, const std::function<void()>& more);
  JobResult result() const { return {.tokenizers = tokenizers_}; }

 private:
  void publish();

  BytePairLearning learning_;
  bool isDone_ = false;
  std::vector<NamedTokenizer> tokenizers_;
};

/// These of the texts of all tabs, sources included, while a picture looks at them.
class LearnedTokenizers final : public JobOfState<std::string, TokenizersOfCorpus> {
 public:
  static constexpr const char* doing = "learning merges from the texts";
  static constexpr int mostMerges = 2000;

  using JobOfState::JobOfState;

 private:
  std::optional<std::string> key(const JobSide& side) const override;
};

/// A vocabulary of all words of a text, the most frequent first, of equals the one that comes first in the
/// alphabet; then `<unk>`.
std::shared_ptr<const Tokenizer> wordsByFrequency(std::string_view text);

}  // namespace glassformer
