#include "core/train/tasks/story_drills.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/train/tasks/stories.h"

namespace glassformer {
namespace {

/// A story's beginning, and where in it the answers stand that are asked for.
struct Drill {
  std::string text;
  std::vector<ByteRange> answers;
};

Drill nextDrill(StoryGenerator& generator, const QuestionKinds& kinds) {
  for (;;) {
    const Story story = generator.next();
    Drill drill;
    for (const StoryQuestion& question : story.questions)
      if (kinds.contains(question.kind))
        drill.answers.push_back({question.prompt.size(), question.prompt.size() + question.answer.size()});
    if (drill.answers.empty()) continue;
    drill.text = story.text.substr(0, drill.answers.back().end) + "." + std::string(Tokenizer::endOfTextName);
    return drill;
  }
}

}  // namespace

StoryDrills::StoryDrills(const Tokenizer& tokenizer, std::uint64_t seed, int positions)
    : tokenizer_(tokenizer), seed_(mix(seed + 1)), positions_(positions) {}

Batch StoryDrills::batch(int step, int sequences, const QuestionKinds& kinds) const {
  Batch batch;
  for (int i = 0; i < sequences; ++i)
    addSequence(static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(sequences) +
                    static_cast<std::uint64_t>(i),
                kinds, batch);
  return batch;
}

void StoryDrills::addSequence(std::uint64_t number, const QuestionKinds& kinds, Batch& batch) const {
  StoryGenerator generator(mix(seed_ + mix(number)), Split::Training);
  const auto length = static_cast<std::size_t>(positions_) + 1;
  std::vector<int> tokens{tokenizer_.endOfText()}, targets{Targets::none};
  while (tokens.size() < length) {
    const Drill drill = nextDrill(generator, kinds);
    for (const auto& token : tokenizer_.encode(drill.text)) {
      const auto begin = static_cast<std::size_t>(token.begin);
      const bool counts = std::ranges::any_of(
          drill.answers, [&](const ByteRange& a) { return begin >= a.begin && begin < a.end; });
      tokens.push_back(token.id);
      targets.push_back(counts ? token.id : Targets::none);
    }
  }
  batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.begin() + positions_);
  batch.targets.insert(batch.targets.end(), targets.begin() + 1, targets.begin() + positions_ + 1);
}

}  // namespace glassformer
