#include "app/engine/measurements.h"

#include <algorithm>
#include <array>

#include "app/document/attention_planes.h"
#include "core/lens/contributions.h"
#include "core/lens/influence.h"
#include "core/lens/logit_lens.h"
#include "core/lens/next_tokens.h"
#include "core/lens/path_length.h"
#include "core/lens/pattern_overview.h"
#include "core/lens/position_scores.h"
#include "core/lens/positions.h"
#include "core/lens/residual_cosines.h"
#include "core/lens/residual_stream.h"
#include "core/lens/token_probability.h"

namespace glassformer {

namespace {

constexpr std::array<std::string_view, 7> viewsThatAsk{"step",      "attention", "residual", "next_token",
                                                       "positions", "tokens",    "influence"};

// The views that ask for numbers of their own.
std::string_view measuredFor(const std::string& view) {
  const auto found = std::find(viewsThatAsk.begin(), viewsThatAsk.end(), view);
  return found == viewsThatAsk.end() ? std::string_view() : *found;
}

// What changes a picture, but none of its numbers, is taken out.
ViewSettings asking(const std::string& view, ViewSettings s) {
  s.attention.window = {}, s.attention.leastPercent = 0;
  s.attention.moreShown = s.attention.painting = false;
  s.nextToken.window = {};
  s.positions.table = {}, s.positions.dotProduct = false, s.positions.pairs.clear();
  s.influence.byInput = s.influence.logarithmic = false;
  if (s.influence.layout == InfluenceLayout::Distance) s.influence.layout = InfluenceLayout::Matrix;
  ViewSettings asked;
  asked.prunedShown = 0;
  if (view == "attention") asked.attention = s.attention;
  if (view == "residual") asked.residual = s.residual;
  if (view == "next_token") asked.nextToken = s.nextToken;
  if (view == "positions") asked.positions = s.positions;
  if (view == "influence") asked.influence = s.influence;
  return asked;
}

void measurePlanes(const std::vector<AttentionPlane>& planes, const Transformer& model, const Trace& trace,
                   const Begin& begin, TensorSet& set) {
  const Watch watch = begin("measuring attention");
  const auto count = static_cast<int>(planes.size());
  for (int i = 0; i < count; ++i)
    measureAttention(model, trace, planes[static_cast<std::size_t>(i)], set, partOf(watch, i, count));
}

void measureResidual(const Workspace& workspace, const Transformer& model, const Trace& trace,
                     const Begin& begin, TensorSet& set) {
  const ResidualSettings& settings = workspace.settings.residual;
  const ModelConfig& config = model.config();
  const Stream stream = shownStream(workspace, config);
  if (stream == Stream::Source) measureResidualStream(trace, config, set, stream);
  if (settings.layout == ResidualLayout::Cosine)
    measureResidualCosines(trace, config, set, stream, begin("comparing states"));
  if (settings.layout == ResidualLayout::Scales) measureNormScales(trace, config, set, stream);
  if (settings.layout != ResidualLayout::Contributions) return;
  const Watch watch = begin("measuring contributions");
  if (settings.to == ContributionTo::Logit)
    measureLogitAttribution(model, trace, attributedEntry(workspace, trace, config), set, watch);
  else
    measureContributions(model, trace, set, watch);
}

void measureInfluences(const Workspace& workspace, const Transformer& model, const Trace& trace,
                       const Begin& begin, TensorSet& set) {
  const Watch watch = begin("measuring influence");
  const bool whole = trace.tokenCount() <= mostInfluenceRows;
  if (whole && workspace.settings.influence.layout != InfluenceLayout::Sentence) {
    measurePathLength(model.config(), trace.tokenCount(), set);
    measurePathLengthByDistance(mostInfluenceRows, set);
    measureInfluenceMatrix(model, trace, workspace.interventions, set, watch);
  } else if (watch(0, 1)) {
    measureInfluence(model, trace, workspace.interventions, predictionAsked(workspace, trace, model.config()),
                     set);
  }
}

int selectedPosition(const Workspace& workspace, const Trace& trace) {
  const int last = trace.tokenCount() - 1, chosen = workspace.selection.query;
  return chosen < 0 ? last : std::min(chosen, last);
}

// The chosen entry inside the vocabulary, else the model's own answer at the selected position.
int entryOr(int chosen, const Workspace& workspace, const Trace& trace, const ModelConfig& config) {
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

std::shared_ptr<const TensorSet> measurementsFor(const Workspace& workspace, const Transformer& model,
                                                 const Trace& trace, const Begin& begin) {
  auto set = std::make_shared<TensorSet>();
  const ModelConfig& config = model.config();
  measureResidualStream(trace, config, *set);
  measureLogitLens(model, trace, selectedPosition(workspace, trace), *set);
  measurePatternOverview(trace, config, *set);
  measurePlanes(neededPlanes(workspace, config), model, trace, begin, *set);
  if (workspace.view == "tokens" && config.stack != Stack::EncoderOnly)
    measureTokenProbability(trace, *set, begin("measuring probabilities"));
  if (workspace.view == "residual") measureResidual(workspace, model, trace, begin, *set);
  if (workspace.view == "influence") measureInfluences(workspace, model, trace, begin, *set);
  if (workspace.view == "next_token") {
    const NextTokenLayout layout = workspace.settings.nextToken.layout;
    if (layout == NextTokenLayout::Text) measureNextTokens(trace, *set, begin("measuring surprise"));
    if (layout == NextTokenLayout::Lens)
      measureLensGrid(model, trace, *set, begin("measuring the logit lens"));
  }
  if (workspace.view == "positions" && workspace.settings.positions.layout == PositionsLayout::Scores)
    measurePositionScores(model, trace, selectedHead(workspace, config), *set);
  return set;
}

std::shared_ptr<const TensorSet> modelMeasurementsFor(const Workspace& workspace, const ModelConfig& config,
                                                      const std::shared_ptr<const TensorSet>& all) {
  const PositionsSettings& settings = workspace.settings.positions;
  if (workspace.view != "positions" || settings.layout != PositionsLayout::Differences || config.context < 2)
    return all;
  auto set = std::make_shared<TensorSet>(*all);
  measurePositionDifferences(*all, shownDistance(settings, measuredPositions(config)), *set);
  return set;
}

bool sameMeasurements(const Workspace& a, const Workspace& b) {
  return measuredFor(a.view) == measuredFor(b.view) &&
         asking(a.view, a.settings) == asking(b.view, b.settings);
}

}  // namespace glassformer
