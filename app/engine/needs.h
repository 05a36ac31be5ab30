#pragma once
#include "app/engine/need.h"

namespace glassformer {

/// What pictures may need. A picture with a need of its own defines that beside itself.
namespace needs {
extern const Need operandsOfStep, lookupOfHead, planeOfMatrix, paintedRule, planeOfSentence, planesOfArcs,
    planesOfTwoHeads;
extern const Need residualStream, residualCosines, normScales, contributions, directEffects;
extern const Need nextTokens, lensGrid, tokenProbability, prediction, samplingChain, scoreTable, outputTable;
extern const Need sinusoidTable, positionScores, positionDifferences, positionEffect;
extern const Need influence, influenceMatrix, leaks, integratedAttribution;
extern const Need neuronsOfBlock, neuronWeights, neuronExamplesFound, answerChanges, ruleBench, profiledRules,
    headHistory, headCircuits, partEffects, textEffects, edgesOfText, edgesOfDataset;
extern const Need landscape, pastAnswers, causalMap, patchMap;
extern const Need strategyComparison, bestOfAll, branchPaths, draftedText;
// No tensors are measured for these: the engine shows more of what it has.
extern const Need wordMerges, pastOptimizer;
extern const Need libraryTokenizers, learnedTokenizers;
}  // namespace needs

}  // namespace glassformer
