#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/engine/job.h"
#include "app/engine/rule_findings.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// Every head compared with an attention rule, text by text, without interventions; and how much of the loss
/// the rule recovers in a head's place.
class RuleSearch {
 public:
  RuleSearch(const CorpusKey& key, std::shared_ptr<const SearchedTexts> texts, const JobSide& side,
             int threads);

  /// Takes up a question; true where it is another one.
  bool ask(RuleQuestion question);
  bool goOn(const JobSide& side, const StartJob& begin, const std::function<void()>& more);
  /// What is known by now. Another head is told of at once, from the same texts.
  JobResult answerTo(const RuleQuestion& question) const;

 private:
  bool read(RuleReading& reading, const ProgressCallback& watch, const std::function<void()>& more);
  void findExamples();
  RuleExample exampleOf(const RuleScores::OfText& of, const AttentionRule& rule);
  std::vector<RuleReplacement> replacementsAsked() const;
  bool replace(const RuleReplacement& replacement, const ProgressCallback& watch, int done, int whole,
               const std::function<void()>& more);

  RuleFindings found_;
  LivePass pass_;
  RuleQuestion question_;
  std::string unreadable_;   // why the question cannot be answered
  LossBaselines baselines_;  // of the texts
};

/// Every head compared with the workspace's attention rule, over texts of the model's task or the lines of
/// the tabs; and how much of the loss the rule recovers in the selected head's place, on demand in every
/// head's.
class HeadDetector : public JobOverTexts<CorpusKey, RuleSearch> {
 public:
  static constexpr const char *readingTexts = "reading texts for an attention rule",
                              *replacingHeads = "replacing heads by the attention rule";
  static constexpr std::size_t examplesKept = 8;

  using JobOverTexts::JobOverTexts;

 protected:
  virtual RuleQuestion asked(const JobSide& side) const;

 private:
  std::optional<CorpusKey> key(const JobSide& side) const final;
  bool follow(RuleSearch& search, const JobSide& side) final { return search.ask(asked(side)); }
  JobResult result(const CorpusKey&, const RuleSearch& search, const JobSide& side) const final {
    return search.answerTo(asked(side));
  }
};

}  // namespace glassformer
