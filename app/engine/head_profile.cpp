#include "app/engine/head_profile.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/document/rule_settings.h"
#include "app/engine/open_model.h"
#include "app/engine/rule_numbers.h"
#include "app/engine/shown_run.h"

namespace glassformer {

namespace {

const RunVariant* runOf(const Snapshot& snapshot) {
  const ShownTraining& training = *snapshot.training;
  return training.run && training.side && training.side->weights ? training.side.get() : nullptr;
}

// Which of a run's models it is: two are trained side by side.
std::string nameOfSide(const Snapshot& snapshot) {
  const RunReport& run = *snapshot.training->run;
  return run.name + (run.other && snapshot.training->side.get() == &*run.other ? ", second run" : "");
}

// Of the steps that are kept as many as are looked at, evenly, the first and the newest among them.
std::vector<int> stepsLookedAt(const RunVariant& side) {
  const std::vector<int> kept = side.weights->steps();
  const int count = std::min(static_cast<int>(kept.size()), HeadHistory::mostSteps);
  std::vector<int> steps;
  for (int i = 0; i < count; ++i)
    steps.push_back(
        kept[count > 1 ? static_cast<std::size_t>(i) * (kept.size() - 1) / static_cast<std::size_t>(count - 1)
                       : 0]);
  return steps;
}

// The first and the last, then what stands in the middle between those, and so on.
std::vector<int> coarseFirst(const std::vector<int>& steps) {
  if (steps.size() < 2) return steps;
  std::vector<int> order{steps.front(), steps.back()};
  std::deque<std::pair<std::size_t, std::size_t>> between{{0, steps.size() - 1}};
  for (; !between.empty(); between.pop_front()) {
    const auto [first, last] = between.front();
    if (last - first < 2) continue;
    const std::size_t middle = (first + last) / 2;
    order.push_back(steps[middle]);
    between.emplace_back(first, middle), between.emplace_back(middle, last);
  }
  return order;
}

// What the head shares with each rule in the end more than at the least, and when that came about.
void addMoments(TensorSet& set) {
  const TensorView agreement = set[biography::agreement], steps = set[biography::steps];
  const int rows = agreement.extent[0], columns = agreement.extent[1];
  const std::vector<float> none(static_cast<std::size_t>(rows), NAN);
  Tensor formed({rows}, none), before({rows}, none), rise({rows}, none);
  for (int h = 0; h < rows; ++h) {
    const float* const begin = &agreement(h, 0);
    const std::vector<float> line(begin, begin + columns);
    rise(h) = line.back() - *std::ranges::min_element(line);
    if (const auto at = biography::whereFormed(line)) formed(h) = steps(*at), before(h) = steps(*at - 1);
  }
  set.add({biography::rise, "Y", "gain in overlap of the head with each rule, from first to last step", ""},
          std::move(rise));
  set.add({biography::formed, "Y", "first step with more than half of the final gain in overlap", ""},
          std::move(formed));
  set.add({biography::before, "Y", "last measured step before that", ""}, std::move(before));
}

}  // namespace

std::optional<int> biography::whereFormed(const std::vector<float>& agreement) {
  const auto isKnown = [](float share) { return std::isfinite(share); };
  if (agreement.empty() || !std::ranges::all_of(agreement, isKnown)) return std::nullopt;
  const auto least = std::ranges::min_element(agreement);
  const float last = agreement.back();
  if (last - *least < leastRise) return std::nullopt;
  const auto isBelow = [middle = (*least + last) / 2](float share) { return share < middle; };
  const auto lastBelow = std::ranges::find_if(agreement.rbegin(), agreement.rend(), isBelow);
  return static_cast<int>(std::distance(lastBelow, agreement.rend()));
}

// The texts that fit "any" least are those on which the head looks least evenly.
RuleQuestion ProfiledRules::asked(const JobSide& side) const {
  return {.rule = benchRules().back().id,
          .head = selectedHead(side.workspace(), side.config()),
          .ofEveryRule = true};
}

bool HeadHistoryState::isKnown(const RunVariant& run, int step) const {
  const auto found = past.find(step);
  return found != past.end() && found->second.weights == run.weights->at(step);
}

std::optional<HeadHistoryKey> HeadHistory::key(const JobSide& side) const {
  const auto texts = side.corpus();
  if (!texts || !runOf(side.snapshot) || !side.config().hasAttention() || !side.workspace().changes.empty())
    return std::nullopt;
  HeadHistoryKey key{nameOfSide(side.snapshot), {}, texts->corpus};
  for (const BenchRule& each : benchRules()) key.rules.push_back(each.id);
  const std::string said = ruleAsked(side.workspace());
  if (std::ranges::find(key.rules, said) == key.rules.end() && AttentionRule::read(said))
    key.rules.push_back(said);
  return key;
}

std::unique_ptr<HeadHistoryState> HeadHistory::start(const HeadHistoryKey& key, const JobSide& side,
                                                     const StartJob& begin) {
  auto texts = textsRead(key.corpus, side.of.model, begin);
  return texts ? std::make_unique<HeadHistoryState>(
                     HeadHistoryState{std::move(texts), wordingOf(side.of.model.shown->tokenizer), {}})
               : nullptr;
}

JobResult HeadHistory::result(const HeadHistoryKey& key, const HeadHistoryState& state,
                              const JobSide& side) const {
  const RunVariant& run = *runOf(side.snapshot);
  const HeadId head = selectedHead(side.workspace(), side.config());
  const int row = benchRow(side.config(), head);
  std::vector<int> steps = stepsLookedAt(run);
  const auto isUnknown = [&](int step) { return !state.isKnown(run, step); };
  if (!std::ranges::all_of(steps, isUnknown)) std::erase_if(steps, isUnknown);
  const int rows = static_cast<int>(key.rules.size()), columns = static_cast<int>(steps.size());
  Tensor agreement({rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns), NAN));
  for (int i = 0; i < columns; ++i)
    if (const int step = steps[static_cast<std::size_t>(i)]; state.isKnown(run, step))
      for (int h = 0; h < rows; ++h)
        agreement(h, i) = state.past.at(step).agreement[static_cast<std::size_t>(h)](row, head.head);
  auto set = std::make_shared<TensorSet>();
  set->add({biography::steps, "Z", "steps of the run at which the head was measured", ""},
           Tensor({columns}, std::vector<float>(steps.begin(), steps.end())));
  set->add({biography::agreement, "YZ", "overlap of the head with each rule after each of these steps",
            "Σ min(A, P), on average over rows and texts"},
           std::move(agreement));
  addMoments(*set);
  return {std::move(set)};
}

HeadHistoryState::Past HeadHistory::ask(const HeadHistoryKey& key, const HeadHistoryState& state,
                                        const RunVariant& run, int step) const {
  const auto model = run.modelAt(step);
  const ModelConfig& config = model->config();
  LivePass pass(model, threads_);
  std::vector<RuleScores> scores;
  for (const std::string& each : key.rules) scores.emplace_back(*AttentionRule::read(each), config);
  for (int i = 0; i < std::min(textsOfThePast, state.texts->count()); ++i) {
    if (!state.texts->isWhole(i, config)) continue;
    const TokenText& text = (*state.texts)[i];
    const auto trace = pass.run(text.tokens, {}, text.source);
    const auto over = lookedOverBy(*state.wording, config, *trace);
    for (RuleScores& each : scores) each.add(*trace, over, i);
  }
  HeadHistoryState::Past past{run.weights->at(step), {}};
  for (const RuleScores& each : scores) past.agreement.push_back(agreementOfHeads(each, config));
  return past;
}

bool HeadHistory::goOn(const HeadHistoryKey& key, HeadHistoryState& state, const JobSide& side,
                       const StartJob& begin, const std::function<void()>& more) {
  const RunVariant& run = *runOf(side.snapshot);
  const std::vector<int> steps = coarseFirst(stepsLookedAt(run));
  const auto isKnown = [&](int step) { return state.isKnown(run, step); };
  if (std::ranges::all_of(steps, isKnown)) return true;
  const ProgressCallback watch = begin(doing);
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    const int step = steps[static_cast<std::size_t>(i)];
    if (!watch(i, static_cast<int>(steps.size()))) return false;
    if (isKnown(step)) continue;
    state.past[step] = ask(key, state, run, step);
    more();
  }
  return true;
}

}  // namespace glassformer
