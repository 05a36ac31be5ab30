#include "core/train/tasks/translation/clause.h"

namespace glassformer::translation {
namespace {

class Namer {
 public:
  bool enough() const { return used_ <= 64; }

  void name(Sentence& sentence) {
    if (sentence.hearsay) pieces(sentence.hearsayMeaning), one(sentence.thatMeaning);
    name(sentence.clause);
  }

 private:
  void one(Meanings& meaning) { meaning = used_ < 64 ? Meanings{1} << used_ : 0, ++used_; }
  /// A phrase has two pieces at most; the second takes the next bit.
  void pieces(Meanings& meaning) { one(meaning), ++used_; }

  void name(NounPhrase& phrase) {
    one(phrase.meaning);
    if (phrase.kind == NounPhrase::Kind::Noun && phrase.determiner != Determiner::None)
      one(phrase.determinerMeaning);
    if (phrase.adjective) one(phrase.adjectiveMeaning);
    for (Clause& clause : phrase.relativeClause) name(clause);
  }

  void name(Place& place) {
    one(place.meaning);
    if (!place.phrase) name(place.noun);
  }

  void name(Predicate& predicate) {
    one(predicate.meaning);
    if (predicate.degree) one(predicate.degreeMeaning);
    if (predicate.than) one(predicate.thanMeaning), name(*predicate.than);
  }

  void name(Clause& clause) {
    one(clause.verbMeaning), one(clause.tenseMeaning);
    if (clause.modal) one(clause.modalMeaning);
    if (clause.negated) one(clause.negationMeaning);
    if (clause.gladly) one(clause.gladlyMeaning);
    if (clause.time) pieces(clause.timeMeaning);
    if (clause.frequency) one(clause.frequencyMeaning);
    if (clause.asking != Asking::Nothing) one(clause.askingMeaning);
    for (auto* phrase : {&clause.subject, &clause.accusative, &clause.dative, &clause.complement})
      if (*phrase) name(**phrase);
    if (clause.complement) one(clause.complementMeaning);
    if (clause.predicate) name(*clause.predicate);
    for (auto* place : {&clause.direction, &clause.location})
      if (*place) name(**place);
    for (Attachment& attachment : clause.attachments) {
      if (attachment.conjunction) one(attachment.meaning);
      if (attachment.kind == Attachment::Kind::Infinitive) one(attachment.toMeaning);
      name(attachment.clause);
    }
  }

  int used_ = 0;
};

}  // namespace

bool NounPhrase::isDefinite() const {
  if (kind != Kind::Noun) return true;
  switch (determiner) {
    case Determiner::None:
    case Determiner::A:
    case Determiner::No:
    case Determiner::Two:
    case Determiner::Three:
    case Determiner::Many:
      return false;
    default:
      return true;
  }
}

bool nameMeanings(Sentence& sentence) {
  Namer namer;
  namer.name(sentence);
  return namer.enough();
}

std::vector<const NounPhrase*> nounsOf(const Clause& clause) {
  std::vector<const NounPhrase*> found;
  const auto add = [&](const NounPhrase& phrase) {
    if (phrase.noun) found.push_back(&phrase);
  };
  for (const auto* phrase : {&clause.subject, &clause.accusative, &clause.dative, &clause.complement})
    if (*phrase) add(**phrase);
  for (const auto* place : {&clause.direction, &clause.location})
    if (*place) add((*place)->noun);
  if (clause.predicate && clause.predicate->than) add(*clause.predicate->than);
  return found;
}

std::vector<const NounPhrase*> thingsOf(const Clause& clause) {
  std::vector<const NounPhrase*> things = nounsOf(clause);
  std::erase_if(things, [](const NounPhrase* phrase) { return phrase->noun->sorts & sort::person; });
  return things;
}

std::optional<Reference> referenceIn(const Clause& clause) {
  if (clause.attachments.empty()) return std::nullopt;
  const Clause& said = clause.attachments.back().clause;
  const auto things = thingsOf(clause);
  if (things.size() != 2 || !said.predicate || !said.subject || !said.subject->antecedent)
    return std::nullopt;
  const bool first = things[0]->noun == said.subject->antecedent;
  return Reference{.it = &*said.subject,
                   .antecedent = things[first ? 0 : 1],
                   .other = things[first ? 1 : 0],
                   .reason = said.predicate->adjective};
}

}  // namespace glassformer::translation
