#include "core/train/tasks/translation/sentence_pair.h"

#include <algorithm>

#include "core/train/tasks/translation/english.h"
#include "core/train/tasks/translation/german.h"
#include "core/train/tasks/translation/sentence_draft.h"

namespace glassformer {
namespace {

using namespace translation;

std::vector<std::vector<int>> sourcesOf(const Text& german, const Text& english) {
  std::vector<std::vector<int>> sources(german.words.size());
  for (std::size_t g = 0; g < german.words.size(); ++g)
    for (std::size_t e = 0; e < english.words.size(); ++e)
      if (german.meanings[g] & english.meanings[e]) sources[g].push_back(static_cast<int>(e));
  return sources;
}

int wordOf(const Text& text, Meanings meaning) {
  const auto expresses = [&](Meanings meanings) { return (meanings & meaning) != 0; };
  return static_cast<int>(std::ranges::find_if(text.meanings, expresses) - text.meanings.begin());
}

}  // namespace

std::optional<SentencePair> pairOf(translation::Sentence sentence) {
  constexpr std::size_t fewest = 3, most = 22;
  const auto fits = [](const Text& text) { return text.words.size() >= fewest && text.words.size() <= most; };
  if (!nameMeanings(sentence)) return std::nullopt;
  Text from = english(sentence), to = german(sentence);
  if (!fits(from) || !fits(to)) return std::nullopt;
  SentencePair pair{.english = std::move(from.text), .german = to.text};
  pair.sources = sourcesOf(to, from);
  if (const auto reference = referenceIn(sentence.clause))
    pair.reference = {.it = wordOf(from, reference->it->meaning),
                      .antecedent = wordOf(from, reference->antecedent->meaning),
                      .other = wordOf(from, reference->other->meaning),
                      .pronoun = wordOf(to, reference->it->meaning)};
  pair.englishWords = std::move(from.words);
  pair.germanWords = std::move(to.words);
  pair.mostProbable = std::move(to.text);
  if (sentence.hearsay) {
    sentence.hearsay = &hearsay().front();
    pair.kind = SentenceKind::Hearsay;
    pair.mostProbable = german(sentence).text;
    pair.probability = hearsayShare;
  }
  return pair;
}

}  // namespace glassformer
