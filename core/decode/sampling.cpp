#include "core/decode/sampling.h"

#include <algorithm>
#include <array>

#include "core/decode/min_p.h"
#include "core/decode/penalties.h"
#include "core/decode/temperature.h"
#include "core/decode/top_k.h"
#include "core/decode/top_p.h"
#include "core/decode/typical.h"

namespace glassformer {
namespace {

constexpr std::array stages{repetitionStage, frequencyStage, presenceStage, temperatureStage,
                            topKStage,       topPStage,      minPStage,     typicalStage};

}  // namespace

std::span<const SamplingStage> samplingStages() { return stages; }

const SamplingStage* findSamplingStage(std::string_view id) {
  const auto found = std::ranges::find(stages, id, &SamplingStage::id);
  return found == stages.end() ? nullptr : &*found;
}

std::vector<const SamplingStage*> stagesInOrder(const StageNumbers& numbers) {
  std::vector<const SamplingStage*> ordered;
  const auto add = [&](const SamplingStage* stage) {
    if (stage && std::ranges::find(ordered, stage) == ordered.end()) ordered.push_back(stage);
  };
  for (const std::string& id : numbers.order()) add(findSamplingStage(id));
  for (const SamplingStage& stage : stages) add(&stage);
  return ordered;
}

StageNumbers moved(StageNumbers numbers, const SamplingStage& stage, int place) {
  std::vector<const SamplingStage*> ordered = stagesInOrder(numbers);
  std::erase(ordered, &stage);
  ordered.insert(ordered.begin() + std::clamp(place, 0, static_cast<int>(ordered.size())), &stage);
  std::vector<std::string> ids, usual;
  for (const SamplingStage* s : ordered) ids.emplace_back(s->id);
  for (const SamplingStage& s : stages) usual.emplace_back(s.id);
  numbers.setOrder(ids == usual ? std::vector<std::string>{} : std::move(ids));
  return numbers;
}

Random randomBehind(std::uint64_t seed, int drawn) {
  Random random(seed);
  for (int i = 0; i < drawn; ++i) random.next();
  return random;
}

Candidates narrowed(Candidates candidates, const StageNumbers& numbers) {
  for (const SamplingStage* stage : stagesInOrder(numbers))
    if (numbers.of(*stage) != stage->off) stage->apply(candidates, numbers.of(*stage));
  return candidates;
}

Candidates drawnFrom(std::span<const float> logits, std::span<const int> text, std::span<const int> added,
                     const SamplingSettings& settings) {
  Candidates fitting = settings.constraint.fitting(candidatesOf(logits, text), added);
  if (fitting.empty()) return fitting;
  if (!settings.greedy) return narrowed(std::move(fitting), settings.stages);
  fitting.resize(1);
  renormalize(fitting);
  return fitting;
}

int drawnBy(double u, const Candidates& candidates) {
  for (const Candidate& c : candidates)
    if ((u -= c.probability) < 0) return c.token;
  return candidates.back().token;
}

int draw(const Candidates& candidates, Random& random) { return drawnBy(random.uniform01(), candidates); }

std::vector<int> generate(const NextTokenLogits& logits, std::span<const int> prompt, int count,
                          const SamplingSettings& settings, int context, const TextEnds& stop,
                          const GoesOn& goesOn) {
  std::vector<int> tokens(prompt.begin(), prompt.end());
  Random random = randomBehind(settings.seed, settings.drawn);
  for (int i = 0; i < count && static_cast<int>(tokens.size()) < context; ++i) {
    const auto added = std::span(tokens).subspan(prompt.size());
    const Candidates left = drawnFrom(logits(tokens), tokens, added, settings);
    if (left.empty()) break;
    const int token = draw(left, random);
    tokens.push_back(token);
    if (stop.contains(token) || (goesOn && !goesOn(std::span(tokens).subspan(prompt.size())))) break;
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(prompt.size()), tokens.end()};
}

}  // namespace glassformer
