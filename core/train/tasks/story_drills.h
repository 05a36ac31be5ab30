#pragma once
#include <cstdint>
#include <set>

#include "core/text/tokenizer.h"
#include "core/train/tasks/story.h"
#include "core/train/trainer.h"

namespace glassformer {

using QuestionKinds = std::set<QuestionKind>;

/// Batches that train answers alone: stories that ask one of these questions, each up to its last answer, one
/// after the other, where only the answers' tokens count in the loss. Batch `step` depends on the seed, the
/// step, the kinds and its size alone; stories are of the training split.
class StoryDrills {
 public:
  StoryDrills(const Tokenizer& tokenizer, std::uint64_t seed, int positions);

  Batch batch(int step, int sequences, const QuestionKinds& kinds) const;

 private:
  void addSequence(std::uint64_t number, const QuestionKinds& kinds, Batch& batch) const;

  const Tokenizer& tokenizer_;
  std::uint64_t seed_;
  int positions_;
};

}  // namespace glassformer
