#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/change_settings.h"
#include "app/document/tab_text.h"
#include "app/engine/job.h"
#include "core/lens/counterfactual.h"

namespace glassformer {

namespace changes {
inline constexpr int mostListed = 40;
/// Columns of a row of probabilities, and of a replacement.
enum Probability { oldBefore, oldAfter, newBefore, newAfter, probabilities };
enum Replacement { inSource, position, token, newAnswer, isSpelled, replacementColumns };
inline constexpr const char
    *replacements = "change.replacements",  ///< [Y, Z]: see Replacement; the best of every place first
    *replacementP = "change.replacement_probabilities",  ///< [Y, Z]: see Probability
        *replacementCounts =
            "change.replacement_counts",     ///< [3]: how many were tried, of how many, how many flip
            *lookedAt = "change.looked_at",  ///< [2]: of a head, from where it looks, and at which key most
                *headSets = "change.head_sets",  ///< [Y, Z]: numbers in everyHead(); NaN: none any more
                    *headP = "change.head_probabilities",  ///< [Y, Z]: see Probability
                        *headAnswer =
                            "change.head_answers",  ///< [Y]: the entry that is likeliest then, or the key
                            *headCounts =
                                "change.head_counts";  ///< [Y, 3]: sets of so many heads, tried, of how many
/// [Y, Z]: which other entries, or keys, had or have most besides, of each that is listed; NaN: none any
/// more.
inline constexpr const char *replacementOthers = "change.replacement_others",
                            *headOthers = "change.head_others";
/// [Y, Z, 2]: how probable those were, or how much attention they had, before, and with the change.
inline constexpr const char *replacementOthersP = "change.replacement_other_probabilities",
                            *headOthersP = "change.head_other_probabilities";
}  // namespace changes

/// All heads of a model, in the order of sites, blocks and heads.
std::vector<HeadId> everyHead(const ModelConfig& config);

/// The text and source with a token replaced, as they would be written; nothing where the text cannot spell
/// it: its bytes come together with their neighbours as other tokens.
std::optional<TabText> writtenWith(const Snapshot& snapshot, const TokenReplacement& change);

/// What is asked: the model's answer at the selected position, or where the selected head looks from there;
/// nothing where there is no such pass.
std::optional<AnswerAsked> changesAsked(const Workspace& workspace, const Snapshot& snapshot);

/// What is asked of counterfactuals: of which pass, which answer is to change, and how many may be tried.
struct CounterfactualKey {
  PassKey pass;
  AnswerAsked answer;
  const ChangeBudget* budget = nullptr;
  bool operator==(const CounterfactualKey&) const = default;
};
/// What was tried of them.
struct CounterfactualState {
  ReplacementSearch replacements;
  HeadSetSearch heads;
  std::unique_ptr<LivePass> pass;
  Snapshot snapshot;  ///< of the text, to write it with a token replaced

  bool isDone() const { return replacements.isDone() && heads.isDone(); }
};

/// Which single token, and which smallest set of ablated heads, changes the answer; tried one by one
/// (counterfactual edits: Wachter et al. 2017).
class CounterfactualSearch final : public Job<CounterfactualKey, CounterfactualState> {
 public:
  static constexpr const char* doing = "searching counterfactual edits";

  explicit CounterfactualSearch(int threads) : threads_(threads) {}

 private:
  std::optional<CounterfactualKey> key(const JobSide& side) const override;
  std::unique_ptr<CounterfactualState> start(const CounterfactualKey& key, const JobSide& side,
                                             const StartJob& begin) override;
  bool goOn(const CounterfactualKey& key, CounterfactualState& state, const JobSide& side,
            const StartJob& begin, const std::function<void()>& more) override;
  JobResult result(const CounterfactualKey& key, const CounterfactualState& state,
                   const JobSide&) const override;

  int threads_;
};

}  // namespace glassformer
