#include "app/engine/hypothesis_bench.h"

#include <algorithm>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/hypothesis_settings.h"
#include "app/engine/open_model.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/shown_run.h"

namespace glassformer {

namespace {

Tensor unknownNumbers(int rows, int columns) {
  return {{rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns), NAN)};
}
Tensor unknownNumbers(int count) {
  return {{count}, std::vector<float>(static_cast<std::size_t>(count), NAN)};
}

float agreementOr(const HypothesisScores& scores, HeadId head) {
  const Agreement& all = scores.of(head);
  return all.texts() > 0 ? static_cast<float>(all.shared().mean()) : NAN;
}

float worthOf(const RecoveredLoss* loss) {
  return loss ? static_cast<float>(loss->ablated() - loss->clean()) : NAN;
}
float recoveredBy(const RecoveredLoss* loss) { return loss ? static_cast<float>(loss->recovered()) : NAN; }

// Rows of different lengths one below the other; NaN where one has ended.
Tensor stacked(const std::vector<std::vector<float>>& rows) {
  std::size_t longest = 1;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  Tensor all = unknownNumbers(static_cast<int>(rows.size()), static_cast<int>(longest));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      all(static_cast<int>(i), static_cast<int>(k)) = rows[i][k];
  return all;
}

}  // namespace

const std::vector<NamedHypothesis>& namedHypotheses() {
  static const std::vector<NamedHypothesis> all = [] {
    std::vector<NamedHypothesis> named;
    for (const HeadHypothesis& each : headHypotheses())
      named.push_back({std::string(each.id), std::string(each.meaning)});
    named.push_back({"any", "Looks at all that the mask lets it see, evenly."});
    return named;
  }();
  return all;
}

int benchRow(const ModelConfig& config, HeadId head) {
  int row = head.layer;
  for (const AttentionSite site : sitesOf(config)) {
    if (site == head.site) break;
    row += blocksAt(config, site);
  }
  return row;
}

int benchRows(const ModelConfig& config) {
  int rows = 0;
  for (const AttentionSite site : sitesOf(config)) rows += blocksAt(config, site);
  return rows;
}

Tensor agreementOfHeads(const HypothesisScores& scores, const ModelConfig& config) {
  Tensor agreement = unknownNumbers(benchRows(config), config.heads);
  for (const HeadId head : scores.ranked())
    agreement(benchRow(config, head), head.head) = agreementOr(scores, head);
  return agreement;
}

HypothesisBench::Question HypothesisBench::asked(const MeasuredModel& of) {
  return {hypothesisAsked(of.workspace), selectedHead(of.workspace, of.model.config()),
          !of.workspace.settings.chosen(benchNumber).empty()};
}

bool HypothesisBench::hasTexts(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer && texts_.areAsked(of);
}

const HypothesisScores* HypothesisBench::scoresOf(const std::string& hypothesis) const {
  for (const Reading* reading : {&named_, &own_})
    for (const HypothesisScores& scores : reading->scores)
      if (scores.hypothesis().text() == hypothesis) return &scores;
  return nullptr;
}

bool HypothesisBench::isRead() const {
  const auto isDone = [&](const Reading& reading) {
    return reading.scores.empty() || reading.next == texts_.count();
  };
  return isDone(named_) && isDone(own_);
}

const RecoveredLoss* HypothesisBench::lossOf(const std::string& hypothesis, HeadId head) const {
  const auto found = replaced_.find({hypothesis, head});
  const bool isThere =
      found != replaced_.end() && found->second.next == texts_.count() && found->second.loss.tokens() > 0;
  return isThere ? &found->second.loss : nullptr;
}

void HypothesisBench::addHeads(const Question& asked, TensorSet& set) const {
  const ModelConfig& config = model_->config();
  Tensor agreement = agreementOfHeads(*scoresOf(asked.hypothesis), config);
  Tensor recovered = unknownNumbers(agreement.view().extent[0], config.heads), worth = recovered;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < config.heads; ++head) {
        const RecoveredLoss* const loss = lossOf(asked.hypothesis, {layer, head, site});
        const int row = benchRow(config, {layer, head, site});
        recovered(row, head) = recoveredBy(loss), worth(row, head) = worthOf(loss);
      }
  set.add({bench::agreement, "YZ", "how much of its attention each head shares with the hypothesis",
           "Σ min(A, P), on average over rows and texts"},
          std::move(agreement));
  set.add({bench::recovered, "YZ", "how much of the loss the hypothesis brings back in each head's place",
           "(L even − L so) / (L even − L)"},
          std::move(recovered));
  set.add(
      {bench::worth, "YZ", "what each head's pattern is worth: the loss when it looks evenly, less the loss",
       "L even − L, in nats"},
      std::move(worth));
  set.add(
      {bench::read, "2", "how many texts were read, and of how many", ""},
      Tensor({2}, {static_cast<float>(own_.scores.empty() ? named_.next : std::min(named_.next, own_.next)),
                   static_cast<float>(texts_.count())}));
}

void HypothesisBench::addSelected(const Question& asked, TensorSet& set) const {
  const HeadId head = asked.head;
  const HypothesisScores& scores = *scoresOf(asked.hypothesis);
  const int count = static_cast<int>(namedHypotheses().size());
  Tensor named = unknownNumbers(count), recovered = unknownNumbers(count);
  for (int i = 0; i < count; ++i) {
    const std::string& id = namedHypotheses()[static_cast<std::size_t>(i)].id;
    named(i) = agreementOr(*scoresOf(id), head), recovered(i) = recoveredBy(lossOf(id, head));
  }
  const RecoveredLoss* const loss = lossOf(asked.hypothesis, head);
  set.add(
      {bench::named, "Y", "how much of its attention the head shares with each hypothesis that has a name",
       "Σ min(A, P), on average over rows and texts"},
      std::move(named));
  set.add({bench::namedRecovered, "Y", "how much of the loss each of them brings back in the head's place",
           "(L even − L so) / (L even − L)"},
          std::move(recovered));
  set.add(
      {bench::own, "3", "of the selected head: agreement, loss recovered, and what its pattern is worth", ""},
      Tensor({3}, {agreementOr(scores, head), recoveredBy(loss), worthOf(loss)}));
  const std::vector<int> bins = scores.distribution(head);
  set.add({bench::distribution, "Y", "how many texts there are of each agreement, from 0 to 1", ""},
          Tensor({agreementBins}, std::vector<float>(bins.begin(), bins.end())));
}

void HypothesisBench::addExamples(TensorSet& set) const {
  if (!examples_ || examples_->empty()) return;
  const int count = static_cast<int>(examples_->size());
  Tensor agreement({count}), query({count});
  std::vector<std::vector<float>> attention, said;
  std::vector<int> texts;
  for (int i = 0; i < count; ++i) {
    const Example& example = (*examples_)[static_cast<std::size_t>(i)];
    agreement(i) = example.of.agreement, query(i) = static_cast<float>(example.of.worst);
    attention.push_back(example.attention), said.push_back(example.said);
    texts.push_back(example.of.text);
  }
  set.add({bench::example, "Y", "what head and hypothesis share on the texts where it is least",
           "Σ min(A, P), on average over rows"},
          std::move(agreement));
  set.add({bench::query, "Y", "the query of each of them where it is least", "argmin Σ min(A, P)"},
          std::move(query));
  set.add({bench::attention, "YZ", "how much the head looks at each key there", "A"}, stacked(attention));
  set.add({bench::said, "YZ", "how much the hypothesis says it looks at each key there", "P"}, stacked(said));
  set.add({bench::tokens, "YZ", "the tokens of each text", ""}, texts_.tokens(texts));
  if (model_->config().reads())
    set.add({bench::source, "YZ", "the tokens of the source of each text", ""}, texts_.sources(texts));
}

// Another head is told of at once, from the same texts; what it does otherwise follows.
Kept HypothesisBench::keptFor(const MeasuredModel& of) const {
  if (!hasTexts(of)) return {};
  if (!texts_.missing().empty()) return {.missing = texts_.missing()};
  const Question now = asked(of);
  if (now == question_ && !unreadable_.empty()) return {.missing = unreadable_};
  if (!scoresOf(now.hypothesis)) return {};
  auto set = std::make_shared<TensorSet>();
  addHeads(now, *set), addSelected(now, *set);
  if (now == question_) addExamples(*set);
  return {std::move(set)};
}

void HypothesisBench::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const Kept here = keptFor(of);
  put(snapshot, here, of.other ? Kept{.missing = "this is told of the open model alone"} : here,
      {.missing = "side by side shows how a hypothesis fits every head"});
}

bool HypothesisBench::takeUpModel(const MeasuredModel& of) {
  if (model_ == of.model.shown->transformer) return false;
  model_ = of.model.shown->transformer;
  wording_ = wordingOf(of.model.shown->tokenizer);
  pass_ = std::make_unique<LivePass>(model_, threads_);
  texts_.forget();
  return true;
}

// Other texts: all is read again.
bool HypothesisBench::takeUpTexts(const MeasuredModel& of, const Begin& begin) {
  if (!texts_.takeUp(of, begin)) return false;
  named_ = {}, own_ = {}, question_ = {};
  replaced_.clear(), baselines_ = {};
  for (const NamedHypothesis& each : namedHypotheses())
    named_.scores.emplace_back(*PatternHypothesis::read(each.id), model_->config());
  return true;
}

bool HypothesisBench::takeUpQuestion(const MeasuredModel& of) {
  const Question now = asked(of);
  if (question_ == now) return false;
  question_ = now, examples_.reset(), unreadable_.clear();
  if (scoresOf(now.hypothesis)) return true;
  own_ = {};
  if (auto hypothesis = PatternHypothesis::read(now.hypothesis))
    own_.scores.emplace_back(std::move(*hypothesis), model_->config());
  else
    unreadable_ = "“" + now.hypothesis + "”: " + hypothesis.error().message();
  return true;
}

bool HypothesisBench::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin) {
  if (isMoving(of.workspace, snapshot) || !of.model.config().attends()) return false;
  bool isNew = takeUpModel(of);
  isNew |= takeUpTexts(of, begin);
  if (!texts_.areAsked(of)) return isNew;  // they were not written to the end
  return takeUpQuestion(of) || isNew;
}

bool HypothesisBench::read(Reading& reading, const Watch& watch, const std::function<void()>& more) {
  const int count = texts_.count();
  if (reading.scores.empty()) return true;
  for (; reading.next < count; ++reading.next) {
    if (!watch(reading.next, count)) return false;
    const TokenText& text = texts_[reading.next];
    if (texts_.isWhole(reading.next, model_->config())) {
      const auto trace = pass_->run(text.tokens, {}, text.source);
      const auto over = lookedOverBy(*wording_, model_->config(), *trace);
      for (HypothesisScores& scores : reading.scores) scores.add(*trace, over, reading.next);
    }
    more();
  }
  return true;
}

HypothesisBench::Example HypothesisBench::exampleOf(const HypothesisScores::OfText& of,
                                                    const PatternHypothesis& hypothesis) const {
  const TokenText& text = texts_[of.text];
  const HeadId head = question_.head;
  const auto trace = pass_->run(text.tokens, {}, text.source);
  const LookedOver over =
      lookedOver(*wording_, model_->config().ofLayer(head.layer), head.site, text.tokens, text.source);
  const Tensor pattern = hypothesis.pattern(over);
  const TensorView attention = (*trace)[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  return {of, attention[of.worst].copy(), pattern.view()[of.worst].copy()};
}

void HypothesisBench::findExamples() {
  const HypothesisScores& scores = *scoresOf(question_.hypothesis);
  examples_.emplace();
  for (const auto& of : scores.worstFirst(question_.head, examplesKept))
    examples_->push_back(exampleOf(of, scores.hypothesis()));
}

// The selected head first; where every head is asked about, those that fit best come next, and then what else
// has a name in the place of the selected one.
std::vector<HypothesisBench::Replacement> HypothesisBench::replacementsAsked() const {
  std::vector<Replacement> all;
  if (!whyNoRecoveredLoss(model_->config()).empty()) return all;
  const auto add = [&](const std::string& hypothesis, HeadId head) {
    const bool says = scoresOf(hypothesis)->of(head).texts() > 0;
    if (says && std::ranges::find(all, Replacement{hypothesis, head}) == all.end())
      all.emplace_back(hypothesis, head);
  };
  add(question_.hypothesis, question_.head);
  if (question_.ofEveryHead)
    for (const HeadId head : scoresOf(question_.hypothesis)->ranked()) add(question_.hypothesis, head);
  if (question_.ofEveryHead || losses_ == Losses::OfEveryName)
    for (const NamedHypothesis& each : namedHypotheses()) add(each.id, question_.head);
  return all;
}

bool HypothesisBench::replace(const Replacement& replacement, const Watch& watch, int done, int whole,
                              const std::function<void()>& more) {
  const int count = texts_.count();
  const auto& [hypothesis, head] = replacement;
  auto found = replaced_.find(replacement);
  if (found == replaced_.end()) {
    RecoveredLoss loss(head, scoresOf(hypothesis)->hypothesis(), wording_, model_->config());
    found = replaced_.emplace(replacement, Replaced{std::move(loss)}).first;
  }
  Replaced& own = found->second;
  for (; own.next < count; ++own.next) {
    if (!watch(done * count + own.next, whole * count)) return false;
    if (texts_.isWhole(own.next, model_->config()))
      own.loss.add(*pass_, texts_[own.next].tokens, texts_[own.next].source, own.next, baselines_);
  }
  more();
  return true;
}

void HypothesisBench::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                              const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot) || !hasTexts(of) || !unreadable_.empty() || texts_.count() == 0)
    return;
  if (!isRead()) {
    const Watch watch = begin(readingTexts);
    if (!read(named_, watch, more) || !read(own_, watch, more)) return;
  }
  if (!examples_) findExamples(), more();
  std::vector<Replacement> left = replacementsAsked();
  std::erase_if(left, [&](const Replacement& each) {
    const auto found = replaced_.find(each);
    return found != replaced_.end() && found->second.next == texts_.count();
  });
  if (left.empty()) return;
  const Watch watch = begin(replacingHeads);
  const int whole = static_cast<int>(left.size());
  for (int i = 0; i < whole; ++i)
    if (!replace(left[static_cast<std::size_t>(i)], watch, i, whole, more)) return;
}

}  // namespace glassformer
