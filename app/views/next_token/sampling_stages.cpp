#include "app/views/next_token/sampling_stages.h"

#include <algorithm>

#include "app/document/decoding_commands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

std::string stageNumber(const SamplingStage& stage, const StageNumbers& numbers) {
  const float number = numbers.of(stage);
  return number == stage.off ? "off" : formattedFixed(number, stage.decimals);
}

// Switches a stage off, or on with the number that is usual.
Command toggleStage(const SamplingStage& stage, Decoding decoding) {
  const bool isOn = decoding.stages.of(stage) != stage.off;
  decoding.stages.set(stage, isOn ? stage.off : stage.usual);
  return commands::setDecoding(decoding, std::string(stage.name) + (isOn ? " off" : " on"));
}

Command orderStages(const SamplingStage& moving, Decoding decoding, StageNumbers ordered) {
  decoding.stages = std::move(ordered);
  const auto order = stagesInOrder(decoding.stages);
  const auto place = std::ranges::find(order, &moving) - order.begin() + 1;
  return commands::setDecoding(decoding, std::string(moving.name) + " as filter " + std::to_string(place),
                               "order of " + std::string(moving.id));
}

// Among all other stages, the place after the first `count` of those that are on.
int placeBehind(const StageNumbers& numbers, const SamplingStage& moving, int count) {
  int place = 0;
  for (const SamplingStage* stage : stagesInOrder(numbers)) {
    if (count == 0) break;
    if (stage == &moving) continue;
    ++place, count -= numbers.of(*stage) != stage->off;
  }
  return place;
}

// How many of the stages that are on act before this one.
int rankOf(const StageNumbers& numbers, const SamplingStage& stage) {
  int rank = 0;
  for (const SamplingStage* each : stagesInOrder(numbers)) {
    if (each == &stage) break;
    rank += numbers.of(*each) != each->off;
  }
  return rank;
}

std::string aboutConstraint(const SceneInput& input, const ShownChain& chain) {
  if (!chain.decoding().constraint.isOff())
    return "Constraint: only allowed tokens, " + numberWords(chain, 1) +
           (chain.isFixed() ? "" : "\nclick to remove it");
  const auto named = [&](int token) { return "“" + input.entryLabel(token) + "”"; };
  std::string words = "Constraint: special tokens of the model's config";
  if (input.config().bannedToken >= 0) words += "\nnever with " + named(input.config().bannedToken);
  if (input.config().forcedEosToken >= 0)
    words += "\nwhere the context ends, with " + named(input.config().forcedEosToken);
  return words;
}

void addMoving(HitRegion& hit, const ShownChain& chain, const SamplingStage& stage,
               std::vector<float> centers) {
  const Decoding from = chain.decoding();
  const int rank = rankOf(from.stages, stage);
  const float center = centers[static_cast<std::size_t>(rank)];
  centers.erase(centers.begin() + rank);
  const auto to = [=, moving = &stage](int behind) {
    return orderStages(*moving, from,
                       behind == rank
                           ? from.stages
                           : moved(from.stages, *moving, placeBehind(from.stages, *moving, behind)));
  };
  hit.arrows = [=, most = static_cast<int>(centers.size())](int right, int) {
    return to(std::clamp(rank + right, 0, most));
  };
  hit.pan = [=, width = hit.box.width, centers = std::move(centers)](Point by) {
    return to(static_cast<int>(std::ranges::lower_bound(centers, center + by.x * width) - centers.begin()));
  };
}

}  // namespace

std::string numberWords(const ShownChain& chain, int stage) {
  const ChainLink link = chain.link(stage);
  if (link.stage) return stageNumber(*link.stage, chain.decoding().stages);
  if (link.isModel()) return "softmax";
  const Constraint& c = chain.decoding().constraint;
  if (c.isOff()) return "model output";
  const std::string banned = c.banned.empty() ? "" : std::to_string(c.banned.size()) + " banned";
  return c.pattern + (c.pattern.empty() || banned.empty() ? "" : ", ") + banned;
}

HitRegion headingOfStage(const SceneInput& input, const ShownChain& chain, int stage, const Box& box,
                         const std::vector<float>& centers) {
  const ChainLink link = chain.link(stage);
  HitRegion hit;
  hit.box = box;
  hit.name = "stage " + std::string(link.id());
  if (link.isConstraint) {
    hit.target.text = aboutConstraint(input, chain);
    if (!chain.isFixed() && !chain.decoding().constraint.isOff())
      hit.click = [change = commands::liftConstraint(chain.decoding())](const Target&) { return change; };
    return hit;
  }
  const bool on = chain.isOn(stage);
  hit.target.text = std::string(link.name()) + ": " + std::string(link.stage->meaning);
  if (chain.isFixed()) {
    hit.target.text += "\nas it was at this draw";
    return hit;
  }
  hit.target.text +=
      on ? "\nclick to disable it; drag it sideways to change the order" : "\nclick to enable it";
  hit.click = [change = toggleStage(*link.stage, chain.decoding())](const Target&) { return change; };
  if (on) addMoving(hit, chain, *link.stage, centers);
  return hit;
}

}  // namespace glassformer
