#include "core/train/tasks/translation/english.h"

#include <cassert>

namespace glassformer::translation {
namespace {

using Kind = NounPhrase::Kind;

struct EnglishWord {
  std::string_view word;
  Meanings meanings = 0;
};

// "does | help", "is | reading", "| helps", "| wants to help".
struct EnglishVerbGroup {
  EnglishWord auxiliary;  ///< may be empty
  std::vector<EnglishWord> rest;
};

std::string_view beForm(const NounPhrase& subject, bool past) {
  if (past) return subject.plural ? "were" : "was";
  return subject.plural ? "are" : subject.first ? "am" : "is";
}

std::string_view pronoun(const NounPhrase& phrase, bool isSubject) {
  if (phrase.first) return phrase.plural ? (isSubject ? "we" : "us") : isSubject ? "I" : "me";
  if (phrase.plural) return isSubject ? "they" : "them";
  if (!phrase.person) return "it";
  if (phrase.gender == Gender::Feminine) return isSubject ? "she" : "her";
  return isSubject ? "he" : "him";
}

std::string_view determiner(const NounPhrase& phrase, std::string_view next) {
  switch (phrase.determiner) {
    case Determiner::None:
      return "";
    case Determiner::The:
      return "the";
    case Determiner::A:
      return std::string_view("aeiou").find(next[0]) == std::string_view::npos ? "a" : "an";
    case Determiner::This:
      return phrase.plural ? "these" : "this";
    case Determiner::Every:
      return "every";
    case Determiner::No:
      return "no";
    case Determiner::My:
      return "my";
    case Determiner::His:
      return "his";
    case Determiner::Her:
      return "her";
    case Determiner::Our:
      return "our";
    case Determiner::Their:
      return "their";
    case Determiner::Two:
      return "two";
    case Determiner::Three:
      return "three";
    case Determiner::Many:
      return "many";
  }
  return "";
}

// A verb in a tense: "helps", "has helped"; with an auxiliary where negations and questions need one.
EnglishVerbGroup conjugate(const EnglishVerb& verb, Meanings meaning, const Clause& clause,
                           bool needsAuxiliary) {
  const bool third = clause.subject->isThirdSingular();
  const Meanings tense = clause.tenseMeaning;
  switch (clause.tense) {
    case Tense::Present:
      if (needsAuxiliary) return {{third ? "does" : "do", tense}, {{verb.base, meaning}}};
      return {{}, {{third ? verb.third : verb.base, meaning | tense}}};
    case Tense::Progressive:
      return {{beForm(*clause.subject, false), tense}, {{verb.gerund, meaning}}};
    case Tense::Past:
      if (needsAuxiliary) return {{"did", tense}, {{verb.base, meaning}}};
      return {{}, {{verb.past, meaning | tense}}};
    case Tense::Perfect:
      return {{third ? "has" : "have", tense}, {{verb.participle, meaning}}};
    case Tense::Future:
      return {{"will", tense}, {{verb.base, meaning}}};
  }
  return {};
}

EnglishVerbGroup englishVerbGroup(const Clause& clause, bool needsAuxiliary) {
  const EnglishVerb& verb = clause.verb->english;
  const bool past = clause.tense == Tense::Past;
  if (clause.modal && clause.modal->auxiliary) {
    const EnglishVerb& modal = clause.modal->english;
    return {{past ? modal.past : modal.base, clause.modalMeaning | clause.tenseMeaning},
            {{verb.base, clause.verbMeaning}}};
  }
  if (clause.modal || clause.gladly) {
    const Meanings meaning = clause.modal ? clause.modalMeaning : clause.gladlyMeaning;
    EnglishVerbGroup group =
        conjugate(clause.modal ? clause.modal->english : like(), meaning, clause, needsAuxiliary);
    group.rest.push_back({"to", meaning});
    group.rest.push_back({verb.base, clause.verbMeaning});
    return group;
  }
  if (clause.verb->frame == Frame::Copula && clause.tense != Tense::Future)
    return {{beForm(*clause.subject, past), clause.verbMeaning | clause.tenseMeaning}, {}};
  return conjugate(verb, clause.verbMeaning, clause, needsAuxiliary);
}

// "didn't", "couldn't"; other auxiliaries stay apart from their "not".
bool isContracted(std::string_view auxiliary) {
  return auxiliary == "do" || auxiliary == "does" || auxiliary == "did" || auxiliary == "could";
}

class English {
 public:
  Text write(const Sentence& sentence) {
    if (sentence.hearsay) {
      wording_.sayPieces(sentence.hearsay->english, sentence.hearsayMeaning);
      wording_.say("that", sentence.thatMeaning);
    }
    say(sentence.clause);
    return std::move(wording_).finish(sentence.clause.asking == Asking::Nothing ? '.' : '?');
  }

 private:
  void say(const EnglishWord& word) { wording_.say(word.word, word.meanings); }

  void say(const Clause& clause) {
    for (const Attachment& attachment : clause.attachments)
      if (attachment.before) {
        say(attachment);
        wording_.comma();
      }
    sayFront(clause);
    sayVerbs(clause);
    sayObjects(clause);
    if (clause.predicate) say(*clause.predicate);
    if (clause.direction) say(*clause.direction);
    if (clause.location && clause.front != Front::Place) say(*clause.location);
    if (clause.time && clause.front != Front::Time)
      wording_.sayPieces(clause.time->english, clause.timeMeaning);
    for (const Attachment& attachment : clause.attachments)
      if (!attachment.before) say(attachment);
  }

  void sayFront(const Clause& clause) {
    if (clause.front == Front::Time) wording_.sayPieces(clause.time->english, clause.timeMeaning);
    if (clause.front == Front::Place) say(*clause.location);
    if (clause.asking == Asking::Why) wording_.say("why", clause.askingMeaning);
    if (clause.asking == Asking::When) wording_.say("when", clause.askingMeaning);
    if (clause.asking == Asking::Where) wording_.say("where", clause.askingMeaning);
    if (clause.accusative && clause.accusative->isMoved()) say(*clause.accusative, false);
    if (clause.complement && clause.complement->isMoved()) {
      wording_.say(clause.verb->english.preposition, clause.complementMeaning);
      wording_.say("whom", clause.complement->meaning);
    }
  }

  void sayVerbs(const Clause& clause) {
    if (!clause.subject) return wording_.say(clause.verb->english.base, clause.verbMeaning);
    const bool inverted = clause.asking != Asking::Nothing && clause.subject->kind != Kind::Interrogative;
    const EnglishVerbGroup group = englishVerbGroup(clause, inverted || clause.negated);
    if (!inverted) say(*clause.subject, true);
    const EnglishWord& auxiliary = group.auxiliary;
    if (clause.negated && auxiliary.word == "can" && !inverted) {
      wording_.say("cannot", auxiliary.meanings | clause.negationMeaning);
    } else if (clause.contracted && isContracted(auxiliary.word) && !inverted) {
      wording_.say(std::string(auxiliary.word) + "n't", auxiliary.meanings | clause.negationMeaning);
    } else {
      if (!auxiliary.word.empty()) say(auxiliary);
      if (inverted) say(*clause.subject, true);
      if (clause.negated) wording_.say("not", clause.negationMeaning);
    }
    if (clause.frequency) wording_.say(clause.frequency->english, clause.frequencyMeaning);
    for (const EnglishWord& word : group.rest) say(word);
  }

  void sayObjects(const Clause& clause) {
    const EnglishVerb& verb = clause.verb->english;
    const auto sayParticle = [&] {
      if (!verb.particle.empty()) wording_.say(verb.particle, clause.verbMeaning);
    };
    const auto sayPreposition = [&] {
      if (!verb.preposition.empty()) wording_.say(verb.preposition, clause.verbMeaning);
    };
    const bool accusative = clause.accusative && !clause.accusative->isMoved();
    const bool pronoun = accusative && clause.accusative->isPronoun();
    const bool recipientFirst = clause.verb->frame == Frame::Recipient && clause.verb->doubleObject &&
                                accusative && !pronoun && !clause.toPhrase;
    if (!pronoun) sayParticle();
    if (clause.verb->frame == Frame::Accusative) sayPreposition();
    if (recipientFirst) say(*clause.dative, false);
    if (accusative) say(*clause.accusative, false);
    if (pronoun) sayParticle();
    if (clause.dative && !recipientFirst) {
      sayPreposition();
      say(*clause.dative, false);
    }
    if (clause.complement && !clause.complement->isMoved()) {
      wording_.say(verb.preposition, clause.complementMeaning);
      say(*clause.complement, false);
    }
  }

  void say(const Predicate& predicate) {
    if (predicate.degree) wording_.say(predicate.degree->english, predicate.degreeMeaning);
    const Adjective& adjective = *predicate.adjective;
    wording_.say(predicate.than ? adjective.englishComparative : adjective.english, predicate.meaning);
    if (!predicate.than) return;
    wording_.say("than", predicate.thanMeaning);
    say(*predicate.than, false);
  }

  void say(const Place& place) {
    if (place.phrase) return wording_.sayAll(place.phrase->english, place.meaning);
    wording_.sayAll(place.preposition->english, place.meaning);
    say(place.noun, false);
  }

  void say(const NounPhrase& phrase, bool isSubject) {
    switch (phrase.kind) {
      case Kind::Noun:
        return sayNoun(phrase);
      case Kind::Name:
        return wording_.say(phrase.name, phrase.meaning);
      case Kind::Pronoun:
        return wording_.say(pronoun(phrase, isSubject), phrase.meaning);
      case Kind::Relative:
        return wording_.say(phrase.person && isSubject ? "who" : "that", phrase.meaning);
      case Kind::Interrogative:
        return wording_.say(phrase.person ? "who" : "what", phrase.meaning);
    }
  }

  void sayNoun(const NounPhrase& phrase) {
    const std::string_view noun = phrase.plural ? phrase.noun->englishPlural : phrase.noun->english;
    const std::string_view next = phrase.adjective ? phrase.adjective->english : noun;
    if (phrase.determiner != Determiner::None)
      wording_.say(determiner(phrase, next), phrase.determinerMeaning);
    if (phrase.adjective) wording_.say(phrase.adjective->english, phrase.adjectiveMeaning);
    wording_.say(noun, phrase.meaning);
    for (const Clause& clause : phrase.relativeClause) say(clause);
  }

  void say(const Attachment& attachment) {
    if (attachment.conjunction) {
      if (attachment.conjunction->english == "but") wording_.comma();
      wording_.sayAll(attachment.conjunction->english, attachment.meaning);
    }
    if (attachment.kind == Attachment::Kind::Infinitive) wording_.say("to", attachment.toMeaning);
    say(attachment.clause);
  }

  Wording wording_;
};

}  // namespace

Text english(const Sentence& sentence) { return English().write(sentence); }

}  // namespace glassformer::translation
