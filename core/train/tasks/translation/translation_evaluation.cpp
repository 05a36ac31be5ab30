#include "core/train/tasks/translation/translation_evaluation.h"

#include <algorithm>
#include <cassert>

#include "core/random.h"
#include "core/train/tasks/translation/translations.h"

namespace glassformer {
namespace {

bool overlap(const Token& token, const ByteRange& word) {
  return static_cast<std::size_t>(token.begin)<word.end&& static_cast<std::size_t>(token.end)> word.begin;
}

int mostAttended(const Tensor& attention, int row, int sources) {
  int best = 0;
  for (int s = 1; s < sources; ++s)
    if (attention(row, s) > attention(row, best)) best = s;
  return best;
}

}  // namespace

std::vector<SentencePair> heldOutPairs(std::uint64_t seed, int count, std::optional<SentenceKind> kind) {
  TranslationGenerator generator(mix(seed), Split::HeldOut);
  std::vector<SentencePair> pairs;
  while (static_cast<int>(pairs.size()) < count)
    if (SentencePair pair = generator.next(); !kind || pair.kind == *kind) pairs.push_back(std::move(pair));
  return pairs;
}

TranslationExactness::Share TranslationExactness::all() const {
  Share sum;
  for (const auto& [kind, share] : byKind) sum.sentences += share.sentences, sum.exact += share.exact;
  return sum;
}

TranslationExactness measureExactness(const Translate& translate, const Tokenizer& tokenizer,
                                      std::span<const SentencePair> pairs, const Watch& watch) {
  TranslationExactness result;
  const auto total = static_cast<int>(pairs.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const SentencePair& pair = pairs[static_cast<std::size_t>(i)];
    const std::string translated = tokenizer.decode(translate(tokenizer.encodeIds(pair.english)));
    TranslationExactness::Share& share = result.byKind[pair.kind];
    ++share.sentences;
    if (translated == pair.mostProbable)
      ++share.exact;
    else
      result.misses.push_back({pair.english, pair.mostProbable, translated});
  }
  return result;
}

std::vector<std::vector<int>> alignedTokens(const SentencePair& pair, const Tokenizer& tokenizer) {
  const Tokenization english = tokenizer.encode(pair.english), german = tokenizer.encode(pair.german);
  std::vector<std::vector<int>> aligned(german.size());
  for (std::size_t g = 0; g < german.size(); ++g)
    for (std::size_t word = 0; word < pair.germanWords.size(); ++word) {
      if (!overlap(german[g], pair.germanWords[word])) continue;
      for (std::size_t e = 0; e < english.size(); ++e)
        if (std::ranges::any_of(pair.sources[word], [&](int source) {
              return overlap(english[e], pair.englishWords[static_cast<std::size_t>(source)]);
            }))
          aligned[g].push_back(static_cast<int>(e));
    }
  return aligned;
}

AlignmentAgreement measureAlignment(const CrossAttention& attention, AlignmentRow row,
                                    const Tokenizer& tokenizer, std::span<const SentencePair> pairs,
                                    const Watch& watch) {
  AlignmentAgreement result;
  const auto total = static_cast<int>(pairs.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const SentencePair& pair = pairs[static_cast<std::size_t>(i)];
    const std::vector<int> source = tokenizer.encodeIds(pair.english);
    std::vector<int> tokens = tokenizer.encodeIds(pair.german);
    tokens.insert(tokens.begin(), tokenizer.endOfText());
    const Tensor weights = attention(source, tokens);
    const auto aligned = alignedTokens(pair, tokenizer);
    for (std::size_t g = 0; g < aligned.size(); ++g) {
      if (aligned[g].empty()) continue;
      const int at = static_cast<int>(g) + (row == AlignmentRow::Reading ? 1 : 0);
      const int most = mostAttended(weights, at, static_cast<int>(source.size()));
      ++result.tokens;
      result.right += std::ranges::find(aligned[g], most) != aligned[g].end();
    }
  }
  return result;
}

}  // namespace glassformer
