#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/engine/causal_map.h"
#include "app/engine/searched_texts.h"
#include "core/lens/contributions.h"
#include "core/lens/part_effects.h"
#include "core/model/live_pass.h"

namespace glassformer {

namespace effects {
// Of every part, in the rows and columns of causalRows(): the mean over many texts, the spread (the standard
// deviation over these texts), and of the open text. NaN: not known, or no such part or number.
inline constexpr const char *loss = "effects.loss", *lossSpread = "effects.loss_spread",
                            *lossHere = "effects.loss_here";  ///< [Y, Z]: see TextEffect
inline constexpr const char *logit = "effects.logit", *logitSpread = "effects.logit_spread",
                            *logitHere = "effects.logit_here";  ///< [Y, Z]: see TextEffect
inline constexpr const char *direct = "effects.direct", *directSpread = "effects.direct_spread",
                            *directHere = "effects.direct_here";  ///< [Y, Z]: see contributionsToNext
// The texts in which leaving out the selected head does most harm, the worst first.
inline constexpr const char *example = "effects.example",  ///< [Y]: TextEffect::loss
    *worst = "effects.worst",                              ///< [Y]: TextEffect::worst
        *rises = "effects.rises",                          ///< [Y, Z]: lossRises
            *tokens = "effects.tokens",                    ///< [Y, Z]: what each text says
                *source = "effects.source",                ///< [Y, Z]: what was read beside it
                    *read = "effects.read";                ///< [2]: how many texts were read, and of how many
/// [2]: interventions that every pass went through, and those that mean something in the open text alone.
inline constexpr const char* interventions = "effects.interventions";
}  // namespace effects

/// What every part that can be left out adds to an attribution over parts, in the cells of everyPartOff():
/// all heads with the output's bias. NaN where that is not known, as of an encoder.
std::vector<float> directOfCells(const Transformer& model, const std::vector<float>& contributions);

/// What leaving out each part does to the tokens that come next, and what it adds to their logits, over texts
/// of the model's task or the lines of the tabs, beside what it does to the open text. The interventions that
/// stand are part of the model in every pass, of the other texts those that mean the same in every text (see
/// isOfEveryText). The selected head comes first, then the parts that add most. All follows behind the
/// picture.
class EffectBench final : public KeptMeasurement {
 public:
  static constexpr const char *readingWhole = "reading texts with every part",
                              *leavingOut = "leaving out parts over many texts";
  static constexpr std::size_t examplesKept = 8;

  explicit EffectBench(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
               const std::function<void()>& more) override;

 private:
  /// What is known of a part.
  struct Part {
    std::optional<Intervention> off;
    PartEffects effects;
    Spread direct;
    int next = 0;  // text
    std::optional<TextEffect> here;
    float directHere = NAN;
  };
  struct Example {
    PartEffects::OfText of;
    std::vector<float> rises;
  };

  bool isOf(const MeasuredModel& of) const;
  bool takeUpInterventions(const MeasuredModel& of, const Snapshot& snapshot);
  bool isWhole(int text) const;
  int selectedCell(const MeasuredModel& of) const;
  void beginAnew();
  bool takeUpOpenText(const Snapshot& snapshot);
  bool readTexts(const Watch& watch, const std::function<void()>& more);
  std::vector<int> partsLeft(int first) const;
  bool leaveOut(Part& part, const Watch& watch, int done, int whole);
  void leaveOutHere(Part& part);
  void findExamples(int cell);
  Kept keptFor(const MeasuredModel& of, const Snapshot& snapshot) const;
  void addParts(bool isHere, TensorSet& set) const;
  void addExamples(TensorSet& set) const;

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::unique_ptr<LivePass> pass_;
  SearchedTexts texts_;
  std::vector<Part> parts_;              // row by row
  std::vector<TokenLosses> whole_;       // of the texts that were read
  Interventions standing_, everywhere_;  // of the open text, and those of them that are of every text
  std::shared_ptr<const Trace> open_;
  TokenLosses openWhole_;
  int askedCell_ = -1, exampleCell_ = -1;  // of the selected head, and of the one whose examples are known
  std::vector<Example> examples_;
};

}  // namespace glassformer
