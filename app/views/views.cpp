#include "app/views/views.h"

#include <algorithm>
#include <optional>

#include "app/document/lookup_settings.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"
#include "app/drawing/wording.h"
#include "app/engine/data_sizes.h"
#include "app/engine/embedding_gradients.h"
#include "app/engine/joint_vocabulary.h"
#include "app/engine/measurements.h"
#include "app/engine/needs.h"
#include "app/engine/position_bench.h"
#include "app/views/attention/arcs_picture.h"
#include "app/views/attention/biography_picture.h"
#include "app/views/attention/circuits_picture.h"
#include "app/views/attention/hypothesis_picture.h"
#include "app/views/attention/matrix_picture.h"
#include "app/views/attention/sentence_picture.h"
#include "app/views/attention/softmax_picture.h"
#include "app/views/attention/two_heads_picture.h"
#include "app/views/attention/why_picture.h"
#include "app/views/attention/word_picture.h"
#include "app/views/beam/beam_scene.h"
#include "app/views/beam/branches_scene.h"
#include "app/views/cost/cache_scene.h"
#include "app/views/cost/cost_numbers.h"
#include "app/views/cost/cost_scene.h"
#include "app/views/cost/one_by_one_scene.h"
#include "app/views/cost/sizes_scene.h"
#include "app/views/cost/unrolled_scene.h"
#include "app/views/influence/changes_picture.h"
#include "app/views/influence/distance_picture.h"
#include "app/views/influence/edges_picture.h"
#include "app/views/influence/effects_picture.h"
#include "app/views/influence/gradients_picture.h"
#include "app/views/influence/influence_matrix_picture.h"
#include "app/views/influence/influence_sentence_picture.h"
#include "app/views/influence/integrated_picture.h"
#include "app/views/influence/leave_out_picture.h"
#include "app/views/influence/patch_picture.h"
#include "app/views/landscape/map_picture.h"
#include "app/views/landscape/surface_picture.h"
#include "app/views/model_map/parallels_scene.h"
#include "app/views/next_token/classes_picture.h"
#include "app/views/next_token/distribution_picture.h"
#include "app/views/next_token/drafted_picture.h"
#include "app/views/next_token/lens_picture.h"
#include "app/views/next_token/sampling_picture.h"
#include "app/views/next_token/shifted_picture.h"
#include "app/views/next_token/strategies_picture.h"
#include "app/views/next_token/text_picture.h"
#include "app/views/positions/bench_picture.h"
#include "app/views/positions/curves_picture.h"
#include "app/views/positions/differences_picture.h"
#include "app/views/positions/filter_picture.h"
#include "app/views/positions/phasors_picture.h"
#include "app/views/positions/position_numbers.h"
#include "app/views/positions/scores_picture.h"
#include "app/views/positions/shift_picture.h"
#include "app/views/positions/shuffle_picture.h"
#include "app/views/positions/tables_picture.h"
#include "app/views/residual/contributions_picture.h"
#include "app/views/residual/cosine_picture.h"
#include "app/views/residual/depth_picture.h"
#include "app/views/residual/geometry_picture.h"
#include "app/views/residual/geometry_vectors.h"
#include "app/views/residual/neurons_picture.h"
#include "app/views/residual/norms_picture.h"
#include "app/views/residual/scales_picture.h"
#include "app/views/steps/slips_picture.h"
#include "app/views/steps/state_picture.h"
#include "app/views/steps/step_picture.h"
#include "app/views/steps/whole_picture.h"
#include "app/views/tokens/both_ends_picture.h"
#include "app/views/tokens/cuts_picture.h"
#include "app/views/tokens/tokens_scene.h"
#include "app/views/tokens/unembedding_picture.h"
#include "app/views/training/answers_picture.h"
#include "app/views/training/curves_picture.h"
#include "app/views/training/data_picture.h"
#include "app/views/training/optimizer_picture.h"
#include "app/views/training/parts_picture.h"
#include "app/views/training/schedule_scene.h"

namespace glassformer {

namespace {

// Pictures that share what they need to know, and their margins: what `draw` draws into the rest.
template <typename Shared>
Scene drawnBy(const SceneInput& input, void (*draw)(Shared&, Box)) {
  if (std::optional<Scene> empty = Shared::empty(input)) return std::move(*empty);
  Shared view(input);
  draw(view, contentOf(input, view.scene.size));
  return std::move(view.scene);
}
template <auto draw>
Scene drawn(const SceneInput& input) {
  return drawnBy(input, draw);
}

template <typename... Named>
std::vector<const Need*> with(const Named&... needs) {
  return {&needs...};
}

Picture numbered(Picture picture, PictureNumbers (*numbers)(const SceneInput&)) {
  picture.numbers = numbers;
  return picture;
}
Picture played(Picture picture) {
  picture.isPlayed = true;
  return picture;
}

Picture sideBySide(Picture picture) {
  picture.subtracts = false;
  return picture;
}

// The temperature of a picture that tries out a softmax.
template <const char* const& choice>
PictureNumbers temperature(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace()) return {};
  return {temperatureNumber(input.workspace.settings, choice)};
}
// Two texts next to each other need the room.
PictureNumbers temperatureAlone(const SceneInput& input) {
  return input.workspace.comparison.isOn() ? PictureNumbers{} : temperature<gradientTemperatureChoice>(input);
}

std::vector<View> everyView() {
  using namespace needs;
  return {
      {"attention",
       "Attention",
       "which token looks at which, A = softmax(q · kᵀ / √K)",
       {{"matrix", "Matrix", "queries down, keys across: every pair of tokens", drawn<drawMatrixPicture>,
         with(planeOfMatrix, paintedHypothesis)},
        sideBySide({"word", "One word",
                    "One token's attention, row by row: query, keys, scores, weights, values, output",
                    drawn<drawWordPicture>, with(rowsOfWord)}),
        {"sentence", "Sentence", "the text, coloured by what one token looks at and who looks at it",
         drawn<drawSentencePicture>, with(planeOfSentence)},
        {"arcs", "Arcs", "arcs from each token back to those it looks at, several heads at once",
         drawn<drawArcsPicture>, with(planesOfArcs)},
        {"two heads", "Two heads", "two heads side by side, and their difference", drawn<drawTwoHeadsPicture>,
         with(planesOfTwoHeads)},
        sideBySide({"why", "Why there",
                    "one score taken apart: who wrote the query, who wrote the key; or what the head writes "
                    "towards a logit",
                    whyScene, with(scoreTable, outputTable)}),
        sideBySide(numbered({"softmax", "Softmax",
                             "the softmax of two scores as a surface, with this head's as a point in it",
                             drawn<drawSoftmaxPicture>, with(softmaxSurface)},
                            temperature<surfaceTemperatureChoice>)),
        sideBySide({"hypothesis", "Many texts",
                    "a hypothesis of where heads look, held against all of them over many texts",
                    drawn<drawHypothesisPicture>, with(hypothesisBench)}),
        sideBySide(
            {"biography", "Biography",
             "what is known of the selected head: where it looks, what that is worth, how it came about",
             drawn<drawBiographyPicture>, with(headBiography)}),
        sideBySide(
            {"circuits", "Circuits",
             "what a head reads and writes, off its weights alone: token pairs, and the heads it works with",
             drawn<drawCircuitsPicture>, with(headCircuits)})},
       Reads::TextAndSource},
      {"positions",
       "Positions",
       "how the model tells places apart, x = E[token] + p[place]",
       {sideBySide(numbered({"encoding", "Encoding", "what is added to the embedding at each position",
                             drawn<drawEncodingPicture>, with(sinusoidTable, positionEffect)},
                            baseNumbers)),
        sideBySide(numbered({"curves", "Curves", "pairs of dimensions over position, as many as you like",
                             drawn<drawCurvesPicture>, with(sinusoidTable, positionEffect)},
                            baseNumbers)),
        sideBySide(
            numbered({"phasors", "Phasors", "each pair of dimensions as an arrow that turns with position",
                      drawn<drawPhasorsPicture>, with(sinusoidTable, positionEffect)},
                     baseNumbers)),
        sideBySide(numbered(
            {"shift", "Shift", "a shift by Δ is a rotation: p(t + Δ) = R(Δ) p(t), computed on both sides",
             drawn<drawShiftPicture>, with(sinusoidTable, shiftOfPositions, positionEffect)},
            shiftNumbers)),
        sideBySide(numbered(
            {"convolution", "Sums",
             "a weighted sum of shifts, a convolution over positions, is one matrix: Σ w p(t + Δ) = (Σ w "
             "R(Δ)) "
             "p(t)",
             drawn<drawWeightedShiftsPicture>, with(sinusoidTable, shiftsOfPositions, positionEffect)},
            baseNumbers)),
        sideBySide(numbered({"similarity", "Similarity", "how alike any two positions are",
                             drawn<drawSimilarityPicture>, with(sinusoidTable, positionEffect)},
                            baseNumbers)),
        sideBySide(numbered(
            {"differences", "Difference", "how the encoding changes Δ positions further: p(t + Δ) − p(t)",
             drawn<drawDifferencesPicture>, with(sinusoidTable, positionDifferences, positionEffect)},
            baseNumbers)),
        numbered({"scores", "Scores", "what positions alone contribute to a head's scores",
                  drawn<drawScoresPicture>, with(positionScores, positionEffect)},
                 baseNumbers),
        sideBySide(numbered(
            {"shuffle", "Shuffle", "the tokens in another order: what moves, and what tells places apart",
             shuffleScene, with(shuffledText)},
            baseNumbers)),
        sideBySide(numbered(
            {"bench", "Bench",
             "every encoding at every length: accuracy of the six models positions/..., beyond training",
             positionBenchScene, with(everyEncoding)},
            baseNumbers)),
        sideBySide(
            numbered({"filter", "Filter",
                      "attention by distance only as a convolution: its filter, and the difference (0)",
                      filterScene, with(filterOfHead)},
                     baseNumbers))}},
      {"residual",
       "Residual",
       "what each sublayer adds to a token's vector, x ← x + f(norm(x))",
       {{"norms", "Norms", "how long each token's vector is, and what each block adds",
         drawn<drawNormsPicture>, with(residualStream)},
        {"cosine", "Cosine", "in which direction the states point: cosines between layers",
         drawn<drawCosinePicture>, with(residualStream, residualCosines)},
        {"contributions", "Contributions", "what each head and MLP adds to the final state, or to a logit",
         drawn<drawContributionsPicture>, with(contributions)},
        {"scales", "Norm scale", "how much each layer norm stretches each token: 1 / σ",
         drawn<drawScalesPicture>, with(residualStream, normScales)},
        {"gradient", "Gradient",
         "does the gradient vanish by depth: ∂loss / ∂x after each sublayer, with and without residual "
         "connections and norms, and what comes through the skip",
         drawn<drawDepthPicture>, with(depthGradients)},
        {"geometry", "Geometry",
         "the tokens' vectors along the two or three directions in which they differ most",
         drawn<drawGeometryPicture>, with(residualGeometry)},
        {"neurons", "Neurons",
         "the MLP neuron by neuron: where each is active, what it reads, what it writes",
         drawn<drawNeuronsPicture>, with(neuronsOfBlock, neuronExamplesFound)}}},
      {"next_token",
       "Next token",
       "what comes next, p = softmax(U · norm(x)), and what it would be after each sublayer",
       {{"distribution", "Distribution", "what comes after the selected token", distributionScene,
         with(prediction)},
        {"text", "Text", "what was expected after each token, and how surprising what came is",
         nextTokenTextScene, with(nextTokens)},
        {"shifted", "Shifted",
         "teacher forcing: the text, below it the same shifted by one that training wants, and each loss",
         shiftedTextScene, with(nextTokens)},
        sideBySide({"sampling", "Stages", "how sampling chooses: stage by stage, and the draw", samplingScene,
                    with(samplingChain)}),
        sideBySide({"strategies", "Strategies",
                    "the text continued by every strategy, and by many samples at once", strategiesScene,
                    with(strategyComparison)}),
        sideBySide({"draft", "Draft",
                    "a smaller model proposes, the model itself checks: speculative decoding", draftedScene,
                    with(draftedText)}),
        {"lens", "Lens", "what the model would say after each sublayer, at every position",
         nextTokenLensScene, with(lensGrid)},
        {"classes", "Classes", "what a head of its own says of the text: a classifier on the same stack",
         classesScene, with(classProbabilities), nullptr,
         [](const ModelConfig& config) { return config.classifies(); }}}},
      {"beam",
       "Beam tree",
       "the continuations that beam search kept and pruned, by Σ log p / lengthᵅ",
       {{"search", "Search", "what beam search kept and pruned, and why", beamScene, with(bestOfAll)},
        sideBySide({"branches", "Branches",
                    "the texts that you keep, greedy's way, the beam's and samples' as one tree",
                    branchesScene, with(branchPaths)})}},
      {"tokens",
       "Tokens",
       "what the model reads: ids, bytes, and the merges that made each token",
       {{"merges", "Merges", "every token, and the merges that made its word", tokensScene,
         with(tokenProbability, wordMerges)},
        sideBySide({"cuts", "Cuts",
                    "the text cut in several ways, from bytes to words, or by every tokenizer of the library",
                    cutsScene, with(wordMerges, libraryTokenizers, learnedTokenizers, piecesByLanguage)}),
        sideBySide({"unembedding", "Unembedding",
                    "a token's row of E beside its column of W_U, and the angle between them",
                    unembeddingScene, with(unembeddingAngles)}),
        sideBySide({"both ends", "Both ends",
                    "the loss's gradient at E: through the embedding, through the unembedding, and their sum",
                    bothEndsScene, with(endsOfEmbedding)})},
       Reads::TextAndSource},
      {"step",
       "Steps",
       "the current step of the forward pass: operands, result, and what made each number",
       {played({"equation", "Equation", "operands and result side by side, and what made the chosen number",
                drawn<drawStepEquation>, with(operandsOfStep)}),
        {"walk",
         "One token",
         "the selected token through a block: query, compare, weigh, average, add, norm, transform, add, "
         "norm",
         tokenWalkScene,
         {},
         pointsOfWalk},
        numbered({"lookup", "Lookup", "keys and values as a table: exact lookup, argmax, softmax",
                  lookupScene, with(lookupOfHead)},
                 temperature<lookupTemperatureChoice>),
        {"state", "State", "linear attention's running state, token by token, and what is read out of it",
         drawn<drawStatePicture>, with(runningState)},
        {"result", "Result", "what the step gives, as large as there is room", drawn<drawStepResult>,
         with(operandsOfStep)},
        sideBySide(
            {"slips", "As printed",
             "formulas as they are often printed beside what is meant: both results, or a product that is "
             "refused",
             slipScene, with(slipOfHead)}),
        sideBySide(
            {"parallels", "Parallels",
             "the blocks of a ResNet, a ConvNeXt and a transformer beside each other, counterparts in a row",
             parallelsScene}),
        sideBySide(
            {"whole", "Whole model",
             "Words in, the residual stream through every block with its heads and MLP, the next token out",
             wholeModelScene, with(residualStream, partsOfModel)})},
       Reads::TextAndSource},
      {"influence",
       "Influence",
       "what a prediction depends on, measured: ∂logit / ∂x of every token",
       {{"sentence", "Sentence", "the text, coloured by its influence on one prediction",
         drawn<drawInfluenceSentencePicture>, with(influence)},
        {"matrix", "Matrix", "predictions down, tokens across: what each depends on",
         drawn<drawInfluenceMatrixPicture>, with(influenceMatrix, leaks)},
        {"distance", "Distance", "how influence fades with the distance between two tokens",
         drawn<drawDistancePicture>, with(influenceMatrix)},
        sideBySide({"leave out", "Leave out",
                    "what becomes of the prediction without each head, attention and MLP",
                    drawn<drawLeaveOutPicture>, with(causalMap, directEffects)}),
        sideBySide({"many texts", "Many texts",
                    "what each part does over many texts, mean and spread, beside what it does to this one",
                    drawn<drawEffectsPicture>, with(partEffects)}),
        sideBySide(
            {"edges", "Edges",
             "who writes what the queries, keys and values of heads read, and how much that matters, here or "
             "over texts",
             drawn<drawEdgesPicture>, with(edgesOfModel)}),
        sideBySide({"patch", "Patch",
                    "two texts compared: what one takes over from the other, place by place",
                    drawn<drawPatchPicture>, with(patchMap)}),
        numbered({"gradients", "Gradients",
                  "what reaches queries, keys and values: through softmax and through argmax",
                  drawn<drawGradientsPicture>, with(headGradients)},
                 temperatureAlone),
        {"integrated", "Integrated",
         "a logit, or what parts two, attributed to every token exactly: all sum to it",
         drawn<drawIntegratedPicture>, with(integratedAttribution)},
        sideBySide({"smallest change", "Flip",
                    "the smallest change that flips the answer, or where a head looks: one token, or the "
                    "fewest heads off",
                    drawn<drawChangesPicture>, with(answerChanges)})},
       Reads::TextAndSource},
      {"training",
       "Training",
       "what happens inside a model while it learns, w ← w − η m̂ / (√v̂ + ε)",
       {sideBySide({"curves", "Curves", "loss, right answers, learning rate and gradient over the steps",
                    drawn<drawTrainingCurvesPicture>}),
        sideBySide({"schedule", "Schedule",
                    "the learning rate of 2017 for several widths and warm-ups, this run's among them",
                    scheduleScene, with(schedulesOf2017)}),
        sideBySide({"parts", "Parts", "gradient and update of every part of the model over the steps",
                    drawn<drawPartsPicture>}),
        sideBySide({"optimizer", "Optimizer",
                    "a weight, its gradient and Adam's two moments at the step shown",
                    drawn<drawOptimizerPicture>, with(pastOptimizer)}),
        sideBySide({"data", "Data",
                    "validation loss against the size of the data: the same recipe on 1/16 to all of them",
                    drawn<drawDataPicture>, with(lossByDataSize)}),
        sideBySide({"answers", "Answers", "what the model says to questions it has never seen",
                    drawn<drawAnswersPicture>, with(pastAnswers)})},
       Reads::Nothing},
      {"landscape",
       "Landscape",
       "the loss around the trained weights, L(θ + a·δ + b·η)",
       {{"surface", "Surface", "the loss as a height; drag to turn it, a double click turns it back",
         drawn<drawSurfacePicture>, with(landscape)},
        {"map", "Map", "the same numbers from above, with contour lines", drawn<drawMapPicture>,
         with(landscape)}},
       Reads::Nothing},
      {"cost",
       "Cost",
       "what it costs to mix T tokens: O(T²K), O(TD²), O(JTD²)",
       {sideBySide(numbered({"mixing", "Mixing", "what tokens take from one another, projections aside",
                             mixingCostScene, with(cost)},
                            measuredSizes)),
        sideBySide(numbered({"block", "Block", "the mixing with its projections", blockCostScene, with(cost)},
                            measuredSizes)),
        sideBySide(numbered(
            {"sizes", "Sizes",
             "multiply-adds at any T, M, N and D, attention across M × N too; training in parallel against "
             "sampling one by one",
             sizesScene, with(costOfSizes)},
            countedSizes)),
        sideBySide({"cache", "Cache", "the keys and values that decoding keeps, and what that saves",
                    cacheScene, with(cache)}),
        sideBySide(
            {"one by one", "One by one",
             "one token at a time against all at once: the largest difference at each point, under the mask",
             oneByOneScene, with(oneByOne)}),
        sideBySide({"unrolled", "Unrolled",
                    "the unrolled network: serial steps before each state can be computed, and path length",
                    unrolledScene, with(unrolledNetwork)})},
       Reads::Nothing},
  };
}

}  // namespace

std::span<const View> views() {
  static const std::vector<View> table = everyView();
  return table;
}

const View& viewOf(std::string_view id) {
  const auto found = std::ranges::find(views(), id, &View::id);
  return found == views().end() ? views().front() : *found;
}

}  // namespace glassformer
