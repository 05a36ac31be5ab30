#include "app/engine/head_detector.h"

#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/document/rule_settings.h"
#include "app/engine/open_model.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/rule_numbers.h"
#include "app/engine/shown_run.h"

namespace glassformer {

RuleQuestion HeadDetector::asked(const JobSide& side) const {
  return {ruleAsked(side.workspace()), selectedHead(side.workspace(), side.config()),
          !side.workspace().settings.chosen(benchNumber).empty()};
}

std::optional<CorpusKey> HeadDetector::key(const JobSide& side) const {
  return side.config().hasAttention() ? side.corpus() : std::nullopt;
}

RuleSearch::RuleSearch(const CorpusKey& key, std::shared_ptr<const SearchedTexts> texts, const JobSide& side,
                       int threads)
    : pass_(key.model, threads) {
  found_.model = key.model, found_.texts = std::move(texts);
  found_.wording = wordingOf(side.of.model.shown->tokenizer);
  for (const BenchRule& each : benchRules())
    found_.named.scores.emplace_back(*AttentionRule::read(each.id), key.model->config());
}

JobResult RuleSearch::answerTo(const RuleQuestion& question) const {
  if (!found_.texts->missing().empty()) return {.missing = found_.texts->missing()};
  if (question == question_ && !unreadable_.empty()) return {.missing = unreadable_};
  if (!found_.scoresOf(question.rule)) return {};
  return {ruleNumbers(found_, question, question == question_)};
}

bool RuleSearch::ask(RuleQuestion question) {
  if (question_ == question) return false;
  question_ = std::move(question), found_.examples.reset(), unreadable_.clear();
  if (found_.scoresOf(question_.rule)) return true;
  found_.own = {};
  if (auto rule = AttentionRule::read(question_.rule))
    found_.own.scores.emplace_back(std::move(*rule), found_.model->config());
  else
    unreadable_ = rule.error().message();
  return true;
}

bool RuleSearch::read(RuleReading& reading, const ProgressCallback& watch,
                      const std::function<void()>& more) {
  const int count = found_.texts->count();
  if (reading.scores.empty()) return true;
  for (; reading.next < count; ++reading.next) {
    if (!watch(reading.next, count)) return false;
    const TokenText& text = (*found_.texts)[reading.next];
    if (found_.texts->isWhole(reading.next, found_.model->config())) {
      const auto trace = pass_.run(text.tokens, {}, text.source);
      const auto over = lookedOverBy(*found_.wording, found_.model->config(), *trace);
      for (RuleScores& scores : reading.scores) scores.add(*trace, over, reading.next);
    }
    more();
  }
  return true;
}

RuleExample RuleSearch::exampleOf(const RuleScores::OfText& of, const AttentionRule& rule) {
  const TokenText& text = (*found_.texts)[of.text];
  const HeadId head = question_.head;
  const auto trace = pass_.run(text.tokens, {}, text.source);
  const RuleContext over = lookedOver(*found_.wording, found_.model->config().ofLayer(head.layer), head.site,
                                      text.tokens, text.source);
  const Tensor pattern = rule.pattern(over);
  const TensorView attention = (*trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  return {of, attention[of.worst].copy(), pattern.view()[of.worst].copy()};
}

void RuleSearch::findExamples() {
  const RuleScores& scores = *found_.scoresOf(question_.rule);
  found_.examples.emplace();
  for (const auto& of : scores.worstFirst(question_.head, HeadDetector::examplesKept))
    found_.examples->push_back(exampleOf(of, scores.rule()));
}

// The selected head first; where every head is asked about, those that fit best come next, and then what else
// has a name in the place of the selected one.
std::vector<RuleReplacement> RuleSearch::replacementsAsked() const {
  std::vector<RuleReplacement> all;
  if (!whyNoRecoveredLoss(found_.model->config()).empty()) return all;
  const auto add = [&](const std::string& rule, HeadId head) {
    const bool says = found_.scoresOf(rule)->of(head).texts() > 0;
    if (says && std::ranges::find(all, RuleReplacement{rule, head}) == all.end())
      all.emplace_back(rule, head);
  };
  add(question_.rule, question_.head);
  if (question_.ofEveryHead)
    for (const HeadId head : found_.scoresOf(question_.rule)->ranked()) add(question_.rule, head);
  if (question_.ofEveryHead || question_.ofEveryRule)
    for (const BenchRule& each : benchRules()) add(each.id, question_.head);
  return all;
}

bool RuleSearch::replace(const RuleReplacement& replacement, const ProgressCallback& watch, int done,
                         int whole, const std::function<void()>& more) {
  const int count = found_.texts->count();
  const auto& [rule, head] = replacement;
  auto at = found_.replaced.find(replacement);
  if (at == found_.replaced.end()) {
    RecoveredLoss loss(head, found_.scoresOf(rule)->rule(), found_.wording, found_.model->config());
    at = found_.replaced.emplace(replacement, ReplacedHead{std::move(loss)}).first;
  }
  ReplacedHead& own = at->second;
  for (; own.next < count; ++own.next) {
    if (!watch(done * count + own.next, whole * count)) return false;
    if (found_.texts->isWhole(own.next, found_.model->config()))
      own.loss.add(pass_, (*found_.texts)[own.next].tokens, (*found_.texts)[own.next].source, own.next,
                   baselines_, (*found_.texts)[own.next].counted);
  }
  more();
  return true;
}

bool RuleSearch::goOn(const JobSide&, const StartJob& begin, const std::function<void()>& more) {
  if (!unreadable_.empty() || found_.texts->count() == 0) return true;
  if (!found_.isRead()) {
    const ProgressCallback watch = begin(HeadDetector::readingTexts);
    if (!read(found_.named, watch, more) || !read(found_.own, watch, more)) return false;
  }
  if (!found_.examples) findExamples(), more();
  std::vector<RuleReplacement> left = replacementsAsked();
  std::erase_if(left, [&](const RuleReplacement& each) {
    const auto at = found_.replaced.find(each);
    return at != found_.replaced.end() && at->second.next == found_.texts->count();
  });
  if (left.empty()) return true;
  const ProgressCallback watch = begin(HeadDetector::replacingHeads);
  const int whole = static_cast<int>(left.size());
  for (int i = 0; i < whole; ++i)
    if (!replace(left[static_cast<std::size_t>(i)], watch, i, whole, more)) return false;
  return true;
}

}  // namespace glassformer
