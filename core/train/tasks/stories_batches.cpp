#include "core/train/tasks/stories_batches.h"

#include <algorithm>
#include <string>

#include "core/random.h"
#include "core/text/byte_pair_training.h"
#include "core/train/tasks/stories.h"

namespace glassformer {

Batch StoriesBatches::batch(int step) const {
  Batch batch;
  for (int i = 0; i < sequences_; ++i) {
    const auto tokens = sequence(static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(sequences_) +
                                 static_cast<std::uint64_t>(i));
    batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.end() - 1);
    batch.targets.insert(batch.targets.end(), tokens.begin() + 1, tokens.end());
  }
  return batch;
}

std::vector<int> StoriesBatches::sequence(std::uint64_t number) const {
  StoryGenerator generator(mix(seed_ + mix(number)), Split::Training);
  const auto length = static_cast<std::size_t>(positions_) + 1;
  std::vector<int> tokens;
  if (number % 2 == 0) tokens.push_back(tokenizer_.endOfText());
  while (tokens.size() < length) {
    const auto story = tokenizer_.encodeIds(generator.next().text);
    tokens.insert(tokens.end(), story.begin(), story.end());
  }
  tokens.resize(length);
  return tokens;
}

BytePairEncoding trainStoriesTokenizer(std::uint64_t seed, int vocabularySize) {
  StoryGenerator generator(mix(seed), Split::Training);
  std::string corpus;
  for (int i = 0; i < 8000; ++i) corpus += generator.next().text;
  return trainBytePairEncoding(corpus, vocabularySize);
}

}  // namespace glassformer
