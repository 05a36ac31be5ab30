#pragma once
#include <optional>

#include "core/train/tasks/translation/noun_draft.h"

namespace glassformer::translation {

/// Draws single clauses: a verb with all that it needs and some that it does not.
class ClauseDraft {
 public:
  explicit ClauseDraft(Choices& choices) : choices_(choices), nouns_(choices) {}

  struct Wish {
    Tense tense = Tense::Present;  ///< where the verb has it
    bool main = false;             ///< can begin with time or place
    bool plain = false;            ///< neither adverbs nor relative clauses: something will follow
    bool affirmed = false;         ///< not negated
  };

  Clause clause(const Wish& wish);
  Clause clauseWith(const Verb& verb, const Wish& wish);
  Clause weatherClause(Tense tense);
  /// Something about the only thing that `said` names, as "it"; nothing where there is no such thing.
  std::optional<Clause> clauseAboutIt(const Clause& said, const Wish& wish);
  /// An animal, and what it crosses or jumps over: two things of different genders.
  Clause crossing(Tense tense);
  /// What hinders, of one of the two as "it": it fits only this one.
  Clause reasonFor(const Clause& crossing, Tense tense);
  Clause infinitiveClause();
  Clause question(Tense tense);
  NounPhrase personSubject();

  Tense mainTense();
  /// Of a clause that depends on one in tense `main`.
  Tense dependentTense(Tense main);
  void addTime(Clause& clause);
  void negate(Clause& clause);

 private:
  NounDraft::Range rangeOf(const Clause& clause) const;
  void settleTense(Clause& clause, Tense tense);
  void addVerbs(Clause& clause, const Wish& wish);
  void addObjects(Clause& clause);
  void addPredicate(Clause& clause);
  void addAdverbs(Clause& clause, const Wish& wish);
  bool addFrequency(Clause& clause);
  void addRelative(Clause& clause, bool main);
  Clause relativeClause(const NounPhrase& head, Tense main);

  Choices& choices_;
  NounDraft nouns_;
};

}  // namespace glassformer::translation
