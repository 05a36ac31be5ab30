#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/constraint_check.h"
#include "core/decode/next_token.h"
#include "core/text/text_ends.h"
#include "core/watch.h"

namespace glassformer {

struct BeamSettings {
  int width = 3;            ///< hypotheses that go on at each depth
  int depth = 6;            ///< tokens to look ahead
  float lengthPenalty = 0;  ///< α: a hypothesis of n tokens scores log P / n^α
  /// γ: at each depth the k-th best of one hypothesis is ranked γ (k − 1) below its score, so that the beam
  /// is not filled by siblings (Li, Monroe and Jurafsky 2016). Scores themselves stay.
  float siblingPenalty = 0;
  /// Diverse beam search (Vijayakumar et al. 2016): at each depth the first group is searched as a beam of
  /// its own, of width / groups hypotheses, then each other one after those before it. At most `width`; where
  /// they do not divide it, the first ones are one wider.
  int groups = 1;
  /// λ: a candidate is ranked λ lower for each hypothesis of an earlier group that took its token at this
  /// depth (their Hamming diversity). Scores themselves stay. 0: every group finds what the first one does.
  float groupPenalty = 0;
  bool stopsEarly = false;  ///< as soon as the best of the beam has ended, although others might pass it
  /// Candidates kept per hypothesis, for looking at. At most `width` of one hypothesis can go on, so any
  /// number from `width` up gives the same search. 0: max(8, 2 · width).
  int candidates = 0;
  TextEnds endOfText;     ///< any of them ends a hypothesis
  int context = 1 << 30;  ///< of the model: no hypothesis grows beyond it
  /// What hypotheses have to be. Their probabilities stay the model's own, over all tokens.
  ConstraintCheck constraint = {};
};

enum class BeamState {
  Kept,      ///< went on to the next depth, or stands at the last
  Finished,  ///< ended with the end of the text, or where nothing fits, and stayed in the beam to the last
             ///< depth
  Pruned,    ///< beaten: by `beatenBy`
  DeadEnd,   ///< no token leads on to what the constraint wants; left the beam, unless nothing else was in it
};

/// One candidate of the search.
struct BeamNode {
  int parent = -1;  ///< index into BeamTree::nodes; -1 only for the root
  int token = -1;   ///< of the root: none
  int depth = 0;
  double logProbability = 0;  ///< of this token after its prefix
  double cumulative = 0;      ///< of the whole hypothesis, from the prompt on
  double score = 0;           ///< cumulative / depth^α
  double ranked = 0;          ///< score − γ (k − 1) − λ · repeats: what its depth is ranked by
  int rank = 0;               ///< by that, among all candidates of its depth and group, from 1
  int group = 0;              ///< of the beam that it is a candidate for
  int repeats = 0;            ///< hypotheses of the groups before that took its token at its depth
  BeamState state = BeamState::Kept;
  int beatenBy = -1;    ///< pruned: the worst node that was kept instead
  bool greedy = false;  ///< on the path that always takes the most probable token
};

/// The whole search, with what it pruned and why. Parents come before their children.
struct BeamTree {
  std::vector<BeamNode> nodes;
  std::vector<int> hypotheses;  ///< the beam at the end, the highest score first
  int best = -1;                ///< the first of these
  /// The first that had ended and was the best of its beam: where stopping early stops. -1: none.
  int firstEnded = -1;
  int endedAt = -1;         ///< the depth of that beam
  bool cancelled = false;   ///< by its watch; what is there is right
  int groups = 1;           ///< that were searched
  float lengthPenalty = 0;  ///< α of its scores
  /// Nodes that the constraint let nothing follow though they are not whole, with what is missing there.
  std::vector<std::pair<int, DeadEnd>> deadEnds;

  /// Tokens from the prompt's end to a node.
  std::vector<int> path(int node) const;
  /// Null where a node is none.
  const DeadEnd* deadEndAt(int node) const;
};

/// Beam search (Lowerre 1976; length penalty as in Wu et al. 2016, without their constant). The watch
/// counts calls of the model, as many as there are where no hypothesis ends early; stopped, the tree so far
/// is returned.
BeamTree beamSearch(const NextTokenLogits& logits, std::span<const int> prompt, const BeamSettings& settings,
                    const ProgressCallback& watch = noProgress);

}  // namespace glassformer
