#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/effect_measures.h"
#include "app/engine/searched_texts.h"
#include "core/lens/hypothesis_scores.h"
#include "core/lens/recovered_loss.h"
#include "core/model/live_pass.h"

namespace glassformer {

namespace bench {
// Of every head, a row for each block of each attention, in the order of sitesOf(); NaN: not known, or no
// such number.
inline constexpr const char *agreement = "hypothesis.agreement",  ///< [Y, Z]
    *recovered = "hypothesis.recovered",                          ///< [Y, Z]: the share of the loss
        *worth = "hypothesis.worth";                              ///< [Y, Z]: in nats, of the pattern
// Of the selected head.
inline constexpr const char *named = "hypothesis.named",  ///< [Y]: agreement of every named hypothesis
    *namedRecovered = "hypothesis.named_recovered",       ///< [Y]
        *own = "hypothesis.own",                          ///< [3]: agreement, recovered and worth
            *distribution = "hypothesis.distribution";    ///< [Y]: texts by agreement
// The texts on which it fits the selected head least, the worst first.
inline constexpr const char *example = "hypothesis.example",  ///< [Y]: agreement
    *query = "hypothesis.query",                              ///< [Y]: where it is least
        *attention = "hypothesis.attention",                  ///< [Y, Z]: the head's row there; NaN: no key
            *said = "hypothesis.said",                        ///< [Y, Z]: the hypothesis's
                *tokens = "hypothesis.tokens",                ///< [Y, Z]: what each text says
                    *source = "hypothesis.source",            ///< [Y, Z]: what was read beside it
                        *read = "hypothesis.read";  ///< [2]: how many texts were read, and of how many
// What those are made of, once all texts are read: what every text said, and what it comes to with each
// hypothesis that was put in a head's place (a row each), as it is, evenly and so.
inline constexpr const char *ofTexts = "hypothesis.of_texts",  ///< [C, Y, Z]: of bench::agreement
    *namedOfTexts = "hypothesis.named_of_texts",               ///< [Y, C]: of bench::named
        *textLosses = "hypothesis.text_losses",                ///< [Y, C, 3]: nats per token
            *losses = "hypothesis.losses",                     ///< [Y, 3]: their means over all tokens
                *gains = "hypothesis.gains";                   ///< [Y, 2]: L even − L so, L even − L
}  // namespace bench

/// The hypotheses that have a name: the stock, and "any".
struct NamedHypothesis {
  std::string id, meaning;
};
const std::vector<NamedHypothesis>& namedHypotheses();

/// The row of bench::agreement that a head is in.
int benchRow(const ModelConfig& config, HeadId head);
int benchRows(const ModelConfig& config);
/// The attention of a row.
CausalRow benchAttention(const ModelConfig& config, int row);
/// bench::agreement of scores: NaN where nothing was said of a head.
Tensor agreementOfHeads(const HypothesisScores& scores, const ModelConfig& config);

/// Every head of the open model held against what was said of heads, over texts of its task or the lines of
/// the tabs, without interventions; and how much of the loss comes back with it in the selected head's
/// place, on demand in every head's. All follows behind the picture.
class HypothesisBench final : public KeptMeasurement {
 public:
  static constexpr const char *readingTexts = "reading texts for a hypothesis",
                              *replacingHeads = "putting a hypothesis in the place of heads";
  static constexpr std::size_t examplesKept = 8;

  /// Besides the selected head with what was said in its place: every head so where their loss is shown; or
  /// the selected one with every hypothesis that has a name.
  enum class Losses { OfShown, OfEveryName };

  explicit HypothesisBench(int threads, Losses losses = Losses::OfShown)
      : threads_(threads), losses_(losses) {}

  /// Those that are read.
  const SearchedTexts& texts() const { return texts_; }
  bool hasTexts(const MeasuredModel& of) const;
  std::shared_ptr<const Wording> wording() const { return wording_; }

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
               const std::function<void()>& more) override;

 private:
  /// Hypotheses held against all heads in one go over the texts.
  struct Reading {
    std::vector<HypothesisScores> scores;
    int next = 0;  // text
  };
  /// A hypothesis in a head's place.
  struct Replaced {
    RecoveredLoss loss;
    int next = 0;  // text
  };
  using Replacement = std::pair<std::string, HeadId>;
  /// A text on which the hypothesis fits the head badly, and both rows where it is worst.
  struct Example {
    HypothesisScores::OfText of;
    std::vector<float> attention, said;
  };
  struct Question {
    std::string hypothesis;
    HeadId head{-1, -1};
    bool ofEveryHead = false;  // the loss
    bool operator==(const Question&) const = default;
  };

  static Question asked(const MeasuredModel& of);
  bool takeUpModel(const MeasuredModel& of);
  bool takeUpTexts(const MeasuredModel& of, const Begin& begin);
  bool takeUpQuestion(const MeasuredModel& of);
  const HypothesisScores* scoresOf(const std::string& hypothesis) const;
  bool isRead() const;
  bool read(Reading& reading, const Watch& watch, const std::function<void()>& more);
  void findExamples();
  Example exampleOf(const HypothesisScores::OfText& of, const PatternHypothesis& hypothesis) const;
  std::vector<Replacement> replacementsAsked() const;
  bool replace(const Replacement& replacement, const Watch& watch, int done, int whole,
               const std::function<void()>& more);
  Kept keptFor(const MeasuredModel& of) const;
  TextAgain textAgain(int text) const;
  std::vector<Replacement> knownLosses() const;
  int rowOfLoss(const std::string& hypothesis, HeadId head) const;
  void addAgreements(const Question& asked, TensorSet& set) const;
  void addLosses(TensorSet& set) const;
  void addHeads(const Question& asked, TensorSet& set) const;
  void addSelected(const Question& asked, TensorSet& set) const;
  void addExamples(TensorSet& set) const;
  const RecoveredLoss* lossOf(const std::string& hypothesis, HeadId head) const;

  int threads_;
  Losses losses_;
  std::shared_ptr<const Transformer> model_;
  std::shared_ptr<const Wording> wording_;
  std::unique_ptr<LivePass> pass_;
  SearchedTexts texts_;
  Question question_;
  std::string unreadable_;  // why the question cannot be answered
  Reading named_, own_;     // own: of a hypothesis without a name
  std::map<Replacement, Replaced> replaced_;
  LossBaselines baselines_;                       // of the texts
  std::optional<std::vector<Example>> examples_;  // of the question, once all texts are read
};

}  // namespace glassformer
