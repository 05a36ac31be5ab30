#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/continued_text.h"
#include "core/decode/speculative.h"

namespace glassformer {

/// What became of a token while one model drafts for another.
enum class Drafted {
  Accepted,
  Refused,
  Dropped,    ///< proposed behind one that was refused
  Corrected,  ///< by the model itself, in place of one that it refused
  Own,        ///< by the model itself, behind proposals that it all accepted
};

namespace drafting {
inline constexpr int listed = 12;  ///< tokens of a distribution
inline constexpr const char
    *round = "drafting.round",          ///< [N]: which pass of the model itself a token came with, from 0
    *fate = "drafting.fate",            ///< [N]: a Drafted
        *token = "drafting.token",      ///< [N]
            *draft = "drafting.draft",  ///< [N]: q of it; NaN: not proposed
                *target = "drafting.target",                ///< [N]: p of it; NaN: never asked for
                    *ratio = "drafting.ratio",              ///< [N]: p / q of it; NaN: not both are known
                        *number = "drafting.u",             ///< [N]: the random number; NaN: none
                            *overlap = "drafting.overlap",  ///< [N]: β = Σ min(p, q); NaN: not both are known
                                *counts = "drafting.counts",  ///< [4]: see Count
                                    *candidate =
                                        "drafting.candidate",   ///< [N, C]: the likeliest; NaN: no more
                                        *q = "drafting.q",      ///< [N, C]: of each of these
                                            *p = "drafting.p",  ///< [N, C]
                                                *both = "drafting.both",          ///< [N, C]: min(p, q)
                                                    *beyond = "drafting.beyond";  ///< [N, C]: (p − q)⁺
enum Count { Passes, DraftCalls, Proposed, AcceptedCount };
}  // namespace drafting

/// A model that can propose: its tokens are those of the open one, and it is smaller.
struct SmallerModel {
  std::string name;
  std::shared_ptr<const Transformer> transformer;
  std::int64_t parameters = 0;
};

/// The text continued by speculative decoding: see Speculation.
class DraftedText : public ContinuedText {
 public:
  static constexpr const char* doing = "drafting";

  /// Greedy decoding takes the most probable token; the beam has no draw that could be drafted.
  static Decoding read(Decoding decoding);
  static void read(const ViewSettings& from, ViewSettings& to);

  DraftedText(const ContinuationKey& key, const JobSide& side, int threads)
      : ContinuedText(key, side, threads), threads_(threads) {}
  /// Chooses the draft among smaller models, the smallest first, or the first half of the model itself.
  void begin(std::vector<SmallerModel> smaller);
  bool goOn(const StartJob& begin, const std::function<void()>& more);
  JobResult result() const;

 private:
  // A token, and the two distributions that decided on it, as far as they are known.
  struct Event {
    Drafted fate = Drafted::Accepted;
    int round = 0, token = 0;
    float draft = 0, target = 0, u = 0;
    Candidates p, q;
    std::vector<int> text;  // that it was to go on
  };
  std::string chooseDraft();
  void note(const SpeculativeRound& round, std::vector<int> text);
  std::shared_ptr<const TensorSet> asTensors() const;
  struct Opened;
  Opened opened() const;

  int threads_;
  std::string missing_;
  std::vector<SmallerModel> smaller_;
  std::shared_ptr<const Transformer> draft_;
  Interventions draftInterventions_;
  std::unique_ptr<LivePass> draftPass_;
  std::optional<Speculation> speculation_;
  std::vector<Event> events_;
  int passes_ = 0, draftCalls_ = 0;
  // Of the round that is going on: what each model said about the tokens.
  std::vector<Candidates> said_, drafted_;
};

/// The same as a job, which knows the smaller models among those that ship.
class DraftingJob final : public ContinuationJob<DraftedText> {
 public:
  using ContinuationJob::ContinuationJob;

 private:
  std::unique_ptr<DraftedText> start(const ContinuationKey& key, const JobSide& side,
                                     const StartJob& begin) override;
  bool findSmaller(const MeasuredModel& of, const ProgressCallback& watch);

  std::vector<SmallerModel> smaller_;
  std::shared_ptr<const Transformer> smallerThan_;  // what they were looked for
};

}  // namespace glassformer
