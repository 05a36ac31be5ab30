#pragma once
#include <span>
#include <vector>

#include "core/train/tasks/grammar.h"
#include "core/train/tasks/translation/clause.h"

namespace glassformer::translation {

/// One of those for which `fits` holds; there must be one.
template <typename Item, typename Fits>
const Item& pickWhere(Choices& choices, std::span<const Item> items, Fits fits) {
  int count = 0;
  for (const Item& item : items) count += fits(item);
  int skip = choices.pick(count);
  for (const Item& item : items)
    if (fits(item) && skip-- == 0) return item;
  return items.front();
}

template <typename Item>
const Item& pickAny(Choices& choices, std::span<const Item> items) {
  return items[static_cast<std::size_t>(choices.pick(static_cast<int>(items.size())))];
}

/// Draws noun phrases: who does something and to whom. Nobody and nothing is named twice in a sentence, as
/// long as there are others.
class NounDraft {
 public:
  explicit NounDraft(Choices& choices) : choices_(choices) {}

  /// Which articles can be used.
  enum class Range {
    Any,
    Known,  ///< definite ones; not "every" either, which means another thing where the clause is negated
    KnownOrNone,  ///< these, or a plain "a" or plural that a negation makes "kein"
  };

  NounPhrase subject(Sorts sorts);
  /// `subject` may be null; "I see me" is never said.
  NounPhrase object(Sorts sorts, const NounPhrase* subject, Range range);
  NounPhrase noun(Sorts sorts, Range range);
  /// A single one that the listener knows, of which something that hinders is still to be said.
  NounPhrase crossingNoun(Sorts sorts);
  Place place(std::span<const PlacePreposition> prepositions, const NounPhrase* subject, Range range);

 private:
  NounPhrase person(bool notFirst);  ///< a name or a pronoun
  Determiner determiner(bool plural, Range range);
  /// One of the items that fit, if possible one that `said` does not hold yet, and adds it there.
  template <typename Item, typename Fits>
  const Item& pickNew(std::span<const Item> items, std::vector<const Item*>& said, Fits fits);

  Choices& choices_;
  std::vector<const Noun*> saidNouns_;
  std::vector<const std::string_view*> saidNames_;
};

/// "it" for that noun.
NounPhrase itFor(const NounPhrase& noun);
/// who, which or that for that noun.
NounPhrase relativeFor(const NounPhrase& noun);

}  // namespace glassformer::translation
