#include "app/engine/measurements.h"

#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/engine/needs.h"
#include "core/lens/attention_plane.h"
#include "core/lens/contributions.h"
#include "core/lens/logit_lens.h"
#include "core/lens/pattern_overview.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

// Of a longer text they are measured only where they are looked at: of 2,048 tokens they take 17 MB.
constexpr int mostTokensForScores = 2048;

std::optional<std::vector<std::string>> readOwnStream(const Workspace&, const ModelConfig& config) {
  return residualPoints(config, Stream::Text);
}

// Settings with nothing but what decides the numbers of these needs.
ViewSettings readBy(Needs needs, const ViewSettings& settings) {
  ViewSettings read;
  for (const Need* need : needs)
    if (need->reads) need->reads(settings, read);
  return read;
}

std::vector<const Need*> neededAtOnce(Needs needs, const ViewSettings& settings) {
  std::vector<const Need*> atOnce;
  for (const Need* need : needs)
    if (!need->kept && (!need->isAsked || need->isAsked(settings))) atOnce.push_back(need);
  return atOnce;
}

// Of a trace from elsewhere: whether it has what is read.
bool isThere(PointsRead points, const MeasuredPass& pass) {
  return whyNotOf(points, pass.workspace, pass.config(), pass.trace).empty();
}

// Small pictures of all patterns that are there.
void measureOverview(const MeasuredPass& pass, TensorSet& set) {
  if (const auto overview = pass.overview ? pass.overview() : nullptr)
    for (int i = 0; i < overview->count(); ++i) set.add(overview->point(i), overview->tensor(i), overview);
  else
    measurePatternOverview(pass.trace, pass.config(), set);
}

// Of the selected head.
void measureScoresOfHead(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!pass.model.hasWeights() || !pass.config().hasAttention()) return;
  const AttentionPlane scores = headScores(pass.workspace, pass.config());
  const HeadId& head = scores.heads.front();
  const bool isThrough = pass.trace.contains(attentionPoint(head.layer, head.site, "hook_pattern"));
  if (isThrough && pass.trace.tokenCount() <= mostTokensForScores) measurePlanes({scores}, pass, begin, set);
}

void measureLens(const MeasuredPass& pass, TensorSet& set) {
  const int t = selectedPosition(pass.workspace, pass.trace);
  if (!pass.lens)
    measureLogitLens(pass.model, pass.trace, t, set);
  else if (const auto lens = pass.lens(t))
    addLogitLens(*lens, pass.model, pass.trace, set);
}

}  // namespace

int selectedPosition(const Workspace& workspace, const Trace& trace) {
  const int last = trace.tokenCount() - 1, chosen = workspace.selection.query;
  return chosen < 0 ? last : std::min(chosen, last);
}

namespace {

// The chosen entry inside the vocabulary, else the model's own answer at the selected position.
int entryOr(int chosen, const Workspace& workspace, const Trace& trace, const ModelConfig& config) {
  if (!trace.contains("logits")) return -1;
  if (chosen >= 0 && chosen < config.vocabulary) return chosen;
  return likeliestEntry(trace, selectedPosition(workspace, trace));
}

}  // namespace

int attributedEntry(const Workspace& workspace, const Trace& trace, const ModelConfig& config) {
  return entryOr(workspace.settings.residual.entry, workspace, trace, config);
}

Prediction predictionAsked(const Workspace& workspace, const Trace& trace, const ModelConfig& config) {
  return {selectedPosition(workspace, trace),
          entryOr(workspace.settings.influence.entry, workspace, trace, config)};
}

int askedPosition(const MeasuredPass& pass, Stream stream) {
  const bool isSource = stream == Stream::Source;
  return positionAmong(isSource ? pass.trace.source() : pass.trace.tokens(),
                       pass.workspace.selection.queryIn(stream), isSource ? -1 : pass.tokenizer->mask());
}

void measurePlanes(const std::vector<AttentionPlane>& planes, const MeasuredPass& pass, const StartJob& begin,
                   TensorSet& set) {
  if (!pass.config().hasAttention()) return;
  const ProgressCallback watch = begin("measuring attention");
  const auto count = static_cast<int>(planes.size());
  for (int i = 0; i < count; ++i)
    measureAttention(pass.model, pass.trace, planes[static_cast<std::size_t>(i)], set,
                     partOf(watch, i, count));
}

bool isNeeded(const Need& need, Needs needs) {
  return std::find(needs.begin(), needs.end(), &need) != needs.end();
}

std::shared_ptr<const TensorSet> measurementsFor(Needs needs, const MeasuredPass& pass,
                                                 const StartJob& begin) {
  auto set = std::make_shared<TensorSet>();
  const bool hasNoWeights = !pass.model.hasWeights();
  if (!hasNoWeights || isThere(readOwnStream, pass)) measureResidualStream(pass.model, pass.trace, *set);
  measureLens(pass, *set);
  measureOverview(pass, *set);
  measureScoresOfHead(pass, begin, *set);
  for (const Need* need : neededAtOnce(needs, pass.workspace.settings))
    if (need->onPass && (!hasNoWeights || isThere(need->points, pass))) need->onPass(pass, begin, *set);
  return set;
}

void addMeasuredOnBoth(Needs needs, const ComparedPasses& passes, TensorSet& set) {
  for (const Need* need : needs)
    if (need->onBoth && (passes.here.model.hasWeights() || isThere(need->points, passes.here)))
      need->onBoth(passes, set);
}

std::shared_ptr<const TensorSet> modelMeasurementsFor(Needs needs, const Workspace& workspace,
                                                      const ModelConfig& config,
                                                      const std::shared_ptr<const TensorSet>& all) {
  const auto isMeasured = [](const Need* need) { return need->onModel != nullptr; };
  if (std::none_of(needs.begin(), needs.end(), isMeasured)) return all;
  auto set = std::make_shared<TensorSet>(*all);
  for (const Need* need : needs)
    if (need->onModel) need->onModel(workspace, config, *set);
  return set;
}

bool sameMeasurements(Needs a, const ViewSettings& ofA, Needs b, const ViewSettings& ofB) {
  return neededAtOnce(a, ofA) == neededAtOnce(b, ofB) && readBy(a, ofA) == readBy(b, ofB);
}

}  // namespace glassformer
