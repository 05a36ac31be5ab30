#include "core/train/tasks/translation/clause_draft.h"

#include <algorithm>

namespace glassformer::translation {
namespace {

using Kind = NounPhrase::Kind;
using Range = NounDraft::Range;

bool isTransitive(const Verb& verb) { return verb.frame == Frame::Accusative; }
bool isStative(const Verb& verb) { return verb.english.gerund.empty(); }
bool canBeSomewhere(const Verb& verb) {
  return (verb.frame == Frame::Plain || isTransitive(verb)) && !isStative(verb);
}
// "in the garden", but neither "at home" nor "with Tom".
bool isPlace(const Place& place) { return place.preposition && !(place.preposition->sorts & sort::person); }
bool told(const TimePhrase& phrase, Tense tense) {
  return (phrase.tenses >> static_cast<unsigned>(tense)) & 1u;
}
bool takesClause(const Verb& verb) { return verb.frame == Frame::Clause || verb.frame == Frame::Infinitive; }

// "the dog", "Anna", "my mother": a negation after them is about the verb.
bool canBeNegated(const NounPhrase& subject) {
  return subject.isDefinite() && subject.determiner != Determiner::Every;
}

// The only thing or animal named, if it is one: what "it" can stand for.
const NounPhrase* onlyThing(const Clause& clause) {
  const auto things = thingsOf(clause);
  if (things.size() != 1) return nullptr;
  const NounPhrase& found = *things[0];
  if (found.plural || !found.relativeClause.empty()) return nullptr;
  if (found.determiner == Determiner::Every || found.determiner == Determiner::No) return nullptr;
  return clause.negated && !found.isDefinite() ? nullptr : &found;
}

}  // namespace

Tense ClauseDraft::mainTense() {
  if (choices_.happens(0.35)) return Tense::Present;
  if (choices_.happens(0.5)) return Tense::Past;
  constexpr Tense others[] = {Tense::Perfect, Tense::Progressive, Tense::Future};
  return others[choices_.pick(3)];
}

Tense ClauseDraft::dependentTense(Tense main) {
  if (main == Tense::Past) return Tense::Past;
  if (main == Tense::Future || choices_.happens(0.7)) return Tense::Present;
  constexpr Tense others[] = {Tense::Perfect, Tense::Progressive};
  return others[choices_.pick(2)];
}

NounPhrase ClauseDraft::personSubject() { return nouns_.subject(sort::person); }

Clause ClauseDraft::clause(const Wish& wish) {
  if (choices_.happens(0.12)) return clauseWith(be(), wish);
  return clauseWith(pickWhere(choices_, verbs(), [](const Verb& verb) { return !takesClause(verb); }), wish);
}

Clause ClauseDraft::clauseWith(const Verb& verb, const Wish& wish) {
  Clause clause{.subject = nouns_.subject(verb.subject), .verb = &verb};
  settleTense(clause, wish.tense);
  addVerbs(clause, wish);
  addObjects(clause);
  if (verb.frame == Frame::Copula) addPredicate(clause);
  if (wish.plain) return clause;
  addAdverbs(clause, wish);
  addRelative(clause, wish.main);
  return clause;
}

// Tenses that a verb lacks give way, and pasts that look like the present ("I read").
void ClauseDraft::settleTense(Clause& clause, Tense tense) {
  const Verb& verb = *clause.verb;
  if (tense == Tense::Progressive && isStative(verb)) tense = Tense::Present;
  if (tense == Tense::Perfect && !verb.german.preterite.empty()) tense = Tense::Past;
  if (tense == Tense::Past && verb.english.base == verb.english.past && !clause.subject->isThirdSingular())
    tense = Tense::Perfect;
  clause.tense = tense;
}

// What goes with the verb: a modal, "likes to", a negation.
void ClauseDraft::addVerbs(Clause& clause, const Wish& wish) {
  const bool plainTense = clause.tense == Tense::Present || clause.tense == Tense::Past;
  const bool alive = clause.subject->kind != Kind::Noun || (clause.subject->noun->sorts & sort::alive);
  if (plainTense && alive && !isStative(*clause.verb) && choices_.happens(0.2))
    clause.modal = &pickWhere(choices_, modals(), [&](const Modal& modal) {
      return clause.tense == Tense::Present || !modal.english.past.empty();
    });
  else if (clause.tense == Tense::Present && alive && !isStative(*clause.verb) && choices_.happens(0.08))
    clause.gladly = true;
  if (!wish.affirmed && !clause.gladly && canBeNegated(*clause.subject) && choices_.happens(0.13))
    negate(clause);
}

void ClauseDraft::negate(Clause& clause) {
  clause.negated = true;
  clause.contracted = choices_.happens(0.3);
}

Range ClauseDraft::rangeOf(const Clause& clause) const { return clause.negated ? Range::Known : Range::Any; }

void ClauseDraft::addObjects(Clause& clause) {
  const Verb& verb = *clause.verb;
  const NounPhrase* subject = clause.subject ? &*clause.subject : nullptr;
  const Range range = rangeOf(clause);
  switch (verb.frame) {
    case Frame::Accusative:
      clause.accusative = nouns_.object(verb.object, subject, clause.negated ? Range::KnownOrNone : range);
      break;
    case Frame::AccusativeDirection:
      clause.accusative = nouns_.noun(verb.object, range);
      break;
    case Frame::Dative:
      clause.dative = nouns_.object(verb.object, subject, range);
      break;
    case Frame::Preposition:
      clause.complement = nouns_.object(verb.object, subject, range);
      break;
    case Frame::Recipient: {
      clause.dative = nouns_.object(verb.recipient, subject, Range::Known);
      clause.accusative = nouns_.noun(verb.object, clause.negated ? Range::KnownOrNone : range);
      // "buys her flowers" could be "ihre Blumen" as well.
      const bool looksPossessive =
          clause.dative->kind == Kind::Pronoun && clause.accusative->determiner == Determiner::None;
      clause.toPhrase = looksPossessive || choices_.happens(0.4);
      break;
    }
    default:
      break;
  }
  if (verb.way == Way::Travel && choices_.happens(0.2))
    clause.direction = Place{.phrase = &home()};
  else if (verb.way != Way::None)
    clause.direction = nouns_.place(directions(verb.way), subject, range);
}

void ClauseDraft::addPredicate(Clause& clause) {
  const NounPhrase& subject = *clause.subject;
  const Sorts sorts = subject.noun ? subject.noun->sorts : sort::person;
  const auto fits = [&](const Adjective& adjective) { return (adjective.sorts & sorts) != 0; };
  const auto compares = [&](const Adjective& a) { return fits(a) && !a.englishComparative.empty(); };
  Predicate predicate;
  if (subject.noun && std::ranges::any_of(adjectives(), compares) && choices_.happens(0.25)) {
    predicate.adjective = &pickWhere(choices_, adjectives(), compares);
    predicate.than = nouns_.noun(sorts, Range::Known);
  }
  if (!predicate.than) {
    predicate.adjective = &pickWhere(choices_, adjectives(), fits);
    if (!clause.negated && choices_.happens(0.4)) predicate.degree = &pickAny(choices_, degrees());
  }
  clause.predicate = predicate;
}

void ClauseDraft::addAdverbs(Clause& clause, const Wish& wish) {
  if (!addFrequency(clause) && choices_.happens(0.3)) addTime(clause);
  if (canBeSomewhere(*clause.verb) && choices_.happens(0.3)) {
    if (choices_.happens(0.15))
      clause.location = Place{.phrase = &atHome()};
    else
      clause.location = nouns_.place(locations(), &*clause.subject, rangeOf(clause));
  }
  if (!wish.main) return;
  if (clause.time && choices_.happens(0.45))
    clause.front = Front::Time;
  else if (clause.location && !clause.negated && isPlace(*clause.location) && choices_.happens(0.2))
    clause.front = Front::Place;
}

bool ClauseDraft::addFrequency(Clause& clause) {
  const bool bare =
      !clause.negated && !clause.modal && !clause.gladly && clause.verb->german.preterite.empty();
  const auto fits = [&](const TimePhrase& phrase) { return told(phrase, clause.tense); };
  if (!bare || clause.subject->determiner == Determiner::No || !std::ranges::any_of(frequencies(), fits))
    return false;
  if (!choices_.happens(0.12)) return false;
  clause.frequency = &pickWhere(choices_, frequencies(), fits).phrase;
  return true;
}

void ClauseDraft::addTime(Clause& clause) {
  const bool lasting = clause.modal || clause.verb->frame == Frame::Copula;
  const auto fits = [&](const TimePhrase& phrase) { return told(phrase, clause.tense); };
  if ((lasting && clause.tense == Tense::Present) || !std::ranges::any_of(times(), fits)) return;
  clause.time = &pickWhere(choices_, times(), fits).phrase;
}

// Behind a subject, or behind an object where nothing more comes in either language.
void ClauseDraft::addRelative(Clause& clause, bool main) {
  const auto isNoun = [](const std::optional<NounPhrase>& phrase) {
    return phrase && phrase->kind == Kind::Noun;
  };
  const bool last = !clause.location && !clause.direction && (!clause.time || clause.front == Front::Time);
  std::optional<NounPhrase>* object = isTransitive(*clause.verb)                 ? &clause.accusative
                                      : clause.verb->frame == Frame::Dative      ? &clause.dative
                                      : clause.verb->frame == Frame::Preposition ? &clause.complement
                                                                                 : nullptr;
  if (main && isNoun(clause.subject) && clause.subject->determiner != Determiner::No && choices_.happens(0.1))
    clause.subject->relativeClause.push_back(relativeClause(*clause.subject, clause.tense));
  else if (object && isNoun(*object) && last && !clause.negated && choices_.happens(0.18))
    (*object)->relativeClause.push_back(relativeClause(**object, clause.tense));
}

Clause ClauseDraft::relativeClause(const NounPhrase& head, Tense main) {
  const Sorts sorts = head.noun->sorts;
  const auto canBeSubject = [&](const Verb& v) { return !takesClause(v) && (v.subject & sorts); };
  const auto canBeObject = [&](const Verb& v) { return isTransitive(v) && (v.object & sorts); };
  const auto canBeComplement = [&](const Verb& v) {
    return v.frame == Frame::Preposition && (v.object & sorts);
  };
  const bool isPerson = (sorts & sort::person) != 0, alive = (sorts & sort::alive) != 0;
  const Tense tense = dependentTense(main);
  Clause clause;
  if (alive && choices_.happens(0.5)) {
    clause = {.subject = relativeFor(head), .verb = &pickWhere(choices_, verbs(), canBeSubject)};
    settleTense(clause, tense);
    addObjects(clause);
    return clause;
  }
  const bool complement = isPerson && choices_.happens(0.3);
  clause.verb = complement ? &pickWhere(choices_, verbs(), canBeComplement)
                           : &pickWhere(choices_, verbs(), canBeObject);
  clause.subject = clause.verb->subject & sort::person ? nouns_.subject(sort::person)
                                                       : nouns_.noun(clause.verb->subject, Range::Any);
  (complement ? clause.complement : clause.accusative) = relativeFor(head);
  settleTense(clause, tense);
  return clause;
}

Clause ClauseDraft::weatherClause(Tense tense) {
  return {.subject = NounPhrase{.kind = Kind::Pronoun, .gender = Gender::Neuter},
          .verb = &pickAny(choices_, weather()),
          .tense = tense};
}

std::optional<Clause> ClauseDraft::clauseAboutIt(const Clause& said, const Wish& wish) {
  const NounPhrase* thing = onlyThing(said);
  if (!thing) return std::nullopt;
  const Sorts sorts = thing->noun->sorts;
  const auto canBeObject = [&](const Verb& v) {
    return isTransitive(v) && (v.object & sorts) && (v.subject & sort::person);
  };
  Clause clause;
  if (!wish.plain && choices_.happens(0.5)) {
    clause = {.subject = itFor(*thing), .verb = &be()};
    settleTense(clause, wish.tense);
    clause.negated = choices_.happens(0.15);
    Predicate predicate{.adjective = &pickWhere(choices_, adjectives(), [&](const Adjective& adjective) {
                          return (adjective.sorts & sorts) != 0;
                        })};
    if (!clause.negated && choices_.happens(0.3)) predicate.degree = &pickAny(choices_, degrees());
    clause.predicate = predicate;
    return clause;
  }
  clause = {.subject = nouns_.subject(sort::person), .verb = &pickWhere(choices_, verbs(), canBeObject)};
  settleTense(clause, wish.tense);
  addVerbs(clause, wish);
  clause.accusative = itFor(*thing);
  return clause;
}

Clause ClauseDraft::crossing(Tense tense) {
  const auto crosses = [](const Verb& verb) {
    return verb.way == Way::Jump || (isTransitive(verb) && !(verb.object & ~sort::obstacle));
  };
  const auto over = [](const PlacePreposition& place) { return (place.sorts & sort::obstacle) != 0; };
  const Verb& verb = pickWhere(choices_, verbs(), crosses);
  Clause clause{.verb = &verb};
  do {
    clause.subject = nouns_.crossingNoun(sort::animal);
    if (isTransitive(verb)) {
      clause.accusative = nouns_.crossingNoun(verb.object);
    } else {
      const PlacePreposition& preposition = pickWhere(choices_, directions(verb.way), over);
      clause.direction = Place{.preposition = &preposition, .noun = nouns_.crossingNoun(preposition.sorts)};
    }
  } while (thingsOf(clause)[0]->gender == thingsOf(clause)[1]->gender);
  settleTense(clause, tense);
  addVerbs(clause, {.affirmed = true});
  if (!clause.gladly && choices_.happens(0.8)) negate(clause);
  return clause;
}

Clause ClauseDraft::reasonFor(const Clause& crossing, Tense tense) {
  const auto things = thingsOf(crossing);
  const int which = choices_.pick(2);
  const NounPhrase &meant = *things[which == 0 ? 0 : 1], &other = *things[which == 0 ? 1 : 0];
  Clause clause{.subject = itFor(meant), .verb = &be()};
  settleTense(clause, tense);
  Predicate predicate{.adjective = &pickWhere(choices_, adjectives(), [&](const Adjective& adjective) {
                        return adjective.hinders && (adjective.sorts & meant.noun->sorts) &&
                               !(adjective.sorts & other.noun->sorts);
                      })};
  if (choices_.happens(0.9)) predicate.degree = &degrees()[choices_.happens(0.75) ? 1 : 0];
  clause.predicate = predicate;
  return clause;
}

Clause ClauseDraft::infinitiveClause() {
  Clause clause{.verb = &pickWhere(choices_, verbs(), [](const Verb& verb) {
                  return (isTransitive(verb) || verb.frame == Frame::Dative ||
                          verb.frame == Frame::Recipient) &&
                         !isStative(verb) && (verb.subject & sort::person);
                })};
  addObjects(clause);
  return clause;
}

Clause ClauseDraft::question(Tense tense) {
  Clause clause;
  do clause = this->clause({.tense = tense, .plain = true});
  while (clause.subject->first || clause.subject->determiner == Determiner::No);
  constexpr Asking askings[] = {Asking::Whether, Asking::Whether, Asking::Why,
                                Asking::When,    Asking::Where,   Asking::WhoOrWhat};
  clause.asking = askings[choices_.pick(6)];
  const Verb& verb = *clause.verb;
  if (clause.asking == Asking::When && (clause.tense == Tense::Perfect || isStative(verb)))
    clause.asking = Asking::Why;
  if (clause.asking == Asking::Where && !canBeSomewhere(verb)) clause.asking = Asking::Whether;
  if (clause.asking == Asking::WhoOrWhat) {
    const bool what =
        isTransitive(verb) && (verb.object & sort::thing) && !clause.negated && choices_.happens(0.5);
    if (what)
      clause.accusative = NounPhrase{.kind = Kind::Interrogative};
    else if (verb.subject & sort::person)
      clause.subject = NounPhrase{.kind = Kind::Interrogative, .person = true};
    else
      clause.asking = Asking::Whether;
    settleTense(clause, clause.tense);
  } else if (clause.asking == Asking::Whether && choices_.happens(0.3)) {
    addTime(clause);
  }
  return clause;
}

}  // namespace glassformer::translation
