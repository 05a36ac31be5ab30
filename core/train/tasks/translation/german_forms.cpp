#include "core/train/tasks/translation/german_forms.h"

namespace glassformer::translation {
namespace {

// Rows: nominative, accusative, dative. Columns: masculine, feminine, neuter, plural.
using Forms = std::string_view[3][4];

constexpr Forms definite = {
    {"der", "die", "das", "die"}, {"den", "die", "das", "die"}, {"dem", "der", "dem", "den"}};
constexpr Forms relative = {
    {"der", "die", "das", "die"}, {"den", "die", "das", "die"}, {"dem", "der", "dem", "denen"}};
constexpr Forms strongEnding = {{"er", "e", "es", "e"}, {"en", "e", "es", "e"}, {"em", "er", "em", "en"}};
constexpr Forms einEnding = {{"", "e", "", "e"}, {"en", "e", "", "e"}, {"em", "er", "em", "en"}};
constexpr Forms weakEnding = {{"e", "e", "e", "en"}, {"en", "e", "e", "en"}, {"en", "en", "en", "en"}};
constexpr Forms mixedEnding = {{"er", "e", "es", "en"}, {"en", "e", "es", "en"}, {"en", "en", "en", "en"}};
constexpr Forms personal = {
    {"er", "sie", "es", "sie"}, {"ihn", "sie", "es", "sie"}, {"ihm", "ihr", "ihm", "ihnen"}};

std::string_view pick(const Forms& forms, const NounPhrase& phrase, Case grammaticalCase) {
  return forms[static_cast<int>(grammaticalCase)][phrase.plural ? 3 : static_cast<int>(phrase.gender)];
}

// What the endings of a determiner are put to; empty for those that are declined otherwise or not at all.
std::string_view einStem(Determiner determiner) {
  switch (determiner) {
    case Determiner::A:
      return "ein";
    case Determiner::No:
      return "kein";
    case Determiner::My:
      return "mein";
    case Determiner::His:
      return "sein";
    case Determiner::Her:
    case Determiner::Their:
      return "ihr";
    case Determiner::Our:
      return "unser";
    default:
      return "";
  }
}

}  // namespace

std::string determinerForm(Determiner determiner, const NounPhrase& phrase, Case grammaticalCase) {
  const auto strong = [&](std::string stem) { return stem += pick(strongEnding, phrase, grammaticalCase); };
  switch (determiner) {
    case Determiner::None:
      return "";
    case Determiner::The:
      return std::string(pick(definite, phrase, grammaticalCase));
    case Determiner::This:
      return strong("dies");
    case Determiner::Every:
      return strong("jed");
    case Determiner::Many:
      return strong("viel");
    case Determiner::Two:
      return "zwei";
    case Determiner::Three:
      return "drei";
    default:
      return std::string(einStem(determiner)) += pick(einEnding, phrase, grammaticalCase);
  }
}

std::string adjectiveForm(Determiner determiner, const NounPhrase& phrase, Case grammaticalCase) {
  const bool weak =
      determiner == Determiner::The || determiner == Determiner::This || determiner == Determiner::Every;
  const Forms& endings = weak ? weakEnding : einStem(determiner).empty() ? strongEnding : mixedEnding;
  return std::string(phrase.adjective->stem) += pick(endings, phrase, grammaticalCase);
}

std::string nounForm(const NounPhrase& phrase, Case grammaticalCase) {
  const Noun& noun = *phrase.noun;
  if (!phrase.plural)
    return std::string(noun.weak && grammaticalCase != Case::Nominative ? noun.germanPlural : noun.german);
  std::string form(noun.germanPlural);
  if (grammaticalCase == Case::Dative && !form.ends_with('n') && !form.ends_with('s')) form += 'n';
  return form;
}

std::string_view pronounForm(const NounPhrase& phrase, Case grammaticalCase) {
  static constexpr std::string_view ich[] = {"ich", "mich", "mir"}, wir[] = {"wir", "uns", "uns"};
  if (phrase.first) return (phrase.plural ? wir : ich)[static_cast<int>(grammaticalCase)];
  return pick(personal, phrase, grammaticalCase);
}

std::string_view relativePronoun(const NounPhrase& phrase, Case grammaticalCase) {
  return pick(relative, phrase, grammaticalCase);
}

std::string presentForm(const GermanVerb& verb, const NounPhrase& subject) {
  if (subject.plural) return std::string(verb.plural.empty() ? verb.infinitive : verb.plural);
  if (!subject.first) return std::string(verb.third);
  return std::string(verb.first.empty() ? verb.infinitive.substr(0, verb.infinitive.size() - 1) : verb.first);
}

std::string preteriteForm(const GermanVerb& verb, const NounPhrase& subject) {
  std::string form(verb.preterite);
  if (subject.plural) form += form.ends_with('e') ? "n" : "en";
  return form;
}

std::string infinitive(const GermanVerb& verb) { return std::string(verb.prefix) += verb.infinitive; }

std::string_view contraction(std::string_view preposition, const NounPhrase& phrase, Case grammaticalCase) {
  if (phrase.determiner != Determiner::The || phrase.plural || !phrase.relativeClause.empty()) return "";
  const std::string_view article = pick(definite, phrase, grammaticalCase);
  struct Contracted {
    std::string_view preposition, article, form;
  };
  static constexpr Contracted all[] = {{"in", "dem", "im"},
                                       {"in", "das", "ins"},
                                       {"zu", "dem", "zum"},
                                       {"zu", "der", "zur"},
                                       {"von", "dem", "vom"}};
  for (const Contracted& one : all)
    if (one.preposition == preposition && one.article == article) return one.form;
  return "";
}

}  // namespace glassformer::translation
