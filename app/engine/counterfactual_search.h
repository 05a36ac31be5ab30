#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/change_settings.h"
#include "app/document/tab_text.h"
#include "app/engine/need.h"
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

/// Which single token, and which smallest set of heads switched off, changes that; tried one by one behind
/// the picture, and anew when text, position, head, what is wanted, interventions or model change.
class CounterfactualSearch final : public BackgroundJob {
 public:
  static constexpr const char* doing = "searching counterfactual edits";

  explicit CounterfactualSearch(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  struct Asked {
    std::shared_ptr<const Transformer> model;  // null: nothing is
    std::shared_ptr<const Trace> trace;
    Interventions interventions;
    AnswerAsked answer;
    const ChangeBudget* budget = nullptr;
    bool operator==(const Asked&) const = default;
  };

  static Asked askedOf(const MeasuredModel& of, const Snapshot& snapshot);
  /// Of a listed change: which entry's number stands there, before the change or with it.
  struct AskedShare {
    int entry = -1;
    bool isBefore = false;
  };
  using ShareAt = std::function<AskedShare(const Counterfactual& flip, const std::array<int, maxRank>& at)>;
  ShareAt shareOfAnswers() const;
  static AskedShare shareOfOther(const Counterfactual& flip, const std::array<int, maxRank>& at);
  TensorSet::AcrossOf acrossReplacements(const Snapshot& snapshot, ShareAt shareAt) const;
  TensorSet::AcrossOf acrossHeadSets(ShareAt shareAt) const;
  void addLookedAt(TensorSet& set) const;
  void addReplacements(const Snapshot& snapshot, TensorSet& set) const;
  void addHeadSets(TensorSet& set) const;
  bool isDone() const { return replacements_->isDone() && heads_->isDone(); }
  int tried() const;
  int toTry() const;

  int threads_;
  Asked asked_;
  std::unique_ptr<LivePass> pass_;
  std::unique_ptr<ReplacementSearch> replacements_;
  std::unique_ptr<HeadSetSearch> heads_;
};

}  // namespace glassformer
