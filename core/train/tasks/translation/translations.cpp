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

bool isHeldOutPair(std::string_view kind, std::string_view a, std::string_view b) {
  std::string combination(kind);
  for (std::string_view word : {a, b}) combination.append("|").append(word);
  return isHeldOut(combination);
}

bool hasHeldOut(const Clause& clause);

bool hasHeldOut(const NounPhrase& phrase) {
  if (phrase.adjective && isHeldOutPair("adjective", phrase.adjective->english, phrase.noun->english))
    return true;
  for (const Clause& clause : phrase.relativeClause)
    if (hasHeldOut(clause)) return true;
  return false;
}

bool hasHeldOut(const Clause& clause) {
  const std::string verb = infinitive(clause.verb->german);
  if (clause.subject && clause.subject->noun && isHeldOutPair("subject", clause.subject->noun->english, verb))
    return true;
  for (const auto* object : {&clause.accusative, &clause.dative, &clause.complement})
    if (*object && (*object)->noun && isHeldOutPair("object", verb, (*object)->noun->english)) return true;
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
    const bool heldOut = hasHeldOut(sentence.clause);
    if (heldOut != (split_ == Split::HeldOut)) continue;
    if (auto pair = pairOf(std::move(sentence))) {
      pair->heldOut = heldOut;
      return *std::move(pair);
    }
  }
}

}  // namespace glassformer
