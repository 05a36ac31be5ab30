#include "core/train/tasks/translation/translations.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <map>
#include <set>

#include "core/train/tasks/translation/clause.h"

using namespace glassformer;
using Catch::Approx;

namespace {

std::vector<SentencePair> pairs(std::uint64_t seed, Split split, int count) {
  TranslationGenerator generator(seed, split);
  std::vector<SentencePair> result;
  for (int i = 0; i < count; ++i) result.push_back(generator.next());
  return result;
}

std::string at(const std::string& text, ByteRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

// Adjectives and nouns that stand beside each other, read off the English text.
std::set<std::string> adjectivesWithNouns(const std::vector<SentencePair>& all) {
  std::set<std::string> adjectives, found;
  std::map<std::string, std::string> nouns;
  for (const auto& a : translation::adjectives()) adjectives.emplace(a.english);
  for (const auto& n : translation::nouns())
    nouns[std::string(n.english)] = nouns[std::string(n.englishPlural)] = n.english;
  for (const SentencePair& pair : all)
    for (std::size_t i = 0; i + 1 < pair.englishWords.size(); ++i) {
      if (pair.english[pair.englishWords[i].end] != ' ') continue;
      const std::string adjective = at(pair.english, pair.englishWords[i]);
      const auto noun = nouns.find(at(pair.english, pair.englishWords[i + 1]));
      if (adjectives.contains(adjective) && noun != nouns.end())
        found.insert("adjective|" + adjective + "|" + noun->second);
    }
  return found;
}

std::set<std::string> wordsOf(const std::vector<SentencePair>& all) {
  std::set<std::string> words;
  for (const SentencePair& pair : all) {
    for (const ByteRange& word : pair.englishWords) words.insert("e " + at(pair.english, word));
    for (const ByteRange& word : pair.germanWords) words.insert("g " + at(pair.german, word));
  }
  return words;
}

}  // namespace

TEST_CASE(
    "the same seed gives the same sentences, another seed others, and a generator goes on from its state") {
  const auto first = pairs(5, Split::Training, 50), again = pairs(5, Split::Training, 50);
  const auto other = pairs(6, Split::Training, 50);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].english == again[i].english);
    CHECK(first[i].german == again[i].german);
  }
  CHECK(first[0].english + first[1].english != other[0].english + other[1].english);
  TranslationGenerator generator(5, Split::Training);
  for (int i = 0; i < 7; ++i) generator.next();
  TranslationGenerator resumed(generator.state(), Split::Training);
  for (int i = 0; i < 20; ++i) CHECK(resumed.next().german == generator.next().german);
}

TEST_CASE("an English sentence has one most probable translation", "[accuracy]") {
  std::map<std::string, std::string> translations;
  for (const Split split : {Split::Training, Split::HeldOut})
    for (const SentencePair& pair : pairs(11, split, 150000)) {
      const auto [entry, isNew] = translations.try_emplace(pair.english, pair.mostProbable);
      INFO(pair.english);
      if (!isNew) REQUIRE(entry->second == pair.mostProbable);
    }
  CHECK(translations.size() > 250000);
}

TEST_CASE("training never shows a held-out combination, held-out sentences always have one", "[corpus]") {
  const auto training = pairs(1, Split::Training, 60000), heldOut = pairs(2, Split::HeldOut, 5000);
  const auto shown = adjectivesWithNouns(training), kept = adjectivesWithNouns(heldOut);
  CHECK(shown.size() > 300);
  for (const std::string& combination : shown) {
    INFO(combination);
    CHECK_FALSE(isHeldOut(combination));
  }
  CHECK(std::ranges::any_of(kept, isHeldOut));
  for (const SentencePair& pair : training) REQUIRE_FALSE(pair.heldOut);
  for (const SentencePair& pair : heldOut) REQUIRE(pair.heldOut);
}

TEST_CASE("of two things, what is said of it fits the one that it stands for, and not the other",
          "[corpus]") {
  const auto word = [](const std::string& text, ByteRange range) { return at(text, range); };
  const auto nounOf = [](const std::string& english) {
    return *std::ranges::find(translation::nouns(), english, &translation::Noun::english);
  };
  const std::map<translation::Gender, std::string> pronouns{{translation::Gender::Masculine, "er"},
                                                            {translation::Gender::Feminine, "sie"},
                                                            {translation::Gender::Neuter, "es"}};
  std::set<std::string> questions;
  std::map<std::string, int> said;
  for (const SentencePair& pair : pairs(8, Split::Training, 40000)) {
    if (!pair.reference) continue;
    INFO(pair.english << " " << pair.german);
    const auto english = [&](int i) { return word(pair.english, pair.englishWords[std::size_t(i)]); };
    const std::string reason = english(static_cast<int>(pair.englishWords.size()) - 1);
    const translation::Noun meant = nounOf(english(pair.reference->antecedent)),
                            other = nounOf(english(pair.reference->other));
    const auto adjective =
        std::ranges::find(translation::adjectives(), reason, &translation::Adjective::english);
    REQUIRE(adjective != translation::adjectives().end());
    REQUIRE((adjective->sorts & meant.sorts) != 0);
    REQUIRE((adjective->sorts & other.sorts) == 0);
    REQUIRE(meant.gender != other.gender);
    REQUIRE(english(pair.reference->it) == "it");
    const std::string pronoun =
        word(pair.german, pair.germanWords[static_cast<std::size_t>(pair.reference->pronoun)]);
    REQUIRE(pronoun == pronouns.at(meant.gender));
    REQUIRE_FALSE(pair.reference->heldOut);
    ++said[pronoun];
    questions.insert("it|" + std::string(meant.english) + "|" + std::string(other.english) + "|" + reason);
  }
  CHECK(questions.size() > 200);
  for (const std::string& question : questions) CHECK_FALSE(isHeldOut(question));
  for (const auto& [gender, pronoun] : pronouns) CHECK(said[pronoun] > 800);
}

TEST_CASE("training shows every word that a held-out sentence can have, or a shorter form of it",
          "[corpus]") {
  const auto shown = wordsOf(pairs(1, Split::Training, 150000)),
             kept = wordsOf(pairs(2, Split::HeldOut, 30000));
  int unseen = 0;
  for (const std::string& word : kept) {
    if (shown.contains(word)) continue;
    ++unseen;
    INFO(word);
    // "g breites" where "breit" is shown, "e Rivers" where "rivers" is.
    std::string form = word;
    form[2] = static_cast<char>(std::tolower(static_cast<unsigned char>(form[2])));
    const auto cut = [&](std::size_t ending) { return form.substr(0, form.size() - ending); };
    CHECK((shown.contains(cut(0)) || shown.contains(cut(1)) || shown.contains(cut(2))));
  }
  CHECK(unseen < 10);
  CHECK(shown.size() > 900);
  CHECK(shown.size() < 1600);
}

TEST_CASE("sentences are 3 to 22 words long and words cover the text but for signs", "[corpus]") {
  std::map<std::size_t, int> lengths;
  for (const SentencePair& pair : pairs(3, Split::Training, 20000)) {
    for (const auto& [text, words] :
         {std::pair{&pair.english, &pair.englishWords}, {&pair.german, &pair.germanWords}}) {
      INFO(*text);
      REQUIRE((text->back() == '.' || text->back() == '?'));
      REQUIRE(words->size() >= 3);
      REQUIRE(words->size() <= 22);
      ++lengths[words->size()];
      std::size_t end = 0;
      for (const ByteRange& word : *words) {
        REQUIRE(word.begin < word.end);
        const std::string between = text->substr(end, word.begin - end);
        REQUIRE((between == (end == 0 ? "" : " ") || between == ", "));
        REQUIRE(at(*text, word).find_first_of(" ,.?|") == std::string::npos);
        end = word.end;
      }
      REQUIRE(end + 1 == text->size());
    }
    REQUIRE(pair.sources.size() == pair.germanWords.size());
  }
  CHECK(lengths.size() == 20);
}

TEST_CASE("most words stem from something, and the words of a name from each other") {
  int words = 0, without = 0, names = 0;
  std::set<std::string> withoutSource;
  for (const SentencePair& pair : pairs(4, Split::Training, 20000))
    for (std::size_t g = 0; g < pair.germanWords.size(); ++g) {
      const std::string word = at(pair.german, pair.germanWords[g]);
      ++words;
      without += pair.sources[g].empty();
      if (pair.sources[g].empty()) withoutSource.insert(word);
      REQUIRE(std::ranges::is_sorted(pair.sources[g]));
      for (const int source : pair.sources[g]) REQUIRE(source < static_cast<int>(pair.englishWords.size()));
      if (word != "Anna") continue;
      ++names;
      REQUIRE(pair.sources[g].size() == 1);
      REQUIRE(at(pair.english, pair.englishWords[static_cast<std::size_t>(pair.sources[g][0])]) == "Anna");
    }
  CHECK(names > 1000);
  INFO(without << " of " << words);
  for (const std::string& word : withoutSource) UNSCOPED_INFO(word);
  CHECK(without == 0);
}

TEST_CASE("one kind in fifty has several translations: greedy search takes the wrong first word",
          "[corpus]") {
  std::map<std::string, int> wordings;
  int hearsay = 0;
  const auto all = pairs(9, Split::Training, 100000);
  for (const SentencePair& pair : all) {
    const bool several = pair.english.starts_with("People say that ");
    REQUIRE(several == (pair.kind == SentenceKind::Hearsay));
    if (!several) {
      REQUIRE(pair.mostProbable == pair.german);
      REQUIRE(pair.probability == 1);
      continue;
    }
    ++hearsay;
    ++wordings[pair.german.substr(0, pair.german.find(','))];
    REQUIRE(pair.mostProbable.starts_with("Man sagt, dass "));
    REQUIRE(pair.mostProbable.substr(pair.mostProbable.find(',')) ==
            pair.german.substr(pair.german.find(',')));
    REQUIRE(pair.probability == Approx(0.4));
  }
  CHECK(hearsay > 1000);
  CHECK(hearsay < 3000);
  CHECK(wordings.size() == 6);
  int peopleFirst = 0;
  for (const auto& [wording, count] : wordings) {
    const double share = static_cast<double>(count) / hearsay;
    INFO(wording << " " << share);
    if (wording == "Man sagt") {
      CHECK(share == Approx(0.4).margin(0.04));
    } else {
      CHECK(wording.starts_with("Die Leute "));
      CHECK(share < 0.15);
      peopleFirst += count;
    }
  }
  CHECK(peopleFirst > hearsay / 2);
}
