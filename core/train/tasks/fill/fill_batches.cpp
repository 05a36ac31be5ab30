#include "core/train/tasks/fill/fill_batches.h"

#include "core/random.h"
#include "core/tensor/operations/loss.h"
#include "core/train/tasks/fill/masked_words.h"

namespace glassformer {

FillBatches::FillBatches(const Tokenizer& tokenizer, std::uint64_t seed, int positions, Split split)
    : tokenizer_(tokenizer),
      stories_(tokenizer, seed, positions, echoEvery, split),
      seed_(seed),
      positions_(positions),
      words_(corpusWords(tokenizer)) {}

Batch FillBatches::batch(int step, int sequences) const {
  Batch batch{stories_.batch(step, sequences).tokens, {}};
  batch.targets.assign(batch.tokens.size(), Targets::none);
  Random random(mix(mix(seed_) ^ mix(static_cast<std::uint64_t>(step))));
  const auto T = static_cast<std::size_t>(positions_);
  for (std::size_t row = 0; row < batch.tokens.size(); row += T) {
    const std::span<int> tokens(&batch.tokens[row], T), targets(&batch.targets[row], T);
    const double share = leastShare + (mostShare - leastShare) * random.uniform01();
    for (const TokenRange& word : wordsOf(tokenizer_, tokens)) {
      if (random.uniform01() >= share) continue;
      const double fate = random.uniform01();
      for (auto t = static_cast<std::size_t>(word.begin); t < static_cast<std::size_t>(word.end); ++t) {
        targets[t] = tokens[t];
        if (fate < masked)
          tokens[t] = tokenizer_.mask();
        else if (fate < masked + replaced)
          tokens[t] = words_[static_cast<std::size_t>(random.below(static_cast<int>(words_.size())))];
      }
    }
  }
  return batch;
}

BytePairEncoding trainFillTokenizer(std::uint64_t seed, int vocabularySize) {
  return trainStoriesTokenizer(seed, vocabularySize, {Tokenizer::endOfTextName, Tokenizer::maskName});
}

}  // namespace glassformer
