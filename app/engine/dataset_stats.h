#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/engine/dataset_metrics.h"
#include "app/engine/searched_texts.h"
#include "core/lens/part_effects.h"
#include "core/model/live_pass.h"

namespace glassformer {

namespace effects {
// Of every line of datasetMetrics() mean, spread (the standard deviation over the texts) and the open text's:
// DatasetMetric::mean() and so on, [Y, Z]. NaN: not known, or no such part or number.
// The texts in which leaving out the selected head does most harm, the worst first.
inline constexpr const char *example = "effects.example",  ///< [Y]: TextEffect::loss
    *worst = "effects.worst",                              ///< [Y]: TextEffect::worst
        *rises = "effects.rises",                          ///< [Y, Z]: lossRises
            *tokens = "effects.tokens",                    ///< [Y, Z]: what each text says
                *source = "effects.source",                ///< [Y, Z]: what was read beside it
                    *read = "effects.read";                ///< [2]: how many texts were read, and of how many
/// [2]: over how many tokens of these texts means are taken, and of how many.
inline constexpr const char* counted = "effects.counted";
/// [2]: interventions that every pass went through, and those that mean something in the open text alone.
inline constexpr const char* interventions = "effects.interventions";
}  // namespace effects

/// The measures of datasetMetrics() over texts of the model's task or the lines of the tabs, beside what they
/// are of the open text. The interventions that stand are part of the model in every pass, of the other texts
/// those that mean the same in every text (see isOfEveryText). What one pass tells is read of the measure
/// that is shown. Mean and spread are told of the texts that all is known of: of the first few, then of twice
/// as many, and so on. All follows behind the picture.
class DatasetStats final : public BackgroundJob {
 public:
  static constexpr const char *readingOpen = "reading the open text",
                              *readingWhole = "reading texts with every component ablated",
                              *leavingOut = "measuring components over a dataset";
  static constexpr std::size_t examplesKept = 8;
  static constexpr int firstTexts = 2;

  explicit DatasetStats(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  /// What is known of a part.
  struct Part {
    std::optional<Intervention> off;
    PartEffects effects;
    int next = 0;  // text
    std::optional<TextEffect> here;
  };
  /// What single passes tell of a measure, cell by cell.
  struct Reading {
    std::vector<float> here;                                     // empty: not known
    std::vector<std::pair<int, std::vector<float>>> texts = {};  // number and cells of each that was read
    int next = 0;                                                // text
  };
  using Readings = std::vector<Reading>;  // in the order of datasetMetrics()
  struct Example {
    PartEffects::OfText of;
    std::vector<float> rises;
  };

  bool isOf(const MeasuredModel& of) const;
  bool takeUpInterventions(const MeasuredModel& of, const Snapshot& snapshot);
  bool isWhole(int text) const;
  const TokenText* partnerOf(int text) const;
  const TokenText* partnerOfOpen() const;
  int selectedCell(const MeasuredModel& of) const;
  void beginAnew();
  bool takeUpOpenText(const Snapshot& snapshot);
  std::vector<std::size_t> readingsLeft() const;
  bool readTexts(int upTo, const StartJob& begin, const std::function<void()>& more);
  bool readOpenText(const StartJob& begin, const std::function<void()>& more);
  std::vector<int> partsLeft(int first, int upTo) const;
  bool isKnown(int first, int upTo) const;
  bool hasExamples(int cell) const;
  bool leaveOut(int first, int upTo, const StartJob& begin);
  bool leaveOut(Part& part, int upTo, const ProgressCallback& watch);
  void leaveOutHere(Part& part);
  void findExamples(int cell);
  JobResult keptFor(const MeasuredModel& of, const Snapshot& snapshot) const;
  void addMeasure(std::size_t measure, bool isHere, TensorSet& set) const;
  int textsTold(std::size_t measure) const;
  Spread spreadOver(int texts, std::size_t measure, std::size_t cell) const;
  struct OfTexts {
    std::vector<int> numbers;
    Tensor cells;  // [C, Y, Z]
  };
  OfTexts ofTexts(int told, std::size_t measure, int rows, int columns) const;
  TensorSet::AcrossOf acrossTexts(const DatasetMetric& measure, std::vector<int> numbers, int columns) const;
  TensorSet::AcrossOf acrossOpenText(const DatasetMetric& measure, int columns) const;
  void addCounts(TensorSet& set) const;
  void addExamples(TensorSet& set) const;

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::unique_ptr<LivePass> pass_;
  std::vector<int> signs_;  // before texts
  SearchedTexts texts_;
  std::vector<Part> parts_;         // row by row
  std::vector<TokenLosses> whole_;  // of the texts that were read
  Readings readings_;
  std::size_t shown_ = 0;                // of datasetMetrics()
  Interventions standing_, everywhere_;  // of the open text, and those of them that are of every text
  std::shared_ptr<const Trace> open_;
  TokenLosses openWhole_;
  int askedCell_ = -1, exampleCell_ = -1;  // of the selected head, and of the one whose examples are known
  int exampleTexts_ = 0;                   // read when these were found
  std::vector<Example> examples_;
};

}  // namespace glassformer
