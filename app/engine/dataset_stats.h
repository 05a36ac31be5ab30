#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/engine/dataset_metrics.h"
#include "app/engine/job.h"
#include "core/lens/part_effects.h"
#include "core/model/live_pass.h"

namespace glassformer {

namespace effects {
// Of every line of datasetMetrics() mean and spread (the standard deviation over the texts),
// DatasetMetric::mean() and so on, [Y, Z]; of the one that is shown the open text's, DatasetMetric::here().
// NaN: not known, or no such part or number. The texts in which leaving out the selected head does most harm,
// the worst first.
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

/// Over which texts, by which model with which interventions: those that mean the same in every text.
struct DatasetStatsKey : CorpusKey {
  Interventions everywhere;  ///< see isOfEveryText
  bool operator==(const DatasetStatsKey&) const = default;
};

/// The measures of datasetMetrics() over texts. What one pass tells is read of the measure that is shown.
/// Mean and spread are told of the texts that all is known of: of the first few, then of twice as many, and
/// so on.
class StatsOverTexts {
 public:
  StatsOverTexts(const DatasetStatsKey& key, std::shared_ptr<const SearchedTexts> texts, const JobSide& side,
                 int threads);

  /// Takes up the measure that is shown and the selected head.
  bool follow(const JobSide& side);
  bool goOn(const JobSide& side, const StartJob& begin, const std::function<void()>& more);
  JobResult result(const JobSide& side) const;

 private:
  /// What is known of a part.
  struct Part {
    std::optional<Intervention> off;
    PartEffects effects;
    int next = 0;  // text
  };
  /// What single passes tell of a measure, cell by cell.
  struct Reading {
    std::vector<std::pair<int, std::vector<float>>> texts = {};  // number and cells of each that was read
    int next = 0;                                                // text
  };
  using Readings = std::vector<Reading>;  // in the order of datasetMetrics()
  struct Example {
    PartEffects::OfText of;
    std::vector<float> rises;
  };

  bool isWhole(int text) const;
  const TokenText* partnerOf(int text) const;
  int selectedCell(const JobSide& side) const;
  std::vector<std::size_t> readingsLeft() const;
  bool readTexts(int upTo, const StartJob& begin, const std::function<void()>& more);
  std::vector<int> partsLeft(int first, int upTo) const;
  bool isKnown(int first, int upTo) const;
  bool hasExamples(int cell) const;
  bool leaveOut(int first, int upTo, const StartJob& begin);
  bool leaveOut(Part& part, int upTo, const ProgressCallback& watch);
  void findExamples(int cell);
  void addMeasure(std::size_t measure, TensorSet& set) const;
  int textsTold(std::size_t measure) const;
  Spread spreadOver(int texts, std::size_t measure, std::size_t cell) const;
  struct OfTexts {
    std::vector<int> numbers;
    Tensor cells;  // [C, Y, Z]
  };
  OfTexts ofTexts(int told, std::size_t measure, int rows, int columns) const;
  TensorSet::AcrossOf acrossTexts(const DatasetMetric& measure, std::vector<int> numbers, int columns) const;
  void addCounts(std::size_t standing, TensorSet& set) const;
  void addExamples(TensorSet& set) const;

  std::shared_ptr<const Transformer> model_;
  Interventions everywhere_;
  std::shared_ptr<const SearchedTexts> texts_;
  LivePass pass_;
  std::vector<int> signs_;          // before texts
  std::vector<Part> parts_;         // row by row
  std::vector<TokenLosses> whole_;  // of the texts that were read
  Readings readings_;
  std::size_t shown_ = 0;                  // of datasetMetrics()
  int askedCell_ = -1, exampleCell_ = -1;  // of the selected head, and of the one whose examples are known
  int exampleTexts_ = 0;                   // read when these were found
  std::vector<Example> examples_;
};

/// That, over texts of the model's task or the lines of the tabs.
class DatasetStats final : public JobOverTexts<DatasetStatsKey, StatsOverTexts> {
 public:
  static constexpr const char *readingWhole = "reading texts with every component ablated",
                              *leavingOut = "measuring components over a dataset";
  static constexpr std::size_t examplesKept = 8;
  static constexpr int firstTexts = 2;

  using JobOverTexts::JobOverTexts;

 private:
  std::optional<DatasetStatsKey> key(const JobSide& side) const override;
  std::string missing(const JobSide& side) const override;
  bool follow(StatsOverTexts& stats, const JobSide& side) override { return stats.follow(side); }
  JobResult result(const DatasetStatsKey&, const StatsOverTexts& stats, const JobSide& side) const override {
    return stats.result(side);
  }
};

/// Of which pass a measure is asked, and which lines go together.
struct TextStatsKey {
  PassKey pass;
  Corpus corpus;
  std::size_t measure = 0;  ///< of datasetMetrics()
  bool operator==(const TextStatsKey&) const = default;
};

/// The measure that is shown, of the text that is read, with all of its interventions.
class TextStats final : public WholeJob<TextStatsKey> {
 public:
  static constexpr const char* doing = "reading the open text";

  explicit TextStats(int threads) : threads_(threads) {}

 private:
  std::optional<TextStatsKey> key(const JobSide& side) const override;
  Result measureAll(const TextStatsKey& key, const JobSide& side, const StartJob& begin) override;

  int threads_;
};

}  // namespace glassformer
