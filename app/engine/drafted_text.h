#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/kept_continuation.h"
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

/// The text gone on with by speculative decoding: see Speculation.
class DraftedText final : public KeptContinuation {
 public:
  static constexpr const char* doing = "drafting";

  explicit DraftedText(int threads);

 private:
  bool decodesAlike(Decoding a, const Decoding& b) const override;
  void takeUp(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void goOn(const StartJob& begin, const std::function<void()>& more) override;
  std::shared_ptr<const TensorSet> measured() const override {
    return events_.empty() ? nullptr : asTensors();
  }
  std::string missing() const override { return missing_; }
  std::vector<OfferedModel> offered() const override;

  // A token, and the two distributions that decided on it, as far as they are known.
  struct Event {
    Drafted fate = Drafted::Accepted;
    int round = 0, token = 0;
    float draft = 0, target = 0, u = 0;
    Candidates p, q;
    std::vector<int> text;  // that it was to go on
  };
  // A model that can propose: its tokens are those of the open one, and it is smaller.
  struct SmallerModel {
    std::string name;
    std::shared_ptr<const Transformer> transformer;
    std::int64_t parameters = 0;
  };
  std::string chooseDraft(const MeasuredModel& of, const StartJob& begin);
  void findSmaller(const MeasuredModel& of, const ProgressCallback& watch);
  void note(const SpeculativeRound& round, std::vector<int> text);
  std::shared_ptr<const TensorSet> asTensors() const;
  struct Opened;
  Opened opened() const;

  std::string missing_;
  std::vector<SmallerModel> smaller_;               // the smallest first
  std::shared_ptr<const Transformer> smallerThan_;  // what they were looked for
  std::shared_ptr<const Transformer> draft_;
  Interventions draftInterventions_;
  std::unique_ptr<LivePass> draftPass_;
  std::optional<Speculation> speculation_;
  std::vector<Event> events_;
  int passes_ = 0, draftCalls_ = 0;
  // Of the round that is going on: what each model said about the tokens.
  std::vector<Candidates> said_, drafted_;
};

}  // namespace glassformer
