#include "core/train/held_out_texts.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/random.h"
#include "core/tensor/operations/loss.h"

namespace glassformer {
namespace {

std::vector<int> rowOf(const std::vector<int>& tokens, int row, int width, int length) {
  const auto begin = tokens.begin() + std::ptrdiff_t{row} * width;
  return {begin, begin + length};
}

// Which tokens behind the first the loss of a row is taken over; empty where it is all of them. What fills
// gaps predicts no token that comes next.
std::vector<bool> countedIn(const TrainingTask& task, const Batch& batch, int row, std::size_t length) {
  if (task.recipe().config.stack == Stack::EncoderOnly) return {};
  const auto begin = batch.targets.begin() + std::ptrdiff_t{row} * task.recipe().options.positions;
  std::vector<bool> counted(length - 1);
  for (std::size_t t = 0; t + 1 < length; ++t)
    counted[t] = begin[static_cast<std::ptrdiff_t>(t)] != Targets::none;
  const auto all = std::ranges::count(counted, true);
  return all == 0 || all == std::ssize(counted) ? std::vector<bool>{} : counted;
}

std::vector<int> wordsIn(const std::vector<TokenText>& texts, const Tokenizer& tokenizer) {
  std::set<int> words;
  for (const TokenText& text : texts) words.insert(text.tokens.begin(), text.tokens.end());
  std::erase_if(words, [&](int id) { return tokenizer.isSpecial(id); });
  return {words.begin(), words.end()};
}

}  // namespace

std::vector<TokenText> heldOutTexts(const TrainingTask& task, std::uint64_t seed, int count) {
  const TrainingOptions& options = task.recipe().options;
  const int filling = task.tokenizer().endOfText();
  Random random(seed);
  std::vector<TokenText> texts;
  while (static_cast<int>(texts.size()) < count) {
    const Batch batch = task.heldOut(random.below(std::numeric_limits<int>::max()));
    for (int row = 0; row < options.sequences && static_cast<int>(texts.size()) < count; ++row) {
      TokenText text{rowOf(batch.tokens, row, options.positions, options.positions), {}};
      while (text.tokens.size() > 1 && text.tokens.back() == filling) text.tokens.pop_back();
      if (!batch.sourceLengths.empty())
        text.source = rowOf(batch.source, row, options.sourcePositions,
                            batch.sourceLengths[static_cast<std::size_t>(row)]);
      text.counted = countedIn(task, batch, row, text.tokens.size());
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

std::vector<TokenText> repeatedTexts(const std::vector<TokenText>& texts, const Tokenizer& tokenizer,
                                     int context, std::uint64_t seed) {
  const std::vector<int> words = wordsIn(texts, tokenizer);
  Random random(seed);
  std::vector<TokenText> repeated;
  for (const TokenText& text : texts) {
    TokenText twice{{}, text.source};
    const int period = std::min(12 + random.below(19), (context - 1) / 2);
    for (int i = 0; i < period; ++i)
      twice.tokens.push_back(words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))]);
    const std::vector<int> once = twice.tokens;
    twice.tokens.insert(twice.tokens.end(), once.begin(), once.end());
    if (tokenizer.endOfText() >= 0) twice.tokens.insert(twice.tokens.begin(), tokenizer.endOfText());
    twice.counted.assign(twice.tokens.size() - 1, false);
    std::fill_n(twice.counted.rbegin(), period - 1, true);
    repeated.push_back(std::move(twice));
  }
  return repeated;
}

}  // namespace glassformer
