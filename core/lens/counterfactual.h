#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lens/head_id.h"
#include "core/model/live_pass.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What changes a model's answer, the likeliest entry at a position, or the key that one of its heads looks
/// at most from there: searched by passes, best guess first, so that what is found is exact and what is not
/// found has been tried. Guesses are of first order: by how much the logit, or the score, of the other answer
/// gains on that of the answer, along its gradient (for single tokens HotFlip's, Ebrahimi et al. 2018).

/// What is asked, and what counts as another answer.
struct AnswerAsked {
  int position = 0;  ///< of the head's queries, where one is asked
  int target = -1;   ///< this entry, or key, alone; -1: any other than the model's answer
  std::optional<HeadId> head = std::nullopt;  ///< where this one looks; nothing: what the model says
  bool operator==(const AnswerAsked&) const = default;

  /// The point whose numbers decide: the logits, or the head's scores.
  std::string decidedBy() const;
};

/// The row whose first largest number is the answer: logits [V] at the position, or the head's pattern [S].
TensorView rowAsked(const Trace& trace, const AnswerAsked& asked);
int answerOf(const Trace& trace, const AnswerAsked& asked);
/// How probable an entry is, or how much of the head's attention a key has.
float shareOf(const Trace& trace, const AnswerAsked& asked, int entry);

/// What another entry than the two answers had before and has with a change, as shareOf() says it.
struct OtherShare {
  int entry = -1;
  float before = 0, after = 0;
};

/// What a change comes to: another answer, and what was and is probable.
struct Counterfactual {
  int answer = -1;                    ///< the entry that is likeliest then, or the key looked at most
  float oldBefore = 0, oldAfter = 0;  ///< shareOf() the model's own answer before, and with the change
  float newBefore = 0, newAfter = 0;  ///< that of this one
  /// Of all others those that had or have most, by the larger of both; no more than these, and none that has
  /// less.
  std::vector<OtherShare> others;
  static constexpr std::size_t mostOthers = 12;
  static constexpr float leastOther = 0.001f;
};

/// One token in the place of another.
struct TokenReplacement {
  Stream stream = Stream::Text;
  int position = 0;
  int token = -1;
  bool operator==(const TokenReplacement&) const = default;
};

/// Every single token replaced by every other of the vocabulary.
class ReplacementSearch {
 public:
  struct Found {
    TokenReplacement change;
    Counterfactual flip;
  };

  /// `fixed`: as many of the text's first tokens stay, such as a start sign that nobody writes. At most
  /// `most` of the best guesses are tried. The trace went through the interventions; the model outlives all.
  ReplacementSearch(const Transformer& model, const Trace& trace, const Interventions& interventions,
                    AnswerAsked asked, int fixed, std::int64_t most);

  /// Those that can make a difference: what a causal model reads behind the position cannot, nor for a head
  /// of the encoder anything but the source.
  std::int64_t all() const { return all_; }
  int tried() const { return next_; }
  bool isDone() const { return next_ == static_cast<int>(guesses_.size()); }
  /// Which one that is, while there are more.
  const TokenReplacement& next() const { return guesses_[static_cast<std::size_t>(next_)].change; }
  /// Tries the next one; with another answer it is among `found`, in the order of trying.
  void advance(LivePass& pass);
  const std::vector<Found>& found() const { return found_; }

 private:
  struct Guess {
    TokenReplacement change;
    float gain = 0;
  };
  void guess(const Transformer& model, int fixed, std::int64_t most);
  void keepBest(std::int64_t most);

  const Trace* of_;
  Interventions interventions_;
  AnswerAsked asked_;
  std::int64_t all_ = 0;
  std::vector<Guess> guesses_;  // best first
  int next_ = 0;
  std::vector<Found> found_;
};

/// Those found, by how probable the new answers are: the best of every place, then the next of every place,
/// and so on.
std::vector<const ReplacementSearch::Found*> placeByPlace(const std::vector<ReplacementSearch::Found>& found);

/// Sets of heads that are switched off: all of one, then all pairs, and so on, until sets of one size change
/// the answer. All sets of that size are tried then, too.
class HeadSetSearch {
 public:
  struct Found {
    std::vector<HeadId> heads;
    Counterfactual flip;
  };
  struct Size {
    int heads = 0;
    std::int64_t all = 0, tried = 0;
  };

  /// Of sets of one size at most `most` are tried, of those heads that by themselves promise most. Left out
  /// are heads that the interventions switch off already, and those that what is asked is not made of.
  HeadSetSearch(const Transformer& model, const Trace& trace, const Interventions& interventions,
                AnswerAsked asked, std::int64_t most);

  bool isDone() const { return isDone_; }
  void advance(LivePass& pass);
  const std::vector<Found>& found() const { return found_; }
  /// Those begun so far, in order.
  const std::vector<Size>& sizes() const { return sizes_; }
  /// Of all heads that can be switched off, those that promise most first.
  const std::vector<HeadId>& heads() const { return heads_; }

 private:
  void guess(const Transformer& model);
  void beginSize(int size);

  const Trace* of_;
  Interventions interventions_;
  AnswerAsked asked_;
  std::int64_t most_;
  std::vector<HeadId> heads_;
  std::vector<float> gains_;            // of these
  std::vector<std::vector<int>> sets_;  // of the size under way, places in heads_, best first
  std::vector<Size> sizes_;
  bool isDone_ = false;
  std::vector<Found> found_;
};

/// Zeros what a head makes, at all positions.
Intervention headOff(const HeadId& head);

/// The largest entry of a row but for one; what is guessed to take over.
int runnerUp(const TensorView& row, int answer);

}  // namespace glassformer
