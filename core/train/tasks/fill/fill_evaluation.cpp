#include "core/train/tasks/fill/fill_evaluation.h"

#include <cassert>
#include <cmath>
#include <string>

#include "core/train/tasks/story_likelihood.h"

namespace glassformer {

FillAccuracy measureFilling(const FillIn& fill, std::span<const MaskedWord> words,
                            const ProgressCallback& watch) {
  FillAccuracy accuracy;
  const auto total = static_cast<int>(words.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const MaskedWord& word = words[static_cast<std::size_t>(i)];
    const std::vector<int> predicted = fill(word.tokens);
    assert(predicted.size() == 1);
    ++accuracy.words;
    accuracy.right += predicted.front() == word.answer;
  }
  return accuracy;
}

BestGuess bestGuess(const Tokenizer& tokenizer, const MaskedWord& word) {
  const std::string_view text = word.text;
  const std::string_view before = text.substr(0, word.word.begin), after = text.substr(word.word.end);
  BestGuess best;
  double sum = 0;
  for (const GapWord& gap : gapWords(before, after)) {
    const std::vector<int> tokens = tokenizer.encodeIds((before.ends_with(' ') ? " " : "") + gap.word);
    if (tokens.size() != 1) continue;
    const double probability = std::exp(gap.logProbability);
    if (sum == 0) best = {tokens.front(), probability};
    sum += probability;
  }
  assert(sum > 0 && "the word that was there fits");
  best.probability /= sum;
  return best;
}

BestFilling measureBestFilling(const Tokenizer& tokenizer, std::span<const MaskedWord> words,
                               const ProgressCallback& watch) {
  BestFilling best;
  const auto total = static_cast<int>(words.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const MaskedWord& word = words[static_cast<std::size_t>(i)];
    const BestGuess guess = bestGuess(tokenizer, word);
    ++best.accuracy.words;
    best.accuracy.right += guess.token == word.answer;
    best.expected += guess.probability / static_cast<double>(words.size());
  }
  return best;
}

}  // namespace glassformer
