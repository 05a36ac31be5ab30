#include "core/train/tasks/translation/noun_draft.h"

#include <algorithm>
#include <iterator>

namespace glassformer::translation {
namespace {

using Kind = NounPhrase::Kind;

constexpr Determiner possessives[] = {Determiner::My, Determiner::His, Determiner::Her, Determiner::Our,
                                      Determiner::Their};

}  // namespace

template <typename Item, typename Fits>
const Item& NounDraft::pickNew(std::span<const Item> items, std::vector<const Item*>& said, Fits fits) {
  const auto isNew = [&](const Item& item) { return std::ranges::find(said, &item) == said.end(); };
  const auto both = [&](const Item& item) { return fits(item) && isNew(item); };
  const bool any = std::ranges::any_of(items, both);
  said.push_back(any ? &pickWhere(choices_, items, both) : &pickWhere(choices_, items, fits));
  return *said.back();
}

NounPhrase NounDraft::subject(Sorts sorts) {
  if ((sorts & sort::person) && choices_.happens(0.5)) return person(false);
  NounPhrase phrase = noun(sorts, Range::Any);
  if (phrase.determiner == Determiner::A && choices_.happens(0.1)) phrase.determiner = Determiner::No;
  return phrase;
}

NounPhrase NounDraft::object(Sorts sorts, const NounPhrase* subject, Range range) {
  if ((sorts & sort::person) && choices_.happens(0.35)) return person(subject && subject->first);
  if (!(sorts & sort::alive) && choices_.happens(0.04)) return {.kind = Kind::Pronoun, .plural = true};
  return noun(sorts, range);
}

NounPhrase NounDraft::noun(Sorts sorts, Range range) {
  NounPhrase phrase;
  phrase.noun = &pickNew(nouns(), saidNouns_, [&](const Noun& noun) { return (noun.sorts & sorts) != 0; });
  phrase.gender = phrase.noun->gender;
  phrase.plural = choices_.happens(0.2);
  phrase.determiner = determiner(phrase.plural, range);
  if (choices_.happens(0.3))
    phrase.adjective = &pickWhere(choices_, adjectives(), [&](const Adjective& adjective) {
      return (adjective.sorts & phrase.noun->sorts) != 0;
    });
  return phrase;
}

NounPhrase NounDraft::crossingNoun(Sorts sorts) {
  NounPhrase phrase = noun(sorts, Range::Known);
  phrase.plural = false;
  if (phrase.adjective && phrase.adjective->hinders) phrase.adjective = nullptr;
  return phrase;
}

NounPhrase NounDraft::person(bool notFirst) {
  NounPhrase phrase{.kind = Kind::Pronoun, .person = true};
  if (choices_.happens(0.55)) {
    phrase.kind = Kind::Name;
    phrase.name = pickNew(names(), saidNames_, [](std::string_view) { return true; });
    return phrase;
  }
  phrase.first = !notFirst && choices_.happens(0.35);
  phrase.plural = choices_.happens(0.35);
  if (!phrase.first && !phrase.plural && choices_.happens(0.5)) phrase.gender = Gender::Feminine;
  return phrase;
}

Place NounDraft::place(std::span<const PlacePreposition> prepositions, const NounPhrase* subject,
                       Range range) {
  Place place;
  place.preposition = &pickAny(choices_, prepositions);
  const Sorts sorts = place.preposition->sorts;
  place.noun = sorts == sort::person ? object(sorts, subject, range) : noun(sorts, range);
  if (place.noun.plural && !(sorts & sort::person) && choices_.happens(0.7)) {
    place.noun.plural = false;
    place.noun.determiner = Determiner::The;
  }
  return place;
}

Determiner NounDraft::determiner(bool plural, Range range) {
  if (choices_.happens(0.15)) return possessives[choices_.pick(static_cast<int>(std::size(possessives)))];
  if (choices_.happens(0.1)) return Determiner::This;
  if (range == Range::Known || choices_.happens(0.5)) return Determiner::The;
  if (!plural) return range == Range::Any && choices_.happens(0.1) ? Determiner::Every : Determiner::A;
  constexpr Determiner numbers[] = {Determiner::Two, Determiner::Three, Determiner::Many};
  if (range == Range::KnownOrNone || choices_.happens(0.5)) return Determiner::None;
  return numbers[choices_.pick(static_cast<int>(std::size(numbers)))];
}

NounPhrase itFor(const NounPhrase& noun) {
  return {.kind = Kind::Pronoun, .gender = noun.gender, .antecedent = noun.noun};
}

NounPhrase relativeFor(const NounPhrase& noun) {
  return {.kind = Kind::Relative,
          .plural = noun.plural,
          .person = (noun.noun->sorts & sort::person) != 0,
          .gender = noun.gender};
}

}  // namespace glassformer::translation
