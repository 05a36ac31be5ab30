#pragma once
#include <string>

#include "core/lens/alignment.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Activation patching (Vig et al. 2020, Meng et al. 2022): what another pass computed takes the place of
/// what this one does, and everything behind it is computed anew. Both passes must have the point, equally
/// wide.

/// The vector of a point [T, D] at one position, from the other pass's position `from`.
Intervention patchAt(const Trace& here, const Trace& other, const std::string& point, int position, int from);

/// All of one head's output (hook_z [T, H, K]), at every position that has a counterpart.
Intervention patchOfHead(const Trace& here, const Trace& other, const std::string& point, int head,
                         const Alignment& alignment);

/// All that `part` selects of a point [T, D] or [T, H, K], at every position that has a counterpart.
Intervention patchOfPart(const Trace& here, const Trace& other, Intervention part,
                         const Alignment& alignment);

/// Mean ablation: at every position, what `part` selects of a point [T, D] or [T, H, K] is its mean over all
/// T of them, as numbers that stay while the text changes.
Intervention heldAtMean(const Trace& here, Intervention part);

/// How far an answer is ahead of another one at a position: z[answer] − z[other], or z[answer] alone where
/// both are the same.
float lead(const Trace& trace, int position, int answer, int other);
/// What makes it.
Derivation derivedLead(const Trace& trace, int position, int answer, int other);

}  // namespace glassformer
