#include "core/train/tasks/translation/translation_batches.h"

#include <string>

#include "core/random.h"
#include "core/tensor/operations/loss.h"
#include "core/text/byte_pair_training.h"
#include "core/train/tasks/translation/translations.h"

namespace glassformer {
namespace {

std::string sampleText(std::uint64_t seed, int pairs) {
  TranslationGenerator generator(mix(seed), Split::Training);
  std::string corpus;
  for (int i = 0; i < pairs; ++i) {
    const SentencePair pair = generator.next();
    for (const std::string* text : {&pair.english, &pair.german})
      corpus.append(*text).append(Tokenizer::endOfTextName);
  }
  return corpus;
}

}  // namespace

TranslationBatches::TranslationBatches(const Tokenizer& tokenizer, std::uint64_t seed, int sourcePositions,
                                       int targetPositions, Split split)
    : tokenizer_(tokenizer),
      pieces_(tokenizer, sampleText(seed, 4000)),
      seed_(seed),
      sourcePositions_(sourcePositions),
      targetPositions_(targetPositions),
      split_(split) {}

Batch TranslationBatches::batch(int step, int sequences) const {
  Batch batch;
  for (int i = 0; i < sequences; ++i)
    add(static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(sequences) +
            static_cast<std::uint64_t>(i),
        batch);
  return batch;
}

void TranslationBatches::add(std::uint64_t number, Batch& batch) const {
  const auto S = static_cast<std::size_t>(sourcePositions_), T = static_cast<std::size_t>(targetPositions_);
  TranslationGenerator generator(mix(seed_ + mix(number)), split_);
  std::vector<int> source, target;
  do {
    const SentencePair pair = generator.next();
    source = pieces_.encodeIds(pair.english);
    target = pieces_.encodeIds(pair.german);
  } while (source.size() > S || target.size() >= T);
  const std::size_t rows = batch.sourceLengths.size() + 1;
  const int end = tokenizer_.endOfText();
  batch.sourceLengths.push_back(static_cast<int>(source.size()));
  const auto append = [&](std::vector<int>& to, const std::vector<int>& from, std::size_t width,
                          int filling) {
    to.insert(to.end(), from.begin(), from.end());
    to.resize(rows * width, filling);
  };
  append(batch.source, source, S, end);
  batch.tokens.push_back(end);
  append(batch.tokens, target, T, end);
  target.push_back(end);
  append(batch.targets, target, T, Targets::none);
}

BytePairEncoding trainTranslationTokenizer(std::uint64_t seed, int vocabularySize) {
  return trainBytePairEncoding(sampleText(seed, 20000), vocabularySize);
}

}  // namespace glassformer
