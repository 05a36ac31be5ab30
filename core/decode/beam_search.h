#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/decode/constraint_check.h"
#include "core/decode/next_token.h"
#include "core/watch.h"

namespace glassformer {

struct BeamSettings {
  int width = 3;            ///< hypotheses that go on at each depth
  int depth = 6;            ///< tokens to look ahead
  float lengthPenalty = 0;  ///< α: a hypothesis of n tokens scores log P / n^α
  /// Candidates kept per hypothesis, for looking at. At most `width` of one hypothesis can go on, so any
  /// number from `width` up gives the same search. 0: max(8, 2 · width).
  int candidates = 0;
  int endOfText = -1;     ///< ends a hypothesis; -1: nothing does
  int context = 1 << 30;  ///< of the model: no hypothesis grows beyond it
  /// What hypotheses have to be. Their probabilities stay the model's own, over all tokens.
  ConstraintCheck constraint = {};
};

enum class BeamState {
  Kept,      ///< went on to the next depth, or stands at the last
  Finished,  ///< ended with the end of the text, or where nothing fits, and stayed in the beam to the last
             ///< depth
  Pruned,    ///< beaten: by `beatenBy`
};

/// One candidate of the search.
struct BeamNode {
  int parent = -1;  ///< index into BeamTree::nodes; -1 only for the root
  int token = -1;   ///< of the root: none
  int depth = 0;
  double logProbability = 0;  ///< of this token after its prefix
  double cumulative = 0;      ///< of the whole hypothesis, from the prompt on
  double score = 0;           ///< cumulative / depth^α
  int rank = 0;               ///< by score among all candidates of its depth, from 1
  BeamState state = BeamState::Kept;
  int beatenBy = -1;    ///< pruned: the worst node that was kept instead
  bool greedy = false;  ///< on the path that always takes the most probable token
};

/// The whole search, with what it pruned and why. Parents come before their children.
struct BeamTree {
  std::vector<BeamNode> nodes;
  int best = -1;           ///< the hypothesis with the highest score at the end
  bool cancelled = false;  ///< stopped early; what is there is right

  /// Tokens from the prompt's end to a node.
  std::vector<int> path(int node) const;
};

/// Beam search (Lowerre 1976; length penalty as in Wu et al. 2016, without their constant). The watch
/// counts calls of the model, as many as there are where no hypothesis ends early; stopped, the tree so far
/// is returned.
BeamTree beamSearch(const NextTokenLogits& logits, std::span<const int> prompt, const BeamSettings& settings,
                    const Watch& watch = unwatched);

}  // namespace glassformer
