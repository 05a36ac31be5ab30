#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/document/patch_settings.h"
#include "app/engine/job.h"
#include "core/lens/difference.h"
#include "core/lens/metric.h"
#include "core/model/live_pass.h"

namespace glassformer {

namespace patching {
inline constexpr const char *change =
                                "patch.change",  ///< [L, T], of heads [L, H]: what the metric changes by
    *share = "patch.share",  ///< the same of the way to the other text's number, 0 to 1; of an answer alone
        *range = "patch.range",          ///< [1]: that way, y of the other text − y of the open one
            *lead = "patch.lead",        ///< [1]: how far the open text's answer is ahead, unpatched
                *other = "patch.other";  ///< [1]: of what: the answer of the text compared with
}

/// What is asked of patches: which pass, what its number is, and where the patches come from.
struct PatchKey {
  PassKey pass;
  std::shared_ptr<const Trace> other;
  const PatchKind* kind = nullptr;
  Metric metric;
  Prediction prediction;
  int answer = -1;         ///< of the text compared with
  int otherPosition = -1;  ///< where that text is asked
  bool operator==(const PatchKey&) const = default;
};
/// What is known of them.
struct PatchState {
  Alignment alignment;
  std::unique_ptr<LivePass> pass;
  Tensor changes;  ///< NaN: not computed yet, or no counterpart
  int next = 0;    ///< cell
};

/// Two texts that are compared: the effect on one's answer of patching parts of its pass from the other's, in
/// both directions, patch by patch (activation patching: Vig et al. 2020, Meng et al. 2022).
class PatchMap final : public Job<PatchKey, PatchState> {
 public:
  static constexpr const char* doing = "patching one text with the other";

  explicit PatchMap(int threads) : threads_(threads) {}

 private:
  std::optional<PatchKey> key(const JobSide& side) const override;
  std::string missing(const JobSide& side) const override;
  std::unique_ptr<PatchState> start(const PatchKey& key, const JobSide& side, const StartJob& begin) override;
  bool goOn(const PatchKey& key, PatchState& state, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) override;
  JobResult result(const PatchKey& key, const PatchState& state, const JobSide&) const override;

  int threads_;
};

/// Why two texts cannot be patched; empty where they can.
std::string whyNoPatch(const Snapshot& snapshot);

/// The intervention that a cell of the map stands for, between two traces; nothing without a counterpart.
std::optional<Intervention> patchOfCell(const ModelConfig& config, const Trace& here, const Trace& other,
                                        const Alignment& alignment, const PatchKind& kind, int layer,
                                        int column);
/// Where its numbers come from: "token 6 ·wide of “The animal was …”"; of a head's at all tokens, the text
/// alone.
std::string patchOrigin(const ShownPass& here, const ShownPass& other, const Alignment& alignment,
                        const PatchKind& kind, int column);
/// "token 3 ·animal"
std::string tokenWords(const ShownPass& pass, int position);
/// "MLP of block 1 at position 5 from the other text".
std::string patchWords(const PatchKind& kind, int layer, int column);

}  // namespace glassformer
