#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/need.h"
#include "core/text/byte_pair_training.h"

namespace glassformer {

/// What is learned from the texts of all tabs, sources included, while a picture looks at it: the merges of
/// byte-pair encoding, one after the other, as often as there is more to see; and all their words, the most
/// frequent first. Snapshot's tokenizers are these two, in this order. Anew when a text changes.
class LearnedTokenizers final : public BackgroundJob {
 public:
  static constexpr const char* doing = "learning merges from the texts";
  static constexpr int mostMerges = 2000;

  explicit LearnedTokenizers(int /*threads*/) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  void publish();

  std::string corpus_;  // what it is learned from
  std::unique_ptr<BytePairLearning> learning_;
  bool isDone_ = false;
  std::vector<NamedTokenizer> tokenizers_;
};

/// A vocabulary of all words of a text, the most frequent first, of equals the one that comes first in the
/// alphabet; then `<unk>`.
std::shared_ptr<const Tokenizer> wordsByFrequency(std::string_view text);

}  // namespace glassformer
