#pragma once
#include <algorithm>
#include <array>

#include "app/document/view_settings.h"

namespace glassformer {

/// What is patched, a cell of the map at a time.
struct PatchKind {
  const char* id;
  const char* label;
  const char* tip;
  const char* point;  ///< of a block; of heads all positions at once, else each by itself
  bool byHead = false;
};
inline constexpr std::array patchKinds{
    PatchKind{"stream", "Residual stream", "Residual stream before each block, at each position",
              "hook_resid_pre"},
    PatchKind{"attention", "Attention", "Output of the attention layer of each block, at each position",
              "hook_attn_out"},
    PatchKind{"mlp", "MLP", "Output of the MLP of each block, at each position", "hook_mlp_out"},
    PatchKind{"heads", "Heads", "Output of each head, at all positions", "attn.hook_z", true},
};

/// What ViewSettings::choices calls it, and whether changes are shown as shares: 0 is the open text's answer,
/// 1 what the other text makes of it.
inline constexpr const char *patchChoice = "influence.patch", *patchShare = "influence.patch_share",
                            *patchAsShare = "share";
inline constexpr const char* usualPatchMetric = "difference";

inline const PatchKind& patchKind(const ViewSettings& settings) {
  const auto found = std::ranges::find_if(
      patchKinds, [&](const PatchKind& kind) { return kind.id == settings.chosen(patchChoice); });
  return found == patchKinds.end() ? patchKinds.front() : *found;
}

}  // namespace glassformer
