#include "app/engine/head_circuits.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/document/attention_planes.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

CircuitReading::Asked CircuitReading::askedOf(const MeasuredModel& of, const SearchedTexts& texts) {
  const ModelConfig& config = of.model.config();
  const HeadId head = selectedHead(of.workspace, config);
  const auto tokensOf = [&](Stream stream) {
    std::vector<int> tokens = texts.tokensThatOccur(stream);
    if (!tokens.empty()) return tokens;
    tokens.resize(static_cast<std::size_t>(std::min(config.vocabulary, tokensWithoutTexts)));
    std::iota(tokens.begin(), tokens.end(), 0);
    return tokens;
  };
  return {of.model.shown->transformer, head, {tokensOf(queriesOf(head.site)), tokensOf(keysOf(head.site))}};
}

std::shared_ptr<const TensorSet> CircuitReading::addedTo(std::shared_ptr<const TensorSet> set,
                                                         const Asked& asked) const {
  const auto own = of(asked);
  if (!own) return set;
  auto both = std::make_shared<TensorSet>(*set);
  for (int i = 0; i < own->count(); ++i) both->add(own->point(i), own->tensor(i), own);
  return both;
}

bool CircuitReading::read(const Asked& asked, const StartJob& begin) {
  if (asked == asked_ || !asked.model->config().hasAttention() ||
      !whyNoCircuits(asked.model->config(), asked.head.site).empty())
    return false;
  auto set = std::make_shared<TensorSet>();
  measureHeadCircuits(*asked.model, asked.head, asked.tokens, *set, begin(doing));
  if (set->count() == 0) return false;
  asked_ = asked, set_ = std::move(set);
  return true;
}

bool HeadCircuits::hasTexts(const MeasuredModel& of) const {
  return model_ && model_ == of.model.shown->transformer && texts_.areAsked(of);
}

JobResult HeadCircuits::keptFor(const MeasuredModel& of) const {
  if (!of.model.config().hasAttention()) return {};
  const HeadId head = selectedHead(of.workspace, of.model.config());
  if (std::string why = whyNoCircuits(of.model.config(), head.site); !why.empty()) return {.missing = why};
  return {hasTexts(of) ? reading_.of(CircuitReading::askedOf(of, texts_)) : nullptr};
}

void HeadCircuits::show(const MeasuredModel& of, Snapshot& snapshot) const {
  const JobResult here = keptFor(of);
  put(snapshot, here, of.other ? JobResult{.missing = "only for the open model"} : here);
}

bool HeadCircuits::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  if (isMoving(of.workspace, snapshot) || !of.model.config().hasAttention()) return false;
  const bool isOther = model_ != of.model.shown->transformer;
  if (isOther) model_ = of.model.shown->transformer, texts_.forget();
  const HeadId before = std::exchange(head_, selectedHead(of.workspace, of.model.config()));
  const bool isAnotherHead = !(before == head_);
  return texts_.takeUp(of, begin) || isOther || isAnotherHead;
}

void HeadCircuits::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                           const std::function<void()>& more) {
  if (isMoving(of.workspace, snapshot) || !of.model.config().hasAttention() || !hasTexts(of)) return;
  if (reading_.read(CircuitReading::askedOf(of, texts_), begin)) more();
}

}  // namespace glassformer
