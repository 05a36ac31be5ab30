#include "core/train/tasks/stories_batches.h"

#include <set>
#include <string>

#include "core/random.h"
#include "core/text/byte_pair_training.h"
#include "core/train/tasks/stories.h"

namespace glassformer {

StoriesBatches::StoriesBatches(const Tokenizer& tokenizer, std::uint64_t seed, int positions, int echoEvery,
                               Split split)
    : tokenizer_(tokenizer),
      seed_(seed),
      positions_(positions),
      echoEvery_(static_cast<std::uint64_t>(echoEvery)),
      split_(split),
      words_(corpusWords(tokenizer)) {}

Batch StoriesBatches::batch(int step, int sequences) const {
  Batch batch;
  for (int i = 0; i < sequences; ++i) {
    const auto tokens = sequence(static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(sequences) +
                                 static_cast<std::uint64_t>(i));
    batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.end() - 1);
    batch.targets.insert(batch.targets.end(), tokens.begin() + 1, tokens.end());
  }
  return batch;
}

std::vector<int> StoriesBatches::sequence(std::uint64_t number) const {
  std::vector<int> tokens = (number + 3) % echoEvery_ == 0 ? echo(number) : stories(number);
  tokens.resize(static_cast<std::size_t>(positions_) + 1);
  return tokens;
}

std::vector<int> StoriesBatches::stories(std::uint64_t number) const {
  StoryGenerator generator(mix(seed_ + mix(number)), split_);
  std::vector<int> tokens;
  if (number % 2 == 0) tokens.push_back(tokenizer_.endOfText());
  while (static_cast<int>(tokens.size()) <= positions_) {
    const auto story = tokenizer_.encodeIds(generator.next().text);
    tokens.insert(tokens.end(), story.begin(), story.end());
  }
  return tokens;
}

std::vector<int> StoriesBatches::echo(std::uint64_t number) const {
  Random random(mix(seed_ + mix(number)));
  const std::size_t period = 8 + static_cast<std::size_t>(random.below(40));
  std::vector<int> tokens;
  while (tokens.size() < period)
    tokens.push_back(words_[static_cast<std::size_t>(random.below(static_cast<int>(words_.size())))]);
  while (static_cast<int>(tokens.size()) <= positions_) tokens.push_back(tokens[tokens.size() - period]);
  return tokens;
}

std::vector<int> corpusWords(const Tokenizer& tokenizer) {
  StoryGenerator generator(1, Split::Training);
  std::set<int> words;
  for (int i = 0; i < 500; ++i)
    for (const int id : tokenizer.encodeIds(generator.next().text))
      if (const std::string& bytes = tokenizer.tokenBytes(id); bytes.size() > 2 && bytes.front() == ' ')
        words.insert(id);
  return {words.begin(), words.end()};
}

BytePairEncoding trainStoriesTokenizer(std::uint64_t seed, int vocabularySize,
                                       const std::vector<std::string_view>& specialNames) {
  StoryGenerator generator(mix(seed), Split::Training);
  std::string corpus;
  for (int i = 0; i < 8000; ++i) corpus += generator.next().text;
  return trainBytePairEncoding(corpus, vocabularySize, specialNames);
}

}  // namespace glassformer
