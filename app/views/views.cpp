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
#include "app/views/attention/circuits_picture.h"
#include "app/views/attention/decomposition_picture.h"
#include "app/views/attention/head_detector_picture.h"
#include "app/views/attention/head_profile_picture.h"
#include "app/views/attention/matrix_picture.h"
#include "app/views/attention/sentence_picture.h"
#include "app/views/attention/softmax_picture.h"
#include "app/views/attention/two_heads_picture.h"
#include "app/views/attention/word_picture.h"
#include "app/views/beam/beam_scene.h"
#include "app/views/beam/branches_scene.h"
#include "app/views/cost/cache_scene.h"
#include "app/views/cost/cost_numbers.h"
#include "app/views/cost/cost_scene.h"
#include "app/views/cost/one_by_one_scene.h"
#include "app/views/cost/sizes_scene.h"
#include "app/views/cost/unrolled_scene.h"
#include "app/views/influence/ablation_picture.h"
#include "app/views/influence/counterfactuals_picture.h"
#include "app/views/influence/distance_picture.h"
#include "app/views/influence/edges_picture.h"
#include "app/views/influence/effects_picture.h"
#include "app/views/influence/gradients_picture.h"
#include "app/views/influence/influence_matrix_picture.h"
#include "app/views/influence/influence_sentence_picture.h"
#include "app/views/influence/integrated_picture.h"
#include "app/views/influence/patch_picture.h"
#include "app/views/landscape/map_picture.h"
#include "app/views/landscape/surface_picture.h"
#include "app/views/model_map/cnn_comparison_scene.h"
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
#include "app/views/tokens/embedding_gradients_picture.h"
#include "app/views/tokens/tokenizers_picture.h"
#include "app/views/tokens/tokens_scene.h"
#include "app/views/tokens/unembedding_picture.h"
#include "app/views/training/answers_picture.h"
#include "app/views/training/curves_picture.h"
#include "app/views/training/data_picture.h"
#include "app/views/training/optimizer_picture.h"
#include "app/views/training/parts_picture.h"
#include "app/views/training/schedule_scene.h"
#include "core/lens/distance_filter.h"
#include "core/model/positional/positional_encoding.h"

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

// Pictures that say one thing in several ways.
Picture in(const char* group, Picture picture) {
  picture.group = group;
  return picture;
}

// Of models that add positions to the embeddings.
Picture ofTable(Picture picture) {
  picture.isOf = [](const ModelConfig& config) { return config.positions && config.positions->isAdded(); };
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
       "Attention of every token to the others, A = softmax(q · kᵀ / √K) (Vaswani et al. 2017)",
       {{"matrix", "Matrix", "Attention pattern as a heat map: queries in rows, keys in columns",
         drawn<drawMatrixPicture>, with(planeOfMatrix, paintedRule)},
        sideBySide({"word", "One word",
                    "One token's attention in rows: query, keys, scores, weights, values, output",
                    drawn<drawWordPicture>, with(rowsOfWord)}),
        {"sentence", "Text heatmap", "The text, colored by the attention weights from or to one token",
         drawn<drawSentencePicture>, with(planeOfSentence)},
        {"arcs", "Arcs",
         "One arc per attention weight, from the query to each key it attends to; several heads in colors",
         drawn<drawArcsPicture>, with(planesOfArcs)},
        {"two heads", "Two heads", "Two attention patterns next to each other, and their difference",
         drawn<drawTwoHeadsPicture>, with(planesOfTwoHeads)},
        sideBySide(
            {"why", "Decomposition",
             "A score by the components that wrote its query and key, or the head's output by source token",
             whyScene, with(scoreTable, outputTable)}),
        sideBySide(numbered(
            {"softmax", "Softmax", "Softmax of two scores as a surface; a point marks this head's scores",
             drawn<drawSoftmaxPicture>, with(softmaxSurface)},
            temperature<surfaceTemperatureChoice>)),
        in("Head report", sideBySide({"hypothesis", "Head detector",
                                      "Overlap of every head with an attention rule, over a dataset",
                                      drawn<drawRulePicture>, with(ruleBench)})),
        in("Head report",
           sideBySide({"biography", "Head profile",
                       "One head: attention rules it fits, loss recovered, circuits, training history",
                       drawn<drawBiographyPicture>, with(headCircuits, headHistory, profiledRules)})),
        in("Head report",
           sideBySide({"circuits", "QK/OV circuits",
                       "QK and OV circuits from the weights: token pairs and composition with other heads "
                       "(Elhage et al. 2021)",
                       drawn<drawCircuitsPicture>, with(headCircuits)}))},
       Reads::TextAndSource},
      {"positions",
       "Positions",
       "Position information, x = E[token] + p[position]",
       {in("Encodings",
           sideBySide(numbered({"encoding", "Encoding", "Vector added to the embedding at each position",
                                drawn<drawEncodingPicture>, with(sinusoidTable, positionEffect)},
                               baseNumbers))),
        in("Encodings",
           sideBySide(ofTable(numbered({"curves", "Curves", "Single dimensions of the encoding over position",
                                        drawn<drawCurvesPicture>, with(sinusoidTable, positionEffect)},
                                       baseNumbers)))),
        in("Encodings",
           sideBySide(ofTable(
               numbered({"phasors", "Phasors", "Each sine–cosine pair as an arrow that rotates with position",
                         drawn<drawPhasorsPicture>, with(sinusoidTable, positionEffect)},
                        baseNumbers)))),
        in("Shifts",
           sideBySide(ofTable(numbered(
               {"shift", "Shift matrix", "A shift by Δ rotates every sine–cosine pair: p(t + Δ) = R(Δ) p(t)",
                drawn<drawShiftPicture>, with(sinusoidTable, shiftOfPositions, positionEffect)},
               shiftNumbers)))),
        in("Shifts",
           sideBySide(ofTable(numbered(
               {"convolution", "Weighted shifts",
                "A convolution over positions is one matrix: Σ w p(t + Δ) = (Σ w R(Δ)) p(t)",
                drawn<drawWeightedShiftsPicture>, with(sinusoidTable, shiftsOfPositions, positionEffect)},
               baseNumbers)))),
        in("Similarities",
           sideBySide(ofTable(numbered(
               {"similarity", "Similarity", "Cosine or dot product of the encodings of any two positions",
                drawn<drawSimilarityPicture>, with(sinusoidTable, positionEffect)},
               baseNumbers)))),
        in("Similarities",
           sideBySide(ofTable(numbered(
               {"differences", "Increments", "Change of the encoding over Δ positions: p(t + Δ) − p(t)",
                drawn<drawDifferencesPicture>, with(sinusoidTable, positionDifferences, positionEffect)},
               baseNumbers)))),
        in("Scores", numbered({"scores", "Position scores", "Attention scores computed from positions alone",
                               drawn<drawScoresPicture>, with(positionScores, positionEffect)},
                              baseNumbers)),
        in("Scores",
           sideBySide(numbered(
               {"filter", "Distance filter",
                "Attention by distance alone as a convolution: its kernel, and the difference (0)",
                filterScene, with(filterOfHead), nullptr,
                [](const ModelConfig& config) { return whyNoFilter(config, ownSite(config)).empty(); }},
               baseNumbers))),
        sideBySide(numbered(
            {"shuffle", "Shuffle",
             "Permuted tokens: without position information the outputs are permuted in the same way",
             shuffleScene, with(shuffledText)},
            baseNumbers)),
        sideBySide(numbered(
            {"bench", "Extrapolation",
             "Accuracy of the six models positions/... at lengths beyond training (Press et al. 2022)",
             positionBenchScene, with(everyEncoding)},
            baseNumbers))}},
      {"residual",
       "Residual stream",
       "Every sublayer adds its output to the residual stream, x ← x + f(LN(x))",
       {in("Norms, cosine", {"norms", "Norms",
                             "Norm of the residual stream and of the update by each sublayer, ‖x‖ and ‖f(x)‖",
                             drawn<drawNormsPicture>, with(residualStream)}),
        in("Norms, cosine", {"cosine", "Cosine", "Cosine between the residual streams of two layers",
                             drawn<drawCosinePicture>, with(residualStream, residualCosines)}),
        in("Norms, cosine",
           {"scales", "LayerNorm scale", "Scale factor of every LayerNorm for each token, 1 / σ",
            drawn<drawScalesPicture>, with(residualStream, normScales)}),
        {"contributions", "Contributions",
         "Contribution of each head and MLP to the final residual stream, or to a logit (direct logit "
         "attribution)",
         drawn<drawContributionsPicture>, with(contributions)},
        {"gradient", "Gradient flow",
         "Norm of ∂loss/∂x after each sublayer, with and without residual connections or norms",
         drawn<drawDepthPicture>, with(depthGradients)},
        {"geometry", "PCA", "Token vectors on their first two or three principal components",
         drawn<drawGeometryPicture>, with(residualGeometry)},
        {"neurons", "MLP neurons",
         "Activation of each MLP neuron, tokens that excite it, tokens it promotes (Geva et al. 2022)",
         drawn<drawNeuronsPicture>, with(neuronsOfBlock, neuronWeights, neuronExamplesFound)}},
       Reads::Text,
       "Residual"},
      {"next_token",
       "Next token",
       "Next-token probabilities, p = softmax(W_U · LN(x))",
       {{"distribution", "Distribution", "Most probable tokens after the selected one, and their logits",
         distributionScene, with(prediction)},
        {"text", "Surprisal", "Surprisal of each token, −ln p in nats, and the tokens predicted there",
         nextTokenTextScene, with(nextTokens)},
        {"shifted", "Teacher forcing",
         "Inputs, targets (inputs shifted by one), predictions and the loss at each position",
         shiftedTextScene, with(nextTokens)},
        sideBySide({"sampling", "Sampling", "Distribution after each filter, and the sampled token",
                    samplingScene, with(samplingChain)}),
        sideBySide({"strategies", "Strategies",
                    "The text continued by each generation strategy, and by many samples", strategiesScene,
                    with(strategyComparison)}),
        sideBySide(
            {"draft", "Speculative",
             "A draft model proposes tokens; the model accepts or rejects them (Leviathan et al. 2023)",
             draftedScene, with(draftedText)}),
        {"lens", "Logit lens",
         "Prediction at every position if the model stopped after this sublayer (nostalgebraist 2020)",
         nextTokenLensScene, with(lensGrid)},
        {"classes", "Classifier", "Class probabilities of the classification head", classesScene,
         with(classProbabilities), nullptr,
         [](const ModelConfig& config) { return config.hasClassHead(); }}}},
      {"beam",
       "Beam search",
       "Hypotheses that beam search kept and pruned, by Σ log p / lengthᵅ",
       {{"search", "Search tree", "Every hypothesis with its score, kept or pruned", beamScene,
         with(bestOfAll)},
        sideBySide({"branches", "Branches",
                    "Saved texts, greedy decoding, beam search and samples as one tree", branchesScene,
                    with(branchPaths)})},
       Reads::Text,
       "Beams"},
      {"tokens",
       "Tokens",
       "Token ids, bytes and merges of the text",
       {{"merges", "Merges", "Every token, and the BPE merges of its word (Sennrich et al. 2016)",
         tokensScene, with(tokenProbability, wordMerges)},
        sideBySide({"cuts", "Tokenizers", "One text in several tokenizers, from bytes to words", cutsScene,
                    with(wordMerges, libraryTokenizers, learnedTokenizers, piecesByLanguage)}),
        sideBySide({"unembedding", "Embed/unembed",
                    "A token's row of W_E next to its column of W_U, with their cosine", unembeddingScene,
                    with(unembeddingAngles)}),
        sideBySide(
            {"both ends", "Embed gradients",
             "Gradient of the loss at W_E: through the embedding, through the unembedding, and their sum",
             bothEndsScene, with(endsOfEmbedding)})},
       Reads::TextAndSource},
      {"step",
       "Forward pass",
       "Operands and result of the selected operation of the forward pass",
       {played({"equation", "Equation",
                "Operands and result next to each other, and the products that give the selected value",
                drawn<drawStepEquation>, with(operandsOfStep)}),
        {"walk",
         "One token",
         "The selected token through one block: scores, softmax, weighted sum, residual add, norm, MLP",
         tokenWalkScene,
         {},
         pointsOfWalk},
        numbered({"lookup", "Soft lookup", "A head as a key–value table: exact, argmax or softmax match",
                  lookupScene, with(lookupOfHead)},
                 temperature<lookupTemperatureChoice>),
        {"state", "Recurrent state",
         "Running state S of linear attention, token by token (Katharopoulos et al. 2020)",
         drawn<drawStatePicture>, with(runningState)},
        {"result", "Result", "Result of the selected operation at full size", drawn<drawStepResult>,
         with(operandsOfStep)},
        sideBySide({"slips", "Misprints",
                    "Common wrong formulas next to the correct ones, with the difference of their results",
                    slipScene, with(slipOfHead)}),
        in("Diagrams", sideBySide({"whole", "Whole model",
                                   "Tokens in, the residual stream through every block, the next token out",
                                   wholeModelScene, with(residualStream, partsOfModel)})),
        in("Diagrams",
           sideBySide({"parallels", "CNN comparison",
                       "ResNet, ConvNeXt and transformer blocks, counterparts in a row", parallelsScene}))},
       Reads::TextAndSource,
       "Forward"},
      {"influence",
       "Attribution",
       "Causes of a prediction: gradients ∂logit / ∂x, ablation, patching",
       {in("Saliency", {"sentence", "Saliency map",
                        "The text, colored by the gradient of one logit (Simonyan et al. 2013)",
                        drawn<drawInfluenceSentencePicture>, with(influence)}),
        in("Saliency",
           {"matrix", "Saliency matrix", "Saliency of every token (columns) for every prediction (rows)",
            drawn<drawInfluenceMatrixPicture>, with(influenceMatrix, leaks)}),
        in("Saliency", {"distance", "By distance", "Mean saliency by the distance between two tokens",
                        drawn<drawDistancePicture>, with(influenceMatrix)}),
        in("Saliency",
           {"integrated", "Integrated grads",
            "Integrated gradients: the tokens sum to the change from the baseline (Sundararajan et al. 2017)",
            drawn<drawIntegratedPicture>, with(integratedAttribution)}),
        {"leave out", "Ablation",
         "Change in the prediction when each head, attention layer or MLP is ablated",
         drawn<drawLeaveOutPicture>, with(causalMap, directEffects)},
        sideBySide({"many texts", "Dataset stats",
                    "Each measure over a dataset: mean and spread, next to its value for this text",
                    drawn<drawEffectsPicture>, with(textEffects, partEffects)}),
        sideBySide({"edges", "Edge ablation",
                    "Effect of removing one component → head edge (Q, K or V), on this text or a dataset",
                    drawn<drawEdgesPicture>, with(edgesOfText, edgesOfDataset)}),
        sideBySide({"patch", "Patching",
                    "Activation patching: effect of one activation that comes from the other text (Wang et "
                    "al. 2022)",
                    drawn<drawPatchPicture>, with(patchMap)}),
        numbered({"gradients", "Q/K/V gradients",
                  "Gradients of queries, keys and values, through softmax and through argmax",
                  drawn<drawGradientsPicture>, with(headGradients)},
                 temperatureAlone),
        sideBySide({"smallest change", "Counterfactuals",
                    "Smallest edit that changes the prediction or a head's top key: one token or a few "
                    "ablated heads",
                    drawn<drawChangesPicture>, with(answerChanges)})},
       Reads::TextAndSource},
      {"training",
       "Training",
       "Training curves and optimizer state, w ← w − η m̂ / (√v̂ + ε)",
       {sideBySide({"curves", "Learning curves",
                    "Loss, accuracy, learning rate and gradient norm over the training steps",
                    drawn<drawTrainingCurvesPicture>}),
        sideBySide({"schedule", "LR schedule",
                    "Learning rate of the 2017 schedule by model dim and warmup, and of this run (Vaswani et "
                    "al. 2017)",
                    scheduleScene, with(schedulesOf2017)}),
        sideBySide({"parts", "Gradient norms",
                    "Gradient norm and update ratio of every component over the training steps",
                    drawn<drawPartsPicture>}),
        sideBySide({"optimizer", "Optimizer",
                    "One weight, its gradient and Adam's two moments at the selected step",
                    drawn<drawOptimizerPicture>, with(pastOptimizer)}),
        sideBySide(
            {"data", "Data scaling",
             "Validation loss by data size: the same hyperparameters on 1/16 of the data up to all of them",
             drawn<drawDataPicture>, with(lossByDataSize)}),
        sideBySide({"answers", "Held-out answers",
                    "Answers of the model to test questions that it was not trained on",
                    drawn<drawAnswersPicture>, with(pastAnswers)})},
       Reads::Nothing},
      {"landscape",
       "Loss landscape",
       "Loss around the trained weights, L(θ + aδ + bη), along two random directions (Li et al. 2018)",
       {{"surface", "Surface", "Loss as a height; drag to rotate, double-click to reset",
         drawn<drawSurfacePicture>, with(landscape)},
        {"map", "Contour map", "Loss from above, with contour lines", drawn<drawMapPicture>,
         with(landscape)}},
       Reads::Nothing,
       "Landscape"},
      {"cost",
       "Compute cost",
       "Multiply-adds and time to mix T tokens: O(T²K), O(TD²), O(JTD²)",
       {in("Mixing cost",
           sideBySide(numbered({"mixing", "Token mixing",
                                "Multiply-adds and time of token mixing by text length, without projections",
                                mixingCostScene, with(cost)},
                               measuredSizes))),
        in("Mixing cost",
           sideBySide(numbered({"block", "With projections", "Cost of token mixing with its projections",
                                blockCostScene, with(cost)},
                               measuredSizes))),
        sideBySide(numbered(
            {"sizes", "Calculator",
             "Multiply-adds at any T, M, N and D, with cross-attention; training in parallel and sampling",
             sizesScene, with(costOfSizes)},
            countedSizes)),
        sideBySide({"cache", "KV cache",
                    "Keys and values that decoding stores, and the multiply-adds that this saves", cacheScene,
                    with(cache)}),
        sideBySide(
            {"one by one", "Cache check",
             "Cached decoding against one full pass: largest difference of each activation, under the mask",
             oneByOneScene, with(oneByOne)}),
        sideBySide({"unrolled", "Unrolled graph",
                    "Sequential operations and path lengths in the unrolled network", unrolledScene,
                    with(unrolledNetwork)})},
       Reads::Nothing,
       "Cost"},
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
