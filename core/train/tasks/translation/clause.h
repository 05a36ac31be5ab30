#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/train/tasks/translation/lexicon.h"

/// What stands between the two languages: a sentence as a structure, without any order of words. english.h
/// and german.h each say it by their own rules.
namespace glassformer::translation {

/// The pieces of meaning a word expresses, one bit each. A German word stems from the English words with
/// which it shares a bit: "hat" and "gekauft" both stem from "bought", which tells the tense and the verb.
using Meanings = std::uint64_t;

enum class Determiner { None, The, A, This, Every, No, My, His, Her, Our, Their, Two, Three, Many };

struct Clause;

struct NounPhrase {
  enum class Kind { Noun, Name, Pronoun, Relative, Interrogative };
  Kind kind = Kind::Noun;
  Determiner determiner = Determiner::The;
  const Adjective* adjective = nullptr;
  const Noun* noun = nullptr;
  std::string_view name;
  bool plural = false;
  bool first = false;   ///< pronouns: I and we
  bool person = false;  ///< pronouns: he or she and not it, who and not that or what
  /// Of pronouns; for "it" and relative pronouns that of the German noun they stand for.
  Gender gender = Gender::Masculine;
  const Noun* antecedent = nullptr;    ///< of "it": what it stands for
  std::vector<Clause> relativeClause;  ///< none or one, in which a noun phrase is of Kind::Relative

  Meanings determinerMeaning = 0, adjectiveMeaning = 0, meaning = 0;

  bool isPronoun() const { return kind == Kind::Pronoun; }
  bool isThirdSingular() const { return !plural && !first; }
  /// Relative and interrogative pronouns go to the front of their clause and leave nothing where they come
  /// from.
  bool isMoved() const { return kind == Kind::Relative || kind == Kind::Interrogative; }
  /// The listener knows which one: German puts such objects before adverbs of time.
  bool isDefinite() const;
};

/// Where something happens or leads to: "in the garden", "onto the table", "home".
struct Place {
  const Phrase* phrase = nullptr;  ///< instead of the other two
  const PlacePreposition* preposition = nullptr;
  NounPhrase noun;
  Meanings meaning = 0;
};

/// "very tired", "bigger than the dog"
struct Predicate {
  const Adjective* adjective = nullptr;
  const Phrase* degree = nullptr;
  std::optional<NounPhrase> than;
  Meanings meaning = 0, degreeMeaning = 0, thanMeaning = 0;
};

/// What a main clause begins with. In German the verb comes second after it, whatever it is.
enum class Front { Subject, Time, Place };

/// What a main clause asks for. Who and what are interrogative noun phrases instead.
enum class Asking { Nothing, Whether, Why, When, Where, WhoOrWhat };

struct Attachment;

struct Clause {
  std::optional<NounPhrase> subject;  ///< none in infinitives
  const Verb* verb = nullptr;
  const Modal* modal = nullptr;
  Tense tense = Tense::Present;
  bool negated = false;
  bool contracted = false;  ///< "didn't", where English negates by "do"
  bool gladly = false;      ///< "likes to read": liest gern
  bool toPhrase = false;    ///< English "gives the book to the child", not "gives the child the book"
  Front front = Front::Subject;
  Asking asking = Asking::Nothing;
  std::optional<NounPhrase> accusative, dative;
  std::optional<NounPhrase> complement;  ///< behind the verb's preposition
  std::optional<Predicate> predicate;
  std::optional<Place> direction, location;
  const Phrase *time = nullptr, *frequency = nullptr;
  std::vector<Attachment> attachments;

  Meanings verbMeaning = 0, tenseMeaning = 0, modalMeaning = 0, negationMeaning = 0, gladlyMeaning = 0,
           complementMeaning = 0, timeMeaning = 0, frequencyMeaning = 0, askingMeaning = 0;
};

/// A clause that depends on another one, or stands beside it.
struct Attachment {
  enum class Kind {
    Subordinate,  ///< weil er schläft
    Infinitive,   ///< um zu schlafen; without a conjunction: (versucht,) zu schlafen
    Coordinate,   ///< und er schläft
  };
  Kind kind = Kind::Subordinate;
  const Phrase* conjunction = nullptr;
  bool before = false;  ///< stands before the clause it depends on
  Clause clause;
  Meanings meaning = 0;  ///< of the conjunction
  Meanings toMeaning = 0;
};

struct Sentence {
  const Phrase* hearsay = nullptr;  ///< "people say" and how German says it; then "that" and the clause
  Clause clause;
  Meanings hearsayMeaning = 0, thatMeaning = 0;
};

/// Gives every piece of meaning its bit. False where a sentence has more than 64.
bool nameMeanings(Sentence& sentence);

/// All noun phrases of a clause with a noun in them, those of its attachments not included.
std::vector<const NounPhrase*> nounsOf(const Clause& clause);
/// Those of them that are no persons: what "it" could stand for.
std::vector<const NounPhrase*> thingsOf(const Clause& clause);

/// "It" where it could be either of two, and only what is said of it tells which: "The animal did not cross
/// the street because it was too tired."
struct Reference {
  const NounPhrase *it = nullptr, *antecedent = nullptr, *other = nullptr;
  const Adjective* reason = nullptr;
};
/// The reference in the last attachment of a main clause, if there is one.
std::optional<Reference> referenceIn(const Clause& clause);

}  // namespace glassformer::translation
