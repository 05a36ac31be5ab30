#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/document/chosen_number.h"
#include "app/document/command.h"
#include "app/document/tab_text.h"
#include "core/trace/interventions.h"

namespace glassformer {

/// What ViewSettings::choices calls what is asked about, the answer or where the selected head looks; the
/// answer, and the key, that is wanted ("": any other); and how many changes of each kind are tried.
inline constexpr const char *flipsAsked = "influence.flips", *flipsOfHead = "head",
                            *wantedAnswer = "influence.wanted", *wantedKey = "influence.wanted_key",
                            *changesTried = "influence.changes_tried";

/// The best guesses that are tried: of single tokens, and of sets of heads of one size.
struct ChangeBudget {
  const char* id;  ///< of the choice
  const char* label;
  const char* tip;
  std::int64_t replacements, headSets;
};
inline constexpr std::array changeBudgets{
    ChangeBudget{"", "Best 30000",
                 "the 30000 best guesses among single tokens, of heads up to 5000 sets of one size", 30'000,
                 5'000},
    ChangeBudget{"few", "Best 2000",
                 "the 2000 best guesses among single tokens, and among sets of heads of one size", 2'000,
                 2'000},
    ChangeBudget{"all", "All", "Every token at every position, and up to 50,000 sets of heads per size",
                 100'000'000, 50'000},
};
inline const ChangeBudget& chosenBudget(const ViewSettings& settings) {
  const auto found = std::ranges::find_if(
      changeBudgets, [&](const ChangeBudget& budget) { return budget.id == settings.chosen(changesTried); });
  return found == changeBudgets.end() ? changeBudgets.front() : *found;
}

inline bool asksWhereHeadLooks(const ViewSettings& settings) {
  return settings.chosen(flipsAsked) == flipsOfHead;
}

/// The entry that is wanted, or of a head the key; -1: any other than the one that it is.
inline int answerWanted(const ViewSettings& settings, int count) {
  const int wanted = chosenNumber(settings, asksWhereHeadLooks(settings) ? wantedKey : wantedAnswer, -1);
  return wanted < count ? wanted : -1;
}

namespace commands {

/// Puts one text, and one source, in the place of another, by replacing a token; nothing where that is no
/// longer what is written.
Command takeReplacement(TabText before, TabText after);
/// Switches several parts off at once.
Command takeInterventions(Interventions off);

}  // namespace commands
}  // namespace glassformer
