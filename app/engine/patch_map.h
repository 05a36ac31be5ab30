#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "app/document/patch_settings.h"
#include "app/engine/need.h"
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

/// Two texts that are compared: what becomes of the one's answer when parts of its pass are taken from the
/// other's, in both directions; computed patch by patch behind the picture.
class PatchMap final : public BackgroundJob {
 public:
  static constexpr const char* doing = "patching one text with the other";

  explicit PatchMap(int threads) : threads_(threads) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  /// One direction: the text that is patched, and where that is from.
  struct Side {
    std::shared_ptr<const Transformer> model;
    std::shared_ptr<const Trace> trace, other;
    Interventions interventions;
    Prediction prediction;
    const PatchKind* kind = nullptr;
    Metric metric;
    int answer = -1;         // of the text compared with
    int otherPosition = -1;  // where that text is asked
    Alignment alignment;
    std::unique_ptr<LivePass> pass;
    Tensor changes;  // NaN: not computed yet, or no counterpart
    int next = 0;    // cell

    TensorSet::AcrossOf across() const;
    /// The metric's number in the other text, less that in the open one; NaN where that says nothing.
    double range() const;
    bool patchesSame(const Side& side) const {
      return model == side.model && trace == side.trace && other == side.other && kind == side.kind &&
             interventions == side.interventions && prediction == side.prediction && metric == side.metric;
    }
  };

  std::array<Side, 2> asked(const MeasuredModel& of, const Snapshot& snapshot) const;
  static Metric metricOf(const ViewSettings& settings, const ShownPass& here, int answer, int mask);
  void begin(Side& side) const;
  bool measure(Side& side, const ProgressCallback& watch, const std::function<void()>& more) const;

  int threads_;
  std::array<Side, 2> sides_;
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
