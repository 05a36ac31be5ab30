#include "core/train/tasks/translation/translations.h"

#include <string>
#include <string_view>

#include "core/train/tasks/grammar.h"
#include "core/train/tasks/translation/clause.h"
#include "core/train/tasks/translation/german_forms.h"
#include "core/train/tasks/translation/sentence_draft.h"

namespace glassformer {
namespace {

using namespace translation;

bool isHeldOutTogether(std::string combination, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) combination.append("|").append(word);
  return isHeldOut(combination);
}

bool hasHeldOutReference(const Clause& clause) {
  const auto reference = referenceIn(clause);
  return reference && isHeldOutTogether("it", {reference->antecedent->noun->english,
                                               reference->other->noun->english, reference->reason->english});
}

bool hasHeldOut(const Clause& clause);

bool hasHeldOut(const NounPhrase& phrase) {
  if (phrase.adjective && isHeldOutTogether("adjective", {phrase.adjective->english, phrase.noun->english}))
    return true;
  for (const Clause& clause : phrase.relativeClause)
    if (hasHeldOut(clause)) return true;
  return false;
}

bool hasHeldOut(const Clause& clause) {
  if (hasHeldOutReference(clause)) return true;
  const std::string verb = infinitive(clause.verb->german);
  if (clause.subject && clause.subject->noun &&
      isHeldOutTogether("subject", {clause.subject->noun->english, verb}))
    return true;
  for (const auto* object : {&clause.accusative, &clause.dative, &clause.complement})
    if (*object && (*object)->noun && isHeldOutTogether("object", {verb, (*object)->noun->english}))
      return true;
  for (const NounPhrase* phrase : nounsOf(clause))
    if (hasHeldOut(*phrase)) return true;
  for (const Attachment& attachment : clause.attachments)
    if (hasHeldOut(attachment.clause)) return true;
  return false;
}

}  // namespace

SentencePair TranslationGenerator::next() {
  for (;;) {
    RandomChoices choices(random_);
    Sentence sentence = draftSentence(choices);
    const bool heldOut = hasHeldOut(sentence.clause), heldOutReference = hasHeldOutReference(sentence.clause);
    if (heldOut != (split_ == Split::HeldOut)) continue;
    if (auto pair = pairOf(std::move(sentence))) {
      pair->heldOut = heldOut;
      if (pair->reference) pair->reference->heldOut = heldOutReference;
      return *std::move(pair);
    }
  }
}

}  // namespace glassformer
