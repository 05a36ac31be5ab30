#include "app/engine/hypothesis_bench.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/attention_planes.h"
#include "app/document/hypothesis_settings.h"
#include "app/engine/hypothesis_terms.h"
#include "app/engine/open_model.h"
#include "app/engine/pattern_rules.h"
#include "app/engine/shown_run.h"
#include "core/trace/derived.h"

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

// What texts said of a head, in their places in a row of all texts.
void placeByText(const HypothesisScores& scores, HeadId head, const std::vector<int>& texts,
                 const std::function<float&(int)>& at) {
  for (const HypothesisScores::OfText& each : scores.textsOf(head))
    at(static_cast<int>(std::ranges::lower_bound(texts, each.text) - texts.begin())) = each.agreement;
}

// The mean of what is known of these.
std::optional<Derivation> meanOfKnown(int count, const std::function<Cell(int)>& at) {
  std::vector<Cell> cells;
  for (int i = 0; i < count; ++i)
    if (std::isfinite(*at(i))) cells.push_back(at(i));
  return cells.empty() ? std::nullopt : std::optional(derivedMean(cells));
}

// What a hypothesis in a head's place brings back, and what the head's pattern is worth, by its row of
// bench::gains.
std::optional<Derivation> recoveredIn(const TensorView& gains, int row) {
  if (row < 0) return std::nullopt;
  return Derivation{.form = Form::Quotient, .terms = {{&gains(row, 0)}, {&gains(row, 1)}}};
}
std::optional<Derivation> worthIn(const TensorView& gains, int row) {
  if (row < 0) return std::nullopt;
  return Derivation{.terms = {{&gains(row, 1)}}};
}
TensorView gainsIn(const TensorSet& set) {
  return set.contains(bench::gains) ? set[bench::gains] : TensorView();
}

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

CausalRow benchAttention(const ModelConfig& config, int row) {
  for (const AttentionSite site : sitesOf(config)) {
    if (row < blocksAt(config, site)) return {site, row};
    row -= blocksAt(config, site);
  }
  return {};
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

// As the bench reads it: without interventions.
TextAgain HypothesisBench::textAgain(int text) const {
  return {"text " + std::to_string(text + 1), model_, texts_[text], {}};
}

// In the order of their rows in bench::losses.
std::vector<HypothesisBench::Replacement> HypothesisBench::knownLosses() const {
  std::vector<Replacement> known;
  for (const auto& [replacement, own] : replaced_)
    if (lossOf(replacement.first, replacement.second)) known.push_back(replacement);
  return known;
}

int HypothesisBench::rowOfLoss(const std::string& hypothesis, HeadId head) const {
  const auto known = knownLosses();
  const auto found = std::ranges::find(known, Replacement{hypothesis, head});
  return found == known.end() ? -1 : static_cast<int>(found - known.begin());
}

// What every text said, of which agreements are the means.
void HypothesisBench::addAgreements(const Question& asked, TensorSet& set) const {
  const ModelConfig& config = model_->config();
  const std::vector<NamedHypothesis>& named = namedHypotheses();
  std::vector<int> texts;
  for (int text = 0; text < texts_.count(); ++text)
    if (texts_.isWhole(text, config)) texts.push_back(text);
  const int C = static_cast<int>(texts.size()), Y = benchRows(config), Z = config.heads,
            N = static_cast<int>(named.size());
  if (C == 0) return;
  std::vector<TextAgain> again;
  for (const int text : texts) again.push_back(textAgain(text));
  std::vector<HeadId> heads;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < Z; ++head) heads.push_back({layer, head, site});
  const HypothesisScores& scores = *scoresOf(asked.hypothesis);
  Tensor ofHeads({C, Y, Z}, std::vector<float>(static_cast<std::size_t>(C * Y * Z), NAN));
  for (const HeadId head : heads)
    placeByText(scores, head, texts,
                [&](int c) -> float& { return ofHeads(c, benchRow(config, head), head.head); });
  set.addAcross(
      {bench::ofTexts, "CYZ", "how much of its attention each head shares with the hypothesis in each text",
       "Σ min(A, P), on average over rows"},
      std::move(ofHeads),
      [again, heads, Z, hypothesis = scores.hypothesis(), wording = wording_](const auto& at) {
        return [text = again[static_cast<std::size_t>(at[0])],
                head = heads[static_cast<std::size_t>(at[1] * Z + at[2])], hypothesis,
                wording] { return agreementAcross(text, head, hypothesis, *wording); };
      });
  Tensor ofNamed({N, C}, std::vector<float>(static_cast<std::size_t>(N * C), NAN));
  std::vector<PatternHypothesis> hypotheses;
  for (int i = 0; i < N; ++i) {
    const HypothesisScores& own = *scoresOf(named[static_cast<std::size_t>(i)].id);
    placeByText(own, asked.head, texts, [&](int c) -> float& { return ofNamed(i, c); });
    hypotheses.push_back(own.hypothesis());
  }
  set.addAcross(
      {bench::namedOfTexts, "YC",
       "how much of its attention the head shares with each hypothesis that has a name in each text",
       "Σ min(A, P), on average over rows"},
      std::move(ofNamed),
      [again = std::move(again), head = asked.head, hypotheses = std::move(hypotheses),
       wording = wording_](const auto& at) {
        return [text = again[static_cast<std::size_t>(at[1])], head,
                hypothesis = hypotheses[static_cast<std::size_t>(at[0])],
                wording] { return agreementAcross(text, head, hypothesis, *wording); };
      });
}

// What texts come to, of which the loss is the mean over all their tokens, and what it rises and falls by.
void HypothesisBench::addLosses(TensorSet& set) const {
  const std::vector<Replacement> known = knownLosses();
  if (known.empty()) return;
  const auto lossIn = [&](int row) {
    const auto& [hypothesis, head] = known[static_cast<std::size_t>(row)];
    return lossOf(hypothesis, head);
  };
  const int Y = static_cast<int>(known.size()), C = lossIn(0)->texts();
  Tensor ofTexts({Y, C, 3}), losses({Y, 3}), gains({Y, 2});
  std::vector<float> shares;  // of all tokens, text by text
  std::vector<TextAgain> again;
  for (const RecoveredLoss::OfText& each : lossIn(0)->ofTexts()) {
    shares.push_back(static_cast<float>(each.tokens) / static_cast<float>(lossIn(0)->tokens()));
    again.push_back(textAgain(each.text));
  }
  std::vector<std::array<std::optional<Intervention>, 3>> replaced;
  for (int row = 0; row < Y; ++row) {
    const RecoveredLoss& loss = *lossIn(row);
    for (int c = 0; c < C; ++c) {
      const RecoveredLoss::OfText& own = loss.ofTexts()[static_cast<std::size_t>(c)];
      ofTexts(row, c, 0) = own.clean, ofTexts(row, c, 1) = own.ablated, ofTexts(row, c, 2) = own.replaced;
    }
    const double all[] = {loss.clean(), loss.ablated(), loss.replaced()};
    for (int k = 0; k < 3; ++k) losses(row, k) = static_cast<float>(all[k]);
    gains(row, 0) = static_cast<float>(all[1] - all[2]), gains(row, 1) = static_cast<float>(all[1] - all[0]);
    replaced.push_back({std::nullopt, loss.even(), loss.replacement()});
  }
  set.addAcross(
      {bench::textLosses, "YC3", "the loss of each text: as it is, evenly, and as the hypothesis says",
       "−ln p, on average over tokens"},
      std::move(ofTexts), [again = std::move(again), replaced = std::move(replaced)](const auto& at) {
        return [text = again[static_cast<std::size_t>(at[1])],
                in = replaced[static_cast<std::size_t>(at[0])][static_cast<std::size_t>(at[2])]] {
          return lossOfText(text, in);
        };
      });
  set.add({bench::losses, "Y3", "the loss of all texts: as it is, evenly, and as the hypothesis says",
           "−ln p, on average over tokens"},
          std::move(losses), [ofTexts = set[bench::textLosses], shares = std::move(shares)](const auto& at) {
            Derivation mean;
            for (std::size_t c = 0; c < shares.size(); ++c)
              mean.terms.push_back({&ofTexts(at[0], static_cast<int>(c), at[1]), nullptr, shares[c]});
            return mean;
          });
  set.add({bench::gains, "Y2", "how much less the loss is than evenly: as the hypothesis says, and as it is",
           "L even − L"},
          std::move(gains), [losses = set[bench::losses]](const auto& at) {
            return derivedDifference(&losses(at[0], 1), &losses(at[0], at[1] == 0 ? 2 : 0));
          });
}

void HypothesisBench::addHeads(const Question& asked, TensorSet& set) const {
  const ModelConfig& config = model_->config();
  Tensor agreement = agreementOfHeads(*scoresOf(asked.hypothesis), config);
  Tensor recovered = unknownNumbers(agreement.view().extent[0], config.heads), worth = recovered;
  std::vector<int> rows;  // of losses, head by head
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < config.heads; ++head) {
        const RecoveredLoss* const loss = lossOf(asked.hypothesis, {layer, head, site});
        const int row = benchRow(config, {layer, head, site});
        recovered(row, head) = recoveredBy(loss), worth(row, head) = worthOf(loss);
        rows.push_back(rowOfLoss(asked.hypothesis, {layer, head, site}));
      }
  const auto rowAt = [rows = std::move(rows), Z = config.heads](const auto& at) {
    return rows[static_cast<std::size_t>(at[0] * Z + at[1])];
  };
  const TensorView gains = gainsIn(set),
                   ofTexts = set.contains(bench::ofTexts) ? set[bench::ofTexts] : TensorView();
  set.add({bench::agreement, "YZ", "how much of its attention each head shares with the hypothesis",
           "Σ min(A, P), on average over rows and texts"},
          std::move(agreement), [ofTexts](const auto& at) {
            return meanOfKnown(ofTexts.data ? ofTexts.extent[0] : 0,
                               [&](int c) { return &ofTexts(c, at[0], at[1]); });
          });
  set.add({bench::recovered, "YZ", "how much of the loss the hypothesis brings back in each head's place",
           "(L even − L so) / (L even − L)"},
          std::move(recovered), [gains, rowAt](const auto& at) { return recoveredIn(gains, rowAt(at)); });
  set.add(
      {bench::worth, "YZ", "what each head's pattern is worth: the loss when it looks evenly, less the loss",
       "L even − L, in nats"},
      std::move(worth), [gains, rowAt](const auto& at) { return worthIn(gains, rowAt(at)); });
  set.add(
      {bench::read, "2", "how many texts were read, and of how many", ""},
      Tensor({2}, {static_cast<float>(own_.scores.empty() ? named_.next : std::min(named_.next, own_.next)),
                   static_cast<float>(texts_.count())}));
}

void HypothesisBench::addSelected(const Question& asked, TensorSet& set) const {
  const HeadId head = asked.head;
  const int count = static_cast<int>(namedHypotheses().size());
  Tensor named = unknownNumbers(count), recovered = unknownNumbers(count);
  std::vector<int> rows;
  for (int i = 0; i < count; ++i) {
    const std::string& id = namedHypotheses()[static_cast<std::size_t>(i)].id;
    named(i) = agreementOr(*scoresOf(id), head), recovered(i) = recoveredBy(lossOf(id, head));
    rows.push_back(rowOfLoss(id, head));
  }
  const TensorView gains = gainsIn(set),
                   ofTexts = set.contains(bench::namedOfTexts) ? set[bench::namedOfTexts] : TensorView();
  set.add(
      {bench::named, "Y", "how much of its attention the head shares with each hypothesis that has a name",
       "Σ min(A, P), on average over rows and texts"},
      std::move(named), [ofTexts](const auto& at) {
        return meanOfKnown(ofTexts.data ? ofTexts.extent[1] : 0, [&](int c) { return &ofTexts(at[0], c); });
      });
  set.add({bench::namedRecovered, "Y", "how much of the loss each of them brings back in the head's place",
           "(L even − L so) / (L even − L)"},
          std::move(recovered), [gains, rows = std::move(rows)](const auto& at) {
            return recoveredIn(gains, rows[static_cast<std::size_t>(at[0])]);
          });
  const RecoveredLoss* const loss = lossOf(asked.hypothesis, head);
  const Cell agreement = &set[bench::agreement](benchRow(model_->config(), head), head.head);
  set.add(
      {bench::own, "3", "of the selected head: agreement, loss recovered, and what its pattern is worth", ""},
      Tensor({3}, {agreementOr(*scoresOf(asked.hypothesis), head), recoveredBy(loss), worthOf(loss)}),
      [gains, agreement,
       row = rowOfLoss(asked.hypothesis, head)](const auto& at) -> std::optional<Derivation> {
        if (at[0] == 0) return Derivation{.terms = {{agreement}}};
        return at[0] == 1 ? recoveredIn(gains, row) : worthIn(gains, row);
      });
  const std::vector<int> bins = scoresOf(asked.hypothesis)->distribution(head);
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
  std::vector<TextAgain> again;
  for (const int text : texts) again.push_back(textAgain(text));
  set.addAcross({bench::example, "Y", "what head and hypothesis share on the texts where it is least",
                 "Σ min(A, P), on average over rows"},
                std::move(agreement),
                [again, head = question_.head, hypothesis = scoresOf(question_.hypothesis)->hypothesis(),
                 wording = wording_](const auto& at) {
                  return [text = again[static_cast<std::size_t>(at[0])], head, hypothesis, wording] {
                    return agreementAcross(text, head, hypothesis, *wording);
                  };
                });
  set.add({bench::query, "Y", "the query of each of them where it is least", "argmin Σ min(A, P)"},
          std::move(query));
  std::vector<int> queries;
  for (const Example& each : *examples_) queries.push_back(each.of.worst);
  set.addAcross(
      {bench::attention, "YZ", "how much the head looks at each key there", "A"}, stacked(attention),
      [again = std::move(again), head = question_.head, queries = std::move(queries)](const auto& at) {
        const auto example = static_cast<std::size_t>(at[0]);
        return [text = again[example], head, query = queries[example], key = at[1]] {
          return attentionAcross(text, head, query, key);
        };
      });
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
  if (isRead()) addAgreements(now, *set);
  addLosses(*set);
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
