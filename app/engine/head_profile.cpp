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

// What the bench is asked: the texts that fit "any" least are those on which the head looks least evenly.
Workspace askingEvenly(const Workspace& workspace) {
  Workspace asked = workspace;
  asked.rule = benchRules().back().id;
  asked.settings.choose(benchNumber, "");
  return asked;
}

const RunVariant* sideOf(const Snapshot& snapshot) {
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
  const int count = std::min(static_cast<int>(kept.size()), HeadProfile::mostSteps);
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

std::vector<std::string> HeadProfile::rulesAsked(const Workspace& workspace) const {
  std::vector<std::string> all;
  for (const BenchRule& each : benchRules()) all.push_back(each.id);
  const std::string said = ruleAsked(workspace);
  if (std::ranges::find(all, said) == all.end() && AttentionRule::read(said)) all.push_back(said);
  return all;
}

bool HeadProfile::isKnown(const RunVariant& side, int step) const {
  const auto found = past_.find(step);
  return found != past_.end() && found->second.weights == side.weights->at(step);
}

std::shared_ptr<const TensorSet> HeadProfile::withPast(const MeasuredModel& of,
                                                       const Snapshot& snapshot) const {
  const RunVariant& side = *sideOf(snapshot);
  const HeadId head = selectedHead(of.workspace, of.model.config());
  const int row = benchRow(of.model.config(), head);
  std::vector<int> steps = stepsLookedAt(side);
  const auto isUnknown = [&](int step) { return !isKnown(side, step); };
  if (!std::ranges::all_of(steps, isUnknown)) std::erase_if(steps, isUnknown);
  const int rows = static_cast<int>(rules_.size()), columns = static_cast<int>(steps.size());
  Tensor agreement({rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns), NAN));
  for (int i = 0; i < columns; ++i)
    if (const int step = steps[static_cast<std::size_t>(i)]; isKnown(side, step))
      for (int h = 0; h < rows; ++h)
        agreement(h, i) = past_.at(step).agreement[static_cast<std::size_t>(h)](row, head.head);
  auto set = std::make_shared<TensorSet>(*snapshot.kept.measured);
  set->add({biography::steps, "Z", "steps of the run at which the head was measured", ""},
           Tensor({columns}, std::vector<float>(steps.begin(), steps.end())));
  set->add({biography::agreement, "YZ", "overlap of the head with each rule after each of these steps",
            "Σ min(A, P), on average over rows and texts"},
           std::move(agreement));
  addMoments(*set);
  return set;
}

void HeadProfile::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const Workspace asked = askingEvenly(of.workspace);
  bench_.show({asked, of.model, of.other, of.loader}, snapshot);
  const bool hasPast = snapshot.kept.measured && sideOf(snapshot) && of.workspace.changes.empty() &&
                       run_ == nameOfSide(snapshot) && rules_ == rulesAsked(of.workspace);
  if (hasPast) snapshot.kept.measured = withPast(of, snapshot);
  if (snapshot.kept.measured)
    snapshot.kept.measured =
        circuits_.addedTo(snapshot.kept.measured, CircuitReading::askedOf(of, bench_.texts()));
}

bool HeadProfile::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  const Workspace asked = askingEvenly(of.workspace);
  const bool isNew = bench_.prepare({asked, of.model, of.other, of.loader}, snapshot, begin);
  if (!sideOf(snapshot) || !of.model.config().hasAttention()) return isNew;
  std::vector<std::string> rules = rulesAsked(of.workspace);
  if (run_ == nameOfSide(snapshot) && rules_ == rules) return isNew;
  run_ = nameOfSide(snapshot), rules_ = std::move(rules);
  past_.clear();
  return true;
}

HeadProfile::Past HeadProfile::ask(const RunVariant& side, int step) const {
  const auto model = side.modelAt(step);
  const ModelConfig& config = model->config();
  LivePass pass(model, threads_);
  std::vector<RuleScores> scores;
  for (const std::string& each : rules_) scores.emplace_back(*AttentionRule::read(each), config);
  for (int i = 0; i < std::min(textsOfThePast, bench_.texts().count()); ++i) {
    if (!bench_.texts().isWhole(i, config)) continue;
    const auto trace = pass.run(bench_.texts()[i].tokens, {}, bench_.texts()[i].source);
    const auto over = lookedOverBy(*bench_.wording(), config, *trace);
    for (RuleScores& each : scores) each.add(*trace, over, i);
  }
  Past past{side.weights->at(step), {}};
  for (const RuleScores& each : scores) past.agreement.push_back(agreementOfHeads(each, config));
  return past;
}

// False where it was stopped.
bool HeadProfile::askAll(const RunVariant& side, const std::vector<int>& steps, const StartJob& begin,
                         const std::function<void()>& more) {
  const auto isKnownStep = [&](int step) { return isKnown(side, step); };
  if (std::ranges::all_of(steps, isKnownStep)) return true;
  const ProgressCallback watch = begin(doing);
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    const int step = steps[static_cast<std::size_t>(i)];
    if (!watch(i, static_cast<int>(steps.size()))) return false;
    if (isKnownStep(step)) continue;
    past_[step] = ask(side, step);
    more();
  }
  return true;
}

void HeadProfile::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                          const std::function<void()>& more) {
  const Workspace asked = askingEvenly(of.workspace);
  const MeasuredModel evenly{asked, of.model, of.other, of.loader};
  const RunVariant* const side = sideOf(snapshot);
  const bool hasPast = side && !isMoving(of.workspace, snapshot) && bench_.hasTexts(evenly) &&
                       of.workspace.changes.empty() && of.model.config().hasAttention();
  if (!isMoving(of.workspace, snapshot) && bench_.hasTexts(evenly) &&
      circuits_.read(CircuitReading::askedOf(of, bench_.texts()), begin))
    more();
  const std::vector<int> steps = hasPast ? coarseFirst(stepsLookedAt(*side)) : std::vector<int>();
  const std::vector<int> few(steps.begin(),
                             steps.begin() + std::min<std::ptrdiff_t>(firstSteps, std::ssize(steps)));
  if (hasPast && !askAll(*side, few, begin, more)) return;
  bench_.measure(evenly, snapshot, begin, more);
  if (hasPast) askAll(*side, steps, begin, more);
}

}  // namespace glassformer
