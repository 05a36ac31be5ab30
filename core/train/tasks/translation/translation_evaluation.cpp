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

template <typename Wanted>
std::vector<SentencePair> heldOutWhere(std::uint64_t seed, int count, Wanted wanted) {
  TranslationGenerator generator(mix(seed), Split::HeldOut);
  std::vector<SentencePair> pairs;
  while (static_cast<int>(pairs.size()) < count)
    if (SentencePair pair = generator.next(); wanted(pair)) pairs.push_back(std::move(pair));
  return pairs;
}

// The tokens that lie in a word.
std::vector<int> tokensOf(const Tokenization& tokens, const ByteRange& word) {
  std::vector<int> found;
  for (std::size_t t = 0; t < tokens.size(); ++t)
    if (overlap(tokens[t], word)) found.push_back(static_cast<int>(t));
  return found;
}

// "es" of "..., weil es zu müde war."
std::string_view subjectOfLastClause(std::string_view german) {
  const std::size_t comma = german.rfind(", ");
  if (comma == std::string_view::npos) return {};
  const std::size_t space = german.find(' ', comma + 2);
  if (space == std::string_view::npos) return {};
  return german.substr(space + 1, german.find(' ', space + 1) - space - 1);
}

}  // namespace

std::vector<SentencePair> heldOutPairs(std::uint64_t seed, int count, std::optional<SentenceKind> kind) {
  return heldOutWhere(seed, count, [&](const SentencePair& pair) { return !kind || pair.kind == *kind; });
}

std::vector<SentencePair> heldOutReferences(std::uint64_t seed, int count) {
  return heldOutWhere(seed, count,
                      [](const SentencePair& pair) { return pair.reference && pair.reference->heldOut; });
}

TranslationExactness::Share TranslationExactness::all() const {
  Share sum;
  for (const auto& [kind, share] : byKind) sum.sentences += share.sentences, sum.exact += share.exact;
  return sum;
}

TranslationExactness measureExactness(const Translate& translate, const Tokenizer& tokenizer,
                                      std::span<const SentencePair> pairs, const ProgressCallback& watch) {
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
                                    const ProgressCallback& watch) {
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

PronounAgreement measurePronouns(const Translate& translate, const Tokenizer& tokenizer,
                                 std::span<const SentencePair> pairs, const ProgressCallback& watch) {
  PronounAgreement result;
  const auto total = static_cast<int>(pairs.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const SentencePair& pair = pairs[static_cast<std::size_t>(i)];
    const std::string translated = tokenizer.decode(translate(tokenizer.encodeIds(pair.english)));
    ++result.sentences;
    result.right += subjectOfLastClause(translated) == subjectOfLastClause(pair.german);
  }
  return result;
}

std::vector<ReferenceHead> measureReferenceHeads(const EncoderAttention& attention,
                                                 const Tokenizer& tokenizer,
                                                 std::span<const SentencePair> pairs,
                                                 const ProgressCallback& watch) {
  std::vector<ReferenceHead> heads;
  const auto total = static_cast<int>(pairs.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const SentencePair& pair = pairs[static_cast<std::size_t>(i)];
    const Tokenization english = tokenizer.encode(pair.english);
    const auto word = [&](int index) {
      return tokensOf(english, pair.englishWords[static_cast<std::size_t>(index)]);
    };
    const int it = word(pair.reference->it).back();
    const auto antecedent = word(pair.reference->antecedent);
    const std::vector<Tensor> layers = attention(tokenizer.encodeIds(pair.english));
    std::size_t number = 0;
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
      for (int head = 0; head < layers[layer].view().extent[0]; ++head, ++number) {
        if (number == heads.size()) heads.push_back({.layer = static_cast<int>(layer), .head = head});
        float weight = 0;
        for (const int token : antecedent) weight += layers[layer](head, it, token);
        ++heads[number].sentences;
        heads[number].resolved += weight >= 0.5f;
        heads[number].weight += weight;
      }
  }
  return heads;
}

}  // namespace glassformer
