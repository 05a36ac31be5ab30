#include "core/train/tasks/translation/german.h"

#include "core/train/tasks/translation/german_forms.h"

namespace glassformer::translation {
namespace {

using Kind = NounPhrase::Kind;

enum class Order { VerbSecond, VerbFinal, Infinitive };

struct GermanWord {
  std::string word;
  Meanings meanings = 0;
};

// The two parts of a clause's verb: "hat | aufgemacht", "macht | auf", "schläft |".
struct GermanVerbGroup {
  GermanWord finite, rest;
};

GermanVerbGroup germanVerbGroup(const Clause& clause) {
  static constexpr GermanVerb werden = {.infinitive = "werden", .third = "wird"},
                              haben = {.infinitive = "haben", .third = "hat"},
                              sein = {.infinitive = "sein", .third = "ist", .first = "bin", .plural = "sind"};
  const GermanVerb& verb = clause.verb->german;
  const NounPhrase& subject = *clause.subject;
  const Meanings tense = clause.tenseMeaning;
  const bool past = clause.tense == Tense::Past;
  if (clause.modal) {
    const GermanVerb& modal = clause.modal->german;
    return {{past ? preteriteForm(modal, subject) : presentForm(modal, subject), clause.modalMeaning | tense},
            {infinitive(verb), clause.verbMeaning}};
  }
  if (clause.tense == Tense::Future)
    return {{presentForm(werden, subject), tense}, {infinitive(verb), clause.verbMeaning}};
  if (past && !verb.preterite.empty())
    return {{preteriteForm(verb, subject), clause.verbMeaning | tense}, {}};
  if (past || clause.tense == Tense::Perfect) {
    const GermanVerb& auxiliary = verb.auxiliary == Auxiliary::Sein ? sein : haben;
    return {{presentForm(auxiliary, subject), tense}, {std::string(verb.participle), clause.verbMeaning}};
  }
  return {{presentForm(verb, subject), clause.verbMeaning | tense},
          {std::string(verb.prefix), clause.verbMeaning}};
}

// "no book" for "not a book".
bool isNegatedByKein(const Clause& clause) {
  return clause.negated && clause.accusative && clause.accusative->kind == Kind::Noun &&
         !clause.accusative->isDefinite();
}

class German {
 public:
  Text write(const Sentence& sentence) {
    if (sentence.hearsay) {
      wording_.sayPieces(sentence.hearsay->german, sentence.hearsayMeaning);
      wording_.comma();
      wording_.say("dass", sentence.thatMeaning);
    }
    say(sentence.clause, sentence.hearsay ? Order::VerbFinal : Order::VerbSecond);
    return std::move(wording_).finish(sentence.clause.asking == Asking::Nothing ? '.' : '?');
  }

 private:
  void say(const GermanWord& word) {
    if (!word.word.empty()) wording_.say(word.word, word.meanings);
  }

  void say(const Clause& clause, Order order, Meanings zu = 0) {
    const NounPhrase* later = nullptr;  // whose relative clause waits until the verb has been said
    if (order == Order::Infinitive) {
      sayMiddle(clause, false, later);
      sayInfinitive(clause, zu);
    } else {
      const GermanVerbGroup verbs = germanVerbGroup(clause);
      const bool subjectInFront = sayFront(clause, order);
      if (order == Order::VerbSecond) say(verbs.finite);
      sayMiddle(clause, subjectInFront, later);
      if (order == Order::VerbSecond)
        say(verbs.rest);
      else
        sayFinal(clause, verbs);
    }
    if (later) sayRelative(*later);
    for (const Attachment& attachment : clause.attachments)
      if (!attachment.before) say(attachment);
  }

  void sayInfinitive(const Clause& clause, Meanings zu) {
    const GermanVerb& verb = clause.verb->german;
    if (verb.prefix.empty()) {
      wording_.say("zu", zu);
      wording_.say(verb.infinitive, clause.verbMeaning);
    } else {
      wording_.say(std::string(verb.prefix) + "zu" + std::string(verb.infinitive), clause.verbMeaning | zu);
    }
  }

  // At the end of a subordinate clause: "aufmacht", "aufgemacht hat".
  void sayFinal(const Clause& clause, const GermanVerbGroup& verbs) {
    const bool joined = verbs.rest.word == clause.verb->german.prefix;
    if (joined) return wording_.say(verbs.rest.word + verbs.finite.word, verbs.finite.meanings);
    say(verbs.rest);
    say(verbs.finite);
  }

  // What stands before the finite verb, or begins a subordinate clause. True where that was the subject.
  bool sayFront(const Clause& clause, Order order) {
    if (clause.complement && clause.complement->isMoved()) {
      wording_.say(clause.verb->preposition, clause.complementMeaning);
      say(*clause.complement, clause.verb->governs);
      return false;
    }
    if (clause.accusative && clause.accusative->isMoved()) {
      say(*clause.accusative, Case::Accusative);
      return false;
    }
    if (clause.subject->isMoved()) {
      say(*clause.subject, Case::Nominative);
      return true;
    }
    return order == Order::VerbSecond && sayMainFront(clause);
  }

  bool sayMainFront(const Clause& clause) {
    for (const Attachment& attachment : clause.attachments)
      if (attachment.before) {
        say(attachment);
        return false;
      }
    switch (clause.asking) {
      case Asking::Whether:
        return false;
      case Asking::Why:
        return wording_.say("warum", clause.askingMeaning), false;
      case Asking::When:
        return wording_.say("wann", clause.askingMeaning), false;
      case Asking::Where:
        return wording_.say("wo", clause.askingMeaning), false;
      default:
        break;
    }
    if (clause.front == Front::Time)
      return wording_.sayPieces(clause.time->german, clause.timeMeaning), false;
    if (clause.front == Front::Place) return say(*clause.location), false;
    say(*clause.subject, Case::Nominative);
    sayRelative(*clause.subject);
    return true;
  }

  void sayMiddle(const Clause& clause, bool subjectSaid, const NounPhrase*& later) {
    if (clause.subject && !subjectSaid) {
      say(*clause.subject, Case::Nominative);
      sayRelative(*clause.subject);
    }
    sayPronouns(clause);
    sayObjects(clause, true, later);
    if (clause.frequency) wording_.say(clause.frequency->german, clause.frequencyMeaning);
    if (clause.time && clause.front != Front::Time)
      wording_.sayPieces(clause.time->german, clause.timeMeaning);
    if (clause.gladly) wording_.say("gern", clause.gladlyMeaning);
    sayObjects(clause, false, later);
    if (clause.negated && !isNegatedByKein(clause)) wording_.say("nicht", clause.negationMeaning);
    if (clause.predicate) say(*clause.predicate);
    if (clause.complement && !clause.complement->isMoved()) {
      sayPrepositional(clause.verb->preposition, clause.complementMeaning, *clause.complement,
                       clause.verb->governs);
      later = &*clause.complement;
    }
    if (clause.location && clause.front != Front::Place) say(*clause.location);
    if (clause.direction) say(*clause.direction);
  }

  // "Er gibt es ihr": the accusative first.
  void sayPronouns(const Clause& clause) {
    if (clause.accusative && clause.accusative->isPronoun()) say(*clause.accusative, Case::Accusative);
    if (clause.dative && clause.dative->isPronoun()) say(*clause.dative, Case::Dative);
  }

  // "Er gibt der Frau das Buch": the dative first.
  void sayObjects(const Clause& clause, bool definite, const NounPhrase*& later) {
    const auto sayObject = [&](const std::optional<NounPhrase>& object, Case grammaticalCase) {
      if (!object || object->isPronoun() || object->isMoved() || object->isDefinite() != definite) return;
      if (later) sayRelative(*later);
      if (grammaticalCase == Case::Accusative && isNegatedByKein(clause))
        sayNoun(*object, grammaticalCase, Determiner::No, clause.negationMeaning);
      else
        say(*object, grammaticalCase);
      later = &*object;
    };
    sayObject(clause.dative, Case::Dative);
    sayObject(clause.accusative, Case::Accusative);
  }

  void say(const Predicate& predicate) {
    if (predicate.degree) wording_.say(predicate.degree->german, predicate.degreeMeaning);
    const Adjective& adjective = *predicate.adjective;
    wording_.say(predicate.than ? adjective.germanComparative : adjective.german, predicate.meaning);
    if (!predicate.than) return;
    wording_.say("als", predicate.thanMeaning);
    say(*predicate.than, Case::Nominative);
  }

  void say(const Place& place) {
    if (place.phrase) return wording_.sayAll(place.phrase->german, place.meaning);
    sayPrepositional(place.preposition->german, place.meaning, place.noun, place.preposition->governs);
  }

  void sayPrepositional(std::string_view preposition, Meanings meaning, const NounPhrase& phrase,
                        Case grammaticalCase) {
    const std::string_view contracted =
        phrase.kind == Kind::Noun ? contraction(preposition, phrase, grammaticalCase) : "";
    if (contracted.empty()) {
      wording_.say(preposition, meaning);
      return say(phrase, grammaticalCase);
    }
    wording_.say(contracted, meaning | phrase.determinerMeaning);
    sayAfterDeterminer(phrase, grammaticalCase, Determiner::The);
  }

  // Without its relative clause.
  void say(const NounPhrase& phrase, Case grammaticalCase) {
    switch (phrase.kind) {
      case Kind::Noun:
        return sayNoun(phrase, grammaticalCase, phrase.determiner, 0);
      case Kind::Name:
        return wording_.say(phrase.name, phrase.meaning);
      case Kind::Pronoun:
        return wording_.say(pronounForm(phrase, grammaticalCase), phrase.meaning);
      case Kind::Relative:
        return wording_.say(relativePronoun(phrase, grammaticalCase), phrase.meaning);
      case Kind::Interrogative:
        return wording_.say(phrase.person ? "wer" : "was", phrase.meaning);
    }
  }

  void sayNoun(const NounPhrase& phrase, Case grammaticalCase, Determiner determiner, Meanings negation) {
    if (determiner != Determiner::None)
      wording_.say(determinerForm(determiner, phrase, grammaticalCase), phrase.determinerMeaning | negation);
    sayAfterDeterminer(phrase, grammaticalCase, determiner);
  }

  void sayAfterDeterminer(const NounPhrase& phrase, Case grammaticalCase, Determiner determiner) {
    if (phrase.adjective)
      wording_.say(adjectiveForm(determiner, phrase, grammaticalCase), phrase.adjectiveMeaning);
    wording_.say(nounForm(phrase, grammaticalCase), phrase.meaning);
  }

  void sayRelative(const NounPhrase& phrase) {
    for (const Clause& clause : phrase.relativeClause) {
      wording_.comma();
      say(clause, Order::VerbFinal);
      wording_.comma();
    }
  }

  void say(const Attachment& attachment) {
    const bool coordinate = attachment.kind == Attachment::Kind::Coordinate;
    if (!coordinate || attachment.conjunction->german == "aber") wording_.comma();
    if (attachment.conjunction) wording_.sayAll(attachment.conjunction->german, attachment.meaning);
    if (attachment.kind == Attachment::Kind::Infinitive)
      say(attachment.clause, Order::Infinitive, attachment.toMeaning);
    else
      say(attachment.clause, coordinate ? Order::VerbSecond : Order::VerbFinal);
    if (!coordinate) wording_.comma();
  }

  Wording wording_;
};

}  // namespace

Text german(const Sentence& sentence) { return German().write(sentence); }

}  // namespace glassformer::translation
