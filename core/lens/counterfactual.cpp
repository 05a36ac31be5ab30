#include "core/lens/counterfactual.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "core/lens/gradient_pass.h"
#include "core/log_sum_exp.h"
#include "core/model/intervention_step.h"

namespace glassformer {
namespace {

// Of every entry, as shareOf().
std::vector<double> sharesOf(const Trace& trace, const AnswerAsked& asked) {
  const TensorView row = rowAsked(trace, asked);
  std::vector<double> shares(row.data, row.data + row.extent[0]);
  if (asked.head) return shares;
  const double all = logSumExp({row.data, static_cast<std::size_t>(row.extent[0])});
  for (double& share : shares) share = std::exp(share - all);
  return shares;
}

std::vector<OtherShare> othersBetween(const Trace& before, const Trace& after, const AnswerAsked& asked,
                                      int old, int now) {
  const std::vector<double> was = sharesOf(before, asked), is = sharesOf(after, asked);
  std::vector<OtherShare> others;
  for (int entry = 0; entry < static_cast<int>(std::min(was.size(), is.size())); ++entry) {
    const auto i = static_cast<std::size_t>(entry);
    const OtherShare other{entry, static_cast<float>(was[i]), static_cast<float>(is[i])};
    if (entry != old && entry != now && std::max(other.before, other.after) >= Counterfactual::leastOther)
      others.push_back(other);
  }
  std::ranges::stable_sort(others, std::greater<>(),
                           [](const OtherShare& each) { return std::max(each.before, each.after); });
  others.resize(std::min(others.size(), Counterfactual::mostOthers));
  return others;
}

// Nothing where the answer stays, or is another than is asked for.
std::optional<Counterfactual> flipBetween(const Trace& before, const Trace& after, const AnswerAsked& asked) {
  const int old = answerOf(before, asked), now = answerOf(after, asked);
  if (now == old || (asked.target >= 0 && now != asked.target)) return std::nullopt;
  return Counterfactual{now,
                        shareOf(before, asked, old),
                        shareOf(after, asked, old),
                        shareOf(before, asked, now),
                        shareOf(after, asked, now),
                        othersBetween(before, after, asked, old, now)};
}

// By how much the other answer's logit, or score, is ahead, to be differentiated.
TableEntry leadOf(const Trace& trace, const AnswerAsked& asked) {
  const int answer = answerOf(trace, asked);
  return {asked.position, asked.target >= 0 ? asked.target : runnerUp(rowAsked(trace, asked), answer), answer,
          asked.head ? asked.head->head : 0};
}

std::vector<Stream> streamsRead(const ModelConfig& config) {
  return config.isEncoderDecoder() ? std::vector{Stream::Text, Stream::Source} : std::vector{Stream::Text};
}

// n over k, as far as it matters: at most 2⁵³.
std::int64_t choose(int n, int k) {
  double count = 1;
  for (int i = 1; i <= k; ++i) count = count * (n - k + i) / i;
  return static_cast<std::int64_t>(std::min(std::round(count), 0x1.0p53));
}

// Every set of k of the first n numbers.
std::vector<std::vector<int>> setsOf(int n, int k) {
  std::vector<std::vector<int>> sets;
  std::vector<int> set(static_cast<std::size_t>(k));
  std::iota(set.begin(), set.end(), 0);
  for (;;) {
    sets.push_back(set);
    int i = k - 1;
    while (i >= 0 && set[static_cast<std::size_t>(i)] == n - k + i) --i;
    if (i < 0) return sets;
    std::iota(set.begin() + i, set.end(), set[static_cast<std::size_t>(i)] + 1);
  }
}

}  // namespace

std::string AnswerAsked::decidedBy() const {
  return head ? attentionPoint(head->layer, head->site, "hook_attn_scores") : "logits";
}

TensorView rowAsked(const Trace& trace, const AnswerAsked& asked) {
  if (!asked.head) return trace["logits"][asked.position];
  const auto& [layer, head, site] = *asked.head;
  return trace[attentionPoint(layer, site, "hook_pattern")][head][asked.position];
}

int answerOf(const Trace& trace, const AnswerAsked& asked) {
  const TensorView row = rowAsked(trace, asked);
  return static_cast<int>(std::max_element(row.data, row.data + row.extent[0]) - row.data);
}

// A pattern's numbers are shares; of logits it is softmax(z).
float shareOf(const Trace& trace, const AnswerAsked& asked, int entry) {
  const TensorView row = rowAsked(trace, asked);
  if (asked.head) return row(entry);
  float most = row(0);
  for (int v = 1; v < row.extent[0]; ++v) most = std::max(most, row(v));
  double sum = 0;
  for (int v = 0; v < row.extent[0]; ++v) sum += std::exp(static_cast<double>(row(v) - most));
  return static_cast<float>(std::exp(static_cast<double>(row(entry) - most)) / sum);
}

int runnerUp(const TensorView& row, int answer) {
  int second = answer == 0 ? std::min(1, row.extent[0] - 1) : 0;
  for (int v = 0; v < row.extent[0]; ++v)
    if (v != answer && row(v) > row(second)) second = v;
  return second;
}

Intervention headOff(const HeadId& head) {
  Intervention off;
  off.point = attentionPoint(head.layer, head.site, "hook_z"), off.index[1] = head.head;
  return off;
}

ReplacementSearch::ReplacementSearch(const Transformer& model, const Trace& trace,
                                     const Interventions& interventions, AnswerAsked asked, int fixed,
                                     std::int64_t most)
    : of_(&trace), interventions_(interventions), asked_(asked) {
  guess(model, fixed, most);
}

// gain = (E_v − x_s) · ∂(z_other − z_answer) / ∂x_s, for every token v in the place of every x_s; z are
// logits, or a head's scores.
void ReplacementSearch::guess(const Transformer& model, int fixed, std::int64_t most) {
  const ModelConfig& config = model.config();
  const TensorView E = model.parameters()["wte.weight"];
  const float factor = config.embeddingScale();
  std::vector<std::string> points;
  for (const Stream stream : streamsRead(config)) points.push_back(stackPoint(config, "hook_embed", stream));
  GradientPass pass(model, *of_, interventions_, points, asked_.decidedBy());
  pass.runFrom(leadOf(*of_, asked_));
  for (const Stream stream : streamsRead(config)) {
    const std::string point = stackPoint(config, "hook_embed", stream);
    if (!pass.reaches(point)) continue;
    const TensorView g = pass.gradient(point);
    const std::vector<int>& tokens = stream == Stream::Text ? of_->tokens() : of_->source();
    const bool looksBack = stream == Stream::Text && config.causal() && !mayLookAhead(interventions_);
    const int first = stream == Stream::Text ? fixed : 0,
              last = looksBack ? asked_.position + 1 : g.extent[0];
    for (int s = first; s < last; ++s) {
      const auto along = [&](int v) {
        return factor * std::inner_product(&g(s, 0), &g(s, 0) + config.width, &E(v, 0), 0.0f);
      };
      const int own = tokens[static_cast<std::size_t>(s)];
      const float ownGain = along(own);
      for (int v = 0; v < config.vocabulary; ++v)
        if (v != own) guesses_.push_back({{stream, s, v}, along(v) - ownGain}), ++all_;
      if (static_cast<std::int64_t>(guesses_.size()) > 2 * most) keepBest(most);
    }
  }
  keepBest(most);
}

void ReplacementSearch::keepBest(std::int64_t most) {
  std::ranges::stable_sort(guesses_, std::greater<>(), &Guess::gain);
  if (static_cast<std::int64_t>(guesses_.size()) > most) guesses_.resize(static_cast<std::size_t>(most));
}

void ReplacementSearch::advance(LivePass& pass) {
  const TokenReplacement& change = guesses_[static_cast<std::size_t>(next_++)].change;
  std::vector<int> tokens = of_->tokens(), source = of_->source();
  (change.stream == Stream::Text ? tokens : source)[static_cast<std::size_t>(change.position)] = change.token;
  if (const auto flip = flipBetween(*of_, *pass.run(tokens, interventions_, source), asked_))
    found_.push_back({change, *flip});
}

std::vector<const ReplacementSearch::Found*> placeByPlace(
    const std::vector<ReplacementSearch::Found>& found) {
  using Found = ReplacementSearch::Found;
  std::vector<const Found*> all;
  for (const Found& each : found) all.push_back(&each);
  std::ranges::stable_sort(all, std::greater<>(), [](const Found* each) { return each->flip.newAfter; });
  std::map<std::pair<Stream, int>, int> seen;  // at a place so far
  std::vector<std::pair<int, const Found*>> turns;
  for (const Found* each : all)
    turns.emplace_back(seen[{each->change.stream, each->change.position}]++, each);
  std::ranges::stable_sort(turns, {}, [](const auto& turn) { return turn.first; });
  std::ranges::transform(turns, all.begin(), [](const auto& turn) { return turn.second; });
  return all;
}

HeadSetSearch::HeadSetSearch(const Transformer& model, const Trace& trace, const Interventions& interventions,
                             AnswerAsked asked, std::int64_t most)
    : of_(&trace), interventions_(interventions), asked_(asked), most_(most) {
  guess(model);
  beginSize(1);
}

// gain = −z_h · ∂(z_other − z_answer) / ∂z_h, of every head.
void HeadSetSearch::guess(const Transformer& model) {
  const ModelConfig& config = model.config();
  std::vector<std::string> points;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      points.push_back(attentionPoint(layer, site, "hook_z"));
  if (points.empty()) return;
  GradientPass pass(model, *of_, interventions_, points, asked_.decidedBy());
  pass.runFrom(leadOf(*of_, asked_));
  std::vector<std::pair<float, HeadId>> guesses;
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer) {
      const std::string point = attentionPoint(layer, site, "hook_z");
      if (!pass.reaches(point)) continue;
      const TensorView z = (*of_)[point], g = pass.gradient(point);
      for (int head = 0; head < config.heads; ++head) {
        if (std::ranges::find(interventions_, headOff({layer, head, site})) != interventions_.end()) continue;
        double gain = 0;
        for (int t = 0; t < z.extent[0]; ++t)
          for (int k = 0; k < z.extent[2]; ++k) gain -= static_cast<double>(z(t, head, k)) * g(t, head, k);
        guesses.emplace_back(static_cast<float>(gain), HeadId{layer, head, site});
      }
    }
  std::ranges::stable_sort(guesses, std::greater<>(), [](const auto& guess) { return guess.first; });
  for (const auto& [gain, head] : guesses) gains_.push_back(gain), heads_.push_back(head);
}

// Of the sets of a size those of the best heads, as many heads as there may be sets of.
void HeadSetSearch::beginSize(int size) {
  const int all = static_cast<int>(heads_.size());
  isDone_ = size > all || !found_.empty();
  if (isDone_) return;
  int among = size;
  while (among < all && choose(among + 1, size) <= most_) ++among;
  sets_ = setsOf(among, size);
  const auto gain = [&](const std::vector<int>& set) {
    return std::accumulate(set.begin(), set.end(), 0.0f,
                           [&](float sum, int head) { return sum + gains_[static_cast<std::size_t>(head)]; });
  };
  std::ranges::stable_sort(sets_, std::greater<>(), gain);
  sizes_.push_back({size, choose(all, size), 0});
}

void HeadSetSearch::advance(LivePass& pass) {
  assert(!isDone_);
  Size& size = sizes_.back();
  Interventions all = interventions_;
  std::vector<HeadId> heads;
  for (const int place : sets_[static_cast<std::size_t>(size.tried)]) {
    heads.push_back(heads_[static_cast<std::size_t>(place)]);
    all.push_back(headOff(heads.back()));
  }
  ++size.tried;
  if (const auto flip = flipBetween(*of_, *pass.run(of_->tokens(), all, of_->source()), asked_)) {
    std::sort(heads.begin(), heads.end());
    found_.push_back({std::move(heads), *flip});
  }
  if (size.tried < static_cast<std::int64_t>(sets_.size())) return;
  // Where not all of a size could be tried, larger sets would not be the smallest.
  isDone_ = size.tried < size.all;
  if (!isDone_) beginSize(size.heads + 1);
}

}  // namespace glassformer
