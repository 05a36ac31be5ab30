#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/need.h"
#include "app/engine/rule_findings.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// Every head of the open model compared with an attention rule, over texts of its task or the lines of the
/// tabs, without interventions; and how much of the loss the rule recovers in the selected head's place, on
/// demand in every head's.
class HeadDetector final : public BackgroundJob {
 public:
  static constexpr const char *readingTexts = "reading texts for an attention rule",
                              *replacingHeads = "replacing heads by the attention rule";
  static constexpr std::size_t examplesKept = 8;

  /// Besides the selected head with the rule in its place: every head so where their loss is shown; or
  /// the selected one with every rule that has a name.
  enum class Losses { OfShown, OfEveryName };

  explicit HeadDetector(int threads, Losses losses = Losses::OfShown) : threads_(threads), losses_(losses) {}

  /// Those that are read.
  const SearchedTexts& texts() const { return found_.texts; }
  bool hasTexts(const MeasuredModel& of) const;
  std::shared_ptr<const Wording> wording() const { return found_.wording; }

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  static RuleQuestion asked(const MeasuredModel& of);
  bool takeUpModel(const MeasuredModel& of);
  bool takeUpTexts(const MeasuredModel& of, const StartJob& begin);
  bool takeUpQuestion(const MeasuredModel& of);
  bool read(RuleReading& reading, const ProgressCallback& watch, const std::function<void()>& more);
  void findExamples();
  RuleExample exampleOf(const RuleScores::OfText& of, const AttentionRule& rule) const;
  std::vector<RuleReplacement> replacementsAsked() const;
  bool replace(const RuleReplacement& replacement, const ProgressCallback& watch, int done, int whole,
               const std::function<void()>& more);
  JobResult keptFor(const MeasuredModel& of) const;

  int threads_;
  Losses losses_;
  RuleFindings found_;
  std::unique_ptr<LivePass> pass_;
  RuleQuestion question_;
  std::string unreadable_;   // why the question cannot be answered
  LossBaselines baselines_;  // of the texts
};

}  // namespace glassformer
