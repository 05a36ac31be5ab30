#pragma once
#include <string>
#include <string_view>

#include "core/train/tasks/translation/clause.h"

/// German inflection: the forms that nouns, articles, adjectives, pronouns and verbs take.
namespace glassformer::translation {

/// "der", "keinem", "meine"; empty where there is none. `determiner` may differ from the phrase's own: a
/// negated "ein" is "kein".
std::string determinerForm(Determiner determiner, const NounPhrase& phrase, Case grammaticalCase);

/// Weak after der, dieser, jeder; mixed after ein, kein, mein; strong where no article shows the case.
std::string adjectiveForm(Determiner determiner, const NounPhrase& phrase, Case grammaticalCase);

std::string nounForm(const NounPhrase& phrase, Case grammaticalCase);

std::string_view pronounForm(const NounPhrase& phrase, Case grammaticalCase);
std::string_view relativePronoun(const NounPhrase& phrase, Case grammaticalCase);

/// Of the verb without its prefix: "machst auf" has "machst". Agrees with the subject.
std::string presentForm(const GermanVerb& verb, const NounPhrase& subject);
std::string preteriteForm(const GermanVerb& verb, const NounPhrase& subject);
/// With the prefix: aufmachen.
std::string infinitive(const GermanVerb& verb);

/// "in dem" is "im". Empty where the two stay apart.
std::string_view contraction(std::string_view preposition, const NounPhrase& phrase, Case grammaticalCase);

}  // namespace glassformer::translation
