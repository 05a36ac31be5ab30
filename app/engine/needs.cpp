#include "app/engine/needs.h"

#include <algorithm>

#include "app/document/attention_planes.h"
#include "app/document/attribution_settings.h"
#include "app/document/draft_settings.h"
#include "app/document/edge_settings.h"
#include "app/document/effect_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/lookup_settings.h"
#include "app/document/position_hands.h"
#include "app/document/rule_settings.h"
#include "app/document/steps.h"
#include "app/document/strategies_settings.h"
#include "app/document/taken_apart.h"
#include "app/engine/ablation_map.h"
#include "app/engine/best_continuation.h"
#include "app/engine/branch_paths.h"
#include "app/engine/counterfactual_search.h"
#include "app/engine/dataset_edges.h"
#include "app/engine/dataset_stats.h"
#include "app/engine/decoder.h"
#include "app/engine/drafted_text.h"
#include "app/engine/edges_here.h"
#include "app/engine/head_circuits.h"
#include "app/engine/head_detector.h"
#include "app/engine/head_profile.h"
#include "app/engine/integrated_attribution.h"
#include "app/engine/landscapes.h"
#include "app/engine/measurements.h"
#include "app/engine/neuron_search.h"
#include "app/engine/open_model.h"
#include "app/engine/painted_pairs.h"
#include "app/engine/past_answers.h"
#include "app/engine/patch_map.h"
#include "app/engine/sampled_draw.h"
#include "app/engine/strategies.h"
#include "core/lens/attention_stages.h"
#include "core/lens/contributions.h"
#include "core/lens/influence.h"
#include "core/lens/leaks.h"
#include "core/lens/lens_grid.h"
#include "core/lens/lookup.h"
#include "core/lens/next_tokens.h"
#include "core/lens/norm_mean.h"
#include "core/lens/ov_decomposition.h"
#include "core/lens/path_length.h"
#include "core/lens/position_scores.h"
#include "core/lens/positions.h"
#include "core/lens/qk_decomposition.h"
#include "core/lens/residual_cosines.h"
#include "core/lens/residual_stream.h"
#include "core/lens/token_probability.h"

namespace glassformer {

namespace {

Stream streamOf(const MeasuredPass& pass) { return shownStream(pass.workspace, pass.config()); }

std::vector<AttentionPlane> listed(const AttentionPlane& plane) { return {plane}; }
std::vector<AttentionPlane> listed(const std::vector<AttentionPlane>& planes) { return planes; }
std::vector<AttentionPlane> listed(const ComparedPlanes& planes) {
  return {planes.left, planes.right, planes.difference};
}

// What the window draws beside such planes without waiting for it (TensorSources::makeNothing()): the same
// heads' patterns and masked scores, and those of all heads where there is no overview of them.
void makePoints(const std::vector<AttentionPlane>& planes, const MeasuredPass& pass, const TensorSet& set) {
  const auto make = [&](const HeadId& head, const char* point) {
    if (const int i = pass.trace.find(attentionPoint(head.layer, head.site, point)); i >= 0)
      (void)pass.trace.tensor(i);
  };
  for (const AttentionPlane& plane : planes)
    for (const HeadId& head : plane.heads) {
      make(head, "hook_pattern");
      if (plane.quantity == AttentionQuantity::Masked) make(head, "hook_attn_scores");
    }
  const AttentionSite site = selectedHead(pass.workspace, pass.config()).site;
  for (int layer = 0; layer < blocksAt(pass.config(), site) && !set.contains("lens.pattern_overview");
       ++layer)
    make({layer, 0, site}, "hook_pattern");
}

// Those that a function names.
template <auto planes>
void measure(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!pass.config().hasAttention()) return;
  const std::vector<AttentionPlane> all = listed(planes(pass.workspace, pass.config()));
  measurePlanes(all, pass, begin, set);
  makePoints(all, pass, set);
}

// What the pass does not keep of the step that is looked at.
void measureStep(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (!pass.model.hasWeights()) return;
  const Step step = stepCalled(pass.workspace.step, stepsOf(pass.model));
  if (step.part == StepPart::Norm) measureNormMean(pass.trace, step.tensor, set);
  if (step.part != StepPart::Attention) return;
  const AttentionPlane scores = stepScores(pass.workspace, step, pass.config());
  measurePlanes({scores}, pass, begin, set);
  measureAttentionStages(pass.model, pass.trace, scores.heads.front(), set);
}

void measureLookups(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  if (pass.config().hasAttention())
    measureLookup(pass.config(), pass.trace, selectedHead(pass.workspace, pass.config()),
                  chosenLookup(pass.workspace.settings), set);
}

void measureScoreOfHead(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const HeadId head = selectedHead(pass.workspace, pass.config());
  if (!whyNoScoreTable(pass.config(), head.site).empty()) return;
  const TensorView weights = pass.trace[attentionPoint(head.layer, head.site, "hook_pattern")][head.head];
  const int query = askedPosition(pass, queriesOf(head.site));
  measureScoreTable(pass.model, pass.trace, head, query,
                    keyAskedAbout(pass.workspace, head.site, weights, query), set);
}

void measureOutputOfHead(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  const HeadId head = selectedHead(pass.workspace, pass.config());
  const bool looksAtSource = keysOf(head.site) == Stream::Source;
  const auto keys = (looksAtSource ? pass.trace.source() : pass.trace.tokens()).size();
  if (!whyNoOutputTable(pass.model, head, static_cast<int>(keys)).empty()) return;
  const int entry = attributedEntry(pass.workspace, pass.trace, pass.config());
  const int against =
      chosenAgainst(pass.workspace.settings, entry, pass.config().vocabulary, subtractedChoice);
  measureOutputTable(pass.model, pass.trace, head, {{askedPosition(pass, Stream::Text), entry}, against}, set,
                     begin("taking a head's output apart"));
}

void measureSourceStream(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  if (streamOf(pass) == Stream::Source) measureResidualStream(pass.model, pass.trace, set, Stream::Source);
}

void measureCosines(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  measureResidualCosines(pass.model, pass.trace, set, streamOf(pass), begin("comparing states"));
}

void measureScales(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  measureNormScales(pass.model, pass.trace, set, streamOf(pass));
}

void measureParts(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  const ProgressCallback watch = begin("measuring contributions");
  const ContributionTo to = pass.workspace.settings.residual.to;
  if (to == ContributionTo::Logit || to == ContributionTo::CentredLogit)
    measureLogitAttribution(pass.model, pass.trace,
                            attributedEntry(pass.workspace, pass.trace, pass.config()), set, watch,
                            to == ContributionTo::Logit ? LogitBase::Raw : LogitBase::Centred);
  else
    measureContributions(pass.model, pass.trace, set, watch);
}

// Of the answer that is asked about, as it is and centered.
void measureDirect(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  const int entry = predictionAsked(pass.workspace, pass.trace, pass.config()).entry;
  if (entry < 0 || !isLogitSumOfParts(pass.config())) return;
  const ProgressCallback watch = begin("measuring contributions");
  for (const LogitBase base : {LogitBase::Raw, LogitBase::Centred})
    measureLogitAttribution(pass.model, pass.trace, entry, set, watch, base);
}

void measureSurprise(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  measureNextTokens(pass.trace, set, begin("measuring surprisal"));
}

void measureLenses(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  measureLensGrid(pass.model, pass.trace, set, begin("measuring the logit lens"));
}

void measureProbabilities(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (pass.config().stack != Stack::EncoderOnly && pass.trace.contains("logits"))
    measureTokenProbability(pass.trace, set, begin("measuring probabilities"));
}

void measureScoresOfPositions(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  measurePlanes({headScores(pass.workspace, pass.config())}, pass, begin, set);
  measurePositionScores(pass.model, pass.trace, selectedHead(pass.workspace, pass.config()), set);
}

// Of positions that are not added to the embeddings.
void measurePositionEffect(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const HeadId head = selectedHead(pass.workspace, pass.config());
  if (!pass.config().hasAttention() || !hasPositionBias(pass.config(), head.site)) return;
  measureAttentionStages(pass.model, pass.trace, head, set);
  measureAlibiSlopes(pass.config(), set);
}

// Beside positions that are added to the embeddings.
void measureSinusoidTable(const Workspace& workspace, const ModelConfig& config, TensorSet& set) {
  if (!set.contains("positions.model")) return;
  measureSinusoids(config, static_cast<double>(shownBase(workspace.settings.positions, config)), set);
}

void measureDifferences(const Workspace& workspace, const ModelConfig& config, TensorSet& set) {
  if (config.context < 2) return;
  const int distance = shownDistance(workspace.settings.positions, measuredPositions(config));
  measurePositionDifferences(TensorSet(set), distance, set);
}

void measureOneInfluence(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (begin("measuring influence")(0, 1))
    measureInfluence(pass.model, pass.trace, pass.workspace.interventions,
                     predictionAsked(pass.workspace, pass.trace, pass.config()), set);
}

// Of a text that is too long for a matrix one prediction at a time.
void measureEveryInfluence(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  const int tokens = pass.trace.tokenCount();
  if (tokens > mostInfluenceRows) return measureOneInfluence(pass, begin, set);
  const ProgressCallback watch = begin("measuring influence");
  measurePathLength(pass.config(), tokens, set);
  measurePathLengthByDistance(mostInfluenceRows, set);
  measureInfluenceMatrix(pass.model, pass.trace, pass.workspace.interventions, set, watch);
}

bool isAskedForScore(const ViewSettings& settings) { return !takesOutputApart(settings); }

bool isAskedForLeaks(const ViewSettings& settings) { return settings.chosen(matrixChoice) == leaksShown; }

// Of a text that is not too long.
void measureMaskLeaks(const MeasuredPass& pass, const StartJob& begin, TensorSet& set) {
  if (pass.trace.tokenCount() <= mostInfluenceRows)
    measureLeaks(pass.model, pass.trace, pass.workspace.interventions, set, begin("looking for leaks"));
}

void measureBlockNeurons(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  const ModelConfig& config = pass.config();
  const Stream stream = streamOf(pass);
  const int layer = std::clamp(pass.workspace.selection.layer, 0, blocksOf(config, stream) - 1);
  if (config.hasFeedForward()) measureNeurons(config, pass.trace, layer, stream, set);
}

// What is read of a trace from elsewhere, which has no weights.
using Points = std::optional<std::vector<std::string>>;

Points nothingRead(const Workspace&, const ModelConfig&) { return std::vector<std::string>{}; }

Points pointsOfPlanes(const std::vector<AttentionPlane>& planes) {
  std::vector<std::string> points;
  for (const AttentionPlane& plane : planes) {
    const bool isPattern = plane.quantity == AttentionQuantity::Pattern;
    if (!isPattern && plane.quantity != AttentionQuantity::Masked) return std::nullopt;
    for (const HeadId& head : plane.heads)
      points.push_back(
          attentionPoint(head.layer, head.site, isPattern ? "hook_pattern" : "hook_attn_scores"));
  }
  return points;
}
template <auto planes>
Points readPlanes(const Workspace& workspace, const ModelConfig& config) {
  if (!config.hasAttention()) return std::nullopt;
  return pointsOfPlanes(listed(planes(workspace, config)));
}

Points readStream(const Workspace& workspace, const ModelConfig& config) {
  return residualPoints(config, shownStream(workspace, config));
}

Points readScales(const Workspace& workspace, const ModelConfig& config) {
  const Stream stream = shownStream(workspace, config);
  std::vector<std::string> points = residualPoints(config, stream);
  for (int layer = 0; layer < blocksOf(config, stream); ++layer)
    for (int norm = 1; norm <= sumsPerBlock(config, stream); ++norm)
      points.push_back(blockPoint(config, layer, "ln" + std::to_string(norm) + ".hook_scale", stream));
  if (config.finalNorm) points.push_back(stackPoint(config, "ln_final.hook_scale", stream));
  return points;
}

Points readLogits(const Workspace&, const ModelConfig& config) {
  return config.stack != Stack::EncoderOnly ? Points({"logits"}) : Points();
}
Points readLogitsOfAny(const Workspace&, const ModelConfig&) { return Points({"logits"}); }

Points readLookup(const Workspace& workspace, const ModelConfig& config) {
  if (!config.hasAttention()) return std::nullopt;
  const HeadId head = selectedHead(workspace, config);
  return Points({attentionPoint(head.layer, head.site, "hook_attn_scores"),
                 attentionPoint(head.layer, head.site, "hook_v")});
}

Points readNeurons(const Workspace& workspace, const ModelConfig& config) {
  const Stream stream = shownStream(workspace, config);
  const int layer = std::clamp(workspace.selection.layer, 0, blocksOf(config, stream) - 1);
  return Points({neuronPoint(config, layer, stream)});
}

// What of the attention view's settings changes a picture, but none of its numbers, is left out.
void readAttention(const ViewSettings& from, ViewSettings& to) {
  to.attention = from.attention;
  to.attention.window = {}, to.attention.leastPercent = 0;
  to.attention.moreShown = to.attention.painting = to.attention.pairing = false;
}

void readPairing(const ViewSettings& from, ViewSettings& to) {
  to.attention.pairing = from.attention.pairing;
}

void readContributions(const ViewSettings& from, ViewSettings& to) { to.residual = from.residual; }
void readBase(const ViewSettings& from, ViewSettings& to) { to.positions.base = from.positions.base; }
void readDistance(const ViewSettings& from, ViewSettings& to) {
  to.positions.distance = from.positions.distance;
}
template <const char* const&... choices>
void readEntryAnd(const ViewSettings& from, ViewSettings& to) {
  to.influence.entry = from.influence.entry;
  readChoices<choices...>(from, to);
}

void readLogit(const ViewSettings& from, ViewSettings& to) {
  to.residual.entry = from.residual.entry;
  readChoices<subtractedChoice>(from, to);
}

}  // namespace

namespace needs {
const Need operandsOfStep{.name = "operands of a step", .onPass = measureStep, .points = nothingRead};
const Need lookupOfHead{.name = "lookup of a head",
                        .onPass = measureLookups,
                        .reads = readChoices<lookupTemperatureChoice>,
                        .points = readLookup};
const Need planeOfMatrix{.name = "plane of a matrix",
                         .onPass = measure<matrixPlane>,
                         .reads = readAttention,
                         .points = readPlanes<matrixPlane>};
const Need paintedRule{.name = "overlap with the drawn pattern",
                       .onPass = measurePaintedPairs,
                       .reads = readPairing,
                       .points = nothingRead};
const Need planeOfSentence{.name = "plane of a sentence",
                           .onPass = measure<sentencePlane>,
                           .reads = readAttention,
                           .points = readPlanes<sentencePlane>};
const Need planesOfArcs{.name = "planes of arcs",
                        .onPass = measure<arcPlanes>,
                        .reads = readAttention,
                        .points = readPlanes<arcPlanes>};
const Need planesOfTwoHeads{.name = "planes of two heads",
                            .onPass = measure<comparedPlanes>,
                            .reads = readAttention,
                            .points = readPlanes<comparedPlanes>};
const Need residualStream{
    .name = "residual stream of the source", .onPass = measureSourceStream, .points = readStream};
const Need residualCosines{.name = "cosines of states", .onPass = measureCosines, .points = readStream};
const Need normScales{.name = "scales of norms", .onPass = measureScales, .points = readScales};
const Need contributions{.name = "contributions", .onPass = measureParts, .reads = readContributions};
const Need directEffects{
    .name = "direct effects on a prediction", .onPass = measureDirect, .reads = readEntryAnd<>};
const Need nextTokens{.name = "surprise", .onPass = measureSurprise, .points = readLogitsOfAny};
const Need prediction{.name = "next token", .points = readLogitsOfAny};
const Need samplingChain{.name = "filters of sampling", .onPass = measureSampledDraw, .points = readLogits};
const Need scoreTable{.name = "table of a score", .onPass = measureScoreOfHead, .isAsked = isAskedForScore};
const Need outputTable{.name = "table of a head's output",
                       .onPass = measureOutputOfHead,
                       .reads = readLogit,
                       .isAsked = takesOutputApart};
const Need lensGrid{.name = "logit lens of every position", .onPass = measureLenses};
const Need tokenProbability{
    .name = "probabilities of tokens", .onPass = measureProbabilities, .points = nothingRead};
const Need positionScores{.name = "scores of positions", .onPass = measureScoresOfPositions};
const Need positionEffect{.name = "effect of positions", .onPass = measurePositionEffect};
const Need sinusoidTable{.name = "table of sinusoids", .onModel = measureSinusoidTable, .reads = readBase};
const Need positionDifferences{
    .name = "differences of positions", .onModel = measureDifferences, .reads = readDistance};
const Need influence{
    .name = "influence on a prediction", .onPass = measureOneInfluence, .reads = readEntryAnd<>};
const Need influenceMatrix{
    .name = "influence on every prediction", .onPass = measureEveryInfluence, .reads = readEntryAnd<>};
const Need leaks{.name = "leaks of the mask", .onPass = measureMaskLeaks, .isAsked = isAskedForLeaks};
const Need integratedAttribution{.name = "integrated gradients",
                                 .kept = keptAs<IntegratedAttribution>,
                                 .reads = readEntryAnd<baselineChoice, gradientsChoice, againstChoice>};
const Need answerChanges{.name = "counterfactual edits",
                         .kept = keptAs<CounterfactualSearch>,
                         .reads = readChoices<flipsAsked, wantedAnswer, wantedKey, changesTried>};
const Need neuronsOfBlock{.name = "neurons of a block", .onPass = measureBlockNeurons, .points = readNeurons};
const Need neuronWeights{.name = "weights of a neuron",
                         .kept = keptAs<NeuronWeights>,
                         .reads = readChoices<neuronChoice>,
                         .points = nothingRead};
const Need neuronExamplesFound{.name = "examples of neurons",
                               .kept = keptAs<NeuronSearch>,
                               .reads = readChoices<neuronChoice, neuronCorpus>,
                               .points = nothingRead};
const Need ruleBench{.name = "attention rule over a dataset",
                     .kept = keptAs<HeadDetector>,
                     .reads = readChoices<benchNumber, countedPositions, neuronCorpus>};
const Need profiledRules{.name = "attention rules compared with a head",
                         .kept = keptAs<ProfiledRules>,
                         .reads = readChoices<countedPositions, neuronCorpus>};
const Need headHistory{.name = "history of a head",
                       .kept = keptAs<HeadHistory>,
                       .reads = readChoices<countedPositions, neuronCorpus>};
const Need headCircuits{
    .name = "circuits of a head", .kept = keptAs<HeadCircuits>, .reads = readChoices<neuronCorpus>};
const Need landscape{.name = "loss landscape", .kept = keptAs<Landscapes>};
const Need causalMap{
    .name = "ablation of every component",
    .kept = keptAs<AblationMap>,
    .reads = readEntryAnd<leftOutAt, leftOutReplaced, metricSetting, countedPositions, againstChoice>};
const Need partEffects{.name = "effects over many texts",
                       .kept = keptAs<DatasetStats>,
                       .reads = readChoices<effectNumber, countedPositions, neuronCorpus>};
const Need textEffects{.name = "effects in the open text",
                       .kept = keptAs<TextStats>,
                       .reads = readChoices<effectNumber, neuronCorpus>};
const Need edgesOfText{
    .name = "edges",
    .kept = keptAs<TextEdgeAblation>,
    .reads = readEntryAnd<edgeThreshold, edgeTexts, metricSetting, countedPositions, againstChoice>};
const Need edgesOfDataset{
    .name = "edges over many texts",
    .kept = keptAs<DatasetEdgeAblation>,
    .reads =
        readEntryAnd<edgeThreshold, edgeTexts, metricSetting, countedPositions, againstChoice, neuronCorpus>};
const Need strategyComparison{.name = "every strategy",
                              .kept = keptAs<ContinuationJob<StrategyComparison>>,
                              .reads = readChoices<samplesChoice>};
const Need bestOfAll{.name = "the best there is", .kept = keptAs<ContinuationJob<BestContinuation>>};
const Need branchPaths{.name = "tree of branches",
                       .kept = keptAs<ContinuationJob<BranchPaths>>,
                       .reads = readChoices<greedyPath, beamPaths, samplePaths>};
const Need draftedText{
    .name = "drafting", .kept = keptAs<DraftingJob>, .reads = readChoices<draftChoice, proposalsChoice>};
const Need patchMap{.name = "patches of two texts",
                    .kept = keptAs<PatchMap>,
                    .reads = readEntryAnd<patchChoice, metricSetting, countedPositions, againstChoice>};
const Need pastAnswers{.name = "answers of the past", .kept = keptAs<PastAnswers>};
const Need wordMerges{.name = "merges of words", .points = nothingRead};
const Need pastOptimizer{.name = "optimizer of the past"};
}  // namespace needs

}  // namespace glassformer
