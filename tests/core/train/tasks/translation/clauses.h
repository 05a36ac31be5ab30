#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/train/tasks/translation/clause.h"
#include "core/train/tasks/translation/german_forms.h"
#include "core/train/tasks/translation/noun_draft.h"

/// Sentences put together by hand, to see how they are said.
namespace glassformer::translation {

template <typename Items, typename Is>
const auto& find(const Items& items, std::string_view what, Is is) {
  for (const auto& item : items)
    if (is(item)) return item;
  throw std::runtime_error("no such word: " + std::string(what));
}

inline NounPhrase nounPhrase(Determiner determiner, std::string_view english) {
  NounPhrase phrase;
  phrase.noun = &find(nouns(), english,
                      [&](const Noun& n) { return n.english == english || n.englishPlural == english; });
  phrase.plural = phrase.noun->english != english;
  phrase.gender = phrase.noun->gender;
  phrase.determiner = determiner;
  return phrase;
}
inline NounPhrase the(std::string_view noun) { return nounPhrase(Determiner::The, noun); }
inline NounPhrase a(std::string_view noun) { return nounPhrase(Determiner::A, noun); }
inline NounPhrase bare(std::string_view plural) { return nounPhrase(Determiner::None, plural); }
inline NounPhrase with(std::string_view adjective, NounPhrase phrase) {
  phrase.adjective =
      &find(adjectives(), adjective, [&](const Adjective& x) { return x.english == adjective; });
  return phrase;
}
inline NounPhrase that(NounPhrase phrase, Clause clause) {
  phrase.relativeClause.push_back(std::move(clause));
  return phrase;
}
inline NounPhrase relative(const NounPhrase& head) {
  return {.kind = NounPhrase::Kind::Relative,
          .plural = head.plural,
          .person = (head.noun->sorts & sort::person) != 0,
          .gender = head.gender};
}

inline NounPhrase named(std::string_view name) {
  return {.kind = NounPhrase::Kind::Name, .name = name, .person = true};
}
inline NounPhrase pronoun(std::string_view word) {
  NounPhrase phrase{.kind = NounPhrase::Kind::Pronoun, .person = true};
  phrase.first = word == "I" || word == "we";
  phrase.plural = word == "we" || word == "they";
  if (word == "she") phrase.gender = Gender::Feminine;
  return phrase;
}
inline NounPhrase it(Gender gender) { return {.kind = NounPhrase::Kind::Pronoun, .gender = gender}; }
inline NounPhrase who() { return {.kind = NounPhrase::Kind::Interrogative, .person = true}; }
inline NounPhrase what() { return {.kind = NounPhrase::Kind::Interrogative}; }

/// A verb by its German infinitive.
inline const Verb& verb(std::string_view german, Frame frame) {
  return find(verbs(), german,
              [&](const Verb& v) { return infinitive(v.german) == german && v.frame == frame; });
}

/// A clause, piece by piece.
struct Told {
  Clause clause;

  Told(NounPhrase subject, const Verb& verb);
  explicit Told(const Verb& verb);

  Told& accusative(NounPhrase phrase) { return clause.accusative.emplace(std::move(phrase)), *this; }
  Told& dative(NounPhrase phrase) { return clause.dative.emplace(std::move(phrase)), *this; }
  Told& complement(NounPhrase phrase) { return clause.complement.emplace(std::move(phrase)), *this; }
  Told& in(Tense tense) { return clause.tense = tense, *this; }
  Told& past() { return in(Tense::Past); }
  Told& negated() { return clause.negated = true, *this; }
  Told& contracted() { return clause.contracted = true, negated(); }
  Told& gladly() { return clause.gladly = true, *this; }
  Told& toPhrase() { return clause.toPhrase = true, *this; }
  Told& asking(Asking asking) { return clause.asking = asking, *this; }
  Told& modal(std::string_view german) {
    clause.modal = &find(modals(), german, [&](const Modal& m) { return m.german.infinitive == german; });
    return *this;
  }
  Told& time(std::string_view english) {
    clause.time =
        &find(times(), english, [&](const TimePhrase& t) { return t.phrase.english == english; }).phrase;
    return *this;
  }
  Told& timeFirst(std::string_view english) { return clause.front = Front::Time, time(english); }
  Told& frequency(std::string_view english) {
    clause.frequency = &find(frequencies(), english, [&](const TimePhrase& t) {
                          return t.phrase.english == english;
                        }).phrase;
    return *this;
  }
  Told& location(std::string_view preposition, NounPhrase noun) {
    clause.location = place(locations(), preposition, std::move(noun));
    return *this;
  }
  Told& locationFirst() { return clause.front = Front::Place, *this; }
  Told& direction(std::string_view preposition, NounPhrase noun) {
    clause.direction = place(directions(clause.verb->way), preposition, std::move(noun));
    return *this;
  }
  Told& home() { return clause.direction = Place{.phrase = &translation::home()}, *this; }
  Told& atHome() { return clause.location = Place{.phrase = &translation::atHome()}, *this; }
  Told& is(std::string_view adjective, std::string_view degree = "") {
    Predicate predicate;
    predicate.adjective = &find(adjectives(), adjective, [&](const Adjective& x) {
      return x.english == adjective || (!adjective.empty() && x.englishComparative == adjective);
    });
    if (!degree.empty())
      predicate.degree = &find(degrees(), degree, [&](const Phrase& p) { return p.english == degree; });
    clause.predicate = predicate;
    return *this;
  }
  Told& than(NounPhrase phrase) { return clause.predicate->than = std::move(phrase), *this; }
  Told& attach(const Phrase& conjunction, Told told, bool before = false) {
    clause.attachments.push_back(
        {.conjunction = &conjunction, .before = before, .clause = std::move(told.clause)});
    return *this;
  }
  Told& coordinate(const Phrase& conjunction, Told told) {
    attach(conjunction, std::move(told)).clause.attachments.back().kind = Attachment::Kind::Coordinate;
    return *this;
  }
  Told& infinitiveOf(Told told, const Phrase* conjunction = nullptr) {
    clause.attachments.push_back(
        {.kind = Attachment::Kind::Infinitive, .conjunction = conjunction, .clause = std::move(told.clause)});
    return *this;
  }

  operator Sentence() const;

 private:
  static Place place(std::span<const PlacePreposition> all, std::string_view preposition, NounPhrase noun) {
    return {.preposition =
                &find(all, preposition, [&](const PlacePreposition& p) { return p.english == preposition; }),
            .noun = std::move(noun)};
  }
};

}  // namespace glassformer::translation
